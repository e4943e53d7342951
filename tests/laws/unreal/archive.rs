//! Laws for archives of arbitrary bytes: readers and writers agree with a second implementation,
//! and texts and trees are written as the bytes from which they were read.

use super::accessors::show;
use super::properties::{Header, headers};
use crate::support::unreal::archives::{
    Bits, Item, Op, Slices, Tree, print, serialize, serialize_bits, to_bytes,
};
use gamewire::SliceSink;
use gamewire::unreal::archive::{
    Archive, ArchiveReader, ArchiveWriter, Array, BitArchive, BitReader, BitWriter, Serialize,
    Standalone,
};
use gamewire::unreal::properties::FormattedText;
use gamewire::unreal::tables::{Export, Serial};
use gamewire::unreal::{
    ByteOrder, Error, ErrorKind, Layout, Name, Object, Package, PackageIndex, Result,
};

/// Maximum number of bytes that are read. The second implementation is slow.
const MOST: usize = 4096;

/// Checks archives of arbitrary bytes. The first byte selects the kind of archive and its byte
/// order, version or size. The second byte selects the number of operations. Each operation takes
/// four bytes, and the bytes after the last operation are the archive.
pub fn unreal_archive(data: &[u8]) {
    let Some(([first, count], rest)) = data.split_first_chunk() else { return };
    let order = if first & 1 == 0 { ByteOrder::Little } else { ByteOrder::Big };
    let for_bits = first & 2 != 0;
    let (ops, rest) = rest.split_at(rest.len().min(4 * usize::from(count % 32)));
    let ops: Vec<_> = ops.as_chunks().0.iter().map(|op| Op::of(*op, for_bits)).collect();
    let rest = &rest[..rest.len().min(MOST)];
    match first & 6 {
        0 => _ = bytes_as(&ops, rest, order),
        2 => _ = bits_as(&ops, rest, u64::from(first >> 4), order),
        _ => native_as(rest, first >> 3),
    }
    trees(rest);
}

fn standalone(order: ByteOrder) -> Standalone<'static> {
    Standalone::new(Layout { order, ..Layout::default() })
}

/// Where the bytes of an archive begin in their file.
const BASE: u64 = 1000;

/// Checks an archive of bytes. Returns `true` if all operations succeed.
pub fn bytes_as(ops: &[Op], bytes: &[u8], order: ByteOrder) -> bool {
    let (origin, is_big) = (standalone(order), order == ByteOrder::Big);
    let mut theirs = Slices { bytes, is_big, printed: Vec::new(), rewritten: Vec::new() };
    let expected = theirs.run(ops);

    let mut reader = ArchiveReader::new(bytes, BASE, &origin);
    let mut items = Vec::new();
    let end = BASE + bytes.len() as u64;
    if let Err(error) = serialize(ops, &mut items, &mut reader) {
        assert!(expected.is_none(), "{error} in {ops:?}");
        assert!((BASE..=end).contains(&error.offset()), "{error}");
        show(error);
        return false;
    }
    assert!(expected.is_some(), "{ops:?}");
    assert_eq!(print(&items), theirs.printed, "{ops:?}");
    assert_eq!(reader.rest(), theirs.bytes);
    assert_eq!(reader.offset(), end - theirs.bytes.len() as u64);
    assert_eq!(reader.is_at_end(), theirs.bytes.is_empty());
    seeks(reader, end);

    let mut written = Vec::new();
    serialize(ops, &mut items, &mut ArchiveWriter::new(&mut written, &origin)).unwrap();
    assert_eq!(written, theirs.rewritten, "{ops:?}");
    read_back(ops, &mut items, &theirs.printed, &origin);
    if let Some(len) = written.len().checked_sub(1) {
        let memory = &mut vec![0; len][..];
        let mut sink = SliceSink::new(memory);
        let full = serialize(ops, &mut items, &mut ArchiveWriter::new(&mut sink, &origin));
        let full = full.unwrap_err();
        assert!(matches!(full.kind(), ErrorKind::SinkFull { missing: 1.. }), "{full}");
        assert!(full.offset() <= len as u64);
    }
    true
}

