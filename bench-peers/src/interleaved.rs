//! Measures several pieces of work side by side. Other programs on the machine and changes of the
//! clock rate disturb a measurement for longer than a few milliseconds, so two times that are taken
//! one after the other are not comparable. This module alternates between all pieces of work in
//! slices of less than a millisecond. One *rotation* runs a slice of each piece. Ratios are formed
//! within one rotation, in which all pieces met the same conditions.

use serde::{Deserialize, Serialize};
use std::fmt::{Display, Formatter, Result};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A piece of work, which is called many times in each slice. It returns anything that depends on
/// all of the work, so that the compiler cannot remove any of it.
pub type Work<'w> = dyn FnMut() -> u64 + 'w;

/// Turns a function into a piece of work.
pub fn work<'w, T>(mut run: impl FnMut() -> T + 'w) -> Box<Work<'w>> {
    Box::new(move || {
        black_box(run());
        0
    })
}

/// The effort of a measurement.
#[derive(Clone, Copy)]
pub struct Effort {
    /// Duration of one slice. Work that takes longer runs once in a slice.
    pub slice: Duration,
    /// Number of rotations, if they take no longer than `time`.
    pub rotations: usize,
    /// Time after which no rotation begins, except for the first [`FEWEST`].
    pub time: Duration,
}

/// The number of rotations that are measured in any case.
pub const FEWEST: usize = 8;

impl Effort {
    /// Returns the part of this effort that each of some processes takes.
    pub fn divided(self, processes: usize) -> Self {
        let rotations = self.rotations.div_ceil(processes);
        Self { rotations, time: self.time / processes as u32, ..self }
    }

    pub const FULL: Self = Self {
        slice: Duration::from_micros(400),
        rotations: 250,
        time: Duration::from_millis(5000),
    };
    /// For use during development.
    pub const QUICK: Self =
        Self { slice: Duration::from_micros(200), rotations: 50, time: Duration::from_millis(300) };
}

/// The median of some values, and the values that a tenth of them is below or above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    pub low: f64,
    pub median: f64,
    pub high: f64,
}

impl Spread {
    /// Returns the spread of values. There must be at least one.
    pub fn of(mut values: Vec<f64>) -> Self {
        values.sort_unstable_by(f64::total_cmp);
        let at = |tenths: usize| values[(values.len() - 1) * tenths / 10];
        Self { low: at(1), median: at(5), high: at(9) }
    }
}

/// Prints as in `3.42 (3.38–3.51)`.
impl Display for Spread {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{:.2} ({:.2}–{:.2})", self.median, self.low, self.high)
    }
}

/// The times of all slices. They are times of one call, in nanoseconds.
#[derive(Default, Serialize, Deserialize)]
pub struct Rotations {
    /// For each rotation, the times in the order of the pieces of work.
    slices: Vec<Vec<f64>>,
    /// Number of rotations that were left out because the clock rate changed.
    pub dropped: usize,
    /// The clock rates between rotations, in GHz.
    clocks: Vec<f64>,
}

impl Rotations {
    pub fn len(&self) -> usize {
        self.slices.len()
    }

    pub fn is_empty(&self) -> bool {
        self.slices.is_empty()
    }

    /// Appends the rotations of another measurement of the same work.
    pub fn extend(&mut self, more: Self) {
        self.slices.extend(more.slices);
        self.dropped += more.dropped;
        self.clocks.extend(more.clocks);
    }

    /// Returns the clock rate between rotations, in GHz.
    pub fn clock(&self) -> Spread {
        Spread::of(self.clocks.clone())
    }

    /// Returns the shortest time of a piece of work.
    pub fn best(&self, work: usize) -> f64 {
        self.slices.iter().map(|slice| slice[work]).fold(f64::INFINITY, f64::min)
    }

    pub fn time(&self, work: usize) -> Spread {
        Spread::of(self.slices.iter().map(|slice| slice[work]).collect())
    }

    /// Returns how many times as long as `base` the piece `work` takes, over all rotations.
    pub fn ratio(&self, work: usize, base: usize) -> Spread {
        Spread::of(self.slices.iter().map(|slice| slice[work] / slice[base]).collect())
    }
}

