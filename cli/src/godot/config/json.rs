//! `gamewire json` for configuration files.

use super::{File, context_of, malformed};
use crate::godot::json;
use gamewire::godot::config::{Config, ConfigSection};
use gamewire::godot::json::Text;
use std::io::{self, Write};

/// Prints an object of sections, each an object of keys and values. Leaves out values that cannot
/// be read, and reports them. Returns `false` after an error.
pub fn print(name: &str, file: &File<'_>, exact: bool, out: &mut impl Write) -> io::Result<bool> {
    let Some(config) = file.parse(name) else { return Ok(false) };
    print_file(name, file, &config, exact, out)
}

/// Prints a whole file and ends the line.
pub fn print_file(
    name: &str,
    file: &File<'_>,
    config: &Config<'_>,
    exact: bool,
    out: &mut impl Write,
) -> io::Result<bool> {
    let (mut ok, mut separator) = (true, "{");
    for section in config.sections() {
        write!(out, "{separator}{}:", Text(section.name()))?;
        ok &= print_section(name, file, section, exact, out)?;
        separator = ",";
    }
    writeln!(out, "{}}}", if separator == "{" { "{" } else { "" })?;
    Ok(ok)
}

/// Prints the object of a section.
pub fn print_section(
    name: &str,
    file: &File<'_>,
    section: &ConfigSection<'_>,
    exact: bool,
    out: &mut impl Write,
) -> io::Result<bool> {
    let (mut ok, mut separator) = (true, "{");
    for (key, entry) in section.entries() {
        match file.packet(&entry) {
            Ok(packet) => {
                write!(out, "{separator}{}:", Text(key))?;
                json::print(&packet, file.dialect, exact, out)?;
                separator = ",";
            }
            Err(error) => {
                malformed(name, &context_of("in ", section.name(), key), &error);
                ok = false;
            }
        }
    }
    write!(out, "{}}}", if separator == "{" { "{" } else { "" })?;
    Ok(ok)
}
