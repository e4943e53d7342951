//! `gamewire show` for configuration files.

use super::{File, is_resource, malformed};
use crate::args::Show;
use crate::godot::diff::short;
use crate::godot::tree::{Options, Stop, Tree};
use crate::ui::text::{Escaped, Name};
use gamewire::godot::Reader;
use gamewire::godot::config::{Entry, Item};
use std::io::{self, Write};

/// Prints the sections and values in the order of the file. Returns `false` after an error.
pub fn show(args: &Show, name: &str, file: &File<'_>, out: &mut impl Write) -> io::Result<bool> {
    let offset_columns = file.text.len().to_string().len();
    let options = Options { full: args.full, hex: false, offset_columns, margin: 0 };
    let mut ok = true;
    for item in file.items() {
        match item {
            Ok(Item::Section(section)) => {
                let heading = Escaped(section.text().as_bytes()).to_string();
                Tree::new(out, options, 0).heading(section.offset(), &[], heading)?;
            }
            Ok(Item::Entry(entry)) => ok &= show_entry(args, name, file, &entry, options, out)?,
            Ok(_) => {}
            Err(error) => {
                out.flush()?;
                malformed(name, "", &error);
                ok = false;
            }
        }
    }
    Ok(ok)
}

fn show_entry(
    args: &Show,
    name: &str,
    file: &File<'_>,
    entry: &Entry<'_>,
    options: Options,
    out: &mut impl Write,
) -> io::Result<bool> {
    let level = usize::from(!entry.section().is_empty());
    let key = entry.key();
    let mut tree = Tree::named(out, options, level, entry.offset(), Name(key.as_bytes()));
    let error = match file.packet(entry) {
        Ok(packet) => {
            return match Reader::new(&packet, file.dialect).visit_dyn(&mut tree) {
                Ok(()) => Ok(true),
                Err(Stop::Output(error)) => Err(error),
                Err(Stop::Malformed(error)) => Err(io::Error::other(error)),
            };
        }
        Err(error) => error,
    };
    if is_resource(&error) {
        tree.text(short(Escaped(entry.value().as_bytes()).to_string(), args.full))?;
        return Ok(true);
    }
    tree.finish()?;
    out.flush()?;
    malformed(name, "", &error);
    Ok(false)
}
