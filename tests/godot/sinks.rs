//! Writes to every kind of sink. All sinks get the same bytes. A value that does not fit is an
//! error, and no part of it is written.

use crate::support::corpus;
use gamewire::godot::{
    self, Array, Dialect, Error, ErrorKind, Items, Kind, Object, PutFields, Reader, StringName,
    Target, ToFields, TypeRef, Unrepresentable, Variant, Vector2, Vector3, Wide, Writer,
};
use gamewire::{Full, PatchSink, Sink, SliceSink};

/// A sink defined outside of the crate, which implements only the required methods.
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

/// A sequence of writes that runs on every kind of sink.
trait Program {
    fn run<S: Sink>(&self, out: &mut Writer<S>) -> Result<(), Error>;
}

struct Put<V>(V);

impl<V: godot::ToVariant + Copy> Program for Put<V> {
    fn run<S: Sink>(&self, out: &mut Writer<S>) -> Result<(), Error> {
        out.put(self.0)
    }
}

/// A program that writes nested containers.
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

/// A program that writes a struct whose fields are an int, a long text, a float, an array of texts
/// and a vector. One of the names is long.
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
fn assert_buffer_full(error: Error, capacity: usize, len: usize) {
    let ErrorKind::BufferFull { missing } = *error.kind() else { panic!("{error}") };
    assert!(missing > 0 && missing as usize <= len - capacity, "{error}: {len} into {capacity}");
    assert!(error.offset() as usize <= capacity, "{error}: {len} into {capacity}");
}

/// Asserts that every sink gets the same bytes. A sink that is too small must report an error and
/// contain no bytes.
#[track_caller]
fn whole_or_nothing(program: &impl Program, target: impl Into<Target>) {
    let target = target.into();
    let expected = into_vec(program, target);
    let mut own = Own::default();
    program.run(&mut Writer::new(&mut own, target)).unwrap();
    assert_eq!(own.0, expected);
    let mut memory = vec![0xAA; expected.len() + 1];
    for capacity in 0..=expected.len() {
        memory.fill(0xAA);
        let (written, error) = into_slice(program, target, &mut memory[..capacity]);
        if capacity == expected.len() {
            assert_eq!((written, error), (capacity, None));
            assert_eq!(memory[..capacity], expected);
        } else {
            assert_eq!(written, 0, "{} into {capacity}", expected.len());
            assert_buffer_full(error.unwrap(), capacity, expected.len());
        }
        assert_eq!(memory[capacity..].iter().find(|byte| **byte != 0xAA), None);
    }
    #[cfg(feature = "bytes")]
    append_only(program, target, &expected);
}

/// Checks sinks that cannot rewind. After an error, such a sink contains the start of the expected
/// bytes. If it contains any bytes, a container is incomplete, and every further write fails.
#[cfg(feature = "bytes")]
fn append_only(program: &impl Program, target: Target, expected: &[u8]) {
    use gamewire::BufSink;

    for capacity in 0..=expected.len() {
        let mut memory = vec![0; capacity];
        let mut writer = Writer::new(BufSink::new(&mut memory[..]), target);
        match program.run(&mut writer) {
            Ok(()) => assert_eq!(memory, expected),
            Err(error) => {
                let position = writer.sink().position();
                match *error.kind() {
                    ErrorKind::BufferFull { .. } => {
                        assert_buffer_full(error, capacity, expected.len())
                    }
                    // No error of a different kind may occur.
                    other => panic!("{other}"),
                }
                let again = writer.put(true).map_err(|error| *error.kind());
                let whole = position == 0 && capacity >= 8;
                match again {
                    Ok(()) => assert!(whole),
                    Err(ErrorKind::BufferFull { .. }) => assert!(position == 0 && capacity < 8),
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
fn nested_containers_are_written_to_every_sink() {
    whole_or_nothing(&Nested, Dialect::Godot4);
}

#[test]
fn leaves_and_fields_are_written_to_every_sink() {
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

/// Copies values of engine files, and encodes them again for the same dialect and for a different
/// one.
#[test]
fn engine_files_are_written_to_every_sink() {
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

fn append_and_rewind(sink: &mut impl Sink) {
    let start = sink.position();
    sink.append(*b"abcdef").unwrap();
    assert_eq!(sink.position(), start + 6);
    sink.rewind(start + 9); // A position after the end changes nothing.
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
    // A patch that does not fit inside the written bytes changes nothing.
    sink.patch(start + 5, *b"over");
    sink.patch(usize::MAX, *b"over");
}

const REWOUND: &[u8] = b"ab8 bytes.xy\0\0\0\0\0\0\0\0\0late";

#[test]
fn sinks_rewind_and_patch_written_bytes() {
    let mut vec = Vec::new();
    append_and_rewind(&mut vec);
    patches(&mut &mut vec);
    assert_eq!(vec, REWOUND);

    let mut own = Own::default();
    append_and_rewind(&mut &mut own);
    assert_eq!(own.0, REWOUND[..17]);

    let mut memory = [0xAA; 25];
    let mut slice = SliceSink::new(&mut memory);
    append_and_rewind(&mut slice);
    patches(&mut slice);
    assert_eq!(slice.written(), REWOUND);
    assert_eq!(slice.reserve(3), Err(Full { missing: 3 }));
    slice.put(b"too long");
    assert_eq!(slice.into_written(), REWOUND);

    #[cfg(feature = "bytes")]
    {
        let mut buffer = bytes::BytesMut::new();
        append_and_rewind(&mut buffer);
        patches(&mut buffer);
        assert_eq!(buffer, REWOUND);

        let mut memory = [0; 8];
        let mut sink = gamewire::BufSink::new(&mut memory[..]);
        sink.append(*b"abc").unwrap();
        sink.rewind(1); // This sink cannot rewind.
        assert_eq!(sink.position(), 3);
        assert_eq!(sink.reserve(7), Err(Full { missing: 2 }));
        assert_eq!(sink.into_inner().len(), 5);
    }
}

/// Calls in the wrong order are rejected and change nothing.
#[test]
fn calls_out_of_order_are_rejected() {
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
fn incomplete_containers_are_removed() {
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
    assert_eq!(packet, expected, "incomplete containers are removed");
}

#[cfg(feature = "bytes")]
#[test]
fn append_only_writer_rejects_calls_after_incomplete_container() {
    let mut writer = Writer::new(gamewire::BufSink::new(Vec::new()), Dialect::Godot4);
    let half = |error: Error| (*error.kind(), error.offset());
    let expected = Err((ErrorKind::HalfWritten, 8));
    let mut outer = writer.array(2).unwrap();
    drop(outer.object("Node", 1).map_err(half)); // its 16 bytes remain in the output
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

/// A typed container is written only for a target that supports its types.
#[test]
fn container_types_are_checked_against_the_target() {
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
fn unwritable_fields_leave_no_output() {
    struct Bad<'v>(&'v Variant);

    impl ToFields for Bad<'_> {
        fn to_fields<F: PutFields>(&self, fields: &mut F) -> Result<(), F::Error> {
            fields.put("first", 1)?;
            // The writer remembers the ignored error.
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
