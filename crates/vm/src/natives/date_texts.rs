//! Points in time, spans and sizes as texts, and points in time and spans from texts.
//!
//! Source: the forms that the public locale data (CLDR) has for English of the United States, which is what
//! the invariant culture follows (assumed); no time zone but the own.

use bp_reflect::TextValue;

use super::datetime::{DateTime, Timespan};
use super::texts::{integer, number, plain};
use super::{Native, NativeCall, Out, Str};
use crate::native;
use crate::types::Kind;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
/// The first day of year 1 was a Monday.
const DAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

/// Styles (`EDateTimeStyle`); the default is medium.
const SHORT: u8 = 1;
const LONG: u8 = 3;
const FULL: u8 = 4;

fn date(at: DateTime, style: u8) -> String {
    let (year, month, day) = at.date();
    let name = MONTHS[month as usize - 1];
    match style {
        SHORT => format!("{month}/{day}/{:02}", year % 100),
        LONG => format!("{name} {day}, {year}"),
        FULL => format!("{}, {name} {day}, {year}", DAYS[at.weekday()]),
        _ => format!("{} {day}, {year}", &name[..3]),
    }
}

fn time(at: DateTime, style: u8) -> String {
    let (hour, minute, second) = at.clock();
    let half = if hour < 12 { "AM" } else { "PM" };
    let hour = match hour % 12 {
        0 => 12,
        hour => hour,
    };
    match style {
        SHORT => format!("{hour}:{minute:02} {half}"),
        LONG | FULL => format!("{hour}:{minute:02}:{second:02} {half} GMT"),
        _ => format!("{hour}:{minute:02}:{second:02} {half}"),
    }
}

fn date_and_time(at: DateTime, date_style: u8, time_style: u8) -> String {
    let joint = match date_style {
        LONG | FULL => " at ",
        _ => ", ",
    };
    format!("{}{joint}{}", date(at, date_style), time(at, time_style))
}

/// Hours only where there are any; the sign in front.
fn timespan(span: Timespan) -> String {
    let seconds = span.whole_seconds();
    let sign = if seconds < 0 { "-" } else { "" };
    let seconds = seconds.unsigned_abs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        let hours = integer(hours as i64, false, true, 1, 0);
        format!("{sign}{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{sign}{minutes:02}:{seconds:02}")
    }
}

/// A number of bytes in the largest unit of which there is one.
fn memory(bytes: i64, is_si: bool, group: bool, digits: [i32; 4]) -> String {
    let (base, units): (f64, [&str; 7]) = if is_si {
        (1000.0, ["B", "kB", "MB", "GB", "TB", "PB", "EB"])
    } else {
        (1024.0, ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"])
    };
    let mut value = bytes as f64;
    let mut unit = 0;
    while value.abs() >= base && unit + 1 < units.len() {
        value /= base;
        unit += 1;
    }
    let [min, max, min_fraction, max_fraction] = digits;
    // To the nearest, halves to the even one.
    let text = number(value, 0, false, group, min, max, min_fraction, max_fraction);
    format!("{text} {}", units[unit])
}

/// `2026.01.31-13.05.09`, also with colons, a blank between date and time, or without time.
fn read_date(text: &str) -> Option<DateTime> {
    let (date, time) = match text.trim().split_once(['-', ' ']) {
        Some((date, time)) => (date, time.trim()),
        None => (text.trim(), ""),
    };
    let parts = |text: &str| -> Option<Vec<i32>> {
        let parts = text.split(['.', ':', '/']);
        parts.map(|part| part.parse().ok()).collect()
    };
    let date = parts(date)?;
    let time = if time.is_empty() {
        Vec::new()
    } else {
        parts(time)?
    };
    let &[year, month, day] = date.as_slice() else {
        return None;
    };
    if time.len() > 4 {
        return None;
    }
    let at = |index: usize| time.get(index).copied().unwrap_or(0);
    DateTime::checked(year, month, day, [at(0), at(1), at(2), at(3)])
}

/// `[+|-][days.]hours:minutes:seconds[.fraction]`.
fn read_span(text: &str) -> Option<Timespan> {
    let text = text.trim();
    let (is_negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let parts: Vec<&str> = rest.split(':').collect();
    let &[hours, minutes, seconds] = parts.as_slice() else {
        return None;
    };
    let (days, hours) = hours.split_once('.').unwrap_or(("0", hours));
    let (seconds, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
    let whole = |text: &str| -> Option<i64> {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse().ok()).flatten()
    };
    let (minutes, seconds) = (whole(minutes)?, whole(seconds)?);
    if minutes > 59 || seconds > 59 {
        return None;
    }
    whole(fraction)?;
    // A tick is the seventh digit.
    let digits: String = fraction.chars().chain("0000000".chars()).take(7).collect();
    let span = Timespan::checked(
        whole(days)?,
        [whole(hours)?, minutes, seconds],
        whole(&digits)?,
    )?;
    Some(if is_negative { span.negated() } else { span })
}

/// A number of whatever type, with commas between thousands as the functions for one type have it by default.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the caller passes a number, and nothing else has a text here"
)]
fn numeric(call: &NativeCall<'_>, value: super::Any) -> TextValue {
    let Some(target) = value.target else {
        return TextValue::Empty;
    };
    let word = call.vm.memory.word(target.place);
    match call.vm.memory.types.kind(target.ty) {
        Kind::Float | Kind::Double => {
            plain(number(f64::from_bits(word), 0, false, true, 1, 324, 0, 3))
        }
        Kind::Byte(_) | Kind::Int(_) | Kind::UInt(_) => {
            plain(integer(word as i64, false, true, 1, 324))
        }
        _ => TextValue::Empty,
    }
}

