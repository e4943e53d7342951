//! Walks over properties. Each visitor corresponds to a use of the engine's `FArchive`, such as
//! collecting references.

use super::containers::Elements;
use super::list::Properties;
use super::native::{NativeFields, NativeValue};
use super::tag::Tag;
use super::value::{Delegate, PropertyValue, SoftReference};
use crate::unreal::format::{FileCursor, Result};
use crate::unreal::properties::types::{NameRef, ObjectRef};

/// A visitor of properties and their values, outermost first.
///
/// ```
/// use gamewire::unreal::{Package, PropertyValue, PropertyVisitor};
///
/// /// The longest text in a package.
/// #[derive(Default)]
/// struct Longest(usize);
///
/// impl<'p> PropertyVisitor<'p> for Longest {
///     fn value(&mut self, value: &PropertyValue<'p>) {
///         if let PropertyValue::Str(text) = value {
///             self.0 = self.0.max(text.units().count());
///         }
///     }
/// }
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let file = &std::fs::read("corpus/unreal/ue4.27-TestActorBP.uasset")?;
/// let (package, mut longest) = (Package::open(file)?, Longest::default());
/// for export in package.exports() {
///     if let Some(object) = package.properties(&export?)? {
///         object.iter().visit(&mut longest)?;
///     }
/// }
/// assert_eq!(longest.0, 83);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait PropertyVisitor<'p> {
    /// Visits a property before its value. Returns `true` to visit the value.
    fn enter(&mut self, _: &Tag<'p>) -> bool {
        true
    }

    /// Visits a value. A container is visited before its contents.
    fn value(&mut self, value: &PropertyValue<'p>);
}

impl<'p> Properties<'p> {
    /// Visits all properties and their contents, in file order. This is the fastest way to read all
    /// of them: a list is checked once and then read once, while iterators also look for the end of
    /// each list in an array. In little-endian files below 5:1011, values of common kinds also skip
    /// the general decoder.
    ///
    /// # Errors
    /// If a list of properties is malformed. Everything before the error has been visited.
    #[inline]
    pub fn visit<V: PropertyVisitor<'p>>(self, visitor: &mut V) -> Result<()> {
        self.visit_to_end(visitor).map(drop)
    }

    /// Visits all properties without the fast path for plain files, and returns the position after
    /// the list.
    pub(super) fn visit_any<V: PropertyVisitor<'p>>(
        mut self,
        visitor: &mut V,
    ) -> Result<FileCursor<'p>> {
        for tag in self.by_ref() {
            any(&tag?, visitor)?;
        }
        Ok(self.at)
    }
}

/// Visits a property and its contents.
#[inline(never)]
pub(super) fn any<'p, V: PropertyVisitor<'p>>(tag: &Tag<'p>, visitor: &mut V) -> Result<()> {
    match visitor.enter(tag) {
        true => inside(&tag.value(), visitor),
        false => Ok(()),
    }
}

