//! Laws of writing: runs a random program of write calls on every kind of sink. Finished values are
//! decoded again. A container that is dropped before its end leaves no bytes in a sink that can
//! rewind.

use super::meaning::Meaning;
use crate::support::godot::oracle::{self, Real, TypeOf, Value};
use crate::support::godot::values;
#[cfg(feature = "bytes")]
use gamewire::BufSink;
use gamewire::godot::{
    Color, Dialect, Error, ErrorKind, Items, Kind, NodePath, Reader, Rect2, StringName, Target,
    ToVariant, TypeRef, Vector2, Vector3, Wide, Writer,
};
use gamewire::{Sink, SliceSink};

/// Runs arbitrary bytes as a program. The first byte selects the target and the sinks, and the
/// second byte selects the size of a small sink.
pub fn godot_write(program: &[u8]) {
    let Some((&[first, room], steps)) = program.split_first_chunk() else { return };
    let steps = &steps[..steps.len().min(LONGEST)];
    let (target, sink) = target(first);
    let (packet, end) = run(Vec::new(), target, steps);
    read_back(&packet, target, &end);
    let mut memory = vec![0xAA; usize::from(room)];
    match sink {
        0 => {
            let mut memory = vec![0xAA; packet.len().max(1 << 10)];
            let (slice, same) = run(SliceSink::new(&mut memory), target, steps);
            assert!(same.full || slice.written() == packet, "the same bytes in a slice");
            read_back(slice.written(), target, &same);
        }
        1 => {
            let (slice, less) = run(SliceSink::new(&mut memory), target, steps);
            read_back(slice.written(), target, &less);
        }
        #[cfg(feature = "bytes")]
        2 => {
            let (buffer, same) = run(bytes::BytesMut::new(), target, steps);
            assert!(buffer == packet && same.values == end.values, "the same bytes in BytesMut");
        }
        #[cfg(feature = "bytes")]
        3 => {
            let (sink, appended) = run(BufSink::new(Vec::new()), target, steps);
            if !end.patched && !end.dropped {
                assert!(sink.into_inner() == packet, "the same bytes in a BufMut");
            } else if !appended.broken {
                read_back(&sink.into_inner(), target, &appended);
            }
        }
        #[cfg(feature = "bytes")]
        4 => {
            let (sink, less) = run(BufSink::new(&mut memory[..]), target, steps);
            let used = sink.position();
            if !less.broken {
                read_back(&memory[..used], target, &less);
            }
        }
        _ => {}
    }
}

/// The maximum length of a program. Longer programs take more time without finding more bugs.
const LONGEST: usize = 250;

fn target(byte: u8) -> (Target, usize) {
    let targets = Dialect::ALL.len() + 2;
    let target = match usize::from(byte) % targets {
        0 => Target::GODOT4_0,
        1 => Target::GODOT4_3,
        other => Dialect::ALL[other - 2].into(),
    };
    (target, usize::from(byte) / targets % 5)
}

/// The values that a program wrote, and the failures that occurred.
#[derive(Default)]
struct End {
    values: Vec<Value>,
    /// `true` if a container was dropped before its end.
    dropped: bool,
    /// `true` if a container was dropped on a sink that cannot rewind. All later writes fail.
    broken: bool,
    /// `true` if the count of a container was determined while the container was written.
    patched: bool,
    full: bool,
}

fn read_back(packet: &[u8], target: Target, end: &End) {
    let dialect = target.dialect();
    let meaning = Meaning::written_in(dialect);
    let mut at = 0;
    for value in &end.values {
        let (read, end) = values::value_of(&packet[at..], dialect).unwrap();
        assert_eq!(meaning.of(read), meaning.of(value.clone()), "{dialect}");
        at += end;
    }
    assert_eq!(at, packet.len(), "{dialect}: what was dropped is gone");
}

fn run<S: Play>(sink: S, target: Target, steps: &[u8]) -> (S, End) {
    let mut writer = Writer::new(sink, target);
    let mut player = Player { steps, end: End::default() };
    let mut values = Vec::new();
    while !player.steps.is_empty() {
        player.step(&mut writer, &mut Place { values: &mut values, names: None }, 0);
    }
    player.end.values = values;
    (writer.into_sink(), player.end)
}

type Opened<'w, S> = Result<Items<'w, S>, Error>;

/// A sink on which a program can run. Each function opens a container, and ignores `len` if the
/// sink can count the items.
trait Play: Sink + Sized {
    const COUNTS: bool;
    fn array_counted(writer: &mut Writer<Self>, len: usize) -> Opened<'_, Self>;
    fn dictionary_counted(writer: &mut Writer<Self>, len: usize) -> Opened<'_, Self>;
}

