//! Laws of Godot's formats: functions that accept arbitrary bytes and panic if a law is broken.

mod accessors;
#[cfg(feature = "alloc")]
mod config;
#[cfg(feature = "arbitrary")]
mod damaged;
mod debugger;
#[cfg(feature = "alloc")]
mod diff;
mod fields;
#[cfg(feature = "godot-file")]
mod file;
mod find;
mod framer;
mod frames;
mod json;
mod lazy;
mod meaning;
pub mod multiplayer;
#[cfg(feature = "alloc")]
mod notation;
#[cfg(feature = "alloc")]
mod owned;
mod patch;
mod paths;
mod read;
mod round_trip;
#[cfg(feature = "schema")]
mod schema;
#[cfg(feature = "serde")]
mod serde;
mod write;

#[cfg(feature = "alloc")]
pub use config::{change, config_as, godot_config};
#[cfg(feature = "arbitrary")]
pub use damaged::godot_damaged;
pub use debugger::godot_debugger;
#[cfg(feature = "alloc")]
pub use diff::{diff_as, godot_diff};
pub use fields::{FIELDS, fields_as};
#[cfg(feature = "godot-file")]
pub use file::{godot_compressed, godot_encrypted, godot_file, godot_file_round_trip, key};
pub use find::godot_find;
pub use framer::godot_framer;
pub use frames::godot_frames;
pub use json::{clean_pads, godot_json_read, godot_json_round_trip};
pub use json::{json_read_as, json_round_trip_as, print_json, write_json};
pub use multiplayer::godot_multiplayer;
#[cfg(feature = "alloc")]
pub use notation::{godot_notation_print, godot_notation_read, notation_print_as, sorted};
#[cfg(feature = "alloc")]
pub use owned::{godot_owned, owned_as};
pub use patch::{godot_patch, patch_as};
pub use paths::{godot_paths, paths_as};
pub use read::{godot_read, read_as};
pub use round_trip::{godot_round_trip, round_trip_as};
#[cfg(feature = "schema")]
pub use schema::{godot_schema, schema_as};
#[cfg(feature = "serde")]
pub use serde::{godot_serde, serde_as};
pub use write::godot_write;

use crate::support::godot::{oracle, values};
use gamewire::godot::{Dialect, Error, Level, Limits, Reader};

/// Every check runs on inputs up to this length.
const SMALL: usize = 256;

/// Checks whose work grows faster than the input are skipped for inputs above this length.
const LARGE: usize = 1 << 12;

/// Recursive comparisons of views and values stop at this depth.
const SHALLOW: usize = 32;

fn limits(level: Level, objects: bool) -> Limits {
    Limits { level, objects, ..Limits::default() }
}

/// Returns the end of the first value, if the crate accepts it.
fn skip(data: &[u8], dialect: Dialect, limits: Limits) -> Result<usize, Error> {
    let mut reader = Reader::new(data, dialect).limits(limits);
    reader.skip().map(|()| reader.range().end)
}

/// Compares the crate with the oracle in all dialects.
pub fn godot_differential(data: &[u8]) {
    Dialect::ALL.iter().for_each(|&dialect| differential_as(data, dialect));
}

/// Compares the crate with the oracle in one dialect. Either both must reject the packet, or both
/// must accept it and agree on the value and on its end. The comparison is repeated at each level
/// of strictness, with objects allowed and with objects refused.
pub fn differential_as(data: &[u8], dialect: Dialect) {
    let theirs = values::to_oracle(dialect);
    let judge = |level, objects| oracle::decode(data, theirs, level, objects).ok();
    for objects in [true, false] {
        let second = judge(oracle::Level::Structure, objects);
        let end = skip(data, dialect, limits(Level::Structure, objects)).ok();
        assert_eq!(end, second.as_ref().map(|(_, end)| *end), "{dialect}, objects {objects}");

        // Bytes that the structure level rejects must be rejected at every level.
        let second_end = second.as_ref().and(judge(oracle::Level::Engine, objects));
        let end = skip(data, dialect, limits(Level::Engine, objects)).ok();
        assert_eq!(end, second_end.map(|(_, end)| end), "{dialect}, objects {objects}, text");

        if let (true, Some(second)) = (objects, second) {
            let (value, end) = values::value_of(data, dialect).unwrap();
            let [value, second_value] = [value, second.0].map(meaning::with_quiet_nans);
            assert_eq!((value, end), (second_value, second.1), "{dialect}");
        }
    }
}
