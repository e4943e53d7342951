//! Reads one field of a packet, without reading the fields after it.
//!
//! ```text
//! cargo run --example pick_field -- FILE PATH
//! cargo run --example pick_field               # `ping_ms` of a packet in the corpus
//! ```

use gamewire::godot::{Dialect, Reader};
use std::{env, error::Error, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let file = args.next().unwrap_or_else(|| "corpus/bench/state_simple.bin".into());
    let path = args.next().unwrap_or_else(|| "ping_ms".into());

    let packet = fs::read(file)?;
    let field = Reader::new(&packet, Dialect::Godot4).find(&path)?;
    println!("{path} = {:?}", field.ok_or("the packet has no such field")?);
    Ok(())
}
