//! Converts a value that Godot 3 has written, such as a save file, so that Godot 4 can read it. The
//! two engines have different type ids.
//!
//! ```text
//! cargo run --example transcode -- FROM TO
//! cargo run --example transcode            # a packet of the corpus, without writing a file
//! ```

use gamewire::godot::{Dialect, Reader, Writer};
use std::{env, error::Error, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let from = args.next().unwrap_or_else(|| "corpus/godot3/game_state_16.bin".into());

    let packet = fs::read(from)?;
    let mut reader = Reader::new(&packet, Dialect::Godot3);
    let mut bytes = Vec::with_capacity(packet.len());
    let mut writer = Writer::new(&mut bytes, Dialect::Godot4);
    // Writes each value again, including the values in it. If Godot 4 cannot express a value, `put`
    // returns an error that states the reason.
    while !reader.is_empty() {
        writer.put(reader.read()?)?;
    }

    println!("{} bytes of Godot 3, {} bytes of Godot 4", packet.len(), bytes.len());
    if let Some(to) = args.next() {
        fs::write(to, bytes)?;
    }
    Ok(())
}
