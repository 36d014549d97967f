//! The programs that are timed, each in a size that machine code needs milliseconds for.

use std::hint::black_box;

/// Which program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Program {
    Fib,
    SumByThirds,
    Mandelbrot,
    Sieve,
    Items,
    Advance,
    Vectors,
    Orbits,
}

/// A program of `graphs/bench`, and how it is run and compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Workload {
    pub(crate) program: Program,
    /// What the other languages' programs call it.
    pub(crate) key: &'static str,
    /// Its file in `graphs/bench`, without extension.
    pub(crate) graph: &'static str,
    /// The function that is called.
    pub(crate) function: &'static str,
    /// Names of its inputs; of [`Program::Advance`] how often it is called comes first, and is no input.
    pub(crate) inputs: &'static [&'static str],
    /// What it does.
    pub(crate) what: &'static str,
    /// The inputs that times are told for.
    pub(crate) full: [i64; 3],
    /// Inputs that take a slow interpreter about as long as the full ones take a fast one.
    pub(crate) part: [i64; 3],
    /// Nodes that run with the full inputs, where the peers' page counts them: those a user would draw and
    /// any compiler must run, whether or not ours draws some more.
    pub(crate) nodes: Option<f64>,
}

/// Length of a tick in the programs that have one, in seconds.
pub(crate) const DELTA: f64 = 0.016;

/// All of them.
pub(crate) const ALL: [Workload; 8] = [
    Workload {
        program: Program::Fib,
        key: "a_fib",
        graph: "Fib",
        function: "Fib",
        inputs: &["N"],
        what: "fib(30), 2.7 million calls",
        full: [30, 0, 0],
        part: [25, 0, 0],
        nodes: Some(14.8e6),
    },
    Workload {
        program: Program::SumByThirds,
        key: "b_loop",
        graph: "SumByThirds",
        function: "SumByThirds",
        inputs: &["Turns"],
        what: "20 million turns of a branch and an addition, 64 bits",
        full: [20_000_000, 0, 0],
        part: [1_000_000, 0, 0],
        nodes: Some(180e6),
    },
    Workload {
        program: Program::Mandelbrot,
        key: "c_mandel",
        graph: "Mandelbrot",
        function: "Mandelbrot",
        inputs: &["Width", "Height", "Turns"],
        what: "Mandelbrot set of 256 × 256 points, 100 turns each at most, 2 million turns in all",
        full: [256, 256, 100],
        part: [64, 64, 100],
        nodes: Some(32.1e6),
    },
    Workload {
        program: Program::Sieve,
        key: "d_sieve",
        graph: "Sieve",
        function: "Sieve",
        inputs: &["Limit"],
        what: "sieve of primes to 2 million in an array of bool",
        full: [2_000_000, 0, 0],
        // The work does not grow with the limit alone.
        part: [2_000_000, 0, 0],
        nodes: None,
    },
    Workload {
        program: Program::Items,
        key: "e_strings",
        graph: "Items",
        function: "Items",
        inputs: &["Count"],
        what: "200,000 strings with a number and two decimals, collected and joined",
        full: [200_000, 0, 0],
        part: [50_000, 0, 0],
        nodes: None,
    },
    Workload {
        program: Program::Advance,
        key: "f_event",
        graph: "Advance",
        function: "Advance",
        inputs: &[],
        what: "5 million events from the host that change three variables each",
        full: [5_000_000, 0, 0],
        part: [500_000, 0, 0],
        nodes: Some(40e6),
    },
    Workload {
        program: Program::Vectors,
        key: "g_vec",
        graph: "Vectors",
        function: "Vectors",
        inputs: &["Turns"],
        what: "2 million turns of three native functions of vectors",
        full: [2_000_000, 0, 0],
        part: [400_000, 0, 0],
        nodes: Some(22e6),
    },
    Workload {
        program: Program::Orbits,
        key: "h_nbody",
        graph: "Orbits",
        function: "Orbits",
        inputs: &["Steps"],
        what: "200,000 steps of five bodies, an array of structs",
        full: [200_000, 0, 0],
        part: [10_000, 0, 0],
        nodes: None,
    },
];

impl Workload {
    /// How much of the work with the full inputs that with `inputs` is.
    pub(crate) fn share(&self, inputs: [i64; 3]) -> f64 {
        let work = |inputs: [i64; 3]| match self.program {
            Program::Fib => bench_native::fib_calls(inputs[0] as i32) as f64,
            // Its result is how many turns it took.
            Program::Mandelbrot => self.native(inputs),
            Program::SumByThirds
            | Program::Sieve
            | Program::Items
            | Program::Advance
            | Program::Vectors
            | Program::Orbits => inputs[0] as f64,
        };
        if inputs == self.full {
            1.0
        } else {
            work(inputs) / work(self.full)
        }
    }

    /// Inputs of no more work than a test may take.
    #[cfg(test)]
    pub(crate) fn tiny(&self) -> [i64; 3] {
        match self.program {
            Program::Fib => [12, 0, 0],
            Program::Mandelbrot => [8, 8, 20],
            Program::Orbits => [20, 0, 0],
            Program::SumByThirds
            | Program::Sieve
            | Program::Items
            | Program::Advance
            | Program::Vectors => [1_000, 0, 0],
        }
    }

    /// Runs the program in machine code, and gives its result.
    pub(crate) fn native(&self, inputs: [i64; 3]) -> f64 {
        let [first, second, third] = inputs.map(|input| black_box(input) as i32);
        match self.program {
            Program::Fib => f64::from(bench_native::fib(first)),
            Program::SumByThirds => bench_native::sum_by_thirds(i64::from(first)) as f64,
            Program::Mandelbrot => f64::from(bench_native::mandelbrot(first, second, third)),
            Program::Sieve => bench_native::sieve(first as usize) as f64,
            Program::Items => bench_native::items(first as usize) as f64,
            Program::Advance => {
                let mut mover = bench_native::Mover::default();
                bench_native::advance(&mut mover, first as u32, DELTA);
                mover.sum()
            }
            Program::Vectors => bench_native::vectors(first),
            Program::Orbits => bench_native::orbits(first),
        }
    }
}

/// Whether two results are the same number, as far as printing it with six decimals keeps it.
pub(crate) fn is_same(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-6 + expected.abs() * 1e-12
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sharing_the_work_is_measured_in_what_grows() {
        for workload in ALL {
            assert!((workload.share(workload.full) - 1.0).abs() < 1e-12);
            let share = workload.share(workload.part);
            assert!(share > 0.01 && share <= 1.0, "{}: {share}", workload.key);
        }
    }

    #[test]
    fn another_number_is_no_same_number() {
        assert!(is_same(348.690_001, 348.690_001_4));
        assert!(!is_same(348.69, 354.61));
        assert!(!is_same(832_040.0, 832_041.0));
        assert!(!is_same(f64::NAN, 1.0));
    }
}
