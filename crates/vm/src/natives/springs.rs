//! Springs: values that follow a target like a mass on a damped spring.
//!
//! Source: the equation of the damped harmonic oscillator, `x'' = -w²(x - target) - 2dwx'` with `w² = stiffness /
//! mass`, solved exactly for the step. Assumed of the engine: that a moving target is led by `2d/w` seconds of
//! its speed, which is what the damping holds the value back; that the first step sees a target at rest; that a
//! rotation is a spring of the vector that turns the target into it.

use glam::{DQuat, DVec3};

use super::{Native, NativeCall, NativeValue, Out, Shape};
use crate::memory::Words;
use crate::native;

/// What a spring remembers between steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct State<T, V> {
    target: T,
    velocity: V,
    /// Whether there was a step before.
    is_valid: bool,
}

macro_rules! state {
    ($name:ident, $target:ty, $velocity:ty, $words:literal, $n_target:literal) => {
        type $name = State<$target, $velocity>;

        impl NativeValue for $name {
            // Declared without members, which are the engine's own.
            const SHAPE: Shape = Shape::Any;

            fn from_words(call: &NativeCall<'_>, words: &[u64]) -> Self {
                let part = |from: usize, to: usize| words.get(from..to).unwrap_or(&[]);
                Self {
                    target: NativeValue::from_words(call, part(0, $n_target)),
                    velocity: NativeValue::from_words(call, part($n_target, $words - 1)),
                    is_valid: words.get($words - 1).is_some_and(|word| *word != 0),
                }
            }

            fn into_words(self, call: &mut NativeCall<'_>) -> Words {
                let mut words = self.target.into_words(call);
                words.extend(self.velocity.into_words(call));
                words.push(u64::from(self.is_valid));
                words
            }
        }
    };
}

state!(FloatState, f64, f64, 3, 1);
state!(VectorState, DVec3, DVec3, 7, 3);
state!(QuatState, DQuat, DVec3, 8, 4);

/// A spring and the step it makes.
#[derive(Clone, Copy, Debug)]
struct Spring {
    /// Radians a second of the swing without damping.
    w: f64,
    /// 1 is just enough to keep it from swinging.
    damping: f64,
    delta: f64,
}

impl Spring {
    /// None where nothing moves: no time passes or nothing has mass.
    fn new(stiffness: f64, damping: f64, delta: f64, mass: f64) -> Option<Self> {
        (delta > 1e-8 && mass > 1e-8).then(|| Self {
            w: (stiffness.max(0.0) / mass).sqrt(),
            damping: damping.max(0.0),
            delta,
        })
    }

    /// Distance from the target and speed after the step.
    fn step(self, x: f64, v: f64) -> (f64, f64) {
        let Self {
            w,
            damping: d,
            delta: t,
        } = self;
        if w < 1e-8 {
            return (x + v * t, v);
        }
        let decay = (-d * w * t).exp();
        if (d - 1.0).abs() < 1e-8 {
            let b = v + w * x;
            let x = (x + b * t) * decay;
            (x, b * decay - w * x)
        } else if d < 1.0 {
            let swing = w * (1.0 - d * d).sqrt();
            let (sin, cos) = (swing * t).sin_cos();
            let b = (v + d * w * x) / swing;
            let new = decay * (x * cos + b * sin);
            let speed = decay * (b * swing * cos - x * swing * sin) - d * w * new;
            (new, speed)
        } else {
            let root = w * (d * d - 1.0).sqrt();
            let (fast, slow) = (-d * w - root, -d * w + root);
            let of_slow = (v - fast * x) / (slow - fast);
            let of_fast = x - of_slow;
            let (slow_part, fast_part) = (of_slow * (slow * t).exp(), of_fast * (fast * t).exp());
            (slow_part + fast_part, slow * slow_part + fast * fast_part)
        }
    }

    fn step_vector(self, x: DVec3, v: DVec3) -> (DVec3, DVec3) {
        let parts: [(f64, f64); 3] = std::array::from_fn(|at| self.step(x[at], v[at]));
        let [x, y, z] = parts;
        (DVec3::new(x.0, y.0, z.0), DVec3::new(x.1, y.1, z.1))
    }

