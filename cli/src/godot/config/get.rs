//! `gamewire get` for configuration files.

use super::path::{self, Target};
use super::{File, context_of, json, malformed, path_of};
use crate::args::Get;
use crate::godot::{get, messages};
use crate::ui::report;
use crate::ui::text::Escaped;
use gamewire::godot::Reader;
use gamewire::godot::config::{Config, ConfigSection, Entry, encode_key};
use std::io::{self, Write};

/// Prints the values at the requested paths. Returns `false` if a value is missing, and after an
/// error.
pub fn get(args: &Get, name: &str, file: &File<'_>, out: &mut impl Write) -> io::Result<bool> {
    let Some(config) = file.parse(name) else { return Ok(false) };
    if args.frame.is_some_and(|frame| frame > 0) {
        report::error(name, "this is a configuration file, which has no frames");
        return Ok(false);
    }
    let mut ok = true;
    for requested in args.paths() {
        match path::find(&config, requested) {
            Some(Target::Entry(entry, inner)) => ok &= value(args, name, file, &entry, inner, out)?,
            Some(_) if args.raw => {
                report::error(name, "--raw writes a single value: the path must end with a key");
                ok = false;
            }
            Some(Target::File) if args.json => {
                ok &= json::print_file(name, file, &config, false, out)?;
            }
            Some(Target::File) => ok &= print_all(config.sections(), true, out)?,
            Some(Target::Section(section)) if args.json => {
                ok &= json::print_section(name, file, section, false, out)?;
                out.write_all(b"\n")?;
            }
            Some(Target::Section(section)) => ok &= print_all([section].into_iter(), false, out)?,
            None => {
                out.flush()?;
                report_missing(name, &config, requested);
                ok = false;
            }
        }
    }
    Ok(ok)
}

/// Prints the value of an entry, or the part of it at the path `inner`.
fn value(
    args: &Get,
    name: &str,
    file: &File<'_>,
    entry: &Entry<'_>,
    inner: &str,
    out: &mut impl Write,
) -> io::Result<bool> {
    let context = context_of("", &entry.section(), &entry.key());
    let packet = match file.packet(entry) {
        Ok(packet) => packet,
        Err(error) => {
            out.flush()?;
            malformed(name, &context, &error);
            return Ok(false);
        }
    };
    let value = Reader::new(&packet, file.dialect).read_encoded().map_err(io::Error::other)?;
    match value.find(inner) {
        Ok(found) => get::print(args, &found, file.dialect, out).map(|()| true),
        Err(missing) => {
            out.flush()?;
            messages::path_not_found(name, &context, &missing);
            Ok(false)
        }
    }
}

/// Prints all entries of the sections. The text of each value is printed as it is in the file.
fn print_all<'c, 'b: 'c>(
    sections: impl Iterator<Item = &'c ConfigSection<'b>>,
    headers: bool,
    out: &mut impl Write,
) -> io::Result<bool> {
    let mut separator = "";
    for section in sections {
        if headers && !section.name().is_empty() {
            writeln!(out, "{separator}[{}]\n", section.name())?;
        }
        for (key, entry) in section.entries() {
            writeln!(out, "{}={}", encode_key(key), entry.value())?;
        }
        separator = "\n";
    }
    Ok(true)
}

/// Maximum length of a suggested path, in bytes.
const USUAL: usize = 256;

/// Reports that there is nothing at a path, and suggests a similar path.
pub fn report_missing(name: &str, config: &Config<'_>, requested: &str) {
    let shown = Escaped(requested.as_bytes());
    report::error(name, format_args!("no section and no entry at {shown}"));
    let paths = config.sections().flat_map(|section| {
        let keys = section.entries().map(|(key, _)| key);
        let usual = keys.filter(|key| section.name().len().saturating_add(key.len()) <= USUAL);
        usual.map(|key| path_of(section.name(), key))
    });
    report::suggest_name(paths, requested);
}