/// Writes the items in the other byte order, and reads them again.
fn read_back<'a>(
    ops: &[Op],
    items: &mut Vec<Item<'a>>,
    printed: &[String],
    origin: &'a Standalone<'a>,
) {
    let other = match ArchiveReader::new(&[], 0, origin).layout().order {
        ByteOrder::Little => ByteOrder::Big,
        ByteOrder::Big => ByteOrder::Little,
    };
    let swapped = standalone(other);
    let mut written = Vec::new();
    let mut writer = ArchiveWriter::new(&mut written, origin).with_order(other);
    serialize(ops, items, &mut writer).unwrap();
    let mut reader = ArchiveReader::new(&written, 0, &swapped);
    let mut again = Vec::new();
    serialize(ops, &mut again, &mut reader).unwrap();
    assert!(reader.is_at_end());
    assert_eq!(print(&again), printed);
}

fn seeks(mut reader: ArchiveReader<'_>, end: u64) {
    let at = reader.offset();
    for outside in [0, BASE - 1, end + 1, u64::MAX] {
        let error = reader.seek(outside).unwrap_err();
        assert_eq!(error, Error::new(ErrorKind::BadOffset(outside as i64), at));
    }
    for inside in [BASE, at, end] {
        reader.seek(inside).unwrap();
        assert_eq!((reader.offset(), reader.rest().len() as u64), (inside, end - inside));
    }
    reader.seek(at).unwrap();
    assert!(reader.section(end - at + 1).is_err());
    let section = reader.section(end - at).unwrap();
    assert_eq!((section.offset(), section.rest().len() as u64), (at, end - at));
}

/// Checks an archive of bits, which consists of all bits but the last `cut` ones. Returns `true` if
/// all operations succeed.
pub fn bits_as(ops: &[Op], bytes: &[u8], cut: u64, order: ByteOrder) -> bool {
    let len = (8 * bytes.len() as u64).saturating_sub(cut);
    let mut theirs = Bits {
        left: Bits::of(bytes, len as usize),
        is_big: order == ByteOrder::Big,
        printed: Vec::new(),
        rewritten: Vec::new(),
    };
    let expected = theirs.run(ops);
    assert!(BitReader::new(bytes, 8 * bytes.len() as u64 + 1, order).is_err());
    let mut reader = BitReader::new(bytes, len, order).unwrap();
    let mut items = Vec::new();
    if let Err(error) = serialize_bits(ops, &mut items, &mut reader) {
        assert!(expected.is_none(), "{error} in {ops:?}");
        assert!(error.offset() <= bytes.len() as u64, "{error}");
        show(error);
        return false;
    }
    assert!(expected.is_some(), "{ops:?}");
    assert_eq!(print(&items), theirs.printed, "{ops:?}");
    assert_eq!(reader.remaining(), theirs.left.len() as u64);
    assert_eq!(reader.position(), len - reader.remaining());
    assert!(reader.seek(len + 1).is_err());
    reader.seek(len).unwrap();
    assert!(reader.is_at_end());

    let mut written = Vec::new();
    let mut writer = BitWriter::new(&mut written, order);
    serialize_bits(ops, &mut items, &mut writer).unwrap();
    assert_eq!(writer.position(), theirs.rewritten.len() as u64);
    assert_eq!(writer.finish().unwrap(), theirs.rewritten.len() as u64);
    assert_eq!(written, to_bytes(&theirs.rewritten), "{ops:?}");
    true
}

/// Checks the native data of an export that has these bytes.
fn native_as(bytes: &[u8], which: u8) {
    let headers = headers();
    let Header { header, supplied } = &headers[usize::from(which) % headers.len()];
    let package = Package::open_as(header, Some(bytes), *supplied).unwrap();
    let serial = Serial { size: bytes.len() as i64, offset: header.len() as i64 };
    let export = Export { class: PackageIndex(-1), serial, ..Export::default() };
    let end = (header.len() + bytes.len()) as u64;
    if let Ok(Some(mut ar)) = package.native_archive(&export) {
        let native = package.properties(&export).unwrap().unwrap().tail().unwrap().native;
        assert_eq!(ar.rest(), native);
        assert_eq!(ar.offset() + native.len() as u64, end);
        ar.seek(end).unwrap();
    }
    let start = package.archive(bytes, serial.offset as u64);
    assert_eq!(start.layout(), package.layout());
    for skip in 0..bytes.len().min(64) as u64 {
        let mut at = start;
        at.seek(start.offset() + skip).unwrap();
        references(&package, at);
        text(at);
    }
}

