//! Tests archives of bits.

use super::ORDERS;
use gamewire::SliceSink;
use gamewire::unreal::archive::{BitArchive, BitReader, BitWriter};
use gamewire::unreal::{ByteOrder, ErrorKind};

/// For every small maximum, each integer below it is stored in the bits that the engine's rule
/// demands, and is read back. The test applies this rule literally: a bit is stored if setting it
/// could still give an integer below the maximum.
#[test]
fn integers_below_a_maximum() {
    for max in 0..70u32 {
        for value in 0..max.max(1) {
            let mut expected = String::new();
            let (mut sum, mut bit) = (0, 1);
            while sum + bit < max {
                let is_set = value & bit != 0;
                expected.push(if is_set { '1' } else { '0' });
                sum += if is_set { bit } else { 0 };
                bit *= 2;
            }
            let mut bytes = Vec::new();
            let mut writer = BitWriter::new(&mut bytes, ByteOrder::Little);
            writer.int(&mut { value }, max).unwrap();
            let len = writer.finish().unwrap();
            let bit = |at: u64| if bytes[at as usize / 8] >> (at % 8) & 1 == 1 { '1' } else { '0' };
            assert_eq!((0..len).map(bit).collect::<String>(), expected, "{value} below {max}");
            let mut reader = BitReader::new(&bytes, len, ByteOrder::Little).unwrap();
            let mut read = 99;
            reader.int(&mut read, max).unwrap();
            assert!(reader.is_at_end());
            assert_eq!(read, value, "below {max}");
        }
        let mut bytes = Vec::new();
        let mut writer = BitWriter::new(&mut bytes, ByteOrder::Little);
        let error = writer.int(&mut { max.max(1) }, max).unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::DoesNotFit);
    }
    for max in [u32::MAX, u32::MAX - 1, 1 << 31, (1 << 31) + 1] {
        for value in [0, 1, max / 2, max - 2, max - 1] {
            let mut bytes = Vec::new();
            let mut writer = BitWriter::new(&mut bytes, ByteOrder::Little);
            writer.int(&mut { value }, max).unwrap();
            let len = writer.finish().unwrap();
            let mut read = 0;
            BitReader::new(&bytes, len, ByteOrder::Little).unwrap().int(&mut read, max).unwrap();
            assert_eq!(read, value, "below {max}");
        }
    }
}

/// Two of the six integers below 6 take only two bits, since setting the third bit would give 6 or
/// 7.
#[test]
fn last_bit_can_be_omitted() {
    for (value, len) in [(0, 3), (1, 3), (2, 2), (3, 2), (4, 3), (5, 3)] {
        let mut bytes = Vec::new();
        let mut writer = BitWriter::new(&mut bytes, ByteOrder::Little);
        writer.int(&mut { value }, 6).unwrap();
        assert_eq!(writer.position(), len, "{value}");
    }
}

#[test]
fn values_that_are_not_aligned() {
    for order in ORDERS {
        let mut bytes = Vec::new();
        let mut writer = BitWriter::new(&mut bytes, order);
        writer.bit(&mut true).unwrap();
        writer.number(&mut 0x1234u16).unwrap();
        writer.bits(&mut [0xFF, 0xFF], 10).unwrap();
        writer.int_packed(&mut 300).unwrap();
        writer.number(&mut -1.5f64).unwrap();
        assert_eq!(writer.position(), 1 + 16 + 10 + 16 + 64);
        assert_eq!(writer.offset(), 13, "the last byte is not written yet");
        assert_eq!(format!("{writer:?}"), "BitWriter(107 bits)");
        assert_eq!(writer.finish().unwrap(), 107);
        assert_eq!(bytes.len(), 14);
        let number = match order {
            ByteOrder::Little => 0x1234u32,
            ByteOrder::Big => 0x3412,
        };
        let first = u32::from_le_bytes(*bytes.first_chunk().unwrap());
        assert_eq!(first & 0x07FF_FFFF, 1 | number << 1 | 0x3FF << 17);

        let mut reader = BitReader::new(&bytes, 107, order).unwrap();
        let (mut bit, mut short, mut bits, mut packed, mut float) = (false, 0u16, [0; 2], 0, 0.0);
        reader.bit(&mut bit).unwrap();
        reader.number(&mut short).unwrap();
        reader.bits(&mut bits, 10).unwrap();
        reader.int_packed(&mut packed).unwrap();
        reader.number::<f64>(&mut float).unwrap();
        assert_eq!((bit, short, bits, packed, float), (true, 0x1234, [0xFF, 0x03], 300, -1.5));
        assert_eq!(format!("{reader:?}"), "BitReader(107+0 bits)");
        let error = reader.bit(&mut bit).unwrap_err();
        assert_eq!((error.offset(), *error.kind()), (13, ErrorKind::UnexpectedEnd { missing: 1 }));
        reader.seek(1).unwrap();
        reader.number(&mut short).unwrap();
        assert_eq!(short, 0x1234);
    }
}

#[test]
fn errors() {
    let too_long = BitReader::new(&[1, 2], 17, ByteOrder::Little).unwrap_err();
    assert_eq!((too_long.offset(), *too_long.kind()), (2, ErrorKind::UnexpectedEnd { missing: 1 }));
    let mut reader = BitReader::new(&[0xFF; 2], 15, ByteOrder::Little).unwrap();
    assert!(reader.bits(&mut [0; 2], 16).is_err());
    assert_eq!(*reader.bits(&mut [0], 9).unwrap_err().kind(), ErrorKind::DoesNotFit);
    assert!(reader.number(&mut 0u16).is_err());
    assert!(reader.int_packed(&mut 0).is_err());
    assert!(reader.seek(16).is_err());
    assert!(reader.is_loading());

    let memory = &mut [0; 1][..];
    let mut sink = SliceSink::new(memory);
    let mut writer = BitWriter::new(&mut sink, ByteOrder::Little);
    assert!(!writer.is_loading());
    assert_eq!(*writer.bits(&mut [0], 9).unwrap_err().kind(), ErrorKind::DoesNotFit);
    writer.bits(&mut [0xFF; 2], 15).unwrap();
    let full = writer.finish().unwrap_err();
    assert_eq!((full.offset(), *full.kind()), (1, ErrorKind::SinkFull { missing: 1 }));
    let memory = &mut [][..];
    let mut sink = SliceSink::new(memory);
    assert!(BitWriter::new(&mut sink, ByteOrder::Little).number(&mut 1u8).is_err());
    assert_eq!(BitWriter::new(&mut sink, ByteOrder::Little).finish(), Ok(0));
}
