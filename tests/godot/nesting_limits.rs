//! Tests limits and errors for values that are nested more deeply than engines accept, and are read
//! with memory from the caller.

use crate::support::godot::words::words;
use gamewire::godot::json::Printer;
use gamewire::godot::{Dialect, Encoded, ErrorKind, Reader, Writer};
use std::thread;

/// Returns nested arrays of one item each around a null.
fn arrays(levels: usize) -> Vec<u8> {
    [words(&[28, 1]).repeat(levels), words(&[0])].concat()
}

/// Returns nested objects of one property each around a null.
fn objects(levels: usize) -> Vec<u8> {
    let name = u32::from_le_bytes(*b"A\0\0\0");
    [words(&[24, 1, name, 1, 1, name]).repeat(levels), words(&[0])].concat()
}

fn read<'a>(packet: &'a [u8], stack: &mut [u32]) -> Result<Encoded<'a>, ErrorKind> {
    let mut reader = Reader::new(packet, Dialect::Godot4).with_stack(stack);
    reader.read_encoded().map_err(|error| *error.kind())
}

#[test]
fn array_depth_is_limited_by_memory_only() {
    let mut stack = [0; 1500];
    for (levels, most) in [(1024, 0), (1025, 1500), (1400, 1500)] {
        let packet = arrays(levels);
        let mut stack = vec![0; most];
        if most > 0 {
            assert_eq!(read(&packet, &mut stack).unwrap().as_bytes(), packet);
        } else {
            assert!(Reader::new(&packet, Dialect::Godot4).skip().is_ok());
        }
    }
    assert!(matches!(read(&arrays(5000), &mut stack), Err(ErrorKind::TooDeep { .. })));
}

/// The engine's limit still applies to objects, because a view must be able to walk an object again
/// without memory from the caller.
#[test]
fn object_depth_is_limited_like_in_engines() {
    let mut stack = [0; 1500];
    assert!(read(&objects(1024), &mut stack).is_ok());
    let too_deep = ErrorKind::TooDeep { limit: 1024 };
    assert_eq!(read(&objects(1025), &mut stack).err(), Some(too_deep));
    let (outer, packet) = (words(&[28, 1]).repeat(300), objects(1024));
    assert!(read(&[outer, packet].concat(), &mut stack).is_ok());
}

#[test]
fn printing_stops_at_the_engines_depth() {
    let (packet, mut stack) = (arrays(1100), [0; 1200]);
    let value = read(&packet, &mut stack).unwrap();
    let shown = format!("{value:?}");
    assert!(shown.ends_with(" …"), "{}", &shown[shown.len() - 20..]);
    // The printer opens an array before it checks whether the array has an item. At level 1,025,
    // only an empty array is accepted, so this array is printed incompletely.
    assert_eq!(shown.matches("Array").count(), 1025);
    let fits = arrays(1024);
    let shown = format!("{:?}", read(&fits, &mut stack).unwrap());
    assert_eq!(shown.matches("Array").count(), 1024);
    assert!(!shown.contains('…'));

    for levels in [1026, 1088, 1100] {
        let (packet, mut json) = (arrays(levels), String::new());
        let mut reader = Reader::new(&packet, Dialect::Godot4).with_stack(&mut stack);
        let error = reader.visit(&mut Printer::new(&mut json)).unwrap_err();
        assert!(error.to_string().contains("more than 1024 nested containers"), "{error}");
    }
    let mut json = String::new();
    let mut reader = Reader::new(&fits, Dialect::Godot4);
    reader.visit(&mut Printer::new(&mut json)).unwrap();
    assert_eq!(json.matches('[').count(), json.matches(']').count());
}

/// Sibling objects are not nested in each other, so their number may exceed the depth limit.
#[test]
fn sibling_objects_do_not_count_as_nested() {
    let packet = [words(&[28, 1100]), objects(1).repeat(1100)].concat();
    let value = Reader::new(&packet, Dialect::Godot4).read().unwrap();
    let shown = format!("{value:?}");
    assert_eq!(shown.matches("Object").count(), 1100);
    assert!(!shown.contains('…'));
}

/// The writer accepts an empty container one level deeper than a container with items.
#[test]
fn writing_stops_at_the_engines_depth() {
    type Out<'v> = Writer<&'v mut Vec<u8>>;
    fn inside(out: &mut Out<'_>, levels: usize, innermost: &dyn Fn(&mut Out<'_>)) {
        if levels == 0 {
            return innermost(out);
        }
        let mut items = out.array(1).unwrap();
        inside(&mut items, levels - 1, innermost);
        items.finish().unwrap();
    }
    fn written(innermost: &dyn Fn(&mut Out<'_>)) -> Vec<u8> {
        let mut packet = Vec::new();
        inside(&mut Writer::new(&mut packet, Dialect::Godot4), 1024, innermost);
        packet
    }

    let write = || {
        let too_deep = ErrorKind::TooDeep { limit: 1024 };
        let array = written(&|out| {
            assert_eq!(out.array(1).err().map(|error| *error.kind()), Some(too_deep));
            out.array(0).unwrap().finish().unwrap();
        });
        assert_eq!(array, [words(&[28, 1]).repeat(1024), words(&[28, 0])].concat());
        let dictionary = written(&|out| {
            assert_eq!(out.dictionary(1).err().map(|error| *error.kind()), Some(too_deep));
            out.dictionary(0).unwrap().finish().unwrap();
        });
        for packet in [array, dictionary] {
            assert_eq!(Reader::new(&packet, Dialect::Godot4).skip(), Ok(()));
        }
    };
    // Each level is a recursive call, which needs kilobytes of stack without optimisation.
    thread::Builder::new().stack_size(64 << 20).spawn(write).unwrap().join().unwrap();
}
