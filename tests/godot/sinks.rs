//! Writing to every kind of sink: all get the same bytes, and a value that does not fit is an error
//! without output.

use crate::support::corpus;
use gamewire::godot::{
    self, Array, Dialect, Error, ErrorKind, Items, Kind, Object, PutFields, Reader, StringName,
    Target, ToFields, TypeRef, Unrepresentable, Variant, Vector2, Vector3, Wide, Writer,
};
use gamewire::{Full, PatchSink, Sink, SliceSink};

/// A user's own sink: it has only what a sink must have.
#[derive(Debug, Default)]
struct Own(Vec<u8>);

impl Sink for Own {
    const REWINDS: bool = true;

    fn reserve(&mut self, _: usize) -> Result<(), Full> {
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
    }

    fn position(&self) -> usize {
        self.0.len()
    }

    fn rewind(&mut self, position: usize) {
        self.0.truncate(position);
    }
}

/// Something to write, and into what.
trait Program {
    fn run<S: Sink>(&self, out: &mut Writer<S>) -> Result<(), Error>;
}

struct Put<V>(V);

impl<V: godot::ToVariant + Copy> Program for Put<V> {
    fn run<S: Sink>(&self, out: &mut Writer<S>) -> Result<(), Error> {
        out.put(self.0)
    }
}

/// Containers in containers.
struct Nested;

impl Program for Nested {
    fn run<S: Sink>(&self, out: &mut Writer<S>) -> Result<(), Error> {
        let mut state = out.dictionary(4)?;
        state.entry("name", "a name of more than 24 letters")?;
        state.entry(StringName("at"), Vector3 { x: 1.0_f64, y: 2.0, z: 3.0 })?;
        state.put("list")?;
        let mut list = state.typed_array(2, TypeRef::Builtin(Kind::Vector2))?;
        list.put(Vector2 { x: 1.0_f32, y: 2.0 })?;
        list.put(Vector2 { x: 3.0_f32, y: 4.0 })?;
        list.finish()?;
        state.put(5)?;
        let mut node = state.object("Node", 1)?;
        node.property("hp")?;
        node.put(Wide(7_i64))?;
        node.finish()?;
        state.finish()
    }
}

/// Numbers, texts short and long, what is looked at twice.
#[derive(Clone, Copy)]
struct Fields;

impl ToFields for Fields {
    fn to_fields<F: PutFields>(&self, fields: &mut F) -> Result<(), F::Error> {
        fields.put("id", 5)?;
        fields.put("text", "a text of more than 24 letters")?;
        fields.put("a name of more than 24 letters", 0.1)?;
        fields.put("texts", &["a", "bcd"][..])?;
        fields.put("at", Vector3 { x: 1, y: 2, z: 3 })
    }
}

fn into_vec(program: &impl Program, target: Target) -> Vec<u8> {
    let mut bytes = Vec::new();
    program.run(&mut Writer::new(&mut bytes, target)).unwrap();
    bytes
}

fn into_slice(program: &impl Program, target: Target, memory: &mut [u8]) -> (usize, Option<Error>) {
    let mut writer = Writer::new(SliceSink::new(memory), target);
    let error = program.run(&mut writer).err();
    (writer.into_sink().into_written().len(), error)
}

#[track_caller]
fn no_room(error: Error, room: usize, len: usize) {
    let ErrorKind::BufferFull { missing } = *error.kind() else { panic!("{error}") };
    assert!(missing > 0 && missing as usize <= len - room, "{error}: {len} into {room}");
    assert!(error.offset() as usize <= room, "{error}: {len} into {room}");
}

/// The same bytes in every sink; where one ends too early, an error and nothing written.
#[track_caller]
fn whole_or_nothing(program: &impl Program, target: impl Into<Target>) {
    let target = target.into();
    let expected = into_vec(program, target);
    let mut own = Own::default();
    program.run(&mut Writer::new(&mut own, target)).unwrap();
    assert_eq!(own.0, expected);
    let mut memory = vec![0xAA; expected.len() + 1];
    for room in 0..=expected.len() {
        memory.fill(0xAA);
        let (written, error) = into_slice(program, target, &mut memory[..room]);
        if room == expected.len() {
            assert_eq!((written, error), (room, None));
            assert_eq!(memory[..room], expected);
        } else {
            assert_eq!(written, 0, "{} into {room}", expected.len());
            no_room(error.unwrap(), room, expected.len());
        }
        assert_eq!(memory[room..].iter().find(|byte| **byte != 0xAA), None);
    }
    #[cfg(feature = "bytes")]
    append_only(program, target, &expected);
}

