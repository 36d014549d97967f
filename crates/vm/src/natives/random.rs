//! Random numbers. The generator behind them is small and known: a world with one seed always draws
//! the same numbers.

use glam::DVec3;

use super::values::{Any, ArrayArg, Rotator};
use super::{Native, NativeCall, NativeValue, Out, Shape};
use crate::memory::Words;
use crate::native;

/// A stream of its own (`FRandomStream`): the seed it began with, and its state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stream {
    initial: i32,
    seed: i32,
}

impl NativeValue for Stream {
    const SHAPE: Shape = Shape::Struct(2);

    fn from_words(_: &NativeCall<'_>, words: &[u64]) -> Self {
        let word = |index: usize| words.get(index).copied().unwrap_or(0) as i32;
        Self {
            initial: word(0),
            seed: word(1),
        }
    }

    fn into_words(self, _: &mut NativeCall<'_>) -> Words {
        [self.initial, self.seed]
            .map(|part| i64::from(part) as u64)
            .into_iter()
            .collect()
    }
}

/// The next state of a generator. Source: the constants of the engine's random streams, as publicly
/// described.
fn advance(state: u32) -> u32 {
    state.wrapping_mul(196_314_165).wrapping_add(907_633_515)
}

/// A fraction in [0, 1) from a state: its upper 23 bits as a float's mantissa.
fn fraction(state: u32) -> f64 {
    f64::from(f32::from_bits(0x3F80_0000 | (state >> 9)) - 1.0)
}

/// Draws in [0, 1), from a stream or from the world.
pub(super) trait Source {
    fn draw(&mut self) -> f64;
}

impl Source for Stream {
    fn draw(&mut self) -> f64 {
        let state = advance(self.seed as u32);
        self.seed = state as i32;
        fraction(state)
    }
}

impl Source for NativeCall<'_> {
    fn draw(&mut self) -> f64 {
        self.vm.state.random = advance(self.vm.state.random);
        fraction(self.vm.state.random)
    }
}

fn below(source: &mut impl Source, max: i32) -> i32 {
    if max <= 0 {
        return 0;
    }
    ((source.draw() * f64::from(max)) as i32).min(max - 1)
}

fn in_range(source: &mut impl Source, min: i32, max: i32) -> i32 {
    let width = i64::from(max) - i64::from(min) + 1;
    if width <= 0 {
        return min;
    }
    min.wrapping_add((source.draw() * width as f64) as i32)
}

fn real_in_range(source: &mut impl Source, min: f64, max: f64) -> f64 {
    min + (max - min) * source.draw()
}

/// A point of the unit sphere: the first of random points of the cube that lies within it, pushed
/// outwards.
fn unit_vector(source: &mut impl Source) -> DVec3 {
    loop {
        let mut part = || source.draw() * 2.0 - 1.0;
        let v = DVec3::new(part(), part(), part());
        let length = v.length_squared();
        if (1e-4..=1.0).contains(&length) {
            return v / length.sqrt();
        }
    }
}

fn rotator(source: &mut impl Source, with_roll: bool) -> Rotator {
    let mut turn = || source.draw() * 360.0;
    let (yaw, pitch) = (turn(), turn());
    let roll = if with_roll { turn() } else { 0.0 };
    Rotator::new(pitch, yaw, roll)
}

pub(super) fn in_box(source: &mut impl Source, center: DVec3, half: DVec3) -> DVec3 {
    let mut part = |half: f64| (source.draw() * 2.0 - 1.0) * half;
    center + DVec3::new(part(half.x), part(half.y), part(half.z))
}

/// Runs with the stream of a by-reference parameter and writes its new state back.
pub(super) fn with<T>(
    call: &mut NativeCall<'_>,
    stream: Out<Stream>,
    run: impl FnOnce(&mut Stream) -> T,
) -> T {
    let mut state = call.get(stream);
    let result = run(&mut state);
    call.set(stream, state);
    result
}

impl NativeCall<'_> {
    /// A random index below `len`, which is not 0.
    pub(super) fn random_below(&mut self, len: usize) -> usize {
        below(self, i32::try_from(len).unwrap_or(i32::MAX)) as usize
    }
}

