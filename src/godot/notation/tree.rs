//! `Debug` of views: all values in the order of the packet, including dictionary pairs with equal
//! keys. `{:?}` prints one line. `{:#?}` prints one line per value, indented as a tree. Each line
//! begins with the value's offset in bytes from the start of the printed value.
//!
//! Printing allocates nothing, and its stack use does not depend on the depth of the value.

use super::leaf::{leaf as text, types};
use crate::godot::{
    ArrayRef, Container, Dialect, DictionaryRef, Encoded, Error, FullObject, Kind, Leaf, ObjectRef,
    Open, Property, Reader, Role, VariantRef, Visitor,
};
use core::fmt::{self, Write};

/// The maximum indentation, in levels. Deeper values are not indented further.
const MAX_INDENT: usize = 32;

/// Prints the value and its content with types: `Array [Int 5, String "x"]`. The alternate form,
/// `{:#?}`, prints a tree with one line per value. Each line begins with the offset of its value.
impl fmt::Debug for VariantRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Array(array) => array.fmt(f),
            Self::Dictionary(dictionary) => dictionary.fmt(f),
            Self::Object(ObjectRef::Full(object)) => object.fmt(f),
            _ => value(f, self, Dialect::Godot4),
        }
    }
}

/// Prints like a [`VariantRef`], but with the type names of the value's dialect.
impl fmt::Debug for Encoded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_compact() {
            return value(f, &self.decode(), self.dialect());
        }
        let columns = self.as_bytes().len().checked_ilog10().unwrap_or(0).saturating_add(1);
        let lines = f.alternate().then_some(columns as usize);
        let mut tree = Tree { f, lines, depth: 0, is_first: true, is_named: false };
        let shown = Reader::new(self.as_bytes(), self.dialect()).visit_dyn(&mut tree);
        match shown {
            Ok(()) => Ok(()),
            Err(TreeError::Output(error)) => Err(error),
            // This happens only for a value of more than 1024 levels, which the caller must have
            // read with a depth limit above the default.
            Err(TreeError::Malformed) => f.write_str(" …"),
        }
    }
}

/// Prints like a [`VariantRef`].
impl fmt::Debug for ArrayRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.encoded().fmt(f)
    }
}

/// Prints like a [`VariantRef`].
impl fmt::Debug for DictionaryRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.encoded().fmt(f)
    }
}

/// Prints like a [`VariantRef`].
impl fmt::Debug for ObjectRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        VariantRef::Object(*self).fmt(f)
    }
}

/// Prints like a [`VariantRef`].
impl fmt::Debug for FullObject<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.encoded().fmt(f)
    }
}

/// Prints a value without items in the text notation. The name of its type precedes the text,
/// unless the text begins with this name.
fn value(f: &mut fmt::Formatter<'_>, value: &VariantRef<'_>, dialect: Dialect) -> fmt::Result {
    let kind = value.kind();
    match value {
        VariantRef::Nil | VariantRef::Rid(None) => return write!(f, "{kind:?}"),
        VariantRef::Object(ObjectRef::Id(id)) if *id != 0 => return write!(f, "{kind:?} {id}"),
        VariantRef::Object(_)
        | VariantRef::Bool(_)
        | VariantRef::Int(_)
        | VariantRef::Float(_)
        | VariantRef::String(_)
        | VariantRef::StringName(_) => write!(f, "{kind:?} ")?,
        // The engine prints a signal as `Signal()`, without its name and its object.
        VariantRef::Signal(signal) => {
            return write!(f, "{kind:?}({:?}, {})", signal.name, signal.object);
        }
        _ => {}
    }
    text(f, value, dialect)
}

/// A visitor that prints each value.
struct Tree<'f, 'b> {
    f: &'f mut fmt::Formatter<'b>,
    /// The width of the column of offsets, or `None` to print all values on one line.
    lines: Option<usize>,
    depth: usize,
    /// `true` before the first item of a container.
    is_first: bool,
    /// `true` after a key or name was printed, so that its value belongs on the same line.
    is_named: bool,
}

