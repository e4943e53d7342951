//! How many instructions the hot paths take, counted by callgrind: a figure that a noisy
//! machine does not change.
//!
//! ```text
//! cargo bench --bench instructions --features serde
//! ```
//!
//! prints each count beside the one that is kept in `rustc-VERSION-ARCH.txt` here, and fails
//! where one is more than 2 % above. `-- --bless` keeps the new ones. There is nothing to
//! compare with where the compiler has no file.
//!
//! Then it skips, validates and traverses packets of odd shapes (the corpus's hostile files,
//! all that the engine has written over and over, and what `support/shapes.rs` makes), and fails
//! where one takes more than 20 times the instructions that are usual for as many bytes.
//!
//! Nothing fails where there is no valgrind.

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
#[allow(dead_code)] // of CBOR nothing is counted
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
        println!("not optimized: nothing is counted");
        return Ok(ExitCode::SUCCESS);
    }
    let Some(counts) = callgrind::watch(hot::CASES)? else {
        println!("no valgrind here: nothing is counted");
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
