//! `gamewire wireshark-lua`: files for Wireshark, which read the comments of `packets --write`.

use crate::args::WiresharkLua;
use gamewire::traffic::Filter;
use std::io::{self, Write};

/// The script. The names of the kinds are inserted in place of [`KINDS`].
const SCRIPT: &str = include_str!("wireshark/gamewire.lua");
const KINDS: &str = "@KINDS@";

const COLOURS: &str = include_str!("wireshark/colorfilters");

/// Prints the script or the colouring rules.
pub fn run(args: &WiresharkLua, out: &mut dyn Write) -> io::Result<bool> {
    match args.colors {
        true => out.write_all(COLOURS.as_bytes())?,
        false => out.write_all(SCRIPT.replace(KINDS, &Filter::kinds()).as_bytes())?,
    }
    Ok(true)
}
