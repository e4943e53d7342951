//! `gamewire diff` for configuration files.

use super::{File, malformed, path_of};
use crate::args::Diff;
use crate::godot::diff::Report;
use gamewire::godot::config::Entry;
use gamewire::godot::{Encoded, Reader};
use std::io::{self, Write};

/// Prints the changed and added values, in the order of the new file, and then the removed values.
/// Returns `true` if there are no changes, and `None` if a value could not be read.
pub fn diff<W: Write>(
    args: &Diff,
    [(old_name, old), (new_name, new)]: [(&str, &File<'_>); 2],
    out: &mut W,
) -> io::Result<Option<bool>> {
    let (Some(old_config), Some(new_config)) = (old.parse(old_name), new.parse(new_name)) else {
        return Ok(None);
    };
    let mut same = true;
    for section in new_config.sections() {
        let old_section = old_config.section(section.name());
        for (key, new_entry) in section.entries() {
            let old_entry = old_section.and_then(|section| section.get(key));
            if old_entry.is_some_and(|entry| entry.value() == new_entry.value()) {
                continue;
            }
            let old_packet = match old_entry.map(|entry| packet(old_name, old, &entry)) {
                Some(None) => return Ok(None),
                packet => packet.flatten(),
            };
            let Some(new_packet) = packet(new_name, new, &new_entry) else { return Ok(None) };
            let path = path_of(section.name(), key);
            let mut report = Report::of_entry(args, path, new.dialect, &mut *out);
            let old_value = old_packet.as_deref().map(|packet| read(packet, old)).transpose()?;
            report.encoded(old_value, Some(read(&new_packet, new)?))?;
            same &= report.is_same();
        }
    }
    for section in old_config.sections() {
        let new_section = new_config.section(section.name());
        let is_removed = |key: &str| new_section.is_none_or(|section| section.get(key).is_none());
        for (key, entry) in section.entries().filter(|(key, _)| is_removed(key)) {
            let Some(packet) = packet(old_name, old, &entry) else { return Ok(None) };
            let path = path_of(section.name(), key);
            let mut report = Report::of_entry(args, path, old.dialect, &mut *out);
            report.encoded(Some(read(&packet, old)?), None)?;
            same = false;
        }
    }
    Ok(Some(same))
}

/// Returns the value of an entry as a packet. If the value cannot be read, reports the error and
/// returns `None`.
fn packet(name: &str, file: &File<'_>, entry: &Entry<'_>) -> Option<Vec<u8>> {
    file.packet(entry).map_err(|error| malformed(name, "", &error)).ok()
}

fn read<'p>(packet: &'p [u8], file: &File<'_>) -> io::Result<Encoded<'p>> {
    Reader::new(packet, file.dialect).read_encoded().map_err(io::Error::other)
}
