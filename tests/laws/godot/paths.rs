//! Laws of paths: the path printed for the offset of a value leads to this value.

use super::LARGE;
use gamewire::godot::path::Path;
use gamewire::godot::{Dialect, Error, Kind, Leaf, Open, Property, Reader, VariantRef, Visitor};

/// Checks arbitrary bytes as a packet in every dialect, and as the text of a path.
pub fn godot_paths(data: &[u8]) {
    Dialect::ALL.iter().for_each(|&dialect| paths_as(data, dialect));
    let text = String::from_utf8_lossy(data);
    asked(&text, data);
}

/// Asserts that every value has a path that leads to it. For a malformed packet, asserts that the
/// error has a path.
pub fn paths_as(data: &[u8], dialect: Dialect) {
    let mut places = Places::default();
    let mut reader = Reader::new(data, dialect);
    if let Err(error) = reader.visit(&mut places) {
        let path = error.path_in(data, dialect).to_string();
        assert!(path.is_empty() || !path.starts_with('/'), "{path}");
        return;
    }
    let encoded = Reader::new(data, dialect).read_encoded().unwrap();
    // To build a path, the whole packet is walked, so only some paths are tested in large packets.
    let step = (places.0.len() * data.len() / LARGE / 4).max(1);
    for (offset, is_element) in places.0.into_iter().step_by(step) {
        let path = Path::new(data, dialect, offset as u64).to_string();
        let found = encoded.find(&path).unwrap_or_else(|missing| panic!("{path:?}: {missing}"));
        let at = found.bytes().as_ptr().addr() - data.as_ptr().addr();
        assert_eq!(at, offset, "{dialect}: {path:?}");
        assert_eq!(found.encoded().is_none(), is_element, "{dialect}: {path:?}");
        let value = encoded.decode().at(&path).unwrap();
        assert_eq!(value.kind(), found.value().kind(), "{dialect}: {path:?}");
        numbers(found.value(), &path, encoded.decode());
    }
}

/// Offsets of values, each with `true` if it is an element of a packed array.
#[derive(Default)]
struct Places(Vec<(usize, bool)>);

impl<'a> Visitor<'a> for Places {
    type Error = Error;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Error> {
        let offset = leaf.offset as usize;
        self.0.push((offset, false));
        // The elements of an array of ints are at fixed offsets.
        if let VariantRef::PackedInt32Array(ints) = leaf.value {
            self.0.extend((0..ints.len()).map(|index| (offset + 8 + 4 * index, true)));
        }
        Ok(())
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Error> {
        self.0.push((open.offset as usize, false));
        Ok(())
    }

    fn property(&mut self, _: Property<'a>) -> Result<(), Error> {
        Ok(())
    }

    fn close(&mut self, _: Kind) -> Result<(), Error> {
        Ok(())
    }
}

/// Asserts that a path can be continued with each of the names that an error lists.
fn numbers(value: VariantRef<'_>, path: &str, root: VariantRef<'_>) {
    let Err(missing) = value.find("no such name") else { return };
    assert!(!missing.to_string().is_empty());
    for name in missing.names().take(20) {
        let name = name.to_string();
        assert!(value.at(&name).is_some(), "{path:?}: {name:?}");
        if !path.is_empty() {
            assert!(root.at(&format!("{path}/{name}")).is_some(), "{path:?}: {name:?}");
        }
    }
}

/// Looks up arbitrary text as a path in the value. An unknown or malformed path is an error.
fn asked(path: &str, data: &[u8]) {
    let Ok(value) = Reader::new(data, Dialect::Godot4).read() else { return };
    if let Err(missing) = value.find(path) {
        assert!(missing.parent().len() <= path.len());
        assert!(path.contains(missing.segment()));
        assert!(!missing.to_string().is_empty());
    }
}
