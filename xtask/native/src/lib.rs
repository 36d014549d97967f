//! The programs of `graphs/bench` as plain Rust: what their results must be, and how fast a compiler to machine
//! code makes them.
//!
//! A crate of its own, so that it is compiled for speed and without checks of overflow whatever the profile of
//! those who compare with it. Each computes in the order the graphs do, so floating-point results are equal
//! and not only close.

#![forbid(unsafe_code)]

use std::fmt::Write as _;
use std::hint::black_box;

/// The Fibonacci number of `n`, by calling itself twice.
#[inline(never)]
pub fn fib(n: i32) -> i32 {
    if n < 2 {
        return n;
    }
    fib(n - 1) + fib(n - 2)
}

/// Calls that [`fib`] of `n` takes, the first included.
pub fn fib_calls(n: i32) -> i64 {
    // One for each leaf, and one less for each inner call: 2 fib(n + 1) - 1.
    let (mut now, mut next) = (0_i64, 1_i64);
    for _ in 0..=n {
        (now, next) = (next, now + next);
    }
    2 * now - 1
}

/// Numbers below `turns`: multiples of three added, the others taken off.
#[inline(never)]
pub fn sum_by_thirds(turns: i64) -> i64 {
    let mut sum = 0_i64;
    for index in 0..turns {
        if index % 3 == 0 {
            sum += index;
        } else {
            sum -= index;
        }
    }
    sum
}

/// Turns of all points of a picture of the Mandelbrot set, `turns` at most for each.
#[inline(never)]
pub fn mandelbrot(width: i32, height: i32, turns: i32) -> i32 {
    let mut total = 0;
    for row in 0..height {
        let cy = f64::from(row) * 2.0 / f64::from(height) - 1.0;
        for column in 0..width {
            let cx = f64::from(column) * 3.0 / f64::from(width) - 2.0;
            let (mut x, mut y, mut xx, mut yy) = (0.0, 0.0, 0.0, 0.0);
            let mut count = 0;
            while count < turns && xx + yy <= 4.0 {
                y = x * 2.0 * y + cy;
                x = xx - yy + cx;
                xx = x * x;
                yy = y * y;
                count += 1;
            }
            total += count;
        }
    }
    total
}

/// How many primes there are up to `limit`, by crossing out multiples.
#[inline(never)]
pub fn sieve(limit: usize) -> usize {
    let mut is_prime = vec![true; limit + 1];
    let mut count = 0;
    for factor in 2..=limit {
        if !is_prime[factor] {
            continue;
        }
        count += 1;
        let mut multiple = factor * factor;
        while multiple <= limit {
            is_prime[multiple] = false;
            multiple += factor;
        }
    }
    count
}

/// Bytes of `count` lines such as `item_3=1.50` and of their concatenation with commas.
#[inline(never)]
pub fn items(count: usize) -> usize {
    let mut lines = Vec::new();
    let mut total = 0;
    for index in 0..count {
        let mut line = String::new();
        let value = index as f64 * 0.5;
        write!(line, "item_{index}={value:.2}").expect("a string takes any text");
        total += line.len();
        lines.push(line);
    }
    total + lines.join(",").len()
}

/// What an event changes.
#[derive(Clone, Copy, Debug)]
pub struct Mover {
    elapsed: f64,
    ticks: i32,
    position: f64,
    speed: f64,
}

impl Default for Mover {
    fn default() -> Self {
        Self {
            elapsed: 0.0,
            ticks: 0,
            position: 0.0,
            speed: 3.0,
        }
    }
}

impl Mover {
    /// The event.
    #[inline(never)]
    pub fn advance(&mut self, delta_seconds: f64) {
        self.elapsed += delta_seconds;
        self.ticks = self.ticks.wrapping_add(1);
        self.position += self.speed * delta_seconds;
    }

    /// Seconds so far.
    pub fn elapsed(&self) -> f64 {
        self.elapsed
    }

    /// All it changes as one number.
    pub fn sum(&self) -> f64 {
        self.elapsed + f64::from(self.ticks) + self.position
    }
}

/// Tells `mover` that `delta_seconds` passed, `n_times`, through a pointer that the compiler cannot see through.
#[inline(never)]
pub fn advance(mover: &mut Mover, n_times: u32, delta_seconds: f64) {
    for _ in 0..n_times {
        let event: fn(&mut Mover, f64) = black_box(Mover::advance);
        event(mover, black_box(delta_seconds));
    }
}

