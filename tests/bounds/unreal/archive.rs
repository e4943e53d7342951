//! Tests that archives keep bounds on work and memory.

use crate::measure::{
    Entry, Family, SMALL_INPUT, Work, consume, shape, with_memory, without_allocation,
};
use crate::support::unreal::archives::Tree;
use gamewire::unreal::archive::{
    Archive, ArchiveReader, Array, BitArchive, BitReader, Serialize, Standalone,
};
use gamewire::unreal::properties::FormattedText;
use gamewire::unreal::{ByteOrder, Layout, Result, StrRef};

/// A tree whose nodes are read on demand.
#[derive(Clone, Copy, Debug, Default)]
struct LazyTree<'a> {
    label: u8,
    children: Array<'a, LazyTree<'a>>,
}

impl<'a> Serialize<'a> for LazyTree<'a> {
    fn serialize<A: Archive<'a>>(&mut self, ar: &mut A) -> Result<()> {
        ar.serialize(&mut self.label)?;
        ar.serialize(&mut self.children)
    }
}

/// Counts the nodes of a tree.
fn count(tree: &LazyTree<'_>) -> usize {
    1 + tree.children.iter().flatten().map(|child| count(&child)).sum::<usize>()
}

fn with_reader(bytes: &[u8], run: impl FnOnce(ArchiveReader<'_>)) {
    let origin = Standalone::new(Layout::default());
    run(ArchiveReader::new(bytes, 0, &origin));
}

fn family() -> Family {
    let entries = vec![
        without_allocation("Archive::serialize of an Array", |bytes| {
            with_reader(bytes, |mut ar| consume(ar.read::<LazyTree<'_>>().is_ok()));
        }),
        Entry {
            // An array is read once to find its end, and again for its elements, at each level.
            work: Work::AtMost(25_000.0),
            ..without_allocation("Array::iter", |bytes| {
                with_reader(bytes, |mut ar| consume(ar.read().map(|tree| count(&tree))));
            })
        },
        with_memory("Archive::serialize of a Vec", 32, |bytes| {
            with_reader(bytes, |mut ar| consume(ar.read::<Tree>().is_ok()));
        }),
        without_allocation("Archive::serialize of other values", |bytes| {
            with_reader(bytes, |mut ar| {
                let mut number = 0;
                while ar.int_packed(&mut number).is_ok() {
                    consume(ar.read::<StrRef<'_>>().is_ok());
                    consume(ar.read::<bool>().is_ok());
                }
            });
        }),
        without_allocation("Archive::serialize of an FText", |bytes| {
            with_reader(bytes, |mut ar| consume(ar.read::<FormattedText<'_>>().is_ok()));
        }),
        without_allocation("BitReader", |bytes| {
            let mut bits = BitReader::new(bytes, 8 * bytes.len() as u64, ByteOrder::Big).unwrap();
            let (mut short, mut packed, mut all) = (0, 0, [0; 1 << 13]);
            while bits.int(&mut short, 600).is_ok() && bits.int_packed_64(&mut packed).is_ok() {}
            bits.seek(3).unwrap();
            consume(bits.bits(&mut all, 8 * bytes.len().saturating_sub(1) as u64).is_ok());
        }),
    ];
    let tree =
        |levels: usize| [b"\x07\x01\0\0\0".repeat(levels), b"\x08\0\0\0\0".to_vec()].concat();
    let list = |size: usize, each: &[u8]| {
        let count = (size - 5) / each.len();
        [&[7][..], &(count as u32).to_le_bytes(), &each.repeat(count)].concat()
    };
    let shapes = vec![
        shape("elements without elements", move |size| list(size, b"\x07\0\0\0\0")),
        shape("arrays in arrays", move |size| list(size, &tree(45))),
        shape("too many levels", move |size| tree(size / 5)),
        shape("a count that is too large", |size| {
            [&b"\x07\xFF\xFF\xFF\x7F"[..], &vec![0; size]].concat()
        }),
        shape("elements of one byte", |size| vec![7; size]),
        shape("ones", |size| vec![0xFF; size]),
    ];
    Family { entries, shapes, max_instructions_per_byte: 6_000.0, small_input: SMALL_INPUT }
}

#[test]
fn work() {
    family().assert_work("unreal::archive::work");
}

#[test]
fn memory() {
    family().assert_memory();
}
