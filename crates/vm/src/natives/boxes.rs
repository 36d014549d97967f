//! Boxes along the axes.

use glam::{DVec2, DVec3};

use super::values::{Bounds, Transform};
use super::{Native, Out};
use crate::native;

pub(super) const ROWS: &[Native] = &[
    native!("KismetMathLibrary.MakeBox", |min: DVec3,
                                          max: DVec3|
     -> Bounds {
        valid(min, max)
    }),
    native!("KismetMathLibrary.MakeBoxWithOrigin", |origin: DVec3,
                                                    extent: DVec3|
     -> Bounds {
        valid(origin - extent, origin + extent)
    }),
    native!("KismetMathLibrary.MakeBox2D", |min: DVec2,
                                            max: DVec2|
     -> Flat {
        Flat { min, max }
    }),
    native!("KismetMathLibrary.GetBoxCenter", |b: Bounds| -> DVec3 {
        center(b)
    }),
    native!("KismetMathLibrary.GetBoxSize", |b: Bounds| -> DVec3 {
        b.max - b.min
    }),
    native!("KismetMathLibrary.GetBoxVolume", |b: Bounds| -> f64 {
        (b.max - b.min).element_product()
    }),
    native!("KismetMathLibrary.Box_ExpandBy", |b: Bounds,
                                               negative: DVec3,
                                               positive: DVec3|
     -> Bounds {
        valid(b.min - negative, b.max + positive)
    }),
    native!("KismetMathLibrary.Box_Overlap", |a: Bounds,
                                              b: Bounds|
     -> Bounds {
        if intersects(a, b) {
            valid(a.min.max(b.min), a.max.min(b.max))
        } else {
            Bounds::default()
        }
    }),
    native!("KismetMathLibrary.Box_Intersects", |a: Bounds,
                                                 b: Bounds|
     -> bool {
        intersects(a, b)
    }),
    native!("KismetMathLibrary.Box_IsInside", |inner: Bounds,
                                               outer: Bounds|
     -> bool {
        is_inside(inner.min, outer) && is_inside(inner.max, outer)
    }),
    native!("KismetMathLibrary.Box_IsInsideOrOn", |inner: Bounds,
                                                   outer: Bounds|
     -> bool {
        is_inside_or_on(inner.min, outer) && is_inside_or_on(inner.max, outer)
    }),
    native!("KismetMathLibrary.Box_IsPointInside", |b: Bounds,
                                                    point: DVec3|
     -> bool {
        is_inside(point, b)
    }),
    native!("KismetMathLibrary.Box_GetClosestPointTo", |b: Bounds,
                                                        point: DVec3|
     -> DVec3 {
        point.max(b.min).min(b.max)
    }),
    native!("KismetMathLibrary.IsPointInBox_Box", |point: DVec3,
                                                   b: Bounds|
     -> bool {
        is_inside_or_on(point, b)
    }),
    native!(
        "KismetMathLibrary.IsPointInBoxWithTransform",
        |point: DVec3, place: Transform, extent: DVec3| -> bool {
            place.inverse_point(point).abs().cmple(extent).all()
        }
    ),
    native!(
        "KismetMathLibrary.IsPointInBoxWithTransform_Box",
        |point: DVec3, place: Transform, b: Bounds| -> bool {
            is_inside_or_on(place.inverse_point(point), b)
        }
    ),
    native!("KismetMathLibrary.MakeBoxSphereBounds", |origin: DVec3,
                                                      extent: DVec3,
                                                      radius: f64|
     -> Ball {
        Ball {
            origin,
            extent,
            radius,
        }
    }),
    native!("KismetMathLibrary.BreakBoxSphereBounds", |call,
                                                       ball: Ball,
                                                       origin: Out<
        DVec3,
    >,
                                                       extent: Out<
        DVec3,
    >,
                                                       radius: Out<
        f64,
    >| {
        call.set(origin, ball.origin);
        call.set(extent, ball.extent);
        call.set(radius, ball.radius);
        Ok(())
    }),
    native!(
        "KismetStringLibrary.Conv_BoxToString",
        |b: Bounds| -> String {
            let (min, max) = (b.min, b.max);
            format!(
                "IsValid={}, Min=({}), Max=({})",
                b.is_valid,
                crate::text::vector(min.x, min.y, min.z),
                crate::text::vector(max.x, max.y, max.z)
            )
        }
    ),
    native!(
        "KismetStringLibrary.Conv_BoxCenterAndExtentsToString",
        |b: Bounds| -> String {
            let (center, extent) = (center(b), (b.max - b.min) * 0.5);
            format!(
                "Center=({}), Extents=({})",
                crate::text::vector(center.x, center.y, center.z),
                crate::text::vector(extent.x, extent.y, extent.z)
            )
        }
    ),
];

fn valid(min: DVec3, max: DVec3) -> Bounds {
    Bounds {
        min,
        max,
        is_valid: true,
    }
}

fn center(b: Bounds) -> DVec3 {
    (b.min + b.max) * 0.5
}

/// Touching counts.
fn intersects(a: Bounds, b: Bounds) -> bool {
    a.min.cmple(b.max).all() && b.min.cmple(a.max).all()
}

fn is_inside(point: DVec3, b: Bounds) -> bool {
    point.cmpgt(b.min).all() && point.cmplt(b.max).all()
}

fn is_inside_or_on(point: DVec3, b: Bounds) -> bool {
    point.cmpge(b.min).all() && point.cmple(b.max).all()
}

/// A box in the plane (`FBox2D`).
#[derive(Clone, Copy, Debug)]
struct Flat {
    min: DVec2,
    max: DVec2,
}

impl super::NativeValue for Flat {
    const SHAPE: super::Shape = super::Shape::Struct(5);

    fn from_words(call: &super::NativeCall<'_>, words: &[u64]) -> Self {
        let part = |from: usize| words.get(from..).unwrap_or_default();
        Self {
            min: DVec2::from_words(call, part(0)),
            max: DVec2::from_words(call, part(2)),
        }
    }

    fn into_words(self, call: &mut super::NativeCall<'_>) -> crate::memory::Words {
        let mut words = self.min.into_words(call);
        words.extend(self.max.into_words(call));
        words.push(1);
        words
    }
}

/// A box and the ball around it (`FBoxSphereBounds`).
#[derive(Clone, Copy, Debug)]
struct Ball {
    origin: DVec3,
    extent: DVec3,
    radius: f64,
}

impl super::NativeValue for Ball {
    const SHAPE: super::Shape = super::Shape::Struct(7);

    fn from_words(call: &super::NativeCall<'_>, words: &[u64]) -> Self {
        let part = |from: usize| words.get(from..).unwrap_or_default();
        Self {
            origin: DVec3::from_words(call, part(0)),
            extent: DVec3::from_words(call, part(3)),
            radius: f64::from_words(call, part(6)),
        }
    }

    fn into_words(self, call: &mut super::NativeCall<'_>) -> crate::memory::Words {
        let mut words = self.origin.into_words(call);
        words.extend(self.extent.into_words(call));
        words.extend(self.radius.into_words(call));
        words
    }
}
