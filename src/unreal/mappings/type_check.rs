//! Reads types to find their ends, and checks them.

use crate::unreal::format::{Error, ErrorKind, FileCursor, Layout, Result};

/// Numbers of the types that are followed by other types or by a name.
pub(super) mod type_number {
    /// Followed by the type of the elements.
    pub const ARRAY: u8 = 8;
    /// Followed by a name.
    pub const STRUCT: u8 = 9;
    /// Followed by the types of the keys and of the values.
    pub const MAP: u8 = 24;
    /// Followed by the type of the elements.
    pub const SET: u8 = 25;
    /// Followed by the underlying type, which has no parameters, and by a name.
    pub const ENUM: u8 = 26;
    /// Followed by the type of the value.
    pub const OPTIONAL: u8 = 28;
}

/// Maximum nesting depth of a type. The types that engines write have far fewer levels.
const DEPTH: u32 = 16;

/// Maximum number of nodes of a type, which is a tree of types.
const NODES: u32 = 256;

/// Skips a type that has been checked.
pub(super) fn skip(from: &mut FileCursor<'_>) -> Result<()> {
    check(from, &mut |_, _| Ok(()))
}

/// Reads a type to its end. Calls `name` with the index of each name and the position of the index.
pub(super) fn check<'a>(
    from: &mut FileCursor<'a>,
    name: &mut dyn FnMut(i32, &FileCursor<'a>) -> Result<()>,
) -> Result<()> {
    let layout = &Layout::default();
    // How many types must still be read, and how many may still be read.
    let (mut left, mut nodes) = (1u32, NODES);
    let mut depth = Depth::default();
    while left > 0 {
        let at = *from;
        let number: u8 = from.read(layout)?;
        left = left.wrapping_sub(1);
        nodes = nodes.checked_sub(1).ok_or_else(|| too_deep(&at, NODES))?;
        let parameters = match number {
            type_number::ARRAY | type_number::SET | type_number::OPTIONAL => 1,
            type_number::MAP => 2,
            type_number::STRUCT => {
                let at = *from;
                name(from.read(layout)?, &at)?;
                0
            }
            type_number::ENUM => {
                underlying(from)?;
                let at = *from;
                name(from.read(layout)?, &at)?;
                0
            }
            _ => 0,
        };
        left = left.saturating_add(parameters);
        depth.node(parameters).ok_or_else(|| too_deep(&at, DEPTH))?;
    }
    Ok(())
}

fn too_deep(at: &FileCursor<'_>, limit: u32) -> Error {
    at.error(ErrorKind::TooDeep { limit })
}

/// Reads the underlying type of an enum, which has no parameters.
fn underlying(from: &mut FileCursor<'_>) -> Result<()> {
    let at = *from;
    let number: u8 = from.read(&Layout::default())?;
    match number {
        type_number::ARRAY
        | type_number::STRUCT
        | type_number::MAP
        | type_number::SET
        | type_number::ENUM
        | type_number::OPTIONAL => {
            let (what, value) = ("underlying type of an enum", number.into());
            Err(at.error(ErrorKind::Unknown { what, value }))
        }
        _ => Ok(()),
    }
}

/// The open types, one per level. Bit k of `more` is set if the type on level k has another
/// parameter.
#[derive(Default)]
struct Depth {
    level: u32,
    more: u32,
}

impl Depth {
    /// Adds a node with this number of parameters. Returns `None` if it is nested too deeply.
    fn node(&mut self, parameters: u32) -> Option<()> {
        if parameters > 0 {
            if self.level >= DEPTH {
                return None;
            }
            let bit = 1u32.wrapping_shl(self.level);
            self.more = if parameters > 1 { self.more | bit } else { self.more & !bit };
            self.level = self.level.wrapping_add(1);
            return Some(());
        }
        // A type without parameters completes the types around it that have no other parameter.
        while let Some(above) = self.level.checked_sub(1) {
            let bit = 1u32.wrapping_shl(above);
            if self.more & bit != 0 {
                self.more &= !bit;
                break;
            }
            self.level = above;
        }
        Some(())
    }
}
