//! Colours of floats.

#![expect(clippy::float_cmp, reason = "the largest part is one of the parts")]

use super::values::LinearColor;
use super::{Native, Out};
use crate::native;

pub(super) const ROWS: &[Native] = &[
    native!("KismetMathLibrary.MakeColor", |r: f64,
                                            g: f64,
                                            b: f64,
                                            a: f64|
     -> LinearColor {
        LinearColor { r, g, b, a }
    }),
    native!(
        "KismetMathLibrary.BreakColor",
        |call, c: LinearColor, r: Out<f64>, g: Out<f64>, b: Out<f64>, a: Out<f64>| {
            call.set(r, c.r);
            call.set(g, c.g);
            call.set(b, c.b);
            call.set(a, c.a);
            Ok(())
        }
    ),
    native!("KismetMathLibrary.LinearColorLerp", |a: LinearColor,
                                                  b: LinearColor,
                                                  alpha: f64|
     -> LinearColor {
        zip(a, b, |a, b| a + alpha * (b - a))
    }),
    native!(
        "KismetMathLibrary.Add_LinearColorLinearColor",
        |a: LinearColor, b: LinearColor| -> LinearColor { zip(a, b, |a, b| a + b) }
    ),
    native!(
        "KismetMathLibrary.Subtract_LinearColorLinearColor",
        |a: LinearColor, b: LinearColor| -> LinearColor { zip(a, b, |a, b| a - b) }
    ),
    native!(
        "KismetMathLibrary.Multiply_LinearColorLinearColor",
        |a: LinearColor, b: LinearColor| -> LinearColor { zip(a, b, |a, b| a * b) }
    ),
    native!(
        "KismetMathLibrary.Multiply_LinearColorFloat",
        |a: LinearColor, b: f64| -> LinearColor { zip(a, a, |a, _| a * b) }
    ),
    native!(
        "KismetMathLibrary.Divide_LinearColorLinearColor",
        |a: LinearColor, b: LinearColor| -> LinearColor {
            zip(a, b, |a, b| if b == 0.0 { 0.0 } else { a / b })
        }
    ),
    native!(
        "KismetMathLibrary.EqualEqual_LinearColorLinearColor",
        |a: LinearColor, b: LinearColor| -> bool { a == b }
    ),
    native!(
        "KismetMathLibrary.NotEqual_LinearColorLinearColor",
        |a: LinearColor, b: LinearColor| -> bool { a != b }
    ),
    native!("KismetMathLibrary.SelectColor", |a: LinearColor,
                                              b: LinearColor,
                                              pick_a: bool|
     -> LinearColor {
        if pick_a { a } else { b }
    }),
    native!("KismetMathLibrary.HSVToRGB", |h: f64,
                                           s: f64,
                                           v: f64,
                                           a: f64|
     -> LinearColor {
        from_hsv(h, s, v, a)
    }),
    native!(
        "KismetMathLibrary.RGBToHSV",
        |call, c: LinearColor, h: Out<f64>, s: Out<f64>, v: Out<f64>, a: Out<f64>| {
            let (hue, saturation, value) = to_hsv(c);
            call.set(h, hue);
            call.set(s, saturation);
            call.set(v, value);
            call.set(a, c.a);
            Ok(())
        }
    ),
    native!(
        "KismetMathLibrary.LinearColor_GetLuminance",
        |c: LinearColor| -> f64 { luminance(c) }
    ),
    native!(
        "KismetMathLibrary.LinearColor_Desaturated",
        |c: LinearColor, by: f64| -> LinearColor {
            let gray = luminance(c);
            let mixed = zip(c, c, |part, _| part + by * (gray - part));
            LinearColor { a: c.a, ..mixed }
        }
    ),
    native!(
        "KismetMathLibrary.LinearColor_GetMax",
        |c: LinearColor| -> f64 { c.r.max(c.g).max(c.b).max(c.a) }
    ),
    native!(
        "KismetMathLibrary.LinearColor_GetMin",
        |c: LinearColor| -> f64 { c.r.min(c.g).min(c.b).min(c.a) }
    ),
    native!(
        "KismetMathLibrary.LinearColor_ToNewOpacity",
        |c: LinearColor, opacity: f64| -> LinearColor { LinearColor { a: opacity, ..c } }
    ),
    native!(
        "KismetMathLibrary.LinearColor_IsNearEqual",
        |a: LinearColor, b: LinearColor, tolerance: f64| -> bool {
            let d = zip(a, b, |a, b| (a - b).abs());
            d.r < tolerance && d.g < tolerance && d.b < tolerance && d.a < tolerance
        }
    ),
    native!(
        "KismetMathLibrary.LinearColor_Set",
        |call, to: Out<LinearColor>, c: LinearColor| {
            call.set(to, c);
            Ok(())
        }
    ),
    native!(
        "KismetMathLibrary.LinearColor_SetRGBA",
        |call, to: Out<LinearColor>, r: f64, g: f64, b: f64, a: f64| {
            call.set(to, LinearColor { r, g, b, a });
            Ok(())
        }
    ),
    native!("KismetMathLibrary.LinearColor_White", || -> LinearColor {
        rgb(1.0, 1.0, 1.0)
    }),
    native!("KismetMathLibrary.LinearColor_Black", || -> LinearColor {
        rgb(0.0, 0.0, 0.0)
    }),
    native!("KismetMathLibrary.LinearColor_Gray", || -> LinearColor {
        rgb(0.5, 0.5, 0.5)
    }),
    native!("KismetMathLibrary.LinearColor_Red", || -> LinearColor {
        rgb(1.0, 0.0, 0.0)
    }),
    native!("KismetMathLibrary.LinearColor_Green", || -> LinearColor {
        rgb(0.0, 1.0, 0.0)
    }),
    native!("KismetMathLibrary.LinearColor_Blue", || -> LinearColor {
        rgb(0.0, 0.0, 1.0)
    }),
    native!("KismetMathLibrary.LinearColor_Yellow", || -> LinearColor {
        rgb(1.0, 1.0, 0.0)
    }),
    native!(
        "KismetMathLibrary.LinearColor_Transparent",
        || -> LinearColor { LinearColor::default() }
    ),
];

