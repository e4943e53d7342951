//! Packets and bytes over time.

use gamewire::traffic::{Record, RecordKind};
use std::fmt::Write;

/// The columns of a bucket: one for each kind, and one for each direction.
const COLUMNS: usize = RecordKind::ALL.len() + DIRECTIONS.len();
/// The names of the directions.
const DIRECTIONS: [&str; 3] = ["from the server", "to the server", "direction not known"];
/// Maximum number of buckets.
const BUCKETS: usize = 400;
/// Multiplayer id of the server.
const SERVER: i32 = 1;

#[derive(Clone, Copy, Default)]
struct Sum {
    packets: u32,
    bytes: u64,
}

/// Buckets of equal duration. If there are too many, each pair of neighbours becomes one.
pub struct Timeline {
    /// Time of the first captured packet, in nanoseconds since 1970.
    pub start: Option<i64>,
    width: i64,
    buckets: Vec<[Sum; COLUMNS]>,
}

impl Default for Timeline {
    fn default() -> Self {
        Self { start: None, width: 1_000_000, buckets: Vec::new() }
    }
}

impl Timeline {
    pub fn add(&mut self, record: &Record<'_>) {
        let (Some(start), Some(time)) = (self.start, record.time) else { return };
        // A packet from before the start counts as one at the start.
        let passed = time.saturating_sub(start).max(0);
        while passed / self.width >= BUCKETS as i64 {
            self.merge();
        }
        let index = (passed / self.width) as usize;
        if self.buckets.len() <= index {
            self.buckets.resize(index + 1, [Sum::default(); COLUMNS]);
        }
        let direction = match record.peer {
            Some(SERVER) => 0,
            Some(_) => 1,
            None => 2,
        };
        for column in [record.kind() as usize, RecordKind::ALL.len() + direction] {
            let sum = &mut self.buckets[index][column];
            sum.packets = sum.packets.saturating_add(1);
            sum.bytes += record.bytes.len() as u64;
        }
    }

    fn merge(&mut self) {
        let half = self.buckets.len().div_ceil(2);
        for index in 0..half {
            let mut sum = self.buckets[2 * index];
            if let Some(other) = self.buckets.get(2 * index + 1) {
                for (sum, more) in sum.iter_mut().zip(other) {
                    sum.packets = sum.packets.saturating_add(more.packets);
                    sum.bytes += more.bytes;
                }
            }
            self.buckets[index] = sum;
        }
        self.buckets.truncate(half);
        self.width = self.width.saturating_mul(2);
    }

    /// Returns the columns that are not empty as JSON.
    pub fn json(&self) -> String {
        let names = RecordKind::ALL.iter().map(|kind| kind.name()).chain(DIRECTIONS);
        let columns = names.enumerate().filter_map(|(column, name)| {
            let sums = || self.buckets.iter().map(|bucket| bucket[column]);
            sums().any(|sum| sum.packets > 0).then(|| {
                let list = |each: &dyn Fn(Sum) -> u64| {
                    sums().map(|sum| each(sum).to_string()).collect::<Vec<_>>().join(",")
                };
                let (packets, bytes) = (list(&|sum| sum.packets.into()), list(&|sum| sum.bytes));
                let is_kind = column < RecordKind::ALL.len();
                format!(
                    "{{\"name\":\"{name}\",\"isKind\":{is_kind},\"packets\":[{packets}],\"bytes\":[{bytes}]}}"
                )
            })
        });
        let columns: Vec<_> = columns.collect();
        let mut out = String::from("{");
        if let Some(start) = self.start {
            let _ = write!(out, "\"start\":\"{start}\",");
        }
        let _ = write!(out, "\"width\":{},\"columns\":[{}]}}", self.width, columns.join(","));
        out
    }
}
