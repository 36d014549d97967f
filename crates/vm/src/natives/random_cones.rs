//! Random directions within cones, round and elliptical; random points of boxes; random hues.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};

use super::color::from_hsv;
use super::math_rotator::direction_rotator;
use super::math_vector::normal;
use super::random::{Source, Stream, in_box, with};
use super::values::{Bounds, LinearColor};
use super::{Native, Out};
use crate::native;

/// Rows of one function with the generator and with a stream, its angles in radians and in degrees.
macro_rules! cone {
    ($name:literal, |$source:ident, $direction:ident $(, $angle:ident)+| $value:expr) => {
        [
            native!(concat!("KismetMathLibrary.", $name, "InRadians"), |call, $direction: DVec3 $(, $angle: f64)+| -> DVec3 {
                let $source = &mut *call;
                Ok($value)
            }),
            native!(concat!("KismetMathLibrary.", $name, "InDegrees"), |call, $direction: DVec3 $(, $angle: f64)+| -> DVec3 {
                let $source = &mut *call;
                $(let $angle = $angle.to_radians();)+
                Ok($value)
            }),
            native!(concat!("KismetMathLibrary.", $name, "InRadiansFromStream"), |call, stream: Out<Stream>, $direction: DVec3 $(, $angle: f64)+| -> DVec3 {
                Ok(with(call, stream, |$source| $value))
            }),
            native!(concat!("KismetMathLibrary.", $name, "InDegreesFromStream"), |call, stream: Out<Stream>, $direction: DVec3 $(, $angle: f64)+| -> DVec3 {
                $(let $angle = $angle.to_radians();)+
                Ok(with(call, stream, |$source| $value))
            }),
        ]
    };
}

const ROUND: [Native; 4] = cone!("RandomUnitVectorInCone", |source, direction, angle| {
    in_cone(source, direction, (angle, angle))
});
const ELLIPTICAL: [Native; 4] = cone!(
    "RandomUnitVectorInEllipticalCone",
    |source, direction, yaw, pitch| in_cone(source, direction, (yaw, pitch))
);
const OTHERS: [Native; 3] = [
    native!(
        "KismetMathLibrary.RandomPointInBoundingBox_Box",
        |call, b: Bounds| -> DVec3 {
            Ok(in_box(call, (b.min + b.max) * 0.5, (b.max - b.min) * 0.5))
        }
    ),
    native!(
        "KismetMathLibrary.RandomPointInBoundingBoxFromStream_Box",
        |call, stream: Out<Stream>, b: Bounds| -> DVec3 {
            let (center, half) = ((b.min + b.max) * 0.5, (b.max - b.min) * 0.5);
            Ok(with(call, stream, |source| in_box(source, center, half)))
        }
    ),
    native!(
        "KismetMathLibrary.LinearColor_SetRandomHue",
        |call, color: Out<LinearColor>| {
            let hue = call.draw() * 360.0;
            call.set(color, from_hsv(hue, 1.0, 1.0, 1.0));
            Ok(())
        }
    ),
];

pub(super) const ROWS: &[&[Native]] = &[&ROUND, &ELLIPTICAL, &OTHERS];

/// A direction within the half angles (sideways, upwards) of another: tilted about its right axis, then
/// turned about itself. Not even over the cone; the engine's is not either.
///
/// Source: what the functions are documented to do; the order of draws and the folding of the tilt
/// into the cone are assumed.
fn in_cone(source: &mut impl Source, direction: DVec3, (yaw, pitch): (f64, f64)) -> DVec3 {
    let direction = normal(direction, 1e-8);
    if yaw <= 0.0 || pitch <= 0.0 {
        return direction;
    }
    let turn = TAU * source.draw();
    let tilt = (2.0 * source.draw() - 1.0).acos();
    let most = ((turn.cos() / pitch).powi(2) + (turn.sin() / yaw).powi(2))
        .sqrt()
        .recip();
    let right = direction_rotator(direction).quat() * DVec3::Y;
    let tilted = DQuat::from_axis_angle(right, tilt % most) * direction;
    normal(DQuat::from_axis_angle(direction, turn) * tilted, 1e-8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in turn.
    struct Given(Vec<f64>);

    impl Source for Given {
        fn draw(&mut self) -> f64 {
            self.0.remove(0)
        }
    }

    #[test]
    fn directions_stay_within_their_cone() {
        for turn in 0..20 {
            for tilt in 0..20 {
                let draws = vec![f64::from(turn) / 20.0, f64::from(tilt) / 20.0];
                let found = in_cone(&mut Given(draws), DVec3::X, (0.3, 0.3));
                assert!(found.angle_between(DVec3::X) <= 0.3 + 1e-9);
                assert!((found.length() - 1.0).abs() < 1e-9);
            }
        }
        assert_eq!(in_cone(&mut Given(vec![]), DVec3::Y, (0.0, 0.0)), DVec3::Y);
    }
}
