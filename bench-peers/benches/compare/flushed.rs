//! Measures single calls after other work, which leaves its own history in the branch predictor. A
//! loop over one packet trains the predictor on that packet; for a message that arrives only now
//! and then, the predictor is not trained. Each row takes turns: a short loop, a single call after
//! other work, a single call after other packets.

use crate::eye::Checksum;
use crate::formats::gamewire;
use crate::games::Numbers;
use crate::rows::Row;
use ::gamewire::godot::{Color, Dialect, Error, Level, Vector2, Vector3, Writer};
use gamewire_bench_peers::interleaved::Spread;
use gamewire_bench_peers::results::{Figure, rounded};
use std::hint::black_box;
use std::time::Instant;

/// The work before each timed call.
#[derive(Clone, Copy)]
pub enum Before {
    /// Other code with more unpredictable branches than a predictor remembers.
    OtherWork,
    /// Reading 20 random packets with the code of gamewire.
    OtherPackets,
}

impl Before {
    /// Returns the suffix of the operation's name in the results.
    fn suffix(self) -> &'static str {
        match self {
            Self::OtherWork => "after_work",
            Self::OtherPackets => "after_packets",
        }
    }
}

/// The times of a row in nanoseconds: of a call in a loop, and of a single call after each work.
#[derive(Default)]
struct Times {
    in_loop: Vec<f64>,
    single: [Vec<f64>; 2],
}

/// Measures the rows for which other work is listed, in rounds of one sample each.
pub fn measure(mut rows: Vec<&mut Row>, is_quick: bool) -> Vec<Figure> {
    rows.retain(|row| row.content == crate::contents::STATE && !row.also_after.is_empty());
    let mut times: Vec<Times> = rows.iter().map(|_| Times::default()).collect();
    let mut noise = Noise::new();
    for _ in 0..if is_quick { 60 } else { 600 } {
        for (row, times) in rows.iter_mut().zip(&mut times) {
            times.in_loop.push(in_loop(&mut row.run));
            for (before, single) in row.also_after.iter().zip(&mut times.single) {
                single.push(noise.single(*before, &mut row.run));
            }
        }
    }
    let figures = rows.iter().zip(&times).flat_map(|(row, times)| figures(row, times));
    let figures: Vec<Figure> = figures.collect();
    figures.iter().for_each(print);
    figures
}

fn figures(row: &Row, times: &Times) -> Vec<Figure> {
    let figure = |(before, single): (&Before, &Vec<f64>)| Figure {
        content: row.content.into(),
        peer: row.peer.into(),
        what: format!("{}_{}", row.what, before.suffix()),
        bytes: row.bytes,
        ns: rounded(Spread::of(single.clone()).median),
        ratio: Some(ratio(single, &times.in_loop).into()),
        instructions: None,
        allocations: None,
        rotations: None,
    };
    row.also_after.iter().zip(&times.single).map(figure).collect()
}

fn ratio(single: &[f64], in_loop: &[f64]) -> Spread {
    Spread::of(single.iter().zip(in_loop).map(|(single, in_loop)| single / in_loop).collect())
}

fn print(figure: &Figure) {
    let (Figure { content, peer, what, ns, .. }, ratio) = (figure, figure.ratio);
    let [low, median, high] = ratio.unwrap_or_default();
    println!(
        "{content}, {peer}, {what:32} {ns:>8.0} ns, in a loop × {median:.2} ({low:.2}–{high:.2})"
    );
}

/// Returns the time of one call in a loop that has run before.
fn in_loop(run: &mut dyn FnMut() -> u64) -> f64 {
    const CALLS: u32 = 100;
    (0..CALLS).for_each(|_| _ = black_box(run()));
    let start = Instant::now();
    (0..CALLS).for_each(|_| _ = black_box(run()));
    start.elapsed().as_nanos() as f64 / f64::from(CALLS)
}

struct Noise {
    random: Numbers,
    packets: Vec<Vec<u8>>,
    /// Nanoseconds that reading the clock takes.
    overhead: f64,
}

impl Noise {
    fn new() -> Self {
        let mut random = Numbers(0x9E37_79B9_7F4A_7C15);
        let packets = (0..200).map(|_| packet(&mut random).unwrap()).collect();
        let mut noise = Self { random, packets, overhead: 0.0 };
        let empty = (0..1000).map(|_| noise.single(Before::OtherWork, &mut || black_box(0)));
        noise.overhead = Spread::of(empty.collect()).median;
        noise
    }

    /// Does some other work, and then returns the time of a single call.
    fn single(&mut self, before: Before, run: &mut dyn FnMut() -> u64) -> f64 {
        match before {
            Before::OtherWork => {
                black_box(wander(&mut self.random));
            }
            Before::OtherPackets => self.walk(),
        }
        let start = Instant::now();
        black_box(run());
        (start.elapsed().as_nanos() as f64 - self.overhead).max(0.0)
    }

    fn walk(&mut self) {
        for _ in 0..20 {
            let packet = &self.packets[self.random.below(self.packets.len())];
            black_box(gamewire::traverse::<Checksum>(packet).0);
            black_box(gamewire::traverse_bytes::<Checksum>(packet).0);
            black_box(gamewire::skip(packet, Level::Engine));
            black_box(gamewire::skip(packet, Level::Structure));
        }
    }
}

/// Executes 60,000 unpredictable branches.
fn wander(random: &mut Numbers) -> u64 {
    let mut sum = 1_u64;
    for _ in 0..15_000 {
        let bits = random.next();
        for (bit, what) in [(1, 3), (2, 5), (4, 7), (8, 11)] {
            // `black_box` keeps the branch from becoming a conditional move.
            if bits & bit != 0 {
                sum = black_box(sum).wrapping_mul(what);
            }
        }
    }
    sum
}

/// Makes an array of 100 items: values of random types, and some arrays of three such values.
fn packet(random: &mut Numbers) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, Dialect::Godot4);
    let mut array = writer.array(100)?;
    for _ in 0..100 {
        if random.below(8) == 0 {
            let mut inner = array.array(3)?;
            (0..3).try_for_each(|_| value(random, &mut inner))?;
            inner.finish()?;
        } else {
            value(random, &mut array)?;
        }
    }
    array.finish()?;
    Ok(bytes)
}

fn value(random: &mut Numbers, to: &mut Writer<&mut Vec<u8>>) -> Result<(), Error> {
    const TEXT: &str = "any text, as long as wanted, now and then ça va, and so on";
    let real = random.below(1000) as f32;
    match random.below(8) {
        0 => to.put(random.next() as i64),
        1 => to.put(random.below(100) as i64),
        2 => to.put(f64::from(real) / 3.0),
        3 => to.put(real < 500.0),
        4 => to.put(Vector2 { x: real, y: 1.0 }),
        5 => to.put(Vector3 { x: real, y: 1.0, z: 2.0 }),
        6 => to.put(Color { r: real, g: 1.0, b: 0.5, a: 0.0 }),
        _ => to.put(&TEXT[..TEXT.floor_char_boundary(random.below(TEXT.len()))]),
    }
}
