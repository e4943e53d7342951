//! Reads properties without tags: some slots are present, and some are zero.
use gamewire::unreal::properties::{Fragment, Slot};
use gamewire::unreal::tables::{Export, Serial};
use gamewire::unreal::{ErrorKind, Package, PackageIndex};

/// Calls the closure with a package whose properties have no tags, its only export, and the offset
/// of the export. `bytes` are the bytes of the export.
fn without_tags<T>(bytes: &[u8], see: impl FnOnce(&Package<'_>, &Export, u64) -> T) -> T {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/unreal/");
    let name = "ue5.8-cooked-unversioned-DA_AllProperties.uasset";
    let header = std::fs::read(format!("{folder}{name}")).unwrap();
    let version = gamewire::unreal::Versions::of_engine(5, 8);
    let package = Package::open_as(&header, Some(bytes), version).unwrap();
    let offset = header.len() as i64;
    let serial = Serial { size: bytes.len() as i64, offset };
    let export = Export { class: PackageIndex(-1), serial, ..Export::default() };
    see(&package, &export, offset as u64)
}

/// A header of fragments that was built from the description of the format, and the slots that the
/// header describes.
struct Header {
    bytes: Vec<u8>,
    slots: Vec<Slot>,
    fragments: Vec<Fragment>,
}

fn header(fragments: &[Fragment], is_zero: impl Fn(u32) -> bool) -> Header {
    let (mut bytes, mut slots, mut mask) = (Vec::new(), Vec::new(), Vec::new());
    let mut index = 0;
    for (at, fragment) in fragments.iter().enumerate() {
        let last = u16::from(at + 1 == fragments.len()) << 8;
        let zeros = u16::from(fragment.has_zeros) << 7;
        let bits = u16::from(fragment.skip) | zeros | last | u16::from(fragment.values) << 9;
        bytes.extend(bits.to_le_bytes());
        index += u32::from(fragment.skip);
        for _ in 0..fragment.values {
            let is_zero = fragment.has_zeros && is_zero(index);
            if fragment.has_zeros {
                mask.push(is_zero);
            }
            slots.push(Slot { index, is_zero });
            index += 1;
        }
    }
    let room = match mask.len() {
        0 => 0,
        1..=8 => 1,
        9..=16 => 2,
        more => more.div_ceil(32) * 4,
    };
    let mut packed = vec![0u8; room];
    for (at, _) in mask.iter().enumerate().filter(|(_, zero)| **zero) {
        packed[at / 8] |= 1 << (at % 8);
    }
    bytes.extend(packed);
    Header { bytes, slots, fragments: fragments.to_vec() }
}

#[test]
fn slots_that_are_zero() {
    let one = |skip, values, has_zeros| Fragment { skip, values, has_zeros };
    let mut all: Vec<Vec<Fragment>> = [0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 96, 127]
        .map(|values| vec![one(3, values, true)])
        .into();
    all.push(vec![one(0, 3, false)]);
    all.push(vec![one(127, 0, false), one(127, 0, true), one(1, 1, true)]);
    all.push(vec![one(2, 5, true), one(0, 4, false), one(9, 6, true), one(1, 2, true)]);
    all.push(vec![one(0, 127, true), one(0, 127, true), one(0, 127, false), one(5, 100, true)]);
    let which: [fn(u32) -> bool; 4] =
        [|_| true, |_| false, |index| index % 3 == 0, |index| index % 7 != 2];
    for fragments in all {
        for is_zero in which {
            let header = header(&fragments, is_zero);
            let bytes = [&header.bytes[..], b"values"].concat();
            without_tags(&bytes, |package, export, offset| {
                let found = package.unversioned(export).unwrap().unwrap();
                assert!(found.fragments().eq(header.fragments.iter().copied()));
                assert!(found.slots().eq(header.slots.iter().copied()), "{fragments:?}");
                assert_eq!(found.bytes(), b"values");
                assert_eq!(found.offset(), offset + header.bytes.len() as u64);
            });
            for cut in 0..header.bytes.len() {
                without_tags(&header.bytes[..cut], |package, export, _| {
                    let error = package.unversioned(export).unwrap_err();
                    assert!(matches!(error.kind(), ErrorKind::UnexpectedEnd { .. }), "{error}");
                });
            }
        }
    }
}
