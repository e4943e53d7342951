//! Measures single runs after other work, which leaves its own history in the branch predictor. A
//! loop over one packet trains the predictor on that packet; for a message that arrives only now
//! and then, the predictor is not trained.

use crate::eye::Checksum;
use crate::formats::gamewire;
use ::gamewire::godot::{Color, Dialect, Error, Level, Vector2, Vector3, Writer};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The work before each timed run.
#[derive(Clone, Copy)]
pub enum Before {
    /// Other code with more unpredictable branches than a predictor remembers.
    OtherWork,
    /// Reading 20 random packets with the code of gamewire.
    OtherPackets,
}

pub struct Noise {
    random: Random,
    packets: Vec<Vec<u8>>,
    /// Time that reading the clock takes.
    overhead: Duration,
}

impl Noise {
    pub fn new() -> Self {
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        let packets = (0..200).map(|_| packet(&mut random).unwrap()).collect();
        let mut noise = Self { random, packets, overhead: Duration::ZERO };
        noise.overhead = noise.median(Before::OtherWork, 1000, &mut || black_box(0));
        noise
    }

    /// Times single runs, each after the work `before`. Returns the median without `overhead`,
    /// multiplied by the number of runs.
    pub fn time(&mut self, before: Before, runs: u64, run: &mut dyn FnMut() -> u64) -> Duration {
        let median = self.median(before, runs, run);
        median.saturating_sub(self.overhead) * runs as u32
    }

    fn median(&mut self, before: Before, runs: u64, run: &mut dyn FnMut() -> u64) -> Duration {
        let mut times: Vec<Duration> = (0..runs).map(|_| self.once(before, run)).collect();
        times.sort_unstable();
        times[times.len() / 2]
    }

    fn once(&mut self, before: Before, run: &mut dyn FnMut() -> u64) -> Duration {
        match before {
            Before::OtherWork => {
                black_box(wander(&mut self.random));
            }
            Before::OtherPackets => self.walk(),
        }
        let start = Instant::now();
        black_box(run());
        start.elapsed()
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
fn wander(random: &mut Random) -> u64 {
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
fn packet(random: &mut Random) -> Result<Vec<u8>, Error> {
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

fn value(random: &mut Random, to: &mut Writer<&mut Vec<u8>>) -> Result<(), Error> {
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

/// The random number generator xorshift64*.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 33) as usize % end
    }
}