/// Visits a value and its contents. The depth of the recursion is limited by
/// [`MAX_DEPTH`](super::list::MAX_DEPTH).
pub(super) fn inside<'p, V: PropertyVisitor<'p>>(
    value: &PropertyValue<'p>,
    visitor: &mut V,
) -> Result<()> {
    visitor.value(value);
    let all = |elements: Elements<'p>, visitor: &mut V| elements.visit(visitor);
    match *value {
        PropertyValue::Struct(properties) => properties.visit(visitor),
        PropertyValue::Native(of, fields) if of.has_lists => lists(fields, visitor),
        PropertyValue::Instanced(instanced) if instanced.size > 0 => {
            instanced.properties.visit(visitor)
        }
        PropertyValue::Array(elements) | PropertyValue::Optional(elements) => {
            all(elements, visitor)
        }
        PropertyValue::Set(set) => {
            all(set.removed(), visitor)?;
            all(set.values(), visitor)
        }
        PropertyValue::Map(map) => {
            all(map.removed(), visitor)?;
            for (key, value) in map.entries() {
                inside(&key, visitor)?;
                inside(&value, visitor)?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Visits the lists of properties in a struct with native serialization. The depth of the recursion
/// is the nesting depth of the groups and arrays in the table of structs.
fn lists<'p, V: PropertyVisitor<'p>>(fields: NativeFields<'p>, visitor: &mut V) -> Result<()> {
    each_leaf(fields, &mut |value| match value {
        NativeValue::Struct(properties) => properties.visit(visitor),
        _ => Ok(()),
    })
}

/// Calls `f` with the value of each field. For a group or an array, calls `f` with each value in it
/// instead.
fn each_leaf<'p, E>(
    mut fields: NativeFields<'p>,
    f: &mut dyn FnMut(NativeValue<'p>) -> Result<(), E>,
) -> Result<(), E> {
    fields.try_for_each(|(_, value)| leaf(value, f))
}

fn leaf<'p, E>(
    value: NativeValue<'p>,
    f: &mut dyn FnMut(NativeValue<'p>) -> Result<(), E>,
) -> Result<(), E> {
    match value {
        NativeValue::Group(fields) => each_leaf(fields, f),
        NativeValue::Array(mut elements) => elements.try_for_each(|value| leaf(value, f)),
        value => f(value),
    }
}

/// A reference in a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reference<'p> {
    /// An object.
    Object(ObjectRef<'p>),
    /// A soft reference to an object.
    Soft(SoftReference<'p>),
    /// A name.
    Name(NameRef<'p>),
}

/// A visitor that passes names and references to a function, like the reference collector of the
/// engine. It reports the names of properties and the names in values, but no names within an
/// `FText`. Soft references that are stored as strings are not reported.
#[derive(Clone, Copy, Debug)]
pub struct References<F>(pub F);

impl<'p, F: FnMut(Reference<'p>)> PropertyVisitor<'p> for References<F> {
    fn enter(&mut self, tag: &Tag<'p>) -> bool {
        // The names of properties without tags are not in the file.
        if tag.slot().is_none() {
            self.0(Reference::Name(tag.name_ref()));
        }
        true
    }

    fn value(&mut self, value: &PropertyValue<'p>) {
        let tell = &mut self.0;
        let mut delegate = |Delegate { object, function }| {
            tell(Reference::Object(object));
            tell(Reference::Name(function));
        };
        match *value {
            PropertyValue::Object(object) => tell(Reference::Object(object)),
            PropertyValue::Soft(soft) => tell(Reference::Soft(soft)),
            PropertyValue::Name(name) => tell(Reference::Name(name)),
            PropertyValue::Delegate(one) => delegate(one),
            PropertyValue::Delegates(all) => all.for_each(delegate),
            PropertyValue::Names(names) => names.map(Reference::Name).for_each(tell),
            PropertyValue::FieldPath(path) => {
                path.path.map(Reference::Name).for_each(&mut *tell);
                path.owner.map(Reference::Object).into_iter().for_each(tell);
            }
            PropertyValue::Instanced(instanced) => tell(Reference::Object(instanced.of)),
            PropertyValue::Native(_, fields) => {
                let told = each_leaf(fields, &mut |value| {
                    match value {
                        NativeValue::Name(name) => tell(Reference::Name(name)),
                        NativeValue::Object(object) => tell(Reference::Object(object)),
                        NativeValue::Soft(soft) => tell(Reference::Soft(soft)),
                        _ => {}
                    }
                    Ok::<_, core::convert::Infallible>(())
                });
                let Ok(()) = told;
            }
            _ => {}
        }
    }
}

/// A visitor that counts the contents of properties, like the archive with which the engine
/// measures memory usage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of properties, including those in structs.
    pub properties: u64,
    /// Size in bytes of the values of outermost properties.
    pub bytes: u64,
    /// Number of elements of arrays, optionals and sets, and of entries of maps. Includes removed
    /// elements and keys.
    pub elements: u64,
    /// Number of bytes in strings.
    pub text: u64,
    /// Number of opaque values.
    pub opaque: u64,
    /// Start and end of the last outermost value.
    from: u64,
    until: u64,
}

impl<'p> PropertyVisitor<'p> for Counts {
    fn enter(&mut self, tag: &Tag<'p>) -> bool {
        self.properties = self.properties.saturating_add(1);
        let size = tag.payload.remaining();
        let from = tag.payload.offset();
        let until = from.saturating_add(size);
        if from < self.from || until > self.until {
            (self.from, self.until) = (from, until);
            self.bytes = self.bytes.saturating_add(size);
        }
        true
    }

    fn value(&mut self, value: &PropertyValue<'p>) {
        let elements = match value {
            PropertyValue::Array(elements) | PropertyValue::Optional(elements) => elements.len(),
            PropertyValue::Set(set) => set.removed().len().saturating_add(set.values().len()),
            PropertyValue::Map(map) => map.removed().len().saturating_add(map.entries().len()),
            _ => 0,
        };
        self.elements = self.elements.saturating_add(elements as u64);
        let text = match value {
            PropertyValue::Str(text) => text.bytes().len(),
            PropertyValue::Utf8Str(text) => text.bytes().len(),
            _ => 0,
        };
        self.text = self.text.saturating_add(text as u64);
        let opaque = matches!(value, PropertyValue::Opaque(..));
        self.opaque = self.opaque.saturating_add(u64::from(opaque));
    }
}
