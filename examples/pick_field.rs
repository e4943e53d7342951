//! Reads one field of a packet.
//!
//! ```text
//! cargo run --example pick_field -- FILE KEY
//! cargo run --example pick_field               # `ping_ms` of a packet in the corpus
//! ```

use gamewire::godot::{Dialect, Reader};
use std::{env, error::Error, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let file = args.next().unwrap_or_else(|| "corpus/bench/state_simple.bin".into());
    let key = args.next().unwrap_or_else(|| "ping_ms".into());

    let packet = fs::read(file)?;
    let value = Reader::new(&packet, Dialect::Godot4).read()?;
    let dictionary = value.as_dictionary().ok_or("the packet is no Dictionary")?;
    let field = dictionary.get(&key).ok_or("no such key")?;
    println!("{key} = {field:?}");
    Ok(())
}
