//! `gamewire json`: a save as one document, item by item as it is read.

mod fault;

use super::File;
use super::atom::{Atoms, Text, TypeName};
use super::room::Room;
use crate::ui::input::Stop;
use crate::ui::output::terminal_safe;
use fault::{Fault, Malformed};
use gamewire::rems::{
    Array, Error, FileForm, Item, Items, List, Object, Property, Tables, Type, Value,
};
use serde::Serialize;
use serde_json::json;
use serde_json::ser::{Formatter, PrettyFormatter};
use std::io::{self, Write};

/// Prints a save, or what can be read of it; whether that is all.
pub fn print<W: Write>(name: &str, file: &File, out: &mut W) -> Result<bool, Stop> {
    let mut printer = Printer::new(terminal_safe(out), PrettyFormatter::new());
    let end = printer.document(file).map_err(Stop::Output)?;
    let malformed = printer.malformed;
    out.write_all(b"\n").and_then(|()| out.flush()).map_err(Stop::Output)?;
    malformed.tell(name, file);
    match end {
        Some(error) => Err(Stop::input(file.refusal(error))),
        None => Ok(malformed.is_empty()),
    }
}

/// Prints items as they come.
pub struct Printer<W, F> {
    out: W,
    format: F,
    open: Vec<Open>,
    room: Room,
    /// What was wrong with single values.
    pub malformed: Malformed,
}

/// What is open around the next item.
enum Open {
    /// The list of all objects, which is empty so far or not.
    Roots {
        is_first: bool,
    },
    Object {
        is_first: bool,
    },
    Property,
    List {
        left: u32,
        missing: Missing,
        is_first: bool,
    },
}

/// What stands for an element of which nothing is written.
#[derive(Clone, Copy)]
enum Missing {
    Null,
    Text,
    List,
}

impl Missing {
    fn of(list: &List<'_>) -> Self {
        match (list.ty, list.ty.dim()) {
            (_, 2..) => Self::List,
            (Type::Kind(..), _) => Self::Text,
            _ => Self::Null,
        }
    }

    fn json(self) -> &'static [u8] {
        match self {
            Self::Null => b"null",
            Self::Text => b"\"\"",
            Self::List => b"[]",
        }
    }
}

impl<W: Write, F: Formatter> Printer<W, F> {
    pub fn new(out: W, format: F) -> Self {
        let (room, malformed) = (Room::default(), Malformed::default());
        Self { out, format, open: Vec::new(), room, malformed }
    }

    /// All of a file, and why that is not all.
    pub fn document(&mut self, file: &File) -> io::Result<Option<Error>> {
        let mut tables = Tables::new();
        self.format.begin_object(&mut self.out)?;
        self.entry("kind", &"rems", true)?;
        self.entry("form", &file.form_name(), false)?;
        if file.form != FileForm::Text {
            self.entry("era", &file.written.to_string(), false)?;
        }
        self.key("objects", false)?;
        self.format.begin_array(&mut self.out)?;
        self.open.push(Open::Roots { is_first: true });
        let mut items = file.read(&mut tables);
        let mut end = file.content().err();
        while end.is_none() {
            match items.next() {
                Ok(Some(item)) => self.item(item)?,
                Ok(None) => break,
                Err(error) => end = Some(error),
            }
        }
        self.break_off()?;
        self.format.end_object_value(&mut self.out)?;
        if let Some(error) = end {
            self.entry("error", &Fault(error), false)?;
        }
        self.format.end_object(&mut self.out)?;
        Ok(end)
    }

    /// An item, after those before it.
    pub fn item(&mut self, item: Item<'_>) -> io::Result<()> {
        match item {
            Item::Object(object) => self.object(&object),
            Item::Property(property) => self.property(&property),
            Item::Value(value) => self.value(&value),
            Item::Pointer(pointer) => self.whole(&json!({ "pointer": pointer })),
            Item::Null => self.whole(&()),
            Item::List(list) => {
                self.before()?;
                self.format.begin_array(&mut self.out)?;
                let missing = Missing::of(&list);
                self.open.push(Open::List { left: list.len, missing, is_first: true });
                Ok(())
            }
            Item::End => {
                self.put_in()?;
                self.close()
            }
            _ => Ok(()),
        }
    }

    fn object(&mut self, object: &Object<'_>) -> io::Result<()> {
        self.before()?;
        self.format.begin_object(&mut self.out)?;
        self.entry("class", &Text(object.class), true)?;
        if let Some(pointer) = object.pointer {
            self.entry("pointer", &pointer, false)?;
        }
        self.entry("offset", &object.offset, false)?;
        self.key("properties", false)?;
        self.format.begin_array(&mut self.out)?;
        self.open.push(Open::Object { is_first: true });
        Ok(())
    }

    fn property(&mut self, property: &Property<'_>) -> io::Result<()> {
        self.before()?;
        self.format.begin_object(&mut self.out)?;
        self.entry("type", &TypeName(property.ty), true)?;
        self.entry("name", &Text(property.name), false)?;
        self.open.push(Open::Property);
        Ok(())
    }

    /// A value; of one that is malformed, what is well up to there, and why it ends.
    fn value(&mut self, value: &Value<'_>) -> io::Result<()> {
        let is_property = matches!(self.open.last(), Some(Open::Property));
        let read = match (value.dim(), Atoms::of(value)) {
            (0, Ok(atoms)) => return self.whole(&atoms),
            (0, Err(error)) if is_property => Err(error),
            (0, Err(error)) => {
                self.before()?;
                self.nothing(error)?
            }
            _ => {
                self.before()?;
                let read = self.array(value)?;
                if is_property {
                    self.format.end_object_value(&mut self.out)?;
                }
                read
            }
        };
        if let Err(error) = read {
            self.malformed.add(error);
            if is_property {
                self.entry("error", &Fault(error), false)?;
            }
        }
        self.close_property()
    }

