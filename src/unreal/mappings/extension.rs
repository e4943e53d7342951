//! The extensions after the tables: paths of structs and enums, attributes, values of enums.

use super::scan::{Scan, entry_form};
use crate::unreal::format::{ErrorKind, Result};

/// The number with which extensions begin: the text `CEXT`.
const MAGIC: u32 = u32::from_le_bytes(*b"CEXT");

/// The number with which paths in their older form begin.
const OLD: u32 = 1;

/// Identifiers of extensions.
pub(super) mod id {
    /// Paths of the packages that declare the enums and structs.
    pub const PATHS: [u8; 4] = *b"PPTH";
    /// Flags of enums, structs and properties.
    pub const ATTRIBUTES: [u8; 4] = *b"EATR";
    /// Entries of enums with their values, which replace the entries in the table of enums.
    pub const ENUM_VALUES: [u8; 4] = *b"ENVP";
}

/// The extensions that the view uses.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extensions {
    /// Offsets of two lists of name indices: the paths of enums, and the paths of structs.
    pub(super) enum_paths: Option<u32>,
    pub(super) struct_paths: Option<u32>,
    /// Offset of the attributes, after their version.
    pub(super) attributes: Option<u32>,
}

/// The numbers of rows in the tables, against which counts in extensions are checked.
pub(super) struct Tables {
    pub(super) enums: u32,
    pub(super) structs: u32,
}

/// Reads the extensions. For each enum whose entries an extension replaces, calls `values` with the
/// row of the enum and with the offset and number of the new entries. Bytes that are not extensions
/// are ignored.
pub(super) fn read(
    scan: &mut Scan<'_>,
    tables: &Tables,
    values: &mut dyn FnMut(u32, u32, u32),
) -> Result<Extensions> {
    let mut found = Extensions::default();
    let start = scan.from;
    match scan.read::<u32>() {
        Ok(MAGIC) => sections(scan, tables, &mut found, values)?,
        Ok(OLD) => old_paths(scan, tables)?,
        _ => scan.from = start,
    }
    Ok(found)
}

fn sections(
    scan: &mut Scan<'_>,
    tables: &Tables,
    found: &mut Extensions,
    values: &mut dyn FnMut(u32, u32, u32),
) -> Result<()> {
    version(scan, "version of extensions")?;
    for _ in 0..scan.count(8)? {
        let (id, len) = (scan.read::<[u8; 4]>()?, scan.read::<u32>()?);
        let section = scan.from.window(len.into())?;
        let behind = core::mem::replace(&mut scan.from, section);
        match id {
            id::PATHS => paths(scan, tables, found)?,
            id::ATTRIBUTES => attributes(scan, tables, found)?,
            id::ENUM_VALUES => enum_values(scan, tables, values)?,
            _ => scan.from.bytes(len.into()).map(drop)?,
        }
        scan.from = behind;
    }
    Ok(())
}

/// Reads a version, which must be 0.
fn version(scan: &mut Scan<'_>, what: &'static str) -> Result<()> {
    let at = scan.from;
    match scan.read::<u8>()? {
        0 => Ok(()),
        value => Err(at.error(ErrorKind::Unknown { what, value: value.into() })),
    }
}

/// Reads a number of rows, which must be `expected`.
fn rows(scan: &mut Scan<'_>, each: u64, expected: u32) -> Result<u32> {
    let at = scan.from;
    match scan.count(each)? {
        count if count == expected => Ok(count),
        count => Err(at.error(ErrorKind::BadCount(count.cast_signed()))),
    }
}

fn paths(scan: &mut Scan<'_>, tables: &Tables, found: &mut Extensions) -> Result<()> {
    version(scan, "version of paths")?;
    for (place, expected) in
        [(&mut found.enum_paths, tables.enums), (&mut found.struct_paths, tables.structs)]
    {
        let count = rows(scan, 4, expected)?;
        *place = Some(scan.place(&scan.from));
        scan.entries(count, entry_form::NAMES)?;
    }
    Ok(())
}

fn attributes(scan: &mut Scan<'_>, tables: &Tables, found: &mut Extensions) -> Result<()> {
    version(scan, "version of attributes")?;
    let start = scan.place(&scan.from);
    let count = rows(scan, 4, tables.enums)?;
    scan.from.bytes(u64::from(count).saturating_mul(4))?;
    for _ in 0..rows(scan, 9, tables.structs)? {
        scan.from.bytes(5)?;
        let count = scan.count(8)?;
        scan.from.bytes(u64::from(count).saturating_mul(8))?;
    }
    found.attributes = Some(start);
    Ok(())
}

fn enum_values(
    scan: &mut Scan<'_>,
    tables: &Tables,
    values: &mut dyn FnMut(u32, u32, u32),
) -> Result<()> {
    version(scan, "version of enum values")?;
    for row in 0..rows(scan, 4, tables.enums)? {
        let count = scan.count(12)?;
        let entries = scan.place(&scan.from);
        scan.entries(count, entry_form::NAME_FIRST)?;
        values(row, entries, count);
    }
    Ok(())
}

/// Checks paths in their older form, which are not used: a list of texts, then for each struct the
/// index of a text.
fn old_paths(scan: &mut Scan<'_>, tables: &Tables) -> Result<()> {
    let paths: u16 = scan.read()?;
    for _ in 0..paths {
        let len: u8 = scan.read()?;
        scan.from.bytes(len.into())?;
    }
    for _ in 0..tables.structs {
        let at = scan.from;
        let index = match paths {
            0..=255 => scan.read::<u8>()?.into(),
            _ => scan.read::<u16>()?,
        };
        if index >= paths {
            return Err(at.error(ErrorKind::BadCount(index.into())));
        }
    }
    Ok(())
}