macro_rules! counting {
    ($($Sink:ty)*) => {$(
        impl Play for $Sink {
            const COUNTS: bool = true;

            fn array_counted(writer: &mut Writer<Self>, _: usize) -> Opened<'_, Self> {
                writer.array_counted()
            }

            fn dictionary_counted(writer: &mut Writer<Self>, _: usize) -> Opened<'_, Self> {
                writer.dictionary_counted()
            }
        }
    )*};
}
counting!(Vec<u8> SliceSink<'_>);
#[cfg(feature = "bytes")]
counting!(bytes::BytesMut);

/// On a sink whose written bytes cannot be changed, the count must be known in advance.
#[cfg(feature = "bytes")]
impl<B: bytes::BufMut> Play for BufSink<B> {
    const COUNTS: bool = false;

    fn array_counted(writer: &mut Writer<Self>, len: usize) -> Opened<'_, Self> {
        writer.array(len)
    }

    fn dictionary_counted(writer: &mut Writer<Self>, len: usize) -> Opened<'_, Self> {
        writer.dictionary(len)
    }
}

/// The container, or the top level, to which a step writes values.
struct Place<'p> {
    values: &'p mut Vec<Value>,
    /// The names of the properties, if the container is an object.
    names: Option<&'p mut Vec<Vec<u8>>>,
}

/// The value that a container becomes when it is finished.
enum Becomes {
    Array(Option<TypeOf>),
    Dictionary(Option<TypeOf>, Option<TypeOf>),
    Object(Vec<u8>),
}

impl Becomes {
    fn value(self, items: Vec<Value>, names: Vec<Vec<u8>>) -> Value {
        match self {
            Self::Array(element) => Value::Array { shared: false, element, items },
            Self::Dictionary(key, value) => {
                let (keys, values): (Vec<_>, Vec<_>) =
                    items.into_iter().enumerate().partition(|(index, _)| index % 2 == 0);
                let [keys, values] = [keys, values].map(|items| items.into_iter().map(|it| it.1));
                Value::Dictionary { shared: false, key, value, pairs: keys.zip(values).collect() }
            }
            Self::Object(class) => {
                assert_eq!(names.len(), items.len());
                Value::Object { class, properties: names.into_iter().zip(items).collect() }
            }
        }
    }
}

/// The maximum depth of the containers in a program.
const DEEP: usize = 40;

struct Player<'a> {
    /// The rest of the program. After its end, all reads return zeros.
    steps: &'a [u8],
    end: End,
}