    /// The elements of an array on one line, up to what is malformed.
    fn array(&mut self, value: &Value<'_>) -> io::Result<Result<(), Error>> {
        self.out.write_all(b"[")?;
        let read = match value.array() {
            Ok(array) => self.elements(&array)?,
            Err(error) => Err(error),
        };
        self.out.write_all(b"]")?;
        Ok(read)
    }

    fn elements(&mut self, array: &Array<'_>) -> io::Result<Result<(), Error>> {
        let mut is_written = true;
        for (index, element) in (0_u32..).zip(array.iter()) {
            if index > 0 {
                self.out.write_all(b",")?;
            }
            let read = match element {
                Ok(element) if is_written && element.is_initial() => {
                    let more = array.len().saturating_sub(index);
                    if self.room.take(more).is_err() {
                        serde_json::to_writer(&mut self.out, &json!({ "more": more }))?;
                        break;
                    }
                    is_written = false;
                    self.element(&element)?
                }
                Ok(element) => self.element(&element)?,
                Err(error) => self.nothing(error)?,
            };
            if read.is_err() {
                return Ok(read);
            }
        }
        Ok(Ok(()))
    }

    fn element(&mut self, element: &Value<'_>) -> io::Result<Result<(), Error>> {
        if element.dim() > 0 {
            return self.array(element);
        }
        match Atoms::of(element) {
            Ok(atoms) => Ok(Ok(serde_json::to_writer(&mut self.out, &atoms)?)),
            Err(error) => self.nothing(error),
        }
    }

    /// What stands for an element that is malformed: there is a comma before it.
    fn nothing(&mut self, error: Error) -> io::Result<Result<(), Error>> {
        self.out.write_all(b"null")?;
        Ok(Err(error))
    }

    /// What a list leaves out at its end.
    fn put_in(&mut self) -> io::Result<()> {
        let Some(Open::List { left: count @ 1.., missing, .. }) = self.open.last() else {
            return Ok(());
        };
        let (count, missing) = (*count, missing.json());
        if self.room.take(count).is_err() {
            self.before()?;
            serde_json::to_writer(&mut self.out, &json!({ "more": count }))?;
            return self.format.end_array_value(&mut self.out);
        }
        for _ in 0..count {
            self.before()?;
            self.out.write_all(missing)?;
            self.format.end_array_value(&mut self.out)?;
        }
        Ok(())
    }

    /// A piece of JSON that is all there is.
    pub fn whole(&mut self, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
        self.before()?;
        serde_json::to_writer(&mut self.out, value)?;
        self.after()
    }

    /// What stands before a value or property.
    fn before(&mut self) -> io::Result<()> {
        let is_first = match self.open.last_mut() {
            None => return Ok(()),
            Some(Open::Property) => return self.key("value", false),
            Some(Open::Roots { is_first } | Open::Object { is_first }) => is_first,
            Some(Open::List { left, is_first, .. }) => {
                *left = left.saturating_sub(1);
                is_first
            }
        };
        let is_first = std::mem::replace(is_first, false);
        self.format.begin_array_value(&mut self.out, is_first)
    }

    /// What stands behind a value, and behind the property that it is of.
    fn after(&mut self) -> io::Result<()> {
        match self.open.last() {
            None => Ok(()),
            Some(Open::Property) => {
                self.format.end_object_value(&mut self.out)?;
                self.close_property()
            }
            Some(_) => self.format.end_array_value(&mut self.out),
        }
    }

    /// The end of the property that is open, if one is; else of an element.
    fn close_property(&mut self) -> io::Result<()> {
        if let Some(Open::Property) = self.open.last() {
            self.open.pop();
            self.format.end_object(&mut self.out)?;
        }
        match self.open.last() {
            None => Ok(()),
            Some(_) => self.format.end_array_value(&mut self.out),
        }
    }

    /// The end of the innermost object or list.
    fn close(&mut self) -> io::Result<()> {
        let open = self.open.pop();
        self.format.end_array(&mut self.out)?;
        if let Some(Open::Object { .. }) = open {
            self.format.end_object_value(&mut self.out)?;
            self.format.end_object(&mut self.out)?;
        }
        self.after()
    }

    /// The ends of all that is open: of a document, up to the list of its objects.
    pub fn break_off(&mut self) -> io::Result<()> {
        if let Some(Open::Property) = self.open.last() {
            self.close_property()?;
        }
        while let Some(open) = self.open.last() {
            match open {
                Open::Roots { .. } => {
                    self.open.pop();
                    return self.format.end_array(&mut self.out);
                }
                _ => self.close()?,
            }
        }
        Ok(())
    }

    fn key(&mut self, name: &str, is_first: bool) -> io::Result<()> {
        self.format.begin_object_key(&mut self.out, is_first)?;
        serde_json::to_writer(&mut self.out, name)?;
        self.format.end_object_key(&mut self.out)?;
        self.format.begin_object_value(&mut self.out)
    }

    fn entry(&mut self, name: &str, value: &impl Serialize, is_first: bool) -> io::Result<()> {
        self.key(name, is_first)?;
        serde_json::to_writer(&mut self.out, value)?;
        self.format.end_object_value(&mut self.out)
    }
}
