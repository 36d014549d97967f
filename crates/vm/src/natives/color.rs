//! Colours of floats.

#![expect(clippy::float_cmp, reason = "the largest part is one of the parts")]

use super::values::{Color, LinearColor};
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

/// Colours in other forms.
pub(super) const FORMS: &[Native] = &[
    native!(
        "KismetMathLibrary.LinearColor_ToRGBE",
        |c: LinearColor| -> Color { rgbe(c) }
    ),
    native!(
        "KismetMathLibrary.ToHex_LinearColor",
        |c: LinearColor| -> String {
            let Color { r, g, b, a } = to_bytes(
                c,
                |part| linear_to_srgb(part.clamp(0.0, 1.0)) * 255.999,
                true,
            );
            format!("{r:02X}{g:02X}{b:02X}{a:02X}")
        }
    ),
    native!(
        "KismetMathLibrary.LinearColor_SetTemperature",
        |call, place: Out<LinearColor>, kelvin: f64| {
            call.set(place, of_temperature(kelvin));
            Ok(())
        }
    ),
];

/// Three mantissas and the exponent they share, in the place of the opacity.
///
/// Source: the format of Greg Ward's pictures, `Real Pixels` in Graphics Gems II.
fn rgbe(c: LinearColor) -> Color {
    let most = c.r.max(c.g).max(c.b);
    if most < 1e-32 {
        return Color {
            r: 0,
            g: 0,
            b: 0,
            a: 0,
        };
    }
    // most = mantissa * 2^exponent with a mantissa from a half to one.
    let exponent = most.log2().floor() as i32 + 1;
    let scale = 256.0 / f64::from(exponent).exp2();
    let byte = |part: f64| (part * scale).clamp(0.0, 255.0) as u8;
    Color {
        r: byte(c.r),
        g: byte(c.g),
        b: byte(c.b),
        a: (exponent + 128).clamp(0, 255) as u8,
    }
}

/// The colour of a black body, with a luminance of one.
///
/// Source: the place on the Planckian locus by Krystek's approximation (1985), good from 1,000 to 15,000
/// kelvin, and the primaries of Rec. 709.
fn of_temperature(kelvin: f64) -> LinearColor {
    let t = kelvin.clamp(1000.0, 15000.0);
    let u = (0.860_117_757 + 1.541_182_54e-4 * t + 1.286_412_12e-7 * t * t)
        / (1.0 + 8.424_202_35e-4 * t + 7.081_451_63e-7 * t * t);
    let v = (0.317_398_726 + 4.228_062_45e-5 * t + 4.204_816_91e-8 * t * t)
        / (1.0 - 2.897_418_16e-5 * t + 1.614_560_53e-7 * t * t);
    let whole = 2.0 * u - 8.0 * v + 4.0;
    let (x, y) = (3.0 * u / whole, 2.0 * v / whole);
    let (x, z) = (x / y, (1.0 - x - y) / y);
    rgb(
        3.240_454_2 * x - 1.537_138_5 - 0.498_531_4 * z,
        -0.969_266_0 * x + 1.876_010_8 + 0.041_556_0 * z,
        0.055_643_4 * x - 0.204_025_9 + 1.057_225_2 * z,
    )
}

pub(super) const BYTES: &[Native] = value_rows! { "KismetMathLibrary";
    Conv_ColorToLinearColor(c: Color) -> LinearColor = from_bytes(c, srgb_to_linear);
    Conv_LinearColorToColor(c: LinearColor, srgb: bool) -> Color = to_bytes(c, |part| {
        let part = part.clamp(0.0, 1.0);
        // The largest byte gets as much room as the others.
        ((if srgb { linear_to_srgb(part) } else { part }) * 255.999).floor()
    }, srgb);
    LinearColor_Quantize(c: LinearColor) -> Color = to_bytes(c, |part| (part * 255.0).trunc(), false);
    LinearColor_QuantizeRound(c: LinearColor) -> Color = to_bytes(c, |part| (part * 255.0 + 0.5).floor(), false);
    LinearColor_Distance(a: LinearColor, b: LinearColor) -> f64 = distance(a, b);
    HSVToRGBLinear(c: LinearColor) -> LinearColor = from_hsv(c.r, c.g, c.b, c.a);
    RGBLinearToHSV(c: LinearColor) -> LinearColor = hsv_color(c);
    LinearColorLerpUsingHSV(a: LinearColor, b: LinearColor, alpha: f64) -> LinearColor = lerp_hsv(a, b, alpha);
    CInterpTo(current: LinearColor, target: LinearColor, delta: f64, speed: f64) -> LinearColor =
        if speed <= 0.0 || distance(current, target) < 1e-4 {
            target
        } else {
            zip(current, target, |a, b| a + (b - a) * (delta * speed).clamp(0.0, 1.0))
        };
};

pub(super) const CHANGING: &[Native] = changing_rows! { "KismetMathLibrary";
    LinearColor_SetFromHSV(_c: LinearColor, h: f64, s: f64, v: f64, a: f64) = from_hsv(h, s, v, a);
    LinearColor_SetFromSRGB(_c: LinearColor, from: Color) = from_bytes(from, srgb_to_linear);
    LinearColor_SetFromPow22(_c: LinearColor, from: Color) = from_bytes(from, |part| part.powf(2.2));
};

