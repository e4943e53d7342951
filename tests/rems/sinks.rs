//! Writes Rem's Engine saves to sinks that are too small or that cannot rewind.
use gamewire::rems::{
    BinaryWriter, Dialect, Era, ItemSink, Kind, TextWriter, Type, WriteError, WriteErrorKind,
};
use gamewire::{Full, Sink, SliceSink};

/// A sink of fixed size that cannot rewind.
struct Tape {
    written: Vec<u8>,
    room: usize,
}

impl Tape {
    fn new(room: usize) -> Self {
        Self { written: Vec::new(), room }
    }
}

impl Sink for Tape {
    const REWINDS: bool = false;

    fn reserve(&mut self, n: usize) -> Result<(), Full> {
        match (self.written.len() + n).checked_sub(self.room) {
            None | Some(0) => Ok(()),
            Some(missing) => Err(Full { missing: missing as u32 }),
        }
    }

    fn put(&mut self, bytes: &[u8]) {
        self.written.extend_from_slice(bytes);
    }

    fn position(&self) -> usize {
        self.written.len()
    }

    fn rewind(&mut self, _: usize) {}
}

fn is_full(result: Result<(), WriteError>) -> bool {
    matches!(result.unwrap_err().kind(), WriteErrorKind::Full(_))
}

fn is_half_written(result: Result<(), WriteError>) -> bool {
    matches!(result.unwrap_err().kind(), WriteErrorKind::HalfWritten)
}

/// Long items reach a sink in pieces. If a piece does not fit and the sink cannot rewind, the
/// output ends before that piece. The writer then rejects later items, even short ones that would
/// fit.
#[test]
fn half_of_a_text_stays_where_it_is() {
    let mut tape = Tape::new(300);
    let mut writer = TextWriter::new(&mut tape, Dialect::Engine2026);
    writer.object("T", None).unwrap();
    writer.property(Type::Kind(Kind::String, 0), "x").unwrap();
    assert!(is_full(writer.text(&*"a".repeat(1000))));
    assert!(is_half_written(writer.text("a")));
    assert!(is_half_written(writer.null()));
    assert!(writer.finish().is_err());
    assert_eq!(tape.written.escape_ascii().to_string(), r#"[{\"class\":\"T\",\"S:x\":\""#);
}

/// If a write fails before any byte has reached the sink, it has no effect, and the next write can
/// succeed.
#[test]
fn empty_text_needs_no_rewind() {
    let mut tape = Tape::new(24);
    let mut writer = TextWriter::new(&mut tape, Dialect::Engine2026);
    assert!(writer.end().is_err());
    writer.object("T", None).unwrap();
    assert!(writer.null().is_err());
    assert!(is_full(writer.property(Type::Object, "too long")));
    writer.property(Type::Object, "x").unwrap();
    assert!(is_full(writer.pointer(10_000)));
    writer.pointer(1).unwrap();
    writer.end().unwrap();
    writer.finish().unwrap();
    assert_eq!(tape.written, br#"[{"class":"T","?:x":1}]"#);
}

/// After a failed item, a shorter item can be written if the sink can rewind.
#[test]
fn partial_output_is_rewound() {
    let mut memory = [0; 600];
    let mut writer = TextWriter::new(SliceSink::new(&mut memory), Dialect::Engine2026);
    writer.object("T", None).unwrap();
    writer.property(Type::Kind(Kind::F64, 1), "x").unwrap();
    assert!(is_full(writer.array(&[0.5; 200])));
    writer.array(&[0.5]).unwrap();
    writer.property(Type::Kind(Kind::String, 0), "y").unwrap();
    assert!(is_full(writer.text(&*"\"a".repeat(300))));
    writer.text("").unwrap();
    writer.end().unwrap();
    let sink = writer.finish().unwrap();
    assert_eq!(sink.written(), br#"[{"class":"T","d[]:x":[1,0.5],"S:y":""}]"#);
}

/// A stream defines each name and attribute once. If the definition did not fit, items that refer
/// to it cannot be written.
#[test]
fn failed_definition_is_not_remembered() {
    let writer = |memory| BinaryWriter::new(SliceSink::new(memory), Era::October2024);
    let mut memory = [0; 100];
    let mut writer = writer(&mut memory[..]);
    writer.object("T", Some(1)).unwrap();
    writer.put("x", &[1_i64][..]).unwrap();
    writer.end().unwrap();
    writer.object("T", Some(2)).unwrap();
    // The attribute `x` is already defined, so a shorter value can be written after the value that
    // does not fit.
    assert!(is_full(writer.put("x", &[1_i64; 10][..])));
    writer.array(&[2_i64]).unwrap();
    assert!(is_full(writer.put("y", &[1_i64; 10][..])));
    assert!(is_half_written(writer.array(&[1_i64])));
    assert!(is_half_written(writer.end()));
}

/// A short item reaches the sink in one piece, however full the buffer of the writer is. If it fails
/// after a part of it has been printed, it has no effect on a sink that cannot rewind.
#[test]
fn failed_short_items_do_not_reach_the_sink() {
    for items in 0..100 {
        let mut tape = Tape::new(usize::MAX);
        let mut writer = TextWriter::new(&mut tape, Dialect::Engine2026);
        writer.object("T", None).unwrap();
        let mut expected = String::from(r#"[{"class":"T""#);
        for _ in 0..items {
            writer.put("x", 1.5).unwrap();
            expected += r#","d:x":1.5"#;
        }
        writer.property(Type::Kind(Kind::F64, 1), "y").unwrap();
        let failed = writer.array(&[0.25, 2.0, 0.125, 8.0, 1e9, f64::NAN]).unwrap_err();
        assert!(matches!(failed.kind(), WriteErrorKind::Unreadable(_)), "{failed}");
        expected += r#","d[]:y":"#;
        assert_eq!(writer.offset(), expected.len() as u64);
        writer.array(&[0.5]).unwrap();
        writer.end().unwrap();
        writer.finish().unwrap();
        assert_eq!(String::from_utf8(tape.written).unwrap(), expected + "[1,0.5]}]");
    }
}
