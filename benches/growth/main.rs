//! Measures how the cost per byte grows with depth, width, number of keys and length of strings.
//! Also measures the cost of packets that are designed to be expensive.
//!
//! ```text
//! cargo bench -p gamewire-benches --bench growth
//! cargo bench -p gamewire-benches --bench growth -- --plot
//! ```
//!
//! The first command measures for four minutes; the second draws `docs/growth.svg` from its
//! results. On a busy machine, several runs give better results than one. For further runs, append
//! `-- --save-baseline best1` (`best2`, …) to the first command. The plot shows the fastest sample
//! of all runs.
//!
//! `benches/instructions` checks an upper bound for the same shapes. It counts instructions, so it
//! does not depend on a clock.

use criterion::{BenchmarkId, Criterion, Throughput};
use std::error::Error;
use std::hint::black_box;
use std::time::Duration;

mod panels;
mod plot;

#[path = "../support/checksum.rs"]
mod checksum;
#[path = "../support/packets.rs"]
mod packets;
#[path = "../support/shapes.rs"]
mod shapes;

use packets::{STATE, Way};
use panels::{PANELS, PASSES};

/// Name of the group of shapes in Criterion's results. `USUAL` is the name of the usual packet in
/// this group.
const SHAPES: &str = "shapes";
const USUAL: &str = "state of a game (usual packet)";

fn main() -> Result<(), Box<dyn Error>> {
    if std::env::args().any(|arg| arg == "--plot") {
        return plot::draw();
    }
    // There are many points, so each gets little time. The plot shows the best sample.
    let mut criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(50))
        .measurement_time(Duration::from_millis(250))
        .nresamples(2000)
        .configure_from_args();
    for panel in &PANELS {
        for number in panel.numbers {
            let packet = (panel.packet)(*number);
            measure(&mut criterion, panel.name, &number.to_string(), &packet, panel.ways);
        }
    }
    measure(&mut criterion, SHAPES, USUAL, STATE, &PASSES);
    for shape in shapes::made() {
        measure(&mut criterion, SHAPES, &shape.name, &shape.packet, &PASSES);
    }
    criterion.final_summary();
    Ok(())
}

fn measure(c: &mut Criterion, group: &str, what: &str, packet: &[u8], ways: &[(&str, Way)]) {
    let mut group = c.benchmark_group(group);
    group.throughput(Throughput::Bytes(packet.len() as u64));
    for (name, way) in ways {
        group.bench_function(BenchmarkId::new(*name, what), |b| {
            b.iter(|| way(black_box(packet)));
        });
    }
}