/// Measures all pieces of work in rotations. Every second rotation has the opposite order, so that
/// a clock rate that rises or falls steadily favours none of them.
pub fn interleave(works: &mut [&mut Work<'_>], effort: Effort) -> Rotations {
    let fillings: Vec<Filling> = works.iter_mut().map(|work| filling(work, effort.slice)).collect();
    let (mut rotations, mut clocks) = (Vec::new(), vec![clock()]);
    let begin = Instant::now();
    while rotations.len() < effort.rotations
        && (rotations.len() < FEWEST || begin.elapsed() < effort.time)
    {
        let mut times = vec![0.0; works.len()];
        let forward = rotations.len() % 2 == 0;
        for step in 0..works.len() {
            let next = if forward { step } else { works.len() - 1 - step };
            times[next] = slice(works[next], fillings[next]);
        }
        rotations.push(times);
        clocks.push(clock());
    }
    steady(rotations, clocks)
}

/// The part of the clock rate by which it may differ from the median.
const DRIFT: f64 = 0.05;

/// Keeps the rotations before and after which the clock rate was the usual one. If those are too
/// few, keeps all.
fn steady(rotations: Vec<Vec<f64>>, clocks: Vec<f64>) -> Rotations {
    let clock = Spread::of(clocks.clone());
    let usual = |rate: f64| (rate / clock.median - 1.0).abs() <= DRIFT;
    let is_steady = |at: &usize| usual(clocks[*at]) && usual(clocks[at + 1]);
    let kept: Vec<usize> = (0..rotations.len()).filter(is_steady).collect();
    if kept.len() < FEWEST.min(rotations.len()) {
        return Rotations { slices: rotations, dropped: 0, clocks };
    }
    let dropped = rotations.len() - kept.len();
    let slices = kept.into_iter().map(|at| rotations[at].clone()).collect();
    Rotations { slices, dropped, clocks }
}

/// The largest number of parts of a slice.
const PARTS: usize = 8;
/// The smallest number of parts of a slice, unless a call takes longer than [`LONG`].
const FEWEST_PARTS: usize = 3;
const LONG: Duration = Duration::from_millis(2);

/// The division of a slice: the number of parts, and of calls in each of them.
#[derive(Clone, Copy)]
struct Filling {
    parts: usize,
    calls: u32,
}

/// Returns the time of one call: the median over the parts of the slice. If another program gets the
/// processor, this disturbs only one part. The first call is not timed, since it finds the caches
/// and the branch predictor in the state in which the previous piece of work left them.
fn slice(work: &mut Work<'_>, Filling { parts, calls }: Filling) -> f64 {
    black_box(work());
    let mut times = [0.0; PARTS];
    let times = &mut times[..parts];
    for time in &mut *times {
        let start = Instant::now();
        for _ in 0..calls {
            black_box(work());
        }
        *time = start.elapsed().as_nanos() as f64 / f64::from(calls);
    }
    times.sort_unstable_by(f64::total_cmp);
    times[(parts - 1) / 2]
}

/// Determines how many calls fill a slice, and divides them into parts.
fn filling(work: &mut Work<'_>, slice: Duration) -> Filling {
    let part = slice / PARTS as u32;
    let mut calls = 1;
    loop {
        let start = Instant::now();
        (0..calls).for_each(|_| _ = black_box(work()));
        let once = start.elapsed() / calls;
        if once >= part {
            let fewest = if once < LONG { FEWEST_PARTS } else { 1 };
            let parts = (slice.as_nanos() / once.as_nanos()) as usize;
            return Filling { parts: parts.clamp(fewest, PARTS), calls: 1 };
        }
        if once * calls >= part / 2 {
            let calls = part.as_secs_f64() / once.as_secs_f64();
            return Filling { parts: PARTS, calls: calls as u32 };
        }
        calls *= 2;
    }
}

/// Returns the clock rate in GHz, by a chain of multiplications, each of which needs the result of
/// the previous one. One takes 3 cycles on x86-64 processors made since 2008. The chain takes some
/// 8 µs.
pub fn clock() -> f64 {
    const LENGTH: u32 = 10_000;
    let start = Instant::now();
    let mut factor = black_box(3_u64);
    for _ in 0..LENGTH {
        factor = factor.wrapping_mul(factor);
    }
    black_box(factor);
    3.0 * f64::from(LENGTH) / start.elapsed().as_nanos() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_the_median_and_the_outer_tenths() {
        let values = (0..=100).rev().map(f64::from).collect();
        assert_eq!(Spread::of(values), Spread { low: 10.0, median: 50.0, high: 90.0 });
        assert_eq!(Spread::of(vec![7.0]), Spread { low: 7.0, median: 7.0, high: 7.0 });
    }

    #[test]
    fn a_rotation_beside_another_clock_rate_is_left_out() {
        let mut clocks = vec![3.0; 31];
        clocks[10] = 2.5;
        let times = (0..30).map(|rotation| vec![1.0, f64::from(rotation)]).collect();
        let rotations = steady(times, clocks);
        assert_eq!((rotations.len(), rotations.dropped), (28, 2));
        assert!(rotations.slices.iter().all(|slice| slice[1] != 9.0 && slice[1] != 10.0));
    }

    #[test]
    fn all_rotations_are_kept_if_the_clock_rate_is_never_steady() {
        let clocks = (0..31).map(|at| if at % 2 == 0 { 2.0 } else { 3.0 }).collect();
        let rotations = steady(vec![vec![1.0]; 30], clocks);
        assert_eq!((rotations.len(), rotations.dropped), (30, 0));
    }

    #[test]
    fn a_ratio_compares_slices_of_the_same_rotation() {
        // In the second rotation, another program slows both pieces of work down by the same factor.
        let slices = vec![vec![1.0, 2.0], vec![10.0, 20.0], vec![1.0, 2.0]];
        let rotations = Rotations { slices, dropped: 0, clocks: vec![3.0; 4] };
        assert_eq!(rotations.ratio(1, 0), Spread { low: 2.0, median: 2.0, high: 2.0 });
        assert_eq!(rotations.best(1), 2.0);
    }
}
