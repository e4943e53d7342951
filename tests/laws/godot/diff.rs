//! Laws of diffs: a diff is empty if and only if the encoded values are equal, and the path of
//! every change leads to the changed value.

use super::{limits, skip};
use gamewire::godot::diff::{Change, What, diff};
use gamewire::godot::path::Found;
use gamewire::godot::{Dialect, Encoded, Level, Reader};
use std::convert::Infallible;

/// Splits arbitrary bytes into two packets, and compares them in every dialect. Also compares the
/// first packet with changed copies of it.
pub fn godot_diff(data: &[u8]) {
    let Some((cut, data)) = data.split_first() else { return };
    let (a, b) = data.split_at(usize::from(*cut).min(data.len()));
    for &dialect in Dialect::ALL {
        diff_as(a, dialect);
        if let (Some(a), Some(b)) = (whole(a, dialect), whole(b, dialect)) {
            differences(a, b);
            differences(b, a);
        }
    }
}

/// Compares a packet with itself, and with copies in which one byte is changed.
pub fn diff_as(data: &[u8], dialect: Dialect) {
    let Some(old) = whole(data, dialect) else { return };
    differences(old, old);
    let mut bytes = old.as_bytes().to_vec();
    let sum = bytes.iter().fold(0, |sum, byte| sum + usize::from(*byte));
    for step in 0..8 {
        let at = sum * (step + 1) / 3 % bytes.len();
        let was = bytes[at];
        bytes[at] = was.wrapping_add([1, 0x20, 0xFF, 0x80][step % 4]);
        if let Some(new) = whole(&bytes, dialect) {
            differences(old, new);
            differences(new, old);
        }
        bytes[at] = was;
    }
}

fn whole(data: &[u8], dialect: Dialect) -> Option<Encoded<'_>> {
    skip(data, dialect, limits(Level::Structure, true)).ok()?;
    Reader::new(data, dialect).read_encoded().ok()
}

/// Asserts that each change is correct. Returns the number of changes.
fn differences(old: Encoded<'_>, new: Encoded<'_>) -> usize {
    let mut count = 0;
    let Ok(()) = diff(old, new, |change| {
        count += 1;
        told(old, new, &change);
        Ok::<(), Infallible>(())
    });
    assert_eq!(count == 0, old == new, "{old:?}, {new:?}");
    count
}

fn told(old: Encoded<'_>, new: Encoded<'_>, change: &Change<'_, '_>) {
    let path = change.path.to_string();
    let leads = |value: Encoded<'_>, to: Found<'_>| {
        let found = value.find(&path).unwrap_or_else(|missing| panic!("{missing}"));
        assert_eq!(found.bytes().as_ptr_range(), to.bytes().as_ptr_range(), "{path:?}");
    };
    match change.what {
        What::Changed { old: was, new: is } => {
            assert_ne!(was.bytes(), is.bytes());
            leads(new, is);
            // In the old value, a later pair may hide this pair. The pair may then have a different
            // number, or the two keys may print the same text.
            if !path.contains('[') {
                leads(old, was);
            }
        }
        What::Removed(was) => leads(old, was),
        What::Added(is) => leads(new, is),
        What::Form { old: was, new: is } => {
            assert_ne!(was, is);
            new.find(&path).unwrap_or_else(|missing| panic!("{missing}"));
        }
        What::Order => assert!(new.find(&path).unwrap().encoded().is_some()),
        _ => unreachable!(),
    }
}