pub(super) const ROWS: &[Native] = &[
    native!("KismetMathLibrary.RandomBool", |call| -> bool {
        Ok(below(call, 2) == 1)
    }),
    native!("KismetMathLibrary.RandomBoolWithWeight", |call,
                                                       weight: f64|
     -> bool {
        Ok(weight > 0.0 && weight >= call.draw())
    }),
    native!("KismetMathLibrary.RandomFloat", |call| -> f64 {
        Ok(call.draw())
    }),
    native!("KismetMathLibrary.RandomFloatInRange", |call,
                                                     min: f64,
                                                     max: f64|
     -> f64 {
        Ok(real_in_range(call, min, max))
    }),
    native!("KismetMathLibrary.RandomInteger", |call, max: i32| -> i32 {
        Ok(below(call, max))
    }),
    native!("KismetMathLibrary.RandomIntegerInRange", |call,
                                                       min: i32,
                                                       max: i32|
     -> i32 {
        Ok(in_range(call, min, max))
    }),
    native!("KismetMathLibrary.RandomInteger64", |call,
                                                  max: i64|
     -> i64 {
        let share = call.draw();
        Ok(((share * max.max(0) as f64) as i64).min((max - 1).max(0)))
    }),
    native!("KismetMathLibrary.RandomInteger64InRange", |call,
                                                         min: i64,
                                                         max: i64|
     -> i64 {
        let share = call.draw();
        let width = i128::from(max) - i128::from(min) + 1;
        Ok(min.wrapping_add((share * width.max(0) as f64) as i64))
    }),
    native!("KismetMathLibrary.RandomUnitVector", |call| -> DVec3 {
        Ok(unit_vector(call))
    }),
    native!("KismetMathLibrary.RandomRotator", |call,
                                                roll: bool|
     -> Rotator {
        Ok(rotator(call, roll))
    }),
    native!(
        "KismetMathLibrary.RandomPointInBoundingBox",
        |call, center: DVec3, half: DVec3| -> DVec3 { Ok(in_box(call, center, half)) }
    ),
    native!(
        "KismetMathLibrary.MakeRandomStream",
        |seed: i32| -> Stream {
            Stream {
                initial: seed,
                seed,
            }
        }
    ),
    native!(
        "KismetMathLibrary.BreakRandomStream",
        |call, stream: Stream, seed: Out<i32>| {
            call.set(seed, stream.initial);
            Ok(())
        }
    ),
    native!(
        "KismetMathLibrary.SetRandomStreamSeed",
        |call, stream: Out<Stream>, seed: i32| {
            call.set(
                stream,
                Stream {
                    initial: seed,
                    seed,
                },
            );
            Ok(())
        }
    ),
    native!("KismetMathLibrary.ResetRandomStream", |call,
                                                    stream: Out<
        Stream,
    >| {
        let state = call.get(stream);
        call.set(
            stream,
            Stream {
                seed: state.initial,
                ..state
            },
        );
        Ok(())
    }),
    native!("KismetMathLibrary.SeedRandomStream", |call,
                                                   stream: Out<
        Stream,
    >| {
        let seed = in_range(call, 0, i32::MAX);
        call.set(
            stream,
            Stream {
                initial: seed,
                seed,
            },
        );
        Ok(())
    }),
    native!("KismetMathLibrary.RandomBoolFromStream", |call,
                                                       stream: Out<
        Stream,
    >|
     -> bool {
        Ok(with(call, stream, |s| below(s, 2) == 1))
    }),
    native!(
        "KismetMathLibrary.RandomBoolWithWeightFromStream",
        |call, stream: Out<Stream>, weight: f64| -> bool {
            Ok(weight > 0.0 && with(call, stream, |s| weight >= s.draw()))
        }
    ),
    native!("KismetMathLibrary.RandomFloatFromStream", |call,
                                                        stream: Out<
        Stream,
    >|
     -> f64 {
        Ok(with(call, stream, Source::draw))
    }),
    native!(
        "KismetMathLibrary.RandomFloatInRangeFromStream",
        |call, stream: Out<Stream>, min: f64, max: f64| -> f64 {
            Ok(with(call, stream, |s| real_in_range(s, min, max)))
        }
    ),
    native!(
        "KismetMathLibrary.RandomIntegerFromStream",
        |call, max: i32, stream: Out<Stream>| -> i32 { Ok(with(call, stream, |s| below(s, max))) }
    ),
    native!(
        "KismetMathLibrary.RandomIntegerInRangeFromStream",
        |call, min: i32, max: i32, stream: Out<Stream>| -> i32 {
            Ok(with(call, stream, |s| in_range(s, min, max)))
        }
    ),
    native!(
        "KismetMathLibrary.RandomUnitVectorFromStream",
        |call, stream: Out<Stream>| -> DVec3 { Ok(with(call, stream, unit_vector)) }
    ),
    native!(
        "KismetMathLibrary.RandomRotatorFromStream",
        |call, stream: Out<Stream>, roll: bool| -> Rotator {
            Ok(with(call, stream, |s| rotator(s, roll)))
        }
    ),
    native!(
        "KismetMathLibrary.RandomPointInBoundingBoxFromStream",
        |call, stream: Out<Stream>, center: DVec3, half: DVec3| -> DVec3 {
            Ok(with(call, stream, |s| in_box(s, center, half)))
        }
    ),
    native!(
        "KismetArrayLibrary.Array_RandomFromStream",
        |call, array: ArrayArg, stream: Out<Stream>, item: Any, index: Out<i32>| {
            let len = call.array_len(array) as i32;
            let at = if len == 0 {
                -1
            } else {
                with(call, stream, |s| in_range(s, 0, len - 1))
            };
            call.set(index, at);
            if let (Some(item), Some((word, element))) = (item.target, call.array_parts(array)) {
                if at < 0 {
                    call.vm.memory.clear(item.place, item.ty);
                } else {
                    let from = call.element_place(word, element, at as usize);
                    call.vm.memory.copy(item.place, from, element);
                }
            }
            Ok(())
        }
    ),
    native!(
        "KismetArrayLibrary.Array_ShuffleFromStream",
        |call, array: ArrayArg, stream: Out<Stream>| {
            let len = call.array_len(array) as i32;
            for at in 0..len {
                let other = with(call, stream, |s| in_range(s, at, len - 1));
                call.array_swap(array, at as usize, other as usize);
            }
            Ok(())
        }
    ),
];