/// Into what cannot be taken back: a value is there whole or not at all, a container that was
/// opened makes the writer refuse to go on.
#[cfg(feature = "bytes")]
fn append_only(program: &impl Program, target: Target, expected: &[u8]) {
    use gamewire::BufSink;

    for room in 0..=expected.len() {
        let mut memory = vec![0; room];
        let mut writer = Writer::new(BufSink::new(&mut memory[..]), target);
        match program.run(&mut writer) {
            Ok(()) => assert_eq!(memory, expected),
            Err(error) => {
                let position = writer.sink().position();
                match *error.kind() {
                    ErrorKind::BufferFull { .. } => no_room(error, room, expected.len()),
                    // The value after the one that failed.
                    other => panic!("{other}"),
                }
                let again = writer.put(true).map_err(|error| *error.kind());
                let whole = position == 0 && room >= 8;
                match again {
                    Ok(()) => assert!(whole),
                    Err(ErrorKind::BufferFull { .. }) => assert!(position == 0 && room < 8),
                    Err(kind) => assert_eq!((kind, position > 0), (ErrorKind::HalfWritten, true)),
                }
                assert!(memory[..position] == expected[..position]);
            }
        }
    }
    let mut buffer = bytes::BytesMut::from(&b"before"[..]);
    program.run(&mut Writer::new(&mut buffer, target)).unwrap();
    assert_eq!(buffer[6..], *expected);
}

#[test]
fn containers_that_are_opened() {
    whole_or_nothing(&Nested, Dialect::Godot4);
}

#[test]
fn values_of_every_sort() {
    let text = "a text that does not go through registers";
    whole_or_nothing(&Put(Fields), Dialect::Godot4);
    whole_or_nothing(&Put(Fields), Target::GODOT4_0);
    for len in [0, 3, 4, 24, 25, text.len()] {
        whole_or_nothing(&Put(&text[..len]), Dialect::Godot3);
    }
    whole_or_nothing(&Put(&["a", "bcd\0", text][..]), Dialect::Godot4);
    whole_or_nothing(&Put(&[1.0_f64, 2.0][..]), Dialect::Godot4);
    whole_or_nothing(&Put(&[Vector2 { x: 1.0_f32, y: 2.0 }][..]), Dialect::DocsDouble);
    whole_or_nothing(&Put(godot::Signal { name: "hit".into(), object: 7 }), Dialect::Godot4);
    whole_or_nothing(&Put(godot::NodePath("/root/a:b")), Dialect::Godot4);
}

/// What engines wrote, as it is, and written anew for another dialect.
#[test]
fn values_that_are_copied() {
    for (folder, dialect) in corpus::WRITTEN {
        for (_, bytes) in corpus::packets(folder) {
            if bytes.len() > 200 {
                continue;
            }
            let encoded = Reader::new(&bytes, dialect).read_encoded().unwrap();
            whole_or_nothing(&Put(encoded), dialect);
            whole_or_nothing(&Put(encoded.decode()), dialect);
            whole_or_nothing(&Put(&encoded.to_variant().unwrap()), dialect);
            if Put(encoded).run(&mut Writer::new(Vec::new(), Dialect::Godot4)).is_ok() {
                whole_or_nothing(&Put(encoded), Dialect::Godot4);
            }
        }
    }
}

fn takes_back(sink: &mut impl Sink) {
    let start = sink.position();
    sink.append(*b"abcdef").unwrap();
    assert_eq!(sink.position(), start + 6);
    sink.rewind(start + 9); // nothing to take back
    assert_eq!(sink.position(), start + 6);
    sink.rewind(start + 2);
    sink.append_padded(*b"8 bytes.", b"xy", 2).unwrap();
    sink.pad(0);
    sink.pad(3);
    assert_eq!(sink.position(), start + 17);
}

fn patches(sink: &mut impl PatchSink) {
    let start = sink.position();
    sink.append([0_u8; 8]).unwrap();
    sink.patch(start + 4, *b"late");
    // Where four bytes are not, nothing is changed.
    sink.patch(start + 5, *b"over");
    sink.patch(usize::MAX, *b"over");
}

const TAKEN_BACK: &[u8] = b"ab8 bytes.xy\0\0\0\0\0\0\0\0\0late";

