//! Prints values that contain other values.

use super::Style;
use super::leaf::{is_declared, leaf, raw, resource, types};
use super::{keywords, order};
use crate::godot::table::dialect::Rules;
use crate::godot::{ArrayRef, Dialect, DictionaryRef, Encoded, FullObject, ObjectRef, VariantRef};
use core::fmt::{self, Write};

/// The maximum number of levels that an engine prints. When it compares keys of dictionaries, it
/// also descends only this far.
pub(super) const MAX_LEVELS: u32 = 101;

/// A value that is displayed in the notation of a given dialect's engine.
///
/// ```
/// use gamewire::godot::{Dialect, Reader};
///
/// let packet = [10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3f];
/// let value = Reader::new(&packet, Dialect::Godot3).read()?;
/// assert_eq!(value.printed_as(Dialect::Godot3).to_string(), "Quat( 0, 0, 0, 1 )");
/// assert_eq!(value.printed_as(Dialect::Godot4).to_string(), "Quaternion(0, 0, 0, 1)");
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Printed<'a> {
    value: VariantRef<'a>,
    dialect: Dialect,
}

impl<'a> VariantRef<'a> {
    /// Returns a value whose `Display` prints this value as the engine of `dialect` writes it. The
    /// value may come from a different dialect.
    pub fn printed_as(self, dialect: Dialect) -> Printed<'a> {
        Printed { value: self, dialect }
    }
}

impl fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printer { out: f, rules: self.dialect.rules() }.value(&self.value, MAX_LEVELS)
    }
}

/// Prints the value as the engine of its dialect [writes](crate::godot::notation) it.
impl fmt::Display for Encoded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.decode().printed_as(self.dialect()).fmt(f)
    }
}

/// Prints a container as the engine of its dialect [writes](crate::godot::notation) it. A value of
/// any other kind does not store its dialect and is printed as in Godot 4. To print it as in a
/// different dialect, use [`printed_as`](VariantRef::printed_as).
impl fmt::Display for VariantRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.printed_as(dialect_of(self).unwrap_or(Dialect::Godot4)).fmt(f)
    }
}

/// Prints the array as the engine of its dialect [writes](crate::godot::notation) it.
impl fmt::Display for ArrayRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        VariantRef::Array(*self).fmt(f)
    }
}

/// Prints the dictionary as the engine of its dialect [writes](crate::godot::notation) it: sorted,
/// with each key once.
impl fmt::Display for DictionaryRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        VariantRef::Dictionary(*self).fmt(f)
    }
}

/// Prints the object as the engine of its dialect [writes](crate::godot::notation) it. A null
/// object and an object that is encoded as an id do not store their dialect and are printed as in
/// Godot 4.
impl fmt::Display for ObjectRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        VariantRef::Object(*self).fmt(f)
    }
}

/// Prints the object as the engine of its dialect [writes](crate::godot::notation) it.
impl fmt::Display for FullObject<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        VariantRef::Object(ObjectRef::Full(*self)).fmt(f)
    }
}

struct Printer<'o, W> {
    out: &'o mut W,
    rules: &'static Rules,
}

impl<W: Write> Printer<'_, W> {
    /// Prints a value, and the items of containers down to `levels` levels.
    fn value(&mut self, value: &VariantRef<'_>, levels: u32) -> fmt::Result {
        let below = levels.checked_sub(1);
        match (*value, below) {
            (VariantRef::Array(array), below) => self.array(array, below),
            (VariantRef::Dictionary(dictionary), below) => self.dictionary(dictionary, below),
            (VariantRef::Object(ObjectRef::Full(object)), Some(below)) => {
                self.object(object, below)
            }
            (VariantRef::Object(_), None) => self.out.write_str(keywords::NULL),
            _ => leaf(self.out, value, self.rules.dialect),
        }
    }

    fn array(&mut self, array: ArrayRef<'_>, below: Option<u32>) -> fmt::Result {
        let (element, dialect) = (array.element_type(), self.rules.dialect);
        let is_typed = is_declared(element);
        if is_typed {
            self.out.write_str("Array")?;
            types(self.out, element, None, dialect)?;
            self.out.write_char('(')?;
        }
        match below {
            Some(below) => self.elements(array, below)?,
            None => leaf(self.out, &VariantRef::Array(array), dialect)?,
        }
        if is_typed { self.out.write_char(')') } else { Ok(()) }
    }

    fn elements(&mut self, array: ArrayRef<'_>, levels: u32) -> fmt::Result {
        let pad = Style::of(self.rules.dialect).pad;
        write!(self.out, "[{pad}")?;
        for (index, element) in array.iter().enumerate() {
            self.out.write_str(if index == 0 { "" } else { ", " })?;
            self.value(&element, levels)?;
        }
        write!(self.out, "{pad}]")
    }

    fn dictionary(&mut self, dictionary: DictionaryRef<'_>, below: Option<u32>) -> fmt::Result {
        let (key, value) = (dictionary.key_type(), dictionary.value_type());
        let dialect = self.rules.dialect;
        let is_typed = is_declared(key) || is_declared(value);
        if is_typed {
            self.out.write_str("Dictionary")?;
            types(self.out, key, Some(value), dialect)?;
            self.out.write_char('(')?;
        }
        match below {
            Some(below) => self.pairs(dictionary, below)?,
            None => leaf(self.out, &VariantRef::Dictionary(dictionary), dialect)?,
        }
        if is_typed { self.out.write_char(')') } else { Ok(()) }
    }

    fn pairs(&mut self, dictionary: DictionaryRef<'_>, levels: u32) -> fmt::Result {
        if dictionary.is_empty() {
            return self.out.write_str(Style::of(self.rules.dialect).empty_dictionary);
        }
        self.out.write_char('{')?;
        for (index, (key, value)) in order::sorted(dictionary, self.rules).iter().enumerate() {
            self.out.write_str(if index == 0 { "\n" } else { ",\n" })?;
            self.value(key, levels)?;
            self.out.write_str(": ")?;
            self.value(value, levels)?;
        }
        self.out.write_str("\n}")
    }

    /// Prints an object with its properties in the order of the packet. An engine that has read the
    /// packet prints the same properties in the same order.
    fn object(&mut self, object: FullObject<'_>, levels: u32) -> fmt::Result {
        let dialect = self.rules.dialect;
        self.out.write_str("Object(")?;
        raw(self.out, object.class(), dialect)?;
        self.out.write_char(',')?;
        for (index, (name, value)) in object.properties().enumerate() {
            self.out.write_str(if index == 0 { "\"" } else { ",\"" })?;
            raw(self.out, name, dialect)?;
            self.out.write_str("\":")?;
            match value {
                // Since Godot 4.3, a packet has the path of a script in place of the script.
                VariantRef::String(path) if name == *keywords::SCRIPT => {
                    resource(self.out, path, dialect)?;
                }
                value => self.value(&value, levels)?,
            }
        }
        self.out.write_str(")\n")
    }
}

/// Returns the dialect of a container. Other values do not store their dialect.
fn dialect_of(value: &VariantRef<'_>) -> Option<Dialect> {
    match value {
        VariantRef::Array(array) => Some(array.dialect),
        VariantRef::Dictionary(dictionary) => Some(dictionary.dialect),
        VariantRef::Object(ObjectRef::Full(object)) => Some(object.dialect),
        _ => None,
    }
}
