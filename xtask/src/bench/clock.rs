//! Processor time of the calling thread, and medians of it.

use std::time::Duration;

/// Processor time this thread has used. Other work on the machine does not count, but it costs caches.
#[cfg(unix)]
pub(crate) fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Time on the wall, where there is no clock of a thread.
#[cfg(not(unix))]
pub(crate) fn now() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// Samples that a median is of.
pub(crate) const N_SAMPLES: usize = 5;

/// What is done for one sample at least, so that the clock's steps do not show.
const LEAST: Duration = Duration::from_millis(20);

/// Runs `work` and gives its processor time.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = now();
    let result = work();
    (result, now().saturating_sub(start))
}

/// The median time of one run of `work`: of five samples, each as many runs as last 20 ms.
pub(crate) fn median(mut work: impl FnMut()) -> Duration {
    // Warms up too.
    let ((), once) = timed(&mut work);
    let n_runs = (LEAST.as_nanos() / once.as_nanos().max(1) + 1).min(1 << 20) as u32;
    let samples = (0..N_SAMPLES).map(|_| {
        let ((), time) = timed(|| {
            for _ in 0..n_runs {
                work();
            }
        });
        time / n_runs
    });
    median_of(samples.collect())
}

/// The middle of an odd number of times.
pub(crate) fn median_of(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