const fn rgb(r: f64, g: f64, b: f64) -> LinearColor {
    LinearColor { r, g, b, a: 1.0 }
}

fn zip(a: LinearColor, b: LinearColor, f: impl Fn(f64, f64) -> f64) -> LinearColor {
    LinearColor {
        r: f(a.r, b.r),
        g: f(a.g, b.g),
        b: f(a.b, b.b),
        a: f(a.a, b.a),
    }
}

fn luminance(c: LinearColor) -> f64 {
    0.3 * c.r + 0.59 * c.g + 0.11 * c.b
}

/// Hue in degrees, saturation and value up to 1.
fn from_hsv(h: f64, s: f64, v: f64, a: f64) -> LinearColor {
    let sector = h.rem_euclid(360.0) / 60.0;
    let rest = sector - sector.floor();
    let (p, q, t) = (
        v * (1.0 - s),
        v * (1.0 - rest * s),
        v * (1.0 - (1.0 - rest) * s),
    );
    let (r, g, b) = match sector as u8 {
        0 => (v, t, p),
        1 => (q, v, p),
        2 => (p, v, t),
        3 => (p, q, v),
        4 => (t, p, v),
        _ => (v, p, q),
    };
    LinearColor { r, g, b, a }
}

fn to_hsv(c: LinearColor) -> (f64, f64, f64) {
    let (min, max) = (c.r.min(c.g).min(c.b), c.r.max(c.g).max(c.b));
    let range = max - min;
    let hue = if range == 0.0 {
        0.0
    } else if max == c.r {
        ((c.g - c.b) / range * 60.0).rem_euclid(360.0)
    } else if max == c.g {
        (c.b - c.r) / range * 60.0 + 120.0
    } else {
        (c.r - c.g) / range * 60.0 + 240.0
    };
    let saturation = if max == 0.0 { 0.0 } else { range / max };
    (hue, saturation, max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hues_go_there_and_back() {
        for hue in [0.0, 30.0, 90.0, 150.0, 210.0, 300.0] {
            let (back, s, v) = to_hsv(from_hsv(hue, 0.5, 0.8, 1.0));
            assert!((back - hue).abs() < 1e-9 && (s - 0.5).abs() < 1e-9 && (v - 0.8).abs() < 1e-9);
        }
    }
}