/// Three numbers that functions are given by address.
#[derive(Clone, Copy, Debug, Default)]
struct Vector {
    x: f64,
    y: f64,
    z: f64,
}

#[inline(never)]
fn add(a: &Vector, b: &Vector) -> Vector {
    Vector {
        x: a.x + b.x,
        y: a.y + b.y,
        z: a.z + b.z,
    }
}

#[inline(never)]
fn scale(a: &Vector, by: f64) -> Vector {
    Vector {
        x: a.x * by,
        y: a.y * by,
        z: a.z * by,
    }
}

#[inline(never)]
fn length(a: &Vector) -> f64 {
    (a.x * a.x + a.y * a.y + a.z * a.z).sqrt()
}

/// Sum of the lengths of a vector that is moved and shrunk at each turn. Its three functions are calls.
#[inline(never)]
pub fn vectors(turns: i32) -> f64 {
    let step = Vector {
        x: 1.0,
        y: 0.5,
        z: 0.25,
    };
    let mut point = Vector::default();
    let mut way = 0.0;
    for _ in 0..turns {
        point = add(&point, &step);
        point = scale(&point, 0.999);
        way += length(&point);
    }
    way
}

#[derive(Clone, Copy, Debug, Default)]
struct Body {
    place: Vector,
    velocity: Vector,
    mass: f64,
}

/// Sum of all coordinates of five bodies that attract each other, after `steps` of a millisecond.
#[inline(never)]
pub fn orbits(steps: i32) -> f64 {
    const STEP: f64 = 0.001;
    let mut bodies = [Body::default(); 5];
    for (index, body) in bodies.iter_mut().enumerate() {
        let number = index as f64;
        *body = Body {
            place: Vector {
                x: number * 1.5,
                y: (index % 3) as f64 * 2.0 - 1.0,
                z: number * 0.7 - 1.0,
            },
            velocity: Vector {
                x: (number - 2.0) * 0.1,
                y: (3.0 - number) * 0.05,
                z: number * 0.02,
            },
            mass: if index == 0 { 10.0 } else { number * 0.1 },
        };
    }
    for _ in 0..steps {
        for first in 0..bodies.len() {
            for second in first + 1..bodies.len() {
                let (head, tail) = bodies.split_at_mut(second);
                attract(&mut head[first], &mut tail[0], STEP);
            }
        }
        for body in &mut bodies {
            body.place.x += body.velocity.x * STEP;
            body.place.y += body.velocity.y * STEP;
            body.place.z += body.velocity.z * STEP;
        }
    }
    let coordinates = bodies
        .iter()
        .map(|body| body.place.x + body.place.y + body.place.z);
    // From plain zero on, where `sum` begins with a negative one.
    coordinates.fold(0.0, |sum, xyz| sum + xyz)
}

fn attract(p: &mut Body, q: &mut Body, step: f64) {
    let dx = p.place.x - q.place.x;
    let dy = p.place.y - q.place.y;
    let dz = p.place.z - q.place.z;
    let softened = dx * dx + dy * dy + dz * dz + 0.01;
    let pull = step / (softened * softened.sqrt());
    let (by_q, by_p) = (q.mass * pull, p.mass * pull);
    p.velocity.x -= dx * by_q;
    p.velocity.y -= dy * by_q;
    p.velocity.z -= dz * by_q;
    q.velocity.x += dx * by_p;
    q.velocity.y += dy * by_p;
    q.velocity.z += dz * by_p;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_those_known() {
        assert_eq!(fib(20), 6765);
        assert_eq!(sieve(100), 25);
        assert_eq!(sum_by_thirds(7), 3 + 6 - 1 - 2 - 4 - 5);
        // `item_0=0.00` and `item_1=0.50`, once as they are and once with a comma between.
        assert_eq!(items(2), 22 + 23);
    }

    #[test]
    fn calls_of_fib_are_counted() {
        fn calls(n: i32) -> i64 {
            if n < 2 {
                1
            } else {
                1 + calls(n - 1) + calls(n - 2)
            }
        }
        for n in 0..15 {
            assert_eq!(fib_calls(n), calls(n));
        }
    }
}