/// Checks that a name or an object can be read exactly if the package has it.
fn references(package: &Package<'_>, at: ArchiveReader<'_>) {
    let words = at.rest().as_chunks::<4>().0;
    let word = |index: usize| {
        words.get(index).map(|word| match package.layout().order {
            ByteOrder::Little => i32::from_le_bytes(*word),
            ByteOrder::Big => i32::from_be_bytes(*word),
        })
    };
    let name = word(0).zip(word(1)).map(|(index, number)| Name { index, number });
    let read = { at }.read::<Name>();
    match name {
        Some(name) if package.name(name).is_some() => assert_eq!(read, Ok(name)),
        _ => show(read.unwrap_err()),
    }
    let exists = |index: PackageIndex| match index.object() {
        Object::Null => true,
        Object::Import(index) => (index as usize) < package.imports().len(),
        Object::Export(index) => (index as usize) < package.exports().len(),
    };
    let read = { at }.read::<PackageIndex>();
    match word(0).map(PackageIndex) {
        Some(index) if exists(index) => assert_eq!(read, Ok(index)),
        _ => show(read.unwrap_err()),
    }
}

fn text(mut at: ArchiveReader<'_>) {
    let (before, origin) = (at.rest(), at.origin());
    let Ok(mut text) = at.read::<FormattedText<'_>>() else { return };
    let mut written = Vec::new();
    ArchiveWriter::new(&mut written, origin).serialize(&mut text).unwrap();
    assert_eq!(written, before[..before.len() - at.rest().len()]);
}

/// A tree whose nodes are read on demand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct LazyTree<'a> {
    label: u8,
    children: Array<'a, LazyTree<'a>>,
}

impl<'a> Serialize<'a> for LazyTree<'a> {
    const MIN_SIZE: u64 = 5;

    fn serialize<A: Archive<'a>>(&mut self, ar: &mut A) -> Result<()> {
        ar.serialize(&mut self.label)?;
        if self.label == 0xFF {
            return Err(ar.error(ErrorKind::Unknown { what: "label", value: 0xFF }));
        }
        ar.serialize(&mut self.children)
    }
}

/// Checks that a tree of arrays is the same whether it is read at once or on demand.
fn trees(bytes: &[u8]) {
    let origin = standalone(ByteOrder::Little);
    let start = ArchiveReader::new(bytes, BASE, &origin);
    let (mut owned, mut lazy) = (start, start);
    match (owned.read::<Tree>(), lazy.read::<LazyTree<'_>>()) {
        (Ok(mut tree), Ok(mut view)) => {
            assert_eq!(owned.offset(), lazy.offset());
            same_tree(&tree, &view);
            let read = &bytes[..bytes.len() - lazy.rest().len()];
            let (mut a, mut b) = (Vec::new(), Vec::new());
            ArchiveWriter::new(&mut a, &origin).serialize(&mut tree).unwrap();
            ArchiveWriter::new(&mut b, &origin).serialize(&mut view).unwrap();
            assert_eq!((&*a, &*b), (read, read));
        }
        (Err(a), Err(b)) => assert_eq!(a, b),
        (a, b) => panic!("{a:?}, {b:?}"),
    }
}

fn same_tree(tree: &Tree, view: &LazyTree<'_>) {
    assert_eq!(tree.label, view.label);
    assert_eq!(tree.children.len(), view.children.len());
    assert_eq!(view.children.is_empty(), tree.children.is_empty());
    let views = view.children.iter().map(Result::unwrap);
    tree.children.iter().zip(views).for_each(|(tree, view)| same_tree(tree, &view));
}
