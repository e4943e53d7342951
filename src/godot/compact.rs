//! Compact values. Godot 4 uses this encoding for RPC arguments, spawn arguments and replicated
//! state. In the engine, `MultiplayerAPI.encode_and_compress_variant` writes it. The encoding has
//! not changed from 4.0 to 4.6.
//!
//! Only the outermost value has a short form. Values in a container are encoded in full. The low
//! six bits of the first byte are the type id.
//!
//! | value | bytes |
//! |---|---|
//! | bool | `01` false, `81` true; bit 6 is ignored |
//! | int | `02`, `42`, `82` or `C2`, then the integer in 1, 2, 4 or 8 bytes, the fewest that hold it |
//! | any other | the full encoding; bits 6 and 7 must be 0 |
//! | null object | `18 00 00 00`; see [`CompactReader`] |
//!
//! Values are not aligned, and no count or length precedes them.

mod leaves;
mod reader;
mod writer;

pub(crate) use leaves::{first_leaf, skip_leaves};
pub use reader::CompactReader;
pub use writer::CompactWriter;

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::godot::json::Printer;
    use crate::godot::read::compact_form::NULL_OBJECT;
    use crate::godot::{
        Deviation, Dialect, ErrorKind, Kind, Level, Limits, Result, VariantRef, Vector2, Wide,
        Writer,
    };
    use alloc::string::String;
    use alloc::vec::Vec;

    const GODOT4: Dialect = Dialect::Godot4;

    fn read(bytes: &[u8]) -> Result<VariantRef<'_>> {
        CompactReader::new(bytes).origin(100).read()
    }

    fn written(put: impl FnOnce(&mut CompactWriter<&mut Vec<u8>>) -> Result<()>) -> Vec<u8> {
        let mut bytes = Vec::new();
        put(&mut CompactWriter::new(&mut bytes, GODOT4)).unwrap();
        bytes
    }

    /// Covers the smallest and largest value of each width, and the values just outside that range.
    #[test]
    fn ints_take_the_fewest_bytes() {
        for (value, bytes) in [
            (0, &b"\x02\x00"[..]),
            (127, b"\x02\x7f"),
            (-128, b"\x02\x80"),
            (128, b"\x42\x80\x00"),
            (-129, b"\x42\x7f\xff"),
            (-32768, b"\x42\x00\x80"),
            (32768, b"\x82\x00\x80\x00\x00"),
            (-0x8000_0000, b"\x82\x00\x00\x00\x80"),
            (0x8000_0000, b"\xc2\x00\x00\x00\x80\x00\x00\x00\x00"),
            (i64::MIN, b"\xc2\x00\x00\x00\x00\x00\x00\x00\x80"),
        ] {
            assert_eq!(written(|out| out.put(value)), bytes, "{value}");
            assert_eq!(read(bytes).unwrap().as_i64(), Some(value));
            for end in 0..bytes.len() {
                let error = read(&bytes[..end]).unwrap_err();
                let missing = if end == 0 { 1 } else { bytes.len() - end };
                assert_eq!(error.missing(), Some(missing as u32));
                assert!(error.offset() <= 101);
            }
        }
        assert_eq!(written(|out| out.put(Wide(1_i64))), b"\xc2\x01\0\0\0\0\0\0\0");
    }

    /// Bit 7 is the value of a bool, and bit 6 is ignored.
    #[test]
    fn bools() {
        for (byte, value) in [(0x01, false), (0x81, true), (0x41, false), (0xC1, true)] {
            assert_eq!(read(&[byte]).unwrap().as_bool(), Some(value));
        }
        assert_eq!(written(|out| out.put(true)), [0x81]);
        assert_eq!(written(|out| out.put(false)), [0x01]);
    }

    #[test]
    fn deviations_are_reported() {
        for (bytes, found) in [
            (&[0x41][..], Some(Deviation::HeaderBits)),
            (&[0x81], None),
            (&[0x42, 5, 0], Some(Deviation::Width)),
            (&[0x42, 0, 1], None),
            (&NULL_OBJECT, None),
        ] {
            let encoded = CompactReader::new(bytes).read_encoded().unwrap();
            assert!(encoded.is_compact() && encoded.as_bytes() == bytes);
            let mut deviations = Vec::new();
            encoded.deviations(|deviation| deviations.push(deviation));
            assert_eq!(deviations, found.into_iter().collect::<Vec<_>>());
            let strict = Limits { level: Level::Strict, objects: false, ..Limits::default() };
            let strict = CompactReader::new(bytes).limits(strict).read();
            assert_eq!(strict.is_ok(), found.is_none());
        }
    }

    /// In other types, bits 6 and 7 must be 0. The highest type id is 38.
    #[test]
    fn unknown_types_are_rejected() {
        for id in [0x27, 0x3F, 0x40, 0x43, 0x84, 0xC4] {
            let error = read(&[id, 0, 0, 0, 0, 0, 0, 0]).unwrap_err();
            assert_eq!(*error.kind(), ErrorKind::UnknownType { id: id.into() });
            assert_eq!(error.offset(), 100);
        }
        assert_eq!(*read(&[]).unwrap_err().kind(), ErrorKind::UnexpectedEnd { missing: 1 });
    }

    #[test]
    fn null_objects() {
        let null = CompactReader::new(&NULL_OBJECT).read_encoded().unwrap();
        assert_eq!((null.kind(), null.decode().is_nil()), (Kind::Object, true));
        assert_eq!(written(|out| out.put(null)), NULL_OBJECT);
        assert_eq!(written(|out| out.put(null.decode())), [0; 4]); // a Nil

        // If objects are allowed, these bytes are the start of a full object.
        let objects = CompactReader::new(&NULL_OBJECT).limits(Limits::default()).read();
        assert_eq!(objects.unwrap_err().missing(), Some(4));
        // The header of a full object is read as a null, or rejected if it has flags. An object
        // given by id has no short form.
        let full = read(b"\x18\0\0\0\x01\0\0\0A\0\0\0\0\0\0\0");
        assert!(full.unwrap().is_nil(), "its first four bytes are a null");
        assert!(read(b"\x18\0\x02\0\x01\0\0\0A\0\0\0\0\0\0\0").is_err());
        let id = b"\x18\0\x01\0\x07\0\0\0\0\0\0\0";
        assert!(!CompactReader::new(id).read_encoded().unwrap().is_compact());
    }

    #[test]
    fn consecutive_values() {
        let bytes = written(|out| {
            out.put(300)?;
            out.put(Vector2 { x: 1.0_f32, y: 2.0 })?;
            let mut list = out.array(2)?;
            list.put(true)?;
            list.put(1)?;
            list.finish()?;
            out.put(false)
        });
        assert_eq!(bytes.len(), 3 + 12 + 24 + 1);
        let mut reader = CompactReader::new(&bytes).origin(7);
        assert_eq!(reader.by_ref().filter_map(Result::ok).count(), 4);
        assert!(reader.is_empty() && reader.offset() == 47 && reader.range() == (39..40));

        // Writes each value again, from its bytes and from the decoded value.
        let mut reader = CompactReader::new(&bytes);
        let mut copies = [Vec::new(), Vec::new()];
        while !reader.is_empty() {
            let value = reader.read_encoded().unwrap();
            let [a, b] = copies.each_mut().map(|copy| CompactWriter::new(copy, GODOT4));
            { a }.put(value).unwrap();
            { b }.put(value.decode()).unwrap();
        }
        assert_eq!(copies, [bytes.clone(), bytes]);
    }

    /// `Writer`, and `CompactWriter` in a dialect without short forms, write every value in full.
    #[test]
    fn short_forms_are_expanded_for_other_writers() {
        let mut bytes = Vec::new();
        let value = CompactReader::new(&[0x42, 5, 0]).read_encoded().unwrap();
        Writer::new(&mut bytes, GODOT4).put(value).unwrap();
        CompactWriter::new(&mut bytes, Dialect::Godot3).put(value).unwrap();
        CompactWriter::new(&mut bytes, Dialect::Godot3).put(true).unwrap();
        assert_eq!(bytes, b"\x02\0\0\0\x05\0\0\0\x02\0\0\0\x05\0\0\0\x01\0\0\0\x01\0\0\0");
    }

    #[test]
    fn ends_after_an_error() {
        let mut reader = CompactReader::new(&[0x81, 0x27, 0x81]);
        assert!(reader.next().unwrap().is_ok());
        assert!(reader.next().unwrap().is_err());
        assert!(reader.next().is_none() && reader.rest() == [0x27, 0x81]);
    }

    /// `skip_leaves` must skip every leaf that it can. No other test would notice if it skipped
    /// less: callers read the values that it does not skip.
    /// Compares the output, the errors and the positions for random bytes.
    #[test]
    fn visits_through_a_vtable_see_the_same_values() {
        let mut random = 1_u64;
        let mut values = 0;
        for round in 0..40_000_u32 {
            let bytes: Vec<u8> = (0..40)
                .map(|at| {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let byte = random.to_be_bytes()[0];
                    // Headers and counts with few bits, so that most values are well-formed.
                    if at == 0 {
                        byte & 0xDF
                    } else if at % 4 == 0 {
                        byte & 3
                    } else {
                        byte & byte << 7
                    }
                })
                .collect();
            let level = [Level::Structure, Level::Engine, Level::Strict][round as usize % 3];
            let limits = Limits { level, objects: round % 2 == 0, ..Limits::default() };
            let reader = CompactReader::new(&bytes).origin(7).limits(limits);
            let reader = if round % 16 == 0 { reader.raw() } else { reader };
            let [mut direct, mut erased] = [reader.clone(), reader];
            let [mut expected, mut printed] = [const { String::new() }; 2];
            let result = direct.visit(&mut Printer::new(&mut expected).exact(true));
            assert_eq!(erased.visit_dyn(&mut Printer::new(&mut printed).exact(true)), result);
            assert_eq!((printed, erased.range()), (expected, direct.range()));
            values += u32::from(result.is_ok());
        }
        assert!(values > 4_000, "{values}");
    }
}
