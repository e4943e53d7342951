//! Counts the instructions of the hot paths with callgrind. The counts do not depend on how busy
//! the machine is.
//!
//! ```text
//! cargo bench -p gamewire-benches --bench instructions --features serde,traffic
//! ```
//!
//! This command prints each count beside the recorded count in `rustc-VERSION-ARCH.txt` in this
//! folder. It fails if a count is above the recorded count by more than 2 % and more than 10
//! instructions, or if no count is recorded for a case. `-- --bless` records the new counts. If
//! there is no file for the version of the compiler, nothing is compared.
//!
//! Then the program skips, validates and traverses packets of unusual shapes: the hostile files of
//! the corpus, repetitions of each value that the engine wrote, and the shapes of
//! `support/shapes.rs`. The program also fails if one of these packets takes more than 20 times as
//! many instructions per byte as the usual packet, not counting the first 300 instructions.
//!
//! Without valgrind, or in an unoptimised build, nothing is counted and nothing fails.

mod bounds;
mod callgrind;
mod hot;
mod kept;

#[path = "../support/checksum.rs"]
mod checksum;
#[path = "../support/derived.rs"]
mod derived;
#[path = "../support/fields.rs"]
mod fields;
#[path = "../support/packets.rs"]
mod packets;
#[path = "../support/shapes.rs"]
mod shapes;
#[path = "../support/state.rs"]
#[allow(dead_code)] // the functions for CBOR are not used here
mod state;

use std::env;
use std::io::Result;
use std::process::ExitCode;

fn main() -> Result<ExitCode> {
    if let Some((cases, mut counter)) = callgrind::watched() {
        match &*cases {
            hot::CASES => hot::count(&mut counter),
            _ => bounds::count(&mut counter)?,
        }
        return Ok(ExitCode::SUCCESS);
    }
    if cfg!(debug_assertions) {
        println!("unoptimised build: nothing is counted");
        return Ok(ExitCode::SUCCESS);
    }
    let Some(counts) = callgrind::watch(hot::CASES)? else {
        println!("valgrind is not installed: nothing is counted");
        return Ok(ExitCode::SUCCESS);
    };
    let kept = kept::Kept::read()?;
    let mut good = kept.compare(&counts);
    if env::args().any(|arg| arg == "--bless") {
        kept.write(&counts)?;
        good = true;
    }
    if let Some(shapes) = callgrind::watch(bounds::CASES)? {
        good &= bounds::check(&shapes, &counts);
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
