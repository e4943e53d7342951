//! `gamewire diff` for configuration files.

use super::{File, malformed, path_of};
use crate::args::Diff;
use crate::godot::diff::Report;
use gamewire::godot::config::{Config, Entry};
use gamewire::godot::{Encoded, Reader};
use std::io::{self, Write};

/// Prints the changes of the values, in the order of the new file, and then the removed values.
/// Returns `true` if there are none, and `None` if a value could not be read.
pub fn diff<W: Write>(
    args: &Diff,
    [(old_name, old), (new_name, new)]: [(&str, &File<'_>); 2],
    out: &mut W,
) -> io::Result<Option<bool>> {
    let (Some(old_config), Some(new_config)) = (old.parse(old_name), new.parse(new_name)) else {
        return Ok(None);
    };
    let mut same = true;
    for (section, key, new_entry) in entries(&new_config) {
        let old_entry = old_config.get(section, key);
        if old_entry.is_some_and(|entry| entry.value() == new_entry.value()) {
            continue;
        }
        let old_packet = match old_entry.map(|entry| packet(old_name, old, &entry)) {
            Some(None) => return Ok(None),
            packet => packet.flatten(),
        };
        let Some(new_packet) = packet(new_name, new, &new_entry) else { return Ok(None) };
        let mut report = Report::of_entry(args, path_of(section, key), new.dialect, &mut *out);
        let old_value = old_packet.as_deref().map(|packet| read(packet, old)).transpose()?;
        report.encoded(old_value, Some(read(&new_packet, new)?))?;
        same &= report.is_same();
    }
    for (section, key, entry) in entries(&old_config) {
        if new_config.get(section, key).is_some() {
            continue;
        }
        let Some(packet) = packet(old_name, old, &entry) else { return Ok(None) };
        let mut report = Report::of_entry(args, path_of(section, key), old.dialect, &mut *out);
        report.encoded(Some(read(&packet, old)?), None)?;
        same = false;
    }
    Ok(Some(same))
}

fn entries<'c, 'b>(config: &'c Config<'b>) -> impl Iterator<Item = (&'c str, &'c str, Entry<'b>)> {
    config
        .sections()
        .flat_map(|section| section.entries().map(|(key, entry)| (section.name(), key, entry)))
}

/// Returns a value as a packet. Reports an error.
fn packet(name: &str, file: &File<'_>, entry: &Entry<'_>) -> Option<Vec<u8>> {
    file.packet(entry).map_err(|error| malformed(name, "", &error)).ok()
}

fn read<'p>(packet: &'p [u8], file: &File<'_>) -> io::Result<Encoded<'p>> {
    Reader::new(packet, file.dialect).read_encoded().map_err(io::Error::other)
}
