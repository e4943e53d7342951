//! Laws for reading arbitrary bytes: all readers agree and stay within the input.

use super::accessors::Look;
use super::fields::fields_as;
use super::lazy::lazy_as;
use super::{LARGE, SHALLOW, SMALL, limits, skip};
use crate::support;
use crate::support::godot::values;
use gamewire::godot::{
    Dialect, Encoded, Error, ErrorKind, IndexEntry, IndexedRef, Kind, Leaf, Level, Limits,
    ObjectRef, Open, Property, Reader, VariantRef, Visitor, detect,
};

pub fn godot_read(data: &[u8]) {
    let detected = detect(data);
    for &dialect in Dialect::ALL {
        let end = read_as(data, dialect);
        assert_eq!(detected.contains(dialect), end == Some(data.len()), "{dialect}");
        assert!(detected.iter().any(|it| it == dialect) == detected.contains(dialect));
    }
    assert_eq!(detected.iter().count(), detected.len());
}

/// Checks all ways of reading the first value. Returns the end of the value if it is valid at the
/// structure level.
pub fn read_as(data: &[u8], dialect: Dialect) -> Option<usize> {
    fields_as(data, dialect);
    for limits in [
        limits(Level::Structure, true),
        limits(Level::Structure, false),
        Limits { depth: 2, ..Limits::default() },
    ] {
        lazy_as(data, dialect, limits);
    }
    let structure = all_ways(data, dialect, limits(Level::Structure, true));
    let engine = all_ways(data, dialect, limits(Level::Engine, true));
    let strict = all_ways(data, dialect, limits(Level::Strict, true));
    stricter(engine, structure);
    stricter(strict, engine);
    for level in [Level::Structure, Level::Engine, Level::Strict] {
        let with = skip(data, dialect, limits(level, true)).ok();
        let without = limits(level, false);
        let end = if data.len() <= SMALL {
            all_ways(data, dialect, without)
        } else {
            skip(data, dialect, without).ok()
        };
        stricter(end, with);
    }
    let (end, containers) = visit(data, dialect)?;
    index(data, dialect, containers);
    views(Reader::new(data, dialect).read_encoded().unwrap(), data);
    Some(end)
}

/// Asserts that a stricter level gives the same end or an error.
fn stricter(strict: Option<usize>, lenient: Option<usize>) {
    assert!(strict.is_none() || strict == lenient, "{strict:?}, more leniently {lenient:?}");
}

/// Asserts that the first value can be read, skipped and returned as bytes with the same end or the
/// same error.
fn all_ways(data: &[u8], dialect: Dialect, limits: Limits) -> Option<usize> {
    let mut reader = Reader::new(data, dialect).limits(limits);
    let skipped = reader.skip();
    let end = reader.range().end;
    left_well(&reader, data, skipped);

    let mut reader = Reader::new(data, dialect).limits(limits);
    let read = reader.read();
    left_well(&reader, data, skipped);
    assert_eq!(read.map(drop), skipped);

    let mut reader = Reader::new(data, dialect).limits(limits).origin(ORIGIN);
    let encoded = reader.read_encoded();
    assert_eq!(encoded.map(drop), skipped.map_err(|error| error.shifted(ORIGIN)));
    if let Ok(encoded) = encoded {
        assert_eq!(encoded.as_bytes(), &data[..end]);
        assert_eq!(encoded.decode().kind(), read.unwrap().kind());
    }
    skipped.ok().map(|()| end)
}

const ORIGIN: u64 = 1 << 40;

/// Asserts that the reader is at the end of the value, or still at the start after an error. The
/// offset of the error must be inside the input.
fn left_well(reader: &Reader<'_, '_>, data: &[u8], result: Result<(), Error>) {
    match result {
        Ok(()) => {
            let end = reader.range().end;
            assert_eq!(reader.range().start, 0);
            assert!(end >= 4 && end <= data.len());
            assert_eq!(reader.offset(), end as u64);
            assert_eq!(reader.rest(), &data[end..]);
            assert_eq!(reader.is_empty(), end == data.len());
            assert_eq!(reader.finish().is_ok(), end == data.len());
        }
        Err(error) => {
            assert_eq!(reader.offset(), 0);
            assert_eq!(reader.range(), 0..0);
            assert!(error.offset() <= data.len() as u64, "{error}");
            assert_ne!(error.missing(), Some(0), "{error}");
        }
    }
}

/// Visits the first value. Asserts that visiting has the same result as reading, that the pieces
/// are adjacent, and that the lowest depth limit that accepts the value equals the depth that the
/// visitor saw.
fn visit(data: &[u8], dialect: Dialect) -> Option<(usize, usize)> {
    let mut survey =
        Survey { input: data, at: 0, open: Vec::new(), height: 0, highest: 0, containers: 0 };
    let mut reader = Reader::new(data, dialect);
    let visited = reader.visit(&mut survey);
    left_well(&reader, data, visited);
    assert_eq!(visited, Reader::new(data, dialect).skip());
    if let Err(error) = visited {
        assert!(error.to_string().contains(&format!("at offset {} (", error.offset())));
        return None;
    }
    assert_eq!(survey.at, reader.offset(), "the pieces end where the value does");
    assert!(survey.open.is_empty(), "all is closed");

    let depth = |depth| skip(data, dialect, Limits { depth, ..Limits::default() });
    let end = reader.range().end;
    assert_eq!(depth(survey.highest), Ok(end));
    if let Some(less) = survey.highest.checked_sub(1) {
        let error = depth(less).unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::TooDeep { limit: less });
    }
    let mut stack = [0; 7];
    let mut reader = Reader::new(data, dialect).with_stack(&mut stack);
    assert_eq!(reader.skip().map(|()| reader.range().end), Ok(end));
    Some((end, survey.containers))
}

