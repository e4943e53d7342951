//! Laws for visitors: they receive what `next` returns.

use gamewire::rems::{
    Array, BinaryReader, Error, Item, ItemSource, Kind, List, Object, Part, PartSlice, Property,
    Scalar, StrRef, TextReader, Type, Value, Visitor,
};
use std::fmt::Debug;

/// Maximum number of items after which a visit is started.
const STARTS: usize = 24;

/// A log with one line for each item, and one line for each number in a value or array.
#[derive(Default)]
pub(super) struct Log(Vec<String>);

impl Log {
    fn line(&mut self, what: &str, value: impl Debug) -> Result<(), Error> {
        self.0.push(format!("{what} {value:?}"));
        Ok(())
    }

    fn numbers<T: Debug>(&mut self, what: &str, kind: Kind, numbers: &[T]) -> Result<(), Error> {
        assert!(!numbers.is_empty() && numbers.len().is_multiple_of(kind.parts()));
        numbers.iter().try_for_each(|number| self.line(what, (kind, number)))
    }

    fn slice(&mut self, what: &str, kind: Kind, parts: PartSlice<'_>) -> Result<(), Error> {
        match parts {
            PartSlice::Bool(parts) => self.numbers(what, kind, parts),
            PartSlice::I8(parts) => self.numbers(what, kind, parts),
            PartSlice::Char(parts) => self.numbers(what, kind, parts),
            PartSlice::I16(parts) => self.numbers(what, kind, parts),
            PartSlice::I32(parts) => self.numbers(what, kind, parts),
            PartSlice::I64(parts) => self.numbers(what, kind, parts),
            PartSlice::F32(parts) => self.numbers(what, kind, parts),
            PartSlice::F64(parts) => self.numbers(what, kind, parts),
            other => panic!("{other:?}"),
        }
    }
}

impl<'a> Visitor<'a> for Log {
    type Error = Error;

    fn object(&mut self, object: &Object<'a>) -> Result<(), Error> {
        self.line("object", object)
    }

    fn property(&mut self, property: &Property<'a>) -> Result<(), Error> {
        self.line("property", property)
    }

    fn text(&mut self, kind: Kind, text: StrRef<'a>) -> Result<(), Error> {
        self.line("text", (kind, text, text.has_escapes(), text.raw().as_ptr()))
    }

    fn parts(&mut self, kind: Kind, parts: PartSlice<'_>) -> Result<(), Error> {
        self.slice("part", kind, parts)
    }

    fn elements(&mut self, kind: Kind, parts: PartSlice<'_>) -> Result<(), Error> {
        self.slice("element", kind, parts)
    }

    fn pointer(&mut self, number: u64) -> Result<(), Error> {
        self.line("pointer", number)
    }

    fn null(&mut self) -> Result<(), Error> {
        self.line("null", ())
    }

    fn list(&mut self, list: &List<'a>) -> Result<(), Error> {
        self.line("list", list)
    }

    fn end(&mut self) -> Result<(), Error> {
        self.line("end", ())
    }
}

/// A reader that can be visited.
pub(super) trait Visited<'a>: ItemSource<'a> {
    fn visit(&mut self, log: &mut Log) -> Result<(), Error>;
}

impl<'a, const DEPTH: usize> Visited<'a> for TextReader<'a, DEPTH> {
    fn visit(&mut self, log: &mut Log) -> Result<(), Error> {
        Self::visit(self, log)
    }
}

impl<'a, const DEPTH: usize> Visited<'a> for BinaryReader<'_, 'a, DEPTH> {
    fn visit(&mut self, log: &mut Log) -> Result<(), Error> {
        Self::visit(self, log)
    }
}

/// What `next` and the accessors of values return for a file.
pub(super) struct Expected {
    log: Log,
    /// Number of lines before each item.
    starts: Vec<usize>,
}

impl Expected {
    pub(super) fn of<'a>(reader: &mut impl ItemSource<'a>) -> Self {
        let mut expected = Self { log: Log::default(), starts: vec![0] };
        let log = &mut expected.log;
        let result = loop {
            match reader.next().and_then(|item| item.map(|item| log_item(&item, log)).transpose()) {
                Ok(Some(())) => expected.starts.push(log.0.len()),
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        log.line("result", result).unwrap();
        expected
    }

    /// Returns the numbers of items after which a visit can start.
    pub(super) fn starts(&self) -> std::ops::Range<usize> {
        0..self.starts.len().min(STARTS)
    }

    /// Asserts that a visit that starts after some items passes on the rest, up to the same error.
    pub(super) fn check<'a>(&self, reader: &mut impl Visited<'a>, start: usize) {
        for _ in 0..start {
            reader.next().unwrap();
        }
        let mut log = Log::default();
        let result = reader.visit(&mut log);
        log.line("result", result).unwrap();
        let expected = &self.log.0[self.starts[start]..];
        let differs =
            log.0.iter().zip(expected).position(|(visited, expected)| visited != expected);
        assert_eq!(differs.map(|at| (&log.0[at], &expected[at])), None, "after {start} items");
        assert_eq!(log.0.len(), expected.len());
        assert!(reader.next().unwrap().is_none());
    }
}

fn log_item(item: &Item<'_>, log: &mut Log) -> Result<(), Error> {
    match item {
        Item::Object(object) => log.object(object),
        Item::Property(property) => log.property(property),
        Item::Value(value) => log_value(*value, log),
        Item::Pointer(number) => log.pointer(*number),
        Item::Null => log.null(),
        Item::List(list) => log.list(list),
        Item::End => log.end(),
        other => panic!("{other:?}"),
    }
}

fn log_value(value: Value<'_>, log: &mut Log) -> Result<(), Error> {
    if value.dim() > 0 {
        return log_array(value.array()?, log);
    }
    match value.kind().scalar() {
        Scalar::Text => log.text(value.kind(), value.text()?),
        scalar => log_parts(scalar, "part", value, log),
    }
}

fn log_array(array: Array<'_>, log: &mut Log) -> Result<(), Error> {
    let ty = Type::Kind(array.kind(), array.dim() + 1);
    log.list(&List { ty, len: array.len() })?;
    for element in array.iter().written() {
        match array.dim() {
            0 => log_parts(array.kind().scalar(), "element", element?, log)?,
            _ => log_array(element?.array()?, log)?,
        }
    }
    log.end()
}

fn log_parts(scalar: Scalar, what: &str, value: Value<'_>, log: &mut Log) -> Result<(), Error> {
    fn log_as<T: Part + Debug>(what: &str, value: Value<'_>, log: &mut Log) -> Result<(), Error> {
        log.numbers(what, value.kind(), &value.parts::<T>()?)
    }
    match scalar {
        Scalar::Bool => log_as::<bool>(what, value, log),
        Scalar::I8 => log_as::<i8>(what, value, log),
        Scalar::Char => log_as::<u16>(what, value, log),
        Scalar::I16 => log_as::<i16>(what, value, log),
        Scalar::I32 => log_as::<i32>(what, value, log),
        Scalar::I64 => log_as::<i64>(what, value, log),
        Scalar::F32 => log_as::<f32>(what, value, log),
        Scalar::F64 => log_as::<f64>(what, value, log),
        Scalar::Text => panic!("text has no parts"),
    }
}