impl<'a> Player<'a> {
    fn take(&mut self, n: usize) -> &'a [u8] {
        let (taken, rest) = self.steps.split_at(n.min(self.steps.len()));
        self.steps = rest;
        taken
    }

    fn byte(&mut self) -> u8 {
        self.take(1).first().copied().unwrap_or(0)
    }

    fn long(&mut self) -> i64 {
        let mut bytes = [0; 8];
        let taken = self.take(8);
        bytes[..taken.len()].copy_from_slice(taken);
        i64::from_le_bytes(bytes)
    }

    fn float(&mut self) -> f64 {
        f64::from_bits(self.long().cast_unsigned())
    }

    fn single(&mut self) -> f32 {
        f32::from(self.byte()) - 0.5
    }

    fn some(&mut self) -> usize {
        usize::from(self.byte() % 9)
    }

    fn text(&mut self) -> String {
        let len = self.some();
        String::from_utf8_lossy(self.take(len)).into_owned()
    }

    /// Returns text for a class name or a path, without characters that are invisible to a script.
    fn name(&mut self) -> String {
        let name = self.text().replace(['\0', '\u{FEFF}'], "_");
        if name.is_empty() { "Node".to_owned() } else { name }
    }

    /// Writes one value, which must be written completely or not at all.
    fn put<S: Play>(
        &mut self,
        writer: &mut Writer<S>,
        place: &mut Place<'_>,
        value: impl ToVariant,
        becomes: Value,
    ) {
        let before = writer.sink().position();
        let put = writer.put(value);
        self.judge(writer, before, put);
        if put.is_ok() {
            place.values.push(becomes);
        }
    }

    /// Checks the result of a call. A failed call must not change the output. After an incomplete
    /// container on a sink that cannot rewind, every further call must fail.
    fn judge<S: Play>(&mut self, writer: &Writer<S>, before: usize, done: Result<(), Error>) {
        let error = match done {
            Ok(()) => return assert!(!self.end.broken, "half-written, and goes on"),
            Err(error) => error,
        };
        assert_eq!(writer.sink().position(), before, "{error}");
        let kind = *error.kind();
        self.end.full |= matches!(kind, ErrorKind::BufferFull { .. });
        if self.end.broken {
            assert_eq!(kind, ErrorKind::HalfWritten);
        }
    }

    fn step<S: Play>(&mut self, writer: &mut Writer<S>, place: &mut Place<'_>, depth: usize) {
        match self.byte() % 32 {
            step @ 0..20 => self.leaf(step, writer, place),
            20 => writer.set_wide(self.byte() % 2 == 1),
            21 => {
                let before = writer.sink().position();
                let entry = writer.entry("key", 1_u8);
                // The key of the entry may fit into the sink although its value does not.
                if writer.sink().position() == before {
                    self.judge(writer, before, entry);
                } else {
                    place.values.push(Value::String(b"key".to_vec()));
                    self.end.full |= entry.is_err();
                }
                if entry.is_ok() {
                    place.values.push(Value::Int { value: 1, wide: false });
                }
            }
            22 | 23 => self.property(writer, place),
            24 => {
                let before = writer.sink().position();
                let opened = writer.array(usize::MAX).map(drop);
                assert!(opened.is_err());
                assert_eq!(writer.sink().position(), before);
            }
            step if depth < DEEP => self.container(step, writer, place, depth),
            _ => {}
        }
    }

    fn leaf<S: Play>(&mut self, step: u8, writer: &mut Writer<S>, place: &mut Place<'_>) {
        use oracle::Kind as K;
        let int = |value| Value::Int { value, wide: false };
        let float = |value: f64| Value::Float(Real::F64(value.to_bits()));
        let single = |value: f32| Real::F32(value.to_bits());
        match step {
            0 => self.put(writer, place, (), Value::Nil),
            1 => self.put(writer, place, true, Value::Bool(true)),
            2 => {
                let value = self.byte().cast_signed();
                self.put(writer, place, value, int(value.into()));
            }
            3 => {
                let value = self.long();
                self.put(writer, place, value, int(value));
            }
            4 => {
                let value = self.float();
                self.put(writer, place, value, float(value));
            }
            5 => {
                let text = self.text();
                self.put(writer, place, &*text, Value::String(text.clone().into()));
            }
            6 => {
                let text = self.text();
                self.put(writer, place, StringName(&text), Value::StringName(text.clone().into()));
            }
            7 => {
                let path = self.name();
                self.put(writer, place, NodePath(&path), Value::OldNodePath(path.clone().into()));
            }
            8 => {
                let bytes = self.some();
                let bytes = self.take(bytes);
                self.put(writer, place, bytes, Value::Bytes(bytes.to_vec()));
            }
            9 => {
                let ints = [i32::from(self.byte()), -1, i32::MIN];
                self.put(writer, place, &ints[..], Value::Int32s(ints.to_vec()));
            }
            10 => {
                let (x, y) = (self.single(), self.single());
                let value = Value::Reals(K::Vector2, vec![single(x), single(y)]);
                self.put(writer, place, Vector2 { x, y }, value);
            }
            11 => {
                let (x, y) = (self.float(), self.float());
                let parts = [x, y].map(|part| Real::F64(part.to_bits()));
                let value = Value::Reals(K::Vector2, parts.to_vec());
                self.put(writer, place, Vector2 { x, y }, value);
            }
            12 => {
                let [x, y] = [self.byte(), self.byte()].map(i32::from);
                let (position, size) = (Vector2 { x, y }, Vector2 { x: y, y: x });
                let value = Value::Ints(K::Rect2i, vec![x, y, y, x]);
                self.put(writer, place, Rect2 { position, size }, value);
            }
            13 => {
                let r = self.single();
                let value = Value::Reals(K::Color, [r, 1.0, 0.0, r].map(single).to_vec());
                self.put(writer, place, Color { r, g: 1.0, b: 0.0, a: r }, value);
            }
            14 => {
                let (x, n) = (self.single(), self.some());
                let elements = vec![Vector3 { x, y: 0.5, z: -x }; n];
                let value = vec![[x, 0.5, -x].map(single).to_vec(); n];
                let value = Value::RealArray(K::PackedVector3Array, value);
                self.put(writer, place, &*elements, value);
            }
            15 => {
                let texts = [self.text(), self.text()];
                let value = texts.iter().map(|text| text.clone().into_bytes()).collect();
                let texts = [&*texts[0], &*texts[1]];
                self.put(writer, place, &texts[..], Value::Strings(value));
            }
            16 => {
                let value = self.long() >> (self.byte() % 64);
                self.put(writer, place, Wide(value), int(value));
            }
            17 => {
                let value = self.float();
                self.put(writer, place, Wide(value), float(value));
            }
            _ => self.copy(step == 18, writer, place),
        }
    }

    /// Decodes a value from the bytes of the program, and writes it as a view or as encoded bytes.
    fn copy<S: Play>(&mut self, view: bool, writer: &mut Writer<S>, place: &mut Place<'_>) {
        let dialect = Dialect::ALL[usize::from(self.byte()) % Dialect::ALL.len()];
        let mut reader = Reader::new(self.steps, dialect);
        let Ok(encoded) = reader.read_encoded() else { return };
        let end = reader.range().end;
        let packet = self.take(end);
        let (value, _) = values::value_of(packet, dialect).unwrap();
        if view {
            self.put(writer, place, encoded.decode(), value);
        } else {
            self.put(writer, place, encoded, value);
        }
    }

    fn property<S: Play>(&mut self, writer: &mut Writer<S>, place: &mut Place<'_>) {
        let name = self.text();
        let before = writer.sink().position();
        let named = writer.property(&name);
        self.judge(writer, before, named);
        if named.is_ok() {
            let names = place.names.as_mut().expect("a name where no object is");
            names.push(name.into_bytes());
            assert_eq!(names.len(), place.values.len() + 1);
        }
    }

    fn container<S: Play>(
        &mut self,
        step: u8,
        writer: &mut Writer<S>,
        place: &mut Place<'_>,
        depth: usize,
    ) {
        let before = writer.sink().position();
        let len = self.some();
        self.end.patched |= step >= 30;
        let builtin = |kind: Kind| Some(TypeOf::Builtin(Dialect::Godot4.id(kind).unwrap().into()));
        let class = self.name();
        let (opened, becomes, items) = match step {
            25 | 26 => (writer.array(len), Becomes::Array(None), len),
            27 => (writer.dictionary(len), Becomes::Dictionary(None, None), 2 * len),
            28 => {
                let becomes = Becomes::Object(class.clone().into());
                (writer.object(&class, len), becomes, len)
            }
            29 => match len % 2 {
                0 => {
                    let opened = writer.typed_array(len, TypeRef::Class((&*class).into()));
                    let becomes = Becomes::Array(Some(TypeOf::Class(class.clone().into())));
                    (opened, becomes, len)
                }
                _ => {
                    let script = TypeRef::Script((&*class).into());
                    let key = TypeRef::Builtin(Kind::PackedVector4Array);
                    let value = Some(TypeOf::Script(class.clone().into()));
                    let becomes = Becomes::Dictionary(builtin(Kind::PackedVector4Array), value);
                    (writer.typed_dictionary(len, key, script), becomes, 2 * len)
                }
            },
            30 => (S::array_counted(writer, len), Becomes::Array(None), len),
            _ => (S::dictionary_counted(writer, len), Becomes::Dictionary(None, None), 2 * len),
        };
        let counted = S::COUNTS && step >= 30;
        let filled = opened.map(|open| {
            assert!(!self.end.broken, "half-written, and goes on");
            self.fill(open, becomes, (!counted).then_some(items), place, depth);
        });
        if filled.is_err() {
            self.judge(writer, before, filled);
        }
    }

    fn fill<S: Play>(
        &mut self,
        mut open: Items<'_, S>,
        becomes: Becomes,
        announced: Option<usize>,
        place: &mut Place<'_>,
        depth: usize,
    ) {
        let (mut values, mut names) = (Vec::new(), Vec::new());
        let is_object = matches!(becomes, Becomes::Object(_));
        let is_dictionary = matches!(becomes, Becomes::Dictionary(..));
        loop {
            let full = announced.is_some_and(|announced| values.len() >= announced);
            let next = self.steps.first().copied();
            match next {
                None => break,
                Some(0xFF) => {
                    self.byte();
                    return self.give_up(open);
                }
                Some(0xFE) => {
                    self.byte();
                    break;
                }
                Some(next) if full && next & 0xC0 != 0xC0 => break,
                Some(_) => {}
            }
            let names = if is_object { Some(&mut names) } else { None };
            self.step(&mut open, &mut Place { values: &mut values, names }, depth + 1);
        }
        let complete = match announced {
            Some(announced) => values.len() == announced,
            None => !is_dictionary || values.len() % 2 == 0,
        };
        match open.finish() {
            Ok(()) => {
                assert!(complete && !self.end.broken, "{:?} announced", announced);
                place.values.push(becomes.value(values, names));
            }
            Err(error) => {
                let broken = *error.kind() == ErrorKind::HalfWritten;
                assert_eq!(broken, self.end.broken, "{error}");
                assert!(broken || !complete, "{error}");
                self.gave_up::<S>();
            }
        }
    }

    fn give_up<S: Play>(&mut self, open: Items<'_, S>) {
        drop(open);
        self.gave_up::<S>();
    }

    fn gave_up<S: Play>(&mut self) {
        self.end.dropped = true;
        self.end.broken |= !S::REWINDS;
    }
}