/// Asserts that an index needs one entry for each container, and gives the same results as views.
fn index(data: &[u8], dialect: Dialect, containers: usize) {
    let mut memory = vec![IndexEntry::default(); containers];
    if let Some(less) = containers.checked_sub(1) {
        let mut reader = Reader::new(data, dialect);
        let error = reader.index(&mut memory[..less]).map(drop).unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::BufferFull { missing: 8 });
        left_well(&reader, data, Err(error));
    }
    let mut reader = Reader::new(data, dialect);
    let index = reader.index(&mut memory).unwrap();
    let end = reader.range().end;
    left_well(&reader, data, Ok(()));
    let mut same = Same { left: 150 };
    same.value(index.root(), Reader::new(&data[..end], dialect).read().unwrap(), SHALLOW);
}

/// A comparison of lookups through an index with lookups through views.
struct Same {
    /// Number of values that may still be compared, which limits the work.
    left: usize,
}

impl Same {
    fn value(&mut self, indexed: IndexedRef<'_, '_>, view: VariantRef<'_>, depth: usize) {
        let bytes = |value: VariantRef<'_>| match value {
            VariantRef::Array(array) => array.encoded().as_bytes().as_ptr_range(),
            VariantRef::Dictionary(dictionary) => dictionary.encoded().as_bytes().as_ptr_range(),
            VariantRef::Object(ObjectRef::Full(object)) => {
                object.encoded().as_bytes().as_ptr_range()
            }
            leaf => {
                assert_eq!(format!("{leaf:?}"), format!("{view:?}"));
                [].as_ptr_range()
            }
        };
        assert_eq!(indexed.value().kind(), view.kind());
        assert_eq!(bytes(indexed.value()), bytes(view));
        let Some(depth) = depth.checked_sub(1) else { return };
        let mut items = indexed.items();
        match view {
            VariantRef::Array(array) => self.items(items, array.iter(), depth),
            VariantRef::Dictionary(dictionary) => self.items(items, dictionary.flat(), depth),
            VariantRef::Object(ObjectRef::Full(object)) => {
                for (name, view) in object.properties().take(self.left) {
                    let (found, value) = items.next_named().unwrap();
                    assert_eq!(found, name);
                    self.left = self.left.saturating_sub(1);
                    self.value(value, view, depth);
                }
            }
            _ => assert_eq!(items.count(), 0),
        }
    }

    fn items<'a>(
        &mut self,
        items: gamewire::godot::IndexedItems<'_, '_>,
        views: impl ExactSizeIterator<Item = VariantRef<'a>>,
        depth: usize,
    ) {
        assert_eq!(items.len(), views.len());
        for (item, view) in items.zip(views).take(self.left) {
            self.left = self.left.saturating_sub(1);
            self.value(item, view, depth);
        }
    }
}

/// Calls all accessors of a view and of the values inside it. Compares the view with the value
/// built from the visitor's events.
fn views(encoded: Encoded<'_>, input: &[u8]) {
    let mut look = Look { input, left: 150 };
    look.at(encoded, SHALLOW);
    let depth = Limits { depth: SHALLOW as u32, ..Limits::default() };
    let (bytes, dialect) = (encoded.as_bytes(), encoded.dialect());
    if bytes.len() <= LARGE && skip(bytes, dialect, depth).is_ok() {
        let (value, _) = values::value_of(bytes, dialect).unwrap();
        assert_eq!(values::view_value(encoded), value, "{dialect}");
    }
}

/// A visitor that checks the offset of each piece that it receives.
struct Survey<'a> {
    input: &'a [u8],
    /// The offset at which the next piece must start.
    at: u64,
    open: Vec<(Kind, bool)>,
    /// The number of open containers that have items.
    height: u32,
    highest: u32,
    containers: usize,
}

impl Survey<'_> {
    fn piece(&mut self, offset: u64, bytes: &[u8]) {
        assert_eq!(offset, self.at, "pieces lie end to end");
        let place = &self.input[offset as usize..][..bytes.len()];
        assert!(core::ptr::eq(place, bytes), "a piece is borrowed from its place");
        self.at += bytes.len() as u64;
    }
}

impl<'a> Visitor<'a> for Survey<'_> {
    type Error = Error;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Error> {
        self.piece(leaf.offset, leaf.encoded.as_bytes());
        assert_eq!(leaf.encoded.kind(), leaf.value.kind());
        assert!(!matches!(leaf.value.kind(), Kind::Array | Kind::Dictionary));
        Ok(())
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Error> {
        self.piece(open.offset, open.head);
        let full = !open.container.is_empty();
        assert_eq!(u32::from(full), open.container.len().min(1));
        self.open.push((open.container.kind(), full));
        self.containers += 1;
        self.height += u32::from(full);
        self.highest = self.highest.max(self.height);
        Ok(())
    }

    fn property(&mut self, property: Property<'a>) -> Result<(), Error> {
        self.piece(property.offset, property.bytes);
        assert_eq!(self.open.last().map(|(kind, _)| *kind), Some(Kind::Object));
        Ok(())
    }

    fn close_at(&mut self, kind: Kind, end: u64) -> Result<(), Error> {
        assert_eq!(end, self.at, "a container ends where its last item does");
        self.close(kind)
    }

    fn close(&mut self, kind: Kind) -> Result<(), Error> {
        let (opened, full) = self.open.pop().unwrap();
        assert_eq!(opened, kind);
        self.height -= u32::from(full);
        Ok(())
    }
}