#[test]
fn sinks_that_rewind_and_patch() {
    let mut vec = Vec::new();
    takes_back(&mut vec);
    patches(&mut &mut vec);
    assert_eq!(vec, TAKEN_BACK);

    let mut own = Own::default();
    takes_back(&mut &mut own);
    assert_eq!(own.0, TAKEN_BACK[..17]);

    let mut memory = [0xAA; 25];
    let mut slice = SliceSink::new(&mut memory);
    takes_back(&mut slice);
    patches(&mut slice);
    assert_eq!(slice.written(), TAKEN_BACK);
    assert_eq!(slice.reserve(3), Err(Full { missing: 3 }));
    slice.put(b"too long");
    assert_eq!(slice.into_written(), TAKEN_BACK);

    #[cfg(feature = "bytes")]
    {
        let mut buffer = bytes::BytesMut::new();
        takes_back(&mut buffer);
        patches(&mut buffer);
        assert_eq!(buffer, TAKEN_BACK);

        let mut memory = [0; 8];
        let mut sink = gamewire::BufSink::new(&mut memory[..]);
        sink.append(*b"abc").unwrap();
        sink.rewind(1); // it only goes on
        assert_eq!(sink.position(), 3);
        assert_eq!(sink.reserve(7), Err(Full { missing: 2 }));
        assert_eq!(sink.into_inner().len(), 5);
    }
}

