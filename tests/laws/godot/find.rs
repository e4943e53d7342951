//! Laws of [`Finder`]: everything that it reports is a value, and obeys the rules in the
//! documentation of `Finder`.

use crate::support::godot::debugger_oracle as plain;
use gamewire::godot::find::{Confidence, Endian, Finder, Found};
use gamewire::godot::{Dialect, Level, Limits, Reader};

/// Searches arbitrary bytes in all dialects, and searches them again with other bytes before them.
pub fn godot_find(data: &[u8]) {
    let found: Vec<_> = Finder::new(data).collect();
    is_valid(data, &found);
    assert!(
        found.iter().all(|found| [Dialect::Godot3, Dialect::Godot4].contains(&found.dialect()))
    );
    for &dialect in Dialect::ALL {
        let found: Vec<_> = Finder::new(data).only(dialect).collect();
        assert!(found.iter().all(|found| found.dialect() == dialect));
        is_valid(data, &found);
    }
    is_found_behind(b"\xEE\xEE\xEE", data, &found);
}

/// Checks each value separately, and the order of all values.
fn is_valid(data: &[u8], found: &[Found<'_>]) {
    let (mut start, mut end) = (0, 0);
    for found in found {
        assert!(found.offset >= start, "in the order of offsets");
        start = found.offset + 1;
        let bytes = &data[found.offset as usize..][..found.len as usize];
        let value = match found.framing {
            None => bytes,
            Some(endian) => {
                let frames = plain::frames(bytes, endian == Endian::Big, u32::MAX);
                let [(4, value)] = &frames.whole[..] else { panic!("{found:?}") };
                assert_eq!(value.len(), bytes.len() - 4);
                &bytes[4..]
            }
        };
        assert_eq!(value, found.value.as_bytes());
        assert!(accepts(value, found.dialect(), Level::Engine), "{found:?}");
        if found.confidence == Confidence::Certain {
            assert!(accepts(value, found.dialect(), Level::Strict), "{found:?}");
        }
        if found.confidence > Confidence::Possible {
            assert!(found.offset >= end, "values inside others are not reported");
            end = found.offset + found.len;
        }
    }
}

fn accepts(value: &[u8], dialect: Dialect, level: Level) -> bool {
    let limits = Limits { level, ..Limits::default() };
    let mut reader = Reader::new(value, dialect).limits(limits);
    reader.skip().and_then(|()| reader.finish()).is_ok()
}

/// Asserts that each value without a frame is also found, alone or inside a larger value, if the
/// bytes `before` precede it.
fn is_found_behind(before: &[u8], data: &[u8], found: &[Found<'_>]) {
    let shifted = [before, data].concat();
    let mut finder = Finder::new(&shifted);
    let again: Vec<_> = finder.by_ref().collect();
    if !finder.is_complete() {
        return;
    }
    for found in found.iter().filter(|found| found.framing.is_none()) {
        let covers = |again: &&Found<'_>| {
            let offset = found.offset + before.len() as u64;
            again.offset <= offset && offset < again.offset + again.len
        };
        assert!(again.iter().any(|again| covers(&again)), "{found:?} in {data:x?}");
    }
}
