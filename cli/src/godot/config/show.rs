//! `gamewire show` for configuration files.

use super::{File, is_resource, malformed};
use crate::args::Show;
use crate::godot::diff::short;
use crate::godot::tree::{Options, Stop, Tree};
use crate::ui::text::{Escaped, Name};
use gamewire::godot::Reader;
use gamewire::godot::config::{Entry, Error, Item};
use std::io::{self, Write};

/// Prints the sections and values in the order of the file. Returns `false` after an error.
pub fn show(args: &Show, name: &str, file: &File<'_>, out: &mut impl Write) -> io::Result<bool> {
    let offset_columns = file.text.len().to_string().len();
    let options = Options { full: args.full, hex: false, offset_columns, margin: 0 };
    let mut ok = true;
    let mut level = 0;
    for item in file.items() {
        match item {
            Ok(Item::Section(section)) => {
                level = if section.name().is_empty() { level } else { 1 };
                let heading = Escaped(section.text().as_bytes()).to_string();
                Tree::new(out, options, 0).heading(section.offset(), &[], heading)?;
            }
            Ok(Item::Entry(entry)) => {
                let key = entry.key();
                let name_of_key = Name(key.as_bytes());
                let tree = Tree::named(&mut *out, options, level, entry.offset(), name_of_key);
                if let Err(error) = show_value(file, &entry, args.full, tree)? {
                    out.flush()?;
                    malformed(name, "", &error);
                    ok = false;
                }
            }
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

/// Prints a value. Returns its error if it is malformed, but prints a resource as its text.
fn show_value(
    file: &File<'_>,
    entry: &Entry<'_>,
    full: bool,
    mut tree: Tree<'_, impl Write>,
) -> io::Result<Result<(), Error>> {
    match file.packet(entry) {
        Ok(packet) => match Reader::new(&packet, file.dialect).visit_dyn(&mut tree) {
            Ok(()) => Ok(Ok(())),
            Err(Stop::Output(error)) => Err(error),
            Err(Stop::Malformed(error)) => Err(io::Error::other(error)),
        },
        Err(error) if is_resource(&error) => {
            tree.text(short(Escaped(entry.value().as_bytes()).to_string(), full)).map(Ok)
        }
        Err(error) => tree.finish().map(|()| Err(error)),
    }
}