/// Calls out of order are rejected and change nothing.
#[test]
fn unexpected_calls() {
    type Step = fn(&mut Items<'_, &mut Vec<u8>>) -> Result<(), Error>;
    let kind = |error: Error| *error.kind();
    let steps: [(Step, ErrorKind, ErrorKind); 7] = [
        (|items| items.put(1), ErrorKind::TooManyItems, ErrorKind::OutOfTurn),
        (|items| items.entry(1, 2), ErrorKind::TooManyItems, ErrorKind::OutOfTurn),
        (|items| items.array(0)?.finish(), ErrorKind::TooManyItems, ErrorKind::OutOfTurn),
        (|items| items.dictionary(0)?.finish(), ErrorKind::TooManyItems, ErrorKind::OutOfTurn),
        (|items| items.object("A", 0)?.finish(), ErrorKind::TooManyItems, ErrorKind::OutOfTurn),
        (
            |items| items.put(&Variant::from(Array::from_iter([1]))),
            ErrorKind::TooManyItems,
            ErrorKind::OutOfTurn,
        ),
        (|items| items.put(Fields), ErrorKind::TooManyItems, ErrorKind::OutOfTurn),
    ];
    for (step, too_many, out_of_turn) in steps {
        let mut packet = Vec::new();
        let mut writer = Writer::new(&mut packet, Dialect::Godot4);
        let mut items = writer.array(1).unwrap();
        assert_eq!(items.property("a").map_err(kind), Err(ErrorKind::OutOfTurn));
        items.put(1).unwrap();
        assert_eq!(step(&mut items).map_err(kind), Err(too_many));
        items.finish().unwrap();
        let mut object = writer.object("Node", 1).unwrap();
        assert_eq!(step(&mut object).map_err(kind), Err(out_of_turn));
        object.property("a").unwrap();
        assert_eq!(object.property("b").map_err(kind), Err(ErrorKind::OutOfTurn));
        object.put(2).unwrap();
        assert_eq!(object.property("b").map_err(kind), Err(ErrorKind::OutOfTurn));
        assert_eq!(step(&mut object).map_err(kind), Err(too_many));
        object.finish().unwrap();
        assert_eq!(packet.len(), 16 + 32);
    }
}

#[test]
fn containers_that_get_too_few() {
    let mut packet = Vec::new();
    let mut writer = Writer::new(&mut packet, Dialect::Godot4);
    let missing = |finished: Result<(), Error>| finished.map_err(|error| *error.kind());
    assert_eq!(missing(writer.array(3).unwrap().finish()), Err(ErrorKind::MissingItems(3)));
    let mut pairs = writer.dictionary(2).unwrap();
    pairs.entry(1, 2).unwrap();
    assert_eq!(missing(pairs.finish()), Err(ErrorKind::MissingItems(2)));
    let mut object = writer.object("Node", 3).unwrap();
    object.property("a").unwrap();
    assert_eq!(missing(object.finish()), Err(ErrorKind::MissingItems(3)));
    let mut counted = writer.dictionary_counted().unwrap();
    counted.put("key").unwrap();
    assert_eq!(missing(counted.finish()), Err(ErrorKind::MissingItems(1)));
    let mut counted = writer.dictionary_counted().unwrap();
    counted.entry("a", 1).unwrap();
    counted.entry("b", 2).unwrap();
    counted.finish().unwrap();
    let mut expected = Vec::new();
    let mut again = Writer::new(&mut expected, Dialect::Godot4);
    let mut pairs = again.dictionary(2).unwrap();
    pairs.entry("a", 1).unwrap();
    pairs.entry("b", 2).unwrap();
    pairs.finish().unwrap();
    assert_eq!(packet, expected, "what got too few is gone");
}

#[cfg(feature = "bytes")]
#[test]
fn half_written_values_stay_incomplete() {
    let mut writer = Writer::new(gamewire::BufSink::new(Vec::new()), Dialect::Godot4);
    let half = |error: Error| (*error.kind(), error.offset());
    let expected = Err((ErrorKind::HalfWritten, 8));
    let mut outer = writer.array(2).unwrap();
    drop(outer.object("Node", 1).map_err(half)); // 16 bytes
    let expected_deeper = Err((ErrorKind::HalfWritten, 24));
    assert_eq!(outer.put(1).map_err(half), expected_deeper);
    assert_eq!(outer.property("a").map_err(half), expected_deeper);
    assert_eq!(outer.array(0).map(drop).map_err(half), expected_deeper);
    assert_eq!(outer.finish().map_err(half), expected_deeper);
    assert_eq!(writer.put(1).map_err(half), expected_deeper);

    let mut writer = Writer::new(gamewire::BufSink::new(Vec::new()), Dialect::Godot4);
    drop(writer.array(2));
    assert_eq!(writer.put(1).map_err(half), expected);
    assert_eq!(writer.property("a").map_err(half), expected);
    assert_eq!(writer.sink().position(), 8);
}

/// What types a target can state, and what a container costs in depth.
#[test]
fn container_openings() {
    let kind = |error: Error| *error.kind();
    let typed = |target: Target, element: TypeRef<'_>| {
        let mut bytes = Vec::new();
        Writer::new(&mut bytes, target).typed_array(0, element)?.finish()?;
        Ok(bytes)
    };
    let (int, image) = (TypeRef::Builtin(Kind::Int), TypeRef::Builtin(Kind::Image));
    let cannot = |unrepresentable| Err(ErrorKind::Unrepresentable(Kind::Array, unrepresentable));
    let latest = Target::from(Dialect::Godot4);
    assert_eq!(typed(latest, TypeRef::Untyped), Ok(vec![28, 0, 0, 0, 0, 0, 0, 0]));
    assert_eq!(typed(latest, int), Ok(vec![28, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0]));
    assert_eq!(typed(Target::GODOT4_3, int), typed(latest, int));
    assert_eq!(typed(latest, image).map_err(kind), cannot(Unrepresentable::ElementType));
    for target in [Target::GODOT4_0, Dialect::Godot3.into(), Dialect::Docs.into()] {
        assert_eq!(typed(target, int).map_err(kind), cannot(Unrepresentable::TypedContainer));
        assert!(typed(target, TypeRef::Untyped).is_ok());
    }
    let class = typed(latest, TypeRef::Class("Node".into())).unwrap();
    assert_eq!(class, b"\x1c\0\x02\0\x04\0\0\0Node\0\0\0\0");
    let script = typed(latest, TypeRef::Script("a.gd".into())).unwrap();
    assert_eq!(script, b"\x1c\0\x03\0\x04\0\0\0a.gd\0\0\0\0");

    let pairs = |target: Target| {
        let mut bytes = Vec::new();
        Writer::new(&mut bytes, target).typed_dictionary(0, int, int)?.finish()?;
        Ok(bytes)
    };
    let cannot = Err(ErrorKind::Unrepresentable(Kind::Dictionary, Unrepresentable::TypedContainer));
    assert_eq!(pairs(latest), Ok(vec![27, 0, 5, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]));
    assert_eq!(pairs(Target::GODOT4_3).map_err(kind), cannot);
}

#[test]
fn fields_that_cannot_be_written_leave_nothing() {
    struct Bad<'v>(&'v Variant);

    impl ToFields for Bad<'_> {
        fn to_fields<F: PutFields>(&self, fields: &mut F) -> Result<(), F::Error> {
            fields.put("first", 1)?;
            // That an error is overlooked does not help.
            let _ = fields.put("value", self.0);
            fields.put("last", 2)
        }
    }

    let no_class = Variant::from(Array::from_iter([Variant::from(1), Object::default().into()]));
    let mut packet = b"before".to_vec();
    let mut writer = Writer::new(&mut packet, Dialect::Godot4);
    assert!(writer.put(Bad(&no_class)).is_err());
    assert_eq!(writer.sink().len(), 6);
    writer.put(Bad(&5.into())).unwrap();
    let read = Reader::new(&packet[6..], Dialect::Godot4).read_encoded().unwrap();
    assert_eq!(
        read.to_variant().unwrap().to_string(),
        "{\n\"first\": 1,\n\"last\": 2,\n\"value\": 5\n}"
    );
}
