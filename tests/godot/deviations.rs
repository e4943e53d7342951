//! Finds deviations from the bytes that an engine would write, and text that engines reject.

use gamewire::godot::{Deviation, Dialect, ErrorKind, Level, Limits, Reader};

/// Returns all deviations of a packet.
fn deviations(dialect: Dialect, packet: &[u8]) -> Vec<(Deviation, u64)> {
    let mut found = Vec::new();
    let each = |deviation, offset| {
        found.push((deviation, offset));
        Ok(())
    };
    Reader::new(packet, dialect).deviations(each).unwrap();
    found
}

fn level(dialect: Dialect, packet: &[u8], level: Level) -> Result<(), (ErrorKind, u64)> {
    let mut reader = Reader::new(packet, dialect).limits(Limits { level, ..Limits::default() });
    reader.skip().map_err(|error| (*error.kind(), error.offset()))
}

macro_rules! bytes {
    ($($piece:expr),* $(,)?) => { [$(&$piece[..]),*].concat() };
}

/// A packet of a dialect, with its deviations and their offsets.
type Case = (Dialect, Vec<u8>, &'static [(Deviation, u64)]);

#[test]
fn each_deviation_is_reported_with_its_offset() {
    use Deviation::*;
    use Dialect::{Godot2, Godot3, Godot4};
    let nan = f32::NAN.to_le_bytes();
    let cases: &[Case] = &[
        (Godot4, bytes!([1, 0, 0, 0], [2, 0, 0, 0]), &[(Payload, 4)]),
        (Godot4, bytes!([1, 0, 1, 0], [1, 0, 0, 0]), &[(HeaderBits, 2)]),
        (Godot4, bytes!([2, 0, 1, 0], [5, 0, 0, 0, 0, 0, 0, 0]), &[(Width, 2)]),
        (Godot4, bytes!([3, 0, 1, 0], 1.0_f64.to_le_bytes()), &[(Width, 2)]),
        (Godot4, bytes!([3, 0, 0, 0], nan), &[(Width, 2)]),
        (Godot4, bytes!([2, 0, 0, 1], [5, 0, 0, 0]), &[(HeaderBits, 3)]),
        (Godot4, bytes!([2, 1, 0, 0], [5, 0, 0, 0]), &[(HeaderBits, 1)]),
        (Godot4, bytes!([4, 1, 0, 0], [1, 0, 0, 0], b"a\0\0\0"), &[(HeaderBits, 1)]),
        (Godot4, bytes!([4, 0, 0, 0], [2, 0, 0, 0], b"a\xff\0\0"), &[(Text, 8)]),
        (Godot4, bytes!([4, 0, 0, 0], [1, 0, 0, 0], b"a\0\x01\0"), &[(Pad, 10)]),
        (Godot3, bytes!([17, 0, 0, 0], [0, 0, 0, 0]), &[(NullForm, 0)]),
        (Godot4, bytes!([28, 0, 0, 0], [0, 0, 0, 0x80]), &[(Payload, 7)]),
        (Godot4, bytes!([28, 0, 1, 0], [0; 4], [0; 4]), &[(Payload, 4)]),
        (Godot4, bytes!([27, 0, 4, 0], [0; 4], [0; 4]), &[(Payload, 4)]),
        (Godot4, bytes!([29, 0, 0, 0], [1, 0, 0, 0], b"a"), &[(MissingPad, 9)]),
        (Godot4, bytes!([29, 0, 0, 0], [1, 0, 0, 0], b"a\0\0\x07"), &[(Pad, 11)]),
        (
            Godot4,
            bytes!([22, 0, 0, 0], [1, 0, 0, 0x80], [0; 4], [0; 4], [1, 0, 0, 0], b"a\0\0\x09"),
            &[(NodePathPad, 23)],
        ),
        (
            Godot4,
            bytes!([22, 0, 0, 0], [1, 0, 0, 0x80], [0; 4], [0; 4], [3, 0, 0, 0], b"a/b\0"),
            &[(PathText, 0)],
        ),
        (
            Godot4,
            bytes!(
                [24, 0, 0, 0],
                [1, 0, 0, 0],
                b"A\0\0\0",
                [1, 0, 0, 0],
                [1, 0, 0, 0],
                b"p\0\0\x05",
                [0; 4]
            ),
            &[(Pad, 23)],
        ),
        (
            Godot4,
            bytes!(
                [24, 0, 0, 0],
                [1, 0, 0, 0],
                b"\xff\0\0\x03",
                [1, 0, 0, 0],
                [1, 0, 0, 0],
                b"\xfe\0\0\0",
                [0; 4]
            ),
            &[(Text, 8), (Pad, 11), (Text, 20)],
        ),
        (Godot2, bytes!([22, 0, 0, 0], [1, 0, 0, 0], b"a\0\0\x07"), &[(Pad, 11)]),
    ];
    for (dialect, packet, expected) in cases {
        assert_eq!(deviations(*dialect, packet), *expected, "{packet:x?}");
        assert!(level(*dialect, packet, Level::Structure).is_ok(), "{packet:x?}");
        let strict = level(*dialect, packet, Level::Strict);
        match expected[..] {
            [(NodePathPad, _)] => assert_eq!(strict, Ok(())),
            [(Text, offset), ..] => assert_eq!(strict, Err((ErrorKind::BadText, offset))),
            [(first, offset), ..] => {
                assert_eq!(strict, Err((ErrorKind::NotCanonical(first), offset)), "{packet:x?}");
            }
            [] => unreachable!(),
        }
    }
}

/// The engine level rejects invalid UTF-8 in every position that holds text.
#[test]
fn invalid_text_is_rejected_in_every_position() {
    use Dialect::Godot4;
    let one = [1, 0, 0, 0];
    let cases: &[(Vec<u8>, u64)] = &[
        (bytes!([4, 0, 0, 0], [2, 0, 0, 0], b"a\xff\0\0"), 8),
        (bytes!([21, 0, 0, 0], [2, 0, 0, 0], b"a\xff\0\0"), 8),
        (
            bytes!(
                [34, 0, 0, 0],
                [2, 0, 0, 0],
                [2, 0, 0, 0],
                b"a\0\0\0",
                [2, 0, 0, 0],
                b"\xff\0\0\0"
            ),
            20,
        ),
        (bytes!([22, 0, 0, 0], [1, 0, 0, 0x80], [0; 4], [0; 4], one, b"\xff\0\0\0"), 20),
        (bytes!([22, 0, 0, 0], [0, 0, 0, 0x80], one, [0; 4], one, b"\xff\0\0\0"), 20),
        (bytes!([28, 0, 3, 0], one, b"\xff\0\0\0", [0; 4]), 8),
        (bytes!([27, 0, 8, 0], one, b"\xff\0\0\0", [0; 4]), 8),
        (bytes!([24, 0, 0, 0], one, b"\xff\0\0\0", [0; 4]), 8),
        (bytes!([24, 0, 0, 0], one, b"A\0\0\0", one, one, b"\xff\0\0\0", [0; 4]), 20),
    ];
    for (packet, offset) in cases {
        assert_eq!(level(Godot4, packet, Level::Structure), Ok(()), "{packet:x?}");
        let bad = Err((ErrorKind::BadText, *offset));
        assert_eq!(level(Godot4, packet, Level::Engine), bad, "{packet:x?}");
        let in_array = bytes!([28, 0, 0, 0], one, packet);
        let bad = Err((ErrorKind::BadText, offset + 8));
        assert_eq!(level(Godot4, &in_array, Level::Engine), bad, "{packet:x?}");
        let ascii: Vec<u8> =
            packet.iter().map(|byte| if *byte < 0xfe { *byte } else { b'b' }).collect();
        assert_eq!(level(Godot4, &ascii, Level::Engine), Ok(()), "{ascii:x?}");
    }
}
