//! Reads binary streams: roots, strings, objects and their attributes.

use super::binary_types::{Id, Time};
use super::tree::{Object, Property};
use super::{DEPTH, Refused, Result};
use std::collections::HashMap;

/// The marker between two roots, and the marker after the last root.
const ANOTHER_ROOT: u8 = 17;
const NO_MORE_ROOTS: u8 = 37;

/// Reads the objects of a stream. Bytes after its end are ignored.
pub fn read_binary(bytes: &[u8], time: Time) -> Result<Vec<Object>> {
    let mut stream = Stream::new(bytes, time);
    stream.header()?;
    let mut roots = Vec::new();
    let mut mark = stream.byte()?;
    if mark == NO_MORE_ROOTS {
        return Ok(roots);
    }
    loop {
        if Id::of(mark, time) != Some(Id::Object) {
            return stream.refuse("no root");
        }
        roots.push(stream.object()?);
        match stream.byte()? {
            ANOTHER_ROOT => mark = stream.byte()?,
            NO_MORE_ROOTS => return Ok(roots),
            _ => return stream.refuse("neither another root nor the end"),
        }
    }
}

pub struct Stream<'a> {
    bytes: &'a [u8],
    at: usize,
    pub time: Time,
    /// All strings read so far.
    strings: Vec<Vec<u8>>,
    /// The names and types of the attributes read so far, for each class.
    classes: HashMap<Vec<u8>, Vec<(Vec<u8>, Id)>>,
    depth: usize,
}

impl<'a> Stream<'a> {
    fn new(bytes: &'a [u8], time: Time) -> Self {
        let (strings, classes) = (Vec::new(), HashMap::new());
        Self { bytes, at: 0, time, strings, classes, depth: 0 }
    }

    pub fn refuse<T>(&self, why: &'static str) -> Result<T> {
        Err(Refused { at: self.at, why })
    }

    pub fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        match self.bytes[self.at..].get(..len) {
            Some(bytes) => {
                self.at += len;
                Ok(bytes)
            }
            None => self.refuse("the end"),
        }
    }

    pub fn byte(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    pub fn int(&mut self) -> Result<i32> {
        let bytes = self.take(4)?;
        Ok(bytes.iter().fold(0, |int, byte| int << 8 | i32::from(*byte)))
    }

    /// Reads a count, or the number of an object.
    pub fn whole(&mut self) -> Result<u32> {
        match u32::try_from(self.int()?) {
            Ok(number) => Ok(number),
            Err(_) => self.refuse("a negative count or number"),
        }
    }

    /// Reads the header, which has the form of a new attribute with the name "" and the type "list
    /// of roots".
    fn header(&mut self) -> Result<()> {
        let (new, name, id) = (self.int()?, self.string()?, self.byte()?);
        let id = Id::of(id, self.time);
        if (new, name.as_deref(), &id) != (-1, Some(b""), &Some(Id::Roots)) {
            return self.refuse("no header");
        }
        self.classes.insert(Vec::new(), vec![(Vec::new(), Id::Roots)]);
        Ok(())
    }

    /// Reads a string: an index into the table, a new string, or null, which is `None`.
    pub fn string(&mut self) -> Result<Option<Vec<u8>>> {
        match self.int()? {
            -1 => Ok(None),
            new @ ..-1 => {
                let string = self.take((-2 - i64::from(new)) as usize)?.to_vec();
                self.strings.push(string.clone());
                Ok(Some(string))
            }
            known => match self.strings.get(known as usize) {
                Some(string) => Ok(Some(string.clone())),
                None => self.refuse("no string so far"),
            },
        }
    }

    /// Reads the name of a class or of an attribute.
    pub fn name(&mut self) -> Result<Vec<u8>> {
        match self.string()? {
            Some(name) => Ok(name),
            None => self.refuse("a name that is null"),
        }
    }

    /// Calls `inside` one nesting level deeper.
    pub fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == DEPTH {
            return self.refuse("too deep");
        }
        self.depth += 1;
        let inside = inside(self);
        self.depth -= 1;
        inside
    }

    pub fn object(&mut self) -> Result<Object> {
        let class = self.name()?;
        let pointer = Some(self.whole()?.into());
        let properties = self.deeper(|stream| stream.attributes(&class))?;
        Ok(Object { class, pointer, properties })
    }

    /// Reads the attributes of an object. Their numbers refer to the attributes of the class
    /// `scope`, which may differ from the class of the object.
    pub fn attributes(&mut self, scope: &[u8]) -> Result<Vec<Property>> {
        let mut properties = Vec::new();
        loop {
            let (name, id) = match self.int()? {
                ..-1 => return Ok(properties),
                -1 => self.new_attribute(scope)?,
                known => match self.classes.get(scope).and_then(|all| all.get(known as usize)) {
                    Some(attribute) => attribute.clone(),
                    None => return self.refuse("no attribute so far"),
                },
            };
            let (ty, value) = self.value(&id, scope)?;
            properties.push(Property { ty, name, value });
        }
    }

    fn new_attribute(&mut self, scope: &[u8]) -> Result<(Vec<u8>, Id)> {
        let (name, id) = (self.name()?, self.byte()?);
        let Some(id) = Id::of(id, self.time) else {
            return self.refuse("no type");
        };
        let attributes = self.classes.entry(scope.to_vec()).or_default();
        attributes.push((name.clone(), id.clone()));
        Ok((name, id))
    }
}
