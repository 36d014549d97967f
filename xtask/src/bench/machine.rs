//! Where and when something was measured.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// A machine and its tools, as far as they can be found out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Machine {
    pub(crate) processor: String,
    pub(crate) n_processors: usize,
    /// GiB.
    pub(crate) memory: Option<f64>,
    pub(crate) system: String,
    pub(crate) rustc: String,
    /// The commit that was built, and whether files differed from it.
    pub(crate) commit: String,
    /// Of the build of ours.
    pub(crate) profile: &'static str,
    /// `2026-11-30`, by UTC.
    pub(crate) date: String,
}

impl Machine {
    /// This one, now.
    pub(crate) fn this() -> Self {
        let unknown = || "unknown".to_owned();
        let value = |file: &str, key: &str| {
            let text = fs::read_to_string(file).ok()?;
            let line = text.lines().find(|line| line.starts_with(key))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        };
        let memory = value("/proc/meminfo", "MemTotal")
            .and_then(|text| text.split(' ').next()?.parse::<f64>().ok())
            .map(|kib| kib / f64::from(1 << 20));
        let root = bp_tests::root();
        let said = |program: &str, args: &[&str]| first_line(program, args, &root);
        let changes = said("git", &["status", "--porcelain", "--untracked-files=no"]);
        let commit = said("git", &["rev-parse", "--short", "HEAD"]).unwrap_or_else(unknown);
        Self {
            processor: value("/proc/cpuinfo", "model name").unwrap_or_else(unknown),
            n_processors: std::thread::available_parallelism().map_or(1, usize::from),
            memory,
            system: said("uname", &["-srm"]).unwrap_or_else(unknown),
            rustc: said("rustc", &["-V"]).unwrap_or_else(unknown),
            commit: match changes {
                Some(_) => format!("{commit} with changes"),
                None => commit,
            },
            profile: super::compile::profile(),
            date: today(),
        }
    }
}

/// The first line that a program prints, if it can be run and prints one.
pub(crate) fn first_line(program: &str, args: &[&str], folder: &Path) -> Option<String> {
    let output = Command::new(program)
        .args(args)
        .current_dir(folder)
        .output()
        .ok()?;
    // Old programs tell their version on stderr.
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    text.lines()
        .next()
        .map(|line| line.trim().to_owned())
        .filter(|line| output.status.success() && !line.is_empty())
}

/// How many threads want a processor, averaged over a minute; none where the system does not tell.
pub(crate) fn load() -> Option<f64> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').next()?.parse().ok()
}

fn today() -> String {
    let seconds = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |time| time.as_secs());
    date(seconds / 86_400)
}

/// The date of a day counted from 1970-01-01.
fn date(days: u64) -> String {
    // Years begin in March, so that the day that comes and goes is the last.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_know_leap_days() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(11_017), "2000-03-01");
        assert_eq!(date(19_782), "2024-02-29");
        assert_eq!(date(20_819), "2027-01-01");
    }
}