pub(super) const HSV: &[Native] = &[
    native!("KismetMathLibrary.HSVToRGB_Vector", |call,
                                                  c: LinearColor,
                                                  rgb: Out<
        LinearColor,
    >| {
        call.set(rgb, from_hsv(c.r, c.g, c.b, c.a));
        Ok(())
    }),
    native!("KismetMathLibrary.RGBToHSV_Vector", |call,
                                                  c: LinearColor,
                                                  hsv: Out<
        LinearColor,
    >| {
        call.set(hsv, hsv_color(c));
        Ok(())
    }),
];

fn hsv_color(c: LinearColor) -> LinearColor {
    let (r, g, b) = to_hsv(c);
    LinearColor { r, g, b, a: c.a }
}

/// Hue goes the shorter way round.
fn lerp_hsv(a: LinearColor, b: LinearColor, alpha: f64) -> LinearColor {
    let (from, mut to) = (hsv_color(a), hsv_color(b));
    if (to.r - from.r).abs() > 180.0 {
        to.r += if to.r < from.r { 360.0 } else { -360.0 };
    }
    let mixed = zip(from, to, |a, b| a + (b - a) * alpha);
    from_hsv(mixed.r, mixed.g, mixed.b, mixed.a)
}

fn distance(a: LinearColor, b: LinearColor) -> f64 {
    let apart = zip(a, b, |a, b| (a - b) * (a - b));
    (apart.r + apart.g + apart.b + apart.a).sqrt()
}

/// Source: the sRGB standard, IEC 61966-2-1.
fn srgb_to_linear(part: f64) -> f64 {
    if part <= 0.04045 {
        part / 12.92
    } else {
        ((part + 0.055) / 1.055).powf(2.4)
    }
}

fn linear_to_srgb(part: f64) -> f64 {
    if part <= 0.003_130_8 {
        part * 12.92
    } else {
        part.powf(1.0 / 2.4) * 1.055 - 0.055
    }
}

/// Opacity is never curved.
fn from_bytes(c: Color, curve: impl Fn(f64) -> f64) -> LinearColor {
    let part = |byte: u8| f64::from(byte) / 255.0;
    LinearColor {
        r: curve(part(c.r)),
        g: curve(part(c.g)),
        b: curve(part(c.b)),
        a: part(c.a),
    }
}

/// `is_curved` colours have a plain opacity.
fn to_bytes(c: LinearColor, quantize: impl Fn(f64) -> f64, is_curved: bool) -> Color {
    let byte = |part: f64| quantize(part).clamp(0.0, 255.0) as u8;
    let a = if is_curved {
        (c.a.clamp(0.0, 1.0) * 255.999).floor() as u8
    } else {
        byte(c.a)
    };
    Color {
        r: byte(c.r),
        g: byte(c.g),
        b: byte(c.b),
        a,
    }
}

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
pub(super) fn from_hsv(h: f64, s: f64, v: f64, a: f64) -> LinearColor {
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
    fn a_shared_exponent_is_that_of_the_largest_part() {
        let parts = |c: Color| [c.r, c.g, c.b, c.a];
        assert_eq!(parts(rgbe(rgb(1.0, 0.5, 0.25))), [128, 64, 32, 129]);
        assert_eq!(parts(rgbe(rgb(4.0, 0.0, 0.0))), [128, 0, 0, 131]);
        assert_eq!(parts(rgbe(rgb(0.0, 0.0, 0.0))), [0, 0, 0, 0]);
    }

    #[test]
    fn a_black_body_is_red_when_cold_and_blue_when_hot() {
        // What is white on a screen is daylight of about 6,500 kelvin.
        let white = of_temperature(6500.0);
        for part in [white.r, white.g, white.b] {
            assert!((part - 1.0).abs() < 0.06, "{white:?}");
        }
        let (cold, hot) = (of_temperature(2000.0), of_temperature(12000.0));
        assert!(cold.r > cold.g && cold.g > cold.b, "{cold:?}");
        assert!(hot.b > hot.g && hot.g > hot.r, "{hot:?}");
        // The luminance stays one.
        for c in [white, cold, hot] {
            let luminance = 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
            assert!((luminance - 1.0).abs() < 1e-3, "{luminance}");
        }
    }

    #[test]
    fn bytes_go_there_and_back() {
        for byte in 0..=255 {
            let color = Color {
                r: byte,
                g: 0,
                b: 255,
                a: byte,
            };
            let linear = from_bytes(color, srgb_to_linear);
            let back = to_bytes(
                linear,
                |part| (linear_to_srgb(part) * 255.999).floor(),
                true,
            );
            assert_eq!(back, color);
        }
    }

    #[test]
    fn hues_go_there_and_back() {
        for hue in [0.0, 30.0, 90.0, 150.0, 210.0, 300.0] {
            let (back, s, v) = to_hsv(from_hsv(hue, 0.5, 0.8, 1.0));
            assert!((back - hue).abs() < 1e-9 && (s - 0.5).abs() < 1e-9 && (v - 0.8).abs() < 1e-9);
        }
    }
}
