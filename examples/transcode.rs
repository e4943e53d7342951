//! Rewrites a Godot 3 packet (a save file, say) for Godot 4, whose type ids differ:
//! `cargo run --example transcode -- FROM TO`.

use gamewire::godot::{Dialect, Reader, Writer};
use std::{env, error::Error, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let from = args.next().unwrap_or_else(|| "corpus/godot3/game_state_16.bin".into());

    let packet = fs::read(from)?;
    let mut reader = Reader::new(&packet, Dialect::Godot3);
    let mut bytes = Vec::with_capacity(packet.len());
    let mut writer = Writer::new(&mut bytes, Dialect::Godot4);
    // Values are written anew, whatever is in them; what Godot 4 cannot say would be
    // an error that names it.
    while !reader.is_empty() {
        writer.put(reader.read()?)?;
    }

    println!("{} bytes of Godot 3, {} bytes of Godot 4", packet.len(), bytes.len());
    if let Some(to) = args.next() {
        fs::write(to, bytes)?;
    }
    Ok(())
}