impl Tree<'_, '_> {
    /// Prints the separator before a value or name. If a new line begins, prints the offset, the
    /// indentation and `label`.
    fn begin(&mut self, offset: u64, role: Role, label: &str) -> fmt::Result {
        if core::mem::replace(&mut self.is_named, false) {
            return Ok(());
        }
        let is_first = core::mem::replace(&mut self.is_first, false);
        match self.lines {
            Some(columns) => {
                let indent = self.depth.min(MAX_INDENT).saturating_mul(2);
                let line = if offset == 0 { "" } else { "\n" };
                write!(self.f, "{line}{offset:<columns$}  {:indent$}{label}", "")
            }
            None if role == Role::Value => self.f.write_str(": "),
            None if is_first => Ok(()),
            None => self.f.write_str(", "),
        }
    }

    /// Prints a key or name and a colon. Its value follows on the same line.
    fn name(
        &mut self,
        offset: u64,
        role: Role,
        name: impl FnOnce(&mut fmt::Formatter<'_>) -> fmt::Result,
    ) -> fmt::Result {
        self.begin(offset, role, "")?;
        name(self.f)?;
        self.is_named = true;
        self.f.write_str(": ")
    }

    fn heading(&mut self, open: &Open<'_>) -> fmt::Result {
        write!(self.f, "{:?}", open.container.kind())?;
        match open.container {
            Container::Array { element, .. } => types(self.f, element, None, open.dialect)?,
            Container::Dictionary { key, value, .. } => {
                types(self.f, key, Some(value), open.dialect)?;
            }
            Container::Object { class, .. } => write!(self.f, " {class}")?,
        }
        let len = open.container.len();
        match (self.lines, open.container.kind()) {
            (None, Kind::Array) => self.f.write_str(" ["),
            (None, _) => self.f.write_str(" {"),
            (Some(_), Kind::Array) => write!(self.f, " ({len} element{})", plural(len, "s")),
            (Some(_), Kind::Dictionary) => write!(self.f, " ({len} pair{})", plural(len, "s")),
            (Some(_), _) => write!(self.f, " ({len} propert{})", plural(len, "ies")),
        }
    }
}

fn plural(len: u32, ending: &'static str) -> &'static str {
    match (len, ending) {
        (1, "s") => "",
        (1, _) => "y",
        _ => ending,
    }
}

/// The reason why printing a tree stopped.
enum TreeError {
    Malformed,
    Output(fmt::Error),
}

impl From<Error> for TreeError {
    fn from(_: Error) -> Self {
        Self::Malformed
    }
}

impl From<fmt::Error> for TreeError {
    fn from(error: fmt::Error) -> Self {
        Self::Output(error)
    }
}

impl<'a> Visitor<'a> for Tree<'_, '_> {
    type Error = TreeError;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), TreeError> {
        let dialect = leaf.encoded.dialect();
        if leaf.role == Role::Key {
            let key = |f: &mut fmt::Formatter<'_>| text(f, &leaf.value, dialect);
            return Ok(self.name(leaf.offset, leaf.role, key)?);
        }
        self.begin(leaf.offset, leaf.role, label(leaf.role))?;
        Ok(value(self.f, &leaf.value, dialect)?)
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), TreeError> {
        self.begin(open.offset, open.role, label(open.role))?;
        self.heading(&open)?;
        self.is_first = true;
        self.depth = self.depth.saturating_add(1);
        Ok(())
    }

    fn property(&mut self, property: Property<'a>) -> Result<(), TreeError> {
        let name = |f: &mut fmt::Formatter<'_>| write!(f, "{:?}", property.name);
        Ok(self.name(property.offset, Role::Property, name)?)
    }

    fn close(&mut self, kind: Kind) -> Result<(), TreeError> {
        self.is_first = false;
        self.depth = self.depth.saturating_sub(1);
        match (self.lines, kind) {
            (Some(_), _) => Ok(()),
            (None, Kind::Array) => Ok(self.f.write_char(']')?),
            (None, _) => Ok(self.f.write_char('}')?),
        }
    }
}

/// Returns the label of a key or value that has its own line. If a key is a container, key and
/// value are printed on separate lines.
fn label(role: Role) -> &'static str {
    match role {
        Role::Key => "key: ",
        Role::Value => "value: ",
        Role::Element | Role::Property => "",
    }
}
