//! Laws for streams of length-prefixed values, and for streams of consecutive values.

use super::limits;
use crate::support::godot::debugger_oracle::{self as plain, End};
use gamewire::godot::frame::{Frames, Framing};
use gamewire::godot::{Dialect, ErrorKind, Level, Reader};

pub fn godot_frames(data: &[u8]) {
    frames(data);
    for max_len in [u32::MAX, 8 << 20, 20] {
        for big_endian in [false, true] {
            agrees_with_oracle(data, Framing { big_endian, max_len });
        }
    }
    Dialect::ALL.iter().for_each(|&dialect| in_a_row(data, dialect));
}

/// Compares the frames, their positions and the end of the stream with those of the oracle.
pub(super) fn agrees_with_oracle(data: &[u8], framing: Framing) {
    let (mut whole, mut end) = (Vec::new(), End::Whole);
    for frame in Frames::with(data, framing) {
        match frame {
            Ok(frame) => whole.push((frame.offset as usize, frame.bytes.to_vec())),
            Err(error) => {
                end = match *error.kind() {
                    ErrorKind::UnexpectedEnd { missing } => End::Cut { missing: missing as usize },
                    ErrorKind::FrameTooLong { len } => {
                        End::TooLong { at: error.offset() as usize, len }
                    }
                    kind => panic!("{kind:?}"),
                }
            }
        }
    }
    let theirs = plain::frames(data, framing.big_endian, framing.max_len);
    assert_eq!(plain::Frames { whole, end }, theirs);
}

/// Asserts that the frames are adjacent, up to the end of the stream or to a truncated frame.
fn frames(data: &[u8]) {
    let mut frames = Frames::new(data);
    let mut at = 0;
    loop {
        assert_eq!(frames.offset(), at as u64);
        match frames.next() {
            None => {
                assert_eq!(at, data.len());
                break;
            }
            Some(Ok(frame)) => {
                assert_eq!(frame.offset, at as u64 + 4);
                assert_eq!(data[at..][..4], (frame.bytes.len() as u32).to_le_bytes());
                at += 4;
                assert!(core::ptr::eq(frame.bytes, &data[at..][..frame.bytes.len()]));
                at += frame.bytes.len();
                let origin = frame.offset;
                if let Err(error) = Reader::new(frame.bytes, Dialect::Godot4).origin(origin).read()
                {
                    assert!((origin..=at as u64).contains(&error.offset()));
                }
            }
            Some(Err(error)) => {
                let missing = error.missing().unwrap() as usize;
                assert!(missing > 0);
                assert!(error.offset() >= at as u64 && error.offset() <= data.len() as u64);
                assert_eq!(frames.offset(), at as u64);
                assert!(frames.next().is_none(), "ends after an error");
                more_helps(&data[at..], missing);
                break;
            }
        }
    }
    assert!(frames.next().is_none());
}

/// Asserts that the frame or its length prefix is complete when the number of missing bytes is
/// added.
fn more_helps(cut: &[u8], missing: usize) {
    if missing > super::LARGE {
        return;
    }
    let more = [cut, &vec![0; missing]].concat();
    let frame = Frames::new(&more).next().unwrap();
    assert!(frame.is_ok() || (cut.len() < 4 && more.len() == 4));
}

/// Asserts that each of several consecutive values reads the same as if it were the only value.
fn in_a_row(data: &[u8], dialect: Dialect) {
    let mut reader = Reader::new(data, dialect).limits(limits(Level::Engine, true));
    let mut at = 0;
    for _ in 0..100 {
        let alone = &data[at..];
        let mut first = Reader::new(alone, dialect).limits(limits(Level::Engine, true));
        match (reader.read_encoded(), first.read_encoded()) {
            (Ok(value), Ok(alone)) => {
                assert_eq!(value, alone);
                assert_eq!(reader.range(), at..at + value.as_bytes().len());
                assert_eq!(reader.range_of(value.as_bytes()), Some(reader.range()));
                at = reader.range().end;
                assert_eq!(reader.offset(), at as u64);
            }
            (Err(error), Err(alone)) => {
                assert_eq!(error, alone.shifted(at as u64));
                assert_eq!(reader.offset(), at as u64);
                break;
            }
            (row, alone) => panic!("{row:?} in a row, {alone:?} alone"),
        }
    }
}