pub(super) const ROWS: &[Native] = &[
    native!("KismetTextLibrary.AsDate_DateTime", |at: DateTime,
                                                  style: u8|
     -> TextValue {
        plain(date(at, style))
    }),
    native!("KismetTextLibrary.AsTime_DateTime", |at: DateTime,
                                                  style: u8|
     -> TextValue {
        plain(time(at, style))
    }),
    native!("KismetTextLibrary.AsDateTime_DateTime", |at: DateTime,
                                                      date_style: u8,
                                                      time_style: u8|
     -> TextValue {
        plain(date_and_time(at, date_style, time_style))
    }),
    native!(
        "KismetTextLibrary.AsTimespan_Timespan",
        |span: Timespan| -> TextValue { plain(timespan(span)) }
    ),
    native!("KismetTextLibrary.AsMemory", |bytes: i64,
                                           unit: u8,
                                           group: bool,
                                           min: i32,
                                           max: i32,
                                           min_fraction: i32,
                                           max_fraction: i32|
     -> TextValue {
        let digits = [min, max, min_fraction, max_fraction];
        plain(memory(bytes, unit == 1, group, digits))
    }),
    native!(
        "KismetTextLibrary.Conv_NumericPropertyToText",
        |call, value: super::Any| -> TextValue { Ok(numeric(call, value)) }
    ),
    native!("KismetMathLibrary.DateTimeFromString", |call,
                                                     text: Str,
                                                     result: Out<
        DateTime,
    >|
     -> bool {
        let found = read_date(&text);
        if let Some(found) = found {
            call.set(result, found);
        }
        Ok(found.is_some())
    }),
    native!("KismetMathLibrary.TimespanFromString", |call,
                                                     text: Str,
                                                     result: Out<
        Timespan,
    >|
     -> bool {
        let found = read_span(&text);
        if let Some(found) = found {
            call.set(result, found);
        }
        Ok(found.is_some())
    }),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn moment() -> DateTime {
        read_date("2026.01.31-13.05.09").expect("it is a date")
    }

    #[test]
    fn dates_have_the_forms_of_american_english() {
        let at = moment();
        let styles = |shown: fn(DateTime, u8) -> String| [1, 2, 3, 4].map(|style| shown(at, style));
        assert_eq!(
            styles(date),
            [
                "1/31/26",
                "Jan 31, 2026",
                "January 31, 2026",
                // A calendar says so.
                "Saturday, January 31, 2026"
            ]
        );
        assert_eq!(
            styles(time),
            ["1:05 PM", "1:05:09 PM", "1:05:09 PM GMT", "1:05:09 PM GMT"]
        );
        assert_eq!(date(at, 0), date(at, 2));
        assert_eq!(date_and_time(at, 0, 1), "Jan 31, 2026, 1:05 PM");
        assert_eq!(date_and_time(at, 3, 2), "January 31, 2026 at 1:05:09 PM");
        let midnight = read_date("2024/2/29").expect("it is a leap year");
        assert_eq!(date_and_time(midnight, 1, 1), "2/29/24, 12:00 AM");
    }

    #[test]
    fn what_is_no_date_is_not_read() {
        for text in [
            "",
            "2025.02.29",
            "2026.13.01",
            "2026.01",
            "2026.01.01-25.00",
            "x.y.z",
        ] {
            assert_eq!(read_date(text), None, "{text}");
        }
        assert_eq!(read_date("2026.01.31 13:05:09"), Some(moment()));
    }

    #[test]
    fn spans_are_read_and_shown() {
        for (text, shown) in [
            ("0:00:05", "00:05"),
            ("0:12:05", "12:05"),
            ("1:12:05", "1:12:05"),
            ("2.01:00:00", "49:00:00"),
            ("-0:01:30.5", "-01:30"),
            ("100.00:00:00.0000001", "2,400:00:00"),
        ] {
            let span = read_span(text).expect("it is a span");
            assert_eq!(timespan(span), shown, "{text}");
        }
        for text in ["", "5", "1:60:00", "1:2", "a:b:c", "1:2:3:4", "1:02:03."] {
            assert_eq!(read_span(text), None, "{text}");
        }
        assert_eq!(read_span("0:00:00.5"), read_span("+0:00:00.5000000"));
    }

    #[test]
    fn sizes_are_shown_in_the_largest_unit_that_fits() {
        let digits = [1, 324, 0, 3];
        assert_eq!(memory(1023, false, true, digits), "1,023 B");
        assert_eq!(memory(1536, false, true, digits), "1.5 KiB");
        assert_eq!(memory(1536, true, true, digits), "1.536 kB");
        assert_eq!(memory(-3 << 20, false, true, digits), "-3 MiB");
        assert_eq!(memory(i64::MAX, false, true, digits), "8 EiB");
        assert_eq!(memory(0, false, true, [1, 324, 2, 3]), "0.00 B");
    }
}