    /// Seconds of the target's speed by which it is led.
    fn lead(self) -> f64 {
        if self.w < 1e-8 {
            0.0
        } else {
            2.0 * self.damping / self.w
        }
    }
}

/// The vector along the axis of a rotation that is as long as its angle in radians, at most half a turn.
fn turn(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    q.to_scaled_axis()
}

pub(super) const ROWS: &[Native] = &[
    native!(
        "KismetMathLibrary.FloatSpringInterp",
        |call,
         current: f64,
         target: f64,
         place: Out<FloatState>,
         stiffness: f64,
         damping: f64,
         delta: f64,
         mass: f64,
         amount: f64,
         clamps: bool,
         min: f64,
         max: f64,
         from_target: bool|
         -> f64 {
            Ok(
                if let Some(spring) = Spring::new(stiffness, damping, delta, mass) {
                    let mut state = call.get(place);
                    let mut value = current;
                    if !state.is_valid {
                        state.target = target;
                        if from_target {
                            value = target;
                        }
                    }
                    let led = target
                        + (target - state.target) / delta * amount.clamp(0.0, 1.0) * spring.lead();
                    let (apart, speed) = spring.step(value - led, state.velocity);
                    value = led + apart;
                    state = State {
                        target,
                        velocity: speed,
                        is_valid: true,
                    };
                    if clamps && (value < min || value > max) {
                        value = super::math_real::clamp(value, min, max);
                        state.velocity = 0.0;
                    }
                    call.set(place, state);
                    value
                } else {
                    current
                },
            )
        }
    ),
    native!(
        "KismetMathLibrary.VectorSpringInterp",
        |call,
         current: DVec3,
         target: DVec3,
         place: Out<VectorState>,
         stiffness: f64,
         damping: f64,
         delta: f64,
         mass: f64,
         amount: f64,
         clamps: bool,
         min: DVec3,
         max: DVec3,
         from_target: bool|
         -> DVec3 {
            Ok(
                if let Some(spring) = Spring::new(stiffness, damping, delta, mass) {
                    let mut state = call.get(place);
                    let mut value = current;
                    if !state.is_valid {
                        state.target = target;
                        if from_target {
                            value = target;
                        }
                    }
                    let led = target
                        + (target - state.target) / delta * amount.clamp(0.0, 1.0) * spring.lead();
                    let (apart, mut speed) = spring.step_vector(value - led, state.velocity);
                    value = led + apart;
                    if clamps {
                        for axis in 0..3 {
                            if value[axis] < min[axis] || value[axis] > max[axis] {
                                value[axis] =
                                    super::math_real::clamp(value[axis], min[axis], max[axis]);
                                speed[axis] = 0.0;
                            }
                        }
                    }
                    call.set(
                        place,
                        State {
                            target,
                            velocity: speed,
                            is_valid: true,
                        },
                    );
                    value
                } else {
                    current
                },
            )
        }
    ),
    native!(
        "KismetMathLibrary.QuaternionSpringInterp",
        |call,
         current: DQuat,
         target: DQuat,
         place: Out<QuatState>,
         stiffness: f64,
         damping: f64,
         delta: f64,
         mass: f64,
         amount: f64,
         from_target: bool|
         -> DQuat {
            Ok(
                if let Some(spring) = Spring::new(stiffness, damping, delta, mass) {
                    let (current, target) = (current.normalize(), target.normalize());
                    let mut state = call.get(place);
                    let mut value = current;
                    if !state.is_valid {
                        state.target = target;
                        if from_target {
                            value = target;
                        }
                    }
                    let turned = turn(target * state.target.normalize().inverse()) / delta;
                    let lead = turned * amount.clamp(0.0, 1.0) * spring.lead();
                    let led = DQuat::from_scaled_axis(lead) * target;
                    let (apart, speed) =
                        spring.step_vector(turn(value * led.inverse()), state.velocity);
                    call.set(
                        place,
                        State {
                            target,
                            velocity: speed,
                            is_valid: true,
                        },
                    );
                    DQuat::from_scaled_axis(apart) * led
                } else {
                    current
                },
            )
        }
    ),
    native!("KismetMathLibrary.ResetFloatSpringState", |call,
                                                        place: Out<
        FloatState,
    >| {
        call.set(place, State::default());
        Ok(())
    }),
    native!("KismetMathLibrary.ResetVectorSpringState", |call,
                                                         place: Out<
        VectorState,
    >| {
        call.set(place, State::default());
        Ok(())
    }),
    native!(
        "KismetMathLibrary.ResetQuaternionSpringState",
        |call, place: Out<QuatState>| {
            call.set(place, State::default());
            Ok(())
        }
    ),
    native!(
        "KismetMathLibrary.SetFloatSpringStateVelocity",
        |call, place: Out<FloatState>, velocity: f64| {
            let state = call.get(place);
            call.set(place, State { velocity, ..state });
            Ok(())
        }
    ),
    native!(
        "KismetMathLibrary.SetVectorSpringStateVelocity",
        |call, place: Out<VectorState>, velocity: DVec3| {
            let state = call.get(place);
            call.set(place, State { velocity, ..state });
            Ok(())
        }
    ),
    native!(
        "KismetMathLibrary.SetQuaternionSpringStateAngularVelocity",
        |call, place: Out<QuatState>, velocity: DVec3| {
            let state = call.get(place);
            call.set(place, State { velocity, ..state });
            Ok(())
        }
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn spring(damping: f64, delta: f64) -> Spring {
        Spring::new(4.0, damping, delta, 1.0).expect("it moves")
    }

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9, "{a} is not {b}");
    }

    #[test]
    fn a_spring_without_damping_swings_like_a_cosine() {
        // w is 2: half a swing takes a quarter of pi times two.
        let (x, v) = spring(0.0, std::f64::consts::FRAC_PI_2).step(3.0, 0.0);
        close(x, -3.0);
        close(v, 0.0);
        let (x, v) = spring(0.0, std::f64::consts::FRAC_PI_4).step(3.0, 0.0);
        close(x, 0.0);
        close(v, -6.0);
    }

    #[test]
    fn the_just_damped_spring_has_its_known_solution() {
        // x(t) = (x0 + (v0 + w x0) t) e^-wt.
        let (x, v) = spring(1.0, 0.5).step(1.0, 1.0);
        let expected = (1.0 + 3.0 * 0.5) * (-1.0_f64).exp();
        close(x, expected);
        close(v, 3.0 * (-1.0_f64).exp() - 2.0 * expected);
    }

    #[test]
    fn steps_add_up_whatever_their_size() {
        for damping in [0.0, 0.3, 1.0, 2.5] {
            let whole = spring(damping, 0.4).step(1.0, -0.5);
            let half = spring(damping, 0.2);
            let (x, v) = half.step(1.0, -0.5);
            let halves = half.step(x, v);
            close(whole.0, halves.0);
            close(whole.1, halves.1);
        }
    }

    #[test]
    fn what_has_no_stiffness_flies_on() {
        let free = Spring::new(0.0, 1.0, 0.5, 1.0).expect("it moves");
        assert_eq!(free.step(1.0, 2.0), (2.0, 2.0));
        assert!(Spring::new(1.0, 1.0, 0.0, 1.0).is_none());
        assert!(Spring::new(1.0, 1.0, 1.0, 0.0).is_none());
    }

    #[test]
    fn a_lead_keeps_up_with_a_target_of_one_speed() {
        // From the equation: with a target at x = vt, a value at rest beside it needs x - led = -2d/w v.
        let spring = spring(0.7, 0.1);
        let (mut value, mut speed, mut way) = (0.0, 0.0, 0.0);
        for step in 1..=300 {
            let target = 0.3 * f64::from(step);
            let led = target + 3.0 * spring.lead();
            let (apart, new_speed) = spring.step(value - led, speed);
            way = led + apart - value;
            (value, speed) = (led + apart, new_speed);
        }
        // Each step is as long as the target's, and what is between them is less than one.
        close(way, 0.3);
        assert!((value - 90.0).abs() < 0.3, "{value}");
    }

    #[test]
    fn a_turn_goes_the_short_way() {
        let q = DQuat::from_axis_angle(DVec3::Z, 1.0);
        close(turn(q).z, 1.0);
        close(turn(-q).z, 1.0);
    }
}
