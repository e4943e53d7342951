//! Deeper than engines go, with memory of the caller's: where that ends, and that it is said.

#![cfg(feature = "alloc")]

use gamewire::godot::json::Printer;
use gamewire::godot::{Dialect, Encoded, ErrorKind, Reader};

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Arrays of one array, and null.
fn arrays(levels: usize) -> Vec<u8> {
    [words(&[28, 1]).repeat(levels), words(&[0])].concat()
}

/// Objects of one object, and null.
fn objects(levels: usize) -> Vec<u8> {
    let name = u32::from_le_bytes(*b"A\0\0\0");
    [words(&[24, 1, name, 1, 1, name]).repeat(levels), words(&[0])].concat()
}

fn read<'a>(packet: &'a [u8], stack: &mut [u32]) -> Result<Encoded<'a>, ErrorKind> {
    let mut reader = Reader::new(packet, Dialect::Godot4).with_stack(stack);
    reader.read_encoded().map_err(|error| *error.kind())
}

#[test]
fn arrays_may_be_as_deep_as_there_is_memory() {
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

/// So that whoever walks over them again needs no memory.
#[test]
fn objects_may_not() {
    let mut stack = [0; 1500];
    assert!(read(&objects(1024), &mut stack).is_ok());
    let too_deep = ErrorKind::TooDeep { limit: 1024 };
    assert_eq!(read(&objects(1025), &mut stack).err(), Some(too_deep));
    let (outer, packet) = (words(&[28, 1]).repeat(300), objects(1024));
    assert!(read(&[outer, packet].concat(), &mut stack).is_ok());
}

#[test]
fn what_is_printed_ends_where_engines_do() {
    let (packet, mut stack) = (arrays(1100), [0; 1200]);
    let value = read(&packet, &mut stack).unwrap();
    let shown = format!("{value:?}");
    assert!(shown.ends_with(" …"), "{}", &shown[shown.len() - 20..]);
    // One level deeper a container may stand, if it is empty; that it is not is seen behind it.
    assert_eq!(shown.matches("Array").count(), 1025);
    let fits = arrays(1024);
    let shown = format!("{:?}", read(&fits, &mut stack).unwrap());
    assert_eq!(shown.matches("Array").count(), 1024);
    assert!(!shown.contains('…'));

    for levels in [1026, 1088, 1100] {
        let (packet, mut json) = (arrays(levels), String::new());
        let mut reader = Reader::new(&packet, Dialect::Godot4).with_stack(&mut stack);
        let error = reader.visit(&mut Printer::new(&mut json)).unwrap_err();
        assert!(
            error.to_string().contains("more than 1024 containers inside each other"),
            "{error}"
        );
    }
    let mut json = String::new();
    let mut reader = Reader::new(&fits, Dialect::Godot4);
    reader.visit(&mut Printer::new(&mut json)).unwrap();
    assert_eq!(json.matches('[').count(), json.matches(']').count());
}
