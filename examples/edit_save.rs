//! A save-game editor for files that `FileAccess.store_var` wrote. It changes the value at a path,
//! in every stored value that has this path.
//!
//! ```text
//! cargo run --example edit_save -- corpus/frames/store_var.dat /tmp/edited.dat slot 7
//! cargo run --example edit_save -- corpus/frames/store_var.dat /tmp/edited.dat pos 'Vector3(1, 2, 3)'
//! ```

use gamewire::godot::frame::Frames;
use gamewire::godot::{Dialect, Reader, Variant};
use std::env::args;
use std::error::Error;
use std::fs;

fn main() -> Result<(), Box<dyn Error>> {
    let [file, out, path, value] = args().skip(1).collect::<Vec<_>>().try_into().map_err(
        |_| "usage: edit_save FILE OUT PATH VALUE, where VALUE is in the notation of var_to_str",
    )?;
    let value: Variant = value.parse()?;

    let mut edited = Vec::new();
    let mut changed = 0;
    for frame in Frames::new(&fs::read(&file)?) {
        let frame = frame?;
        let mut reader = Reader::new(frame.bytes, Dialect::Godot4).origin(frame.offset);
        // An owned value keeps all details of its encoding, so the other values do not change.
        let mut stored = reader.read_encoded()?.to_variant()?;
        if let Some(place) = stored.at_mut(&path) {
            println!("{path}: {place} becomes {value}");
            *place = value.clone();
            changed += 1;
        }
        let packet = stored.to_bytes(Dialect::Godot4)?;
        edited.extend(u32::try_from(packet.len())?.to_le_bytes());
        edited.extend(packet);
    }
    if changed == 0 {
        return Err(format!("nothing is at {path} in any value of {file}").into());
    }
    Ok(fs::write(&out, edited)?)
}
