use super::kind::PropertyKind;
use super::property_type::PropertyType;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt::{self, Write};
use core::hash::{Hash, Hasher};

/// The type of a new property: a name, and types or names as parameters.
///
/// From 5:1012 on, a tag contains the complete type; older tags contain only parts of it. `Display`
/// prints the type like [`PropertyType`].
///
/// A type can be built with any number of levels, and none of its methods is recursive. Properties
/// whose type has more levels than readers accept are refused when they are written.
///
/// ```
/// use gamewire::unreal::{PropertyKind, PropertyTypeBuf};
///
/// let item = PropertyTypeBuf::structure("Item", "/Script/Game");
/// let items = PropertyTypeBuf::map(PropertyTypeBuf::of(PropertyKind::Name), item);
/// assert_eq!(items.to_string(), "MapProperty(NameProperty,StructProperty(Item(/Script/Game)))");
/// ```
pub struct PropertyTypeBuf {
    name: Cow<'static, str>,
    parameters: Vec<PropertyTypeBuf>,
}

impl PropertyTypeBuf {
    /// Creates a type without parameters. `name` is the name of a kind of property. If the new type
    /// is a parameter of a different type, `name` can also be the name of a struct, an enum or a
    /// package.
    pub fn new(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), parameters: Vec::new() }
    }

    /// Creates the type of this kind of property, without parameters.
    pub fn of(kind: PropertyKind) -> Self {
        Self::new(kind.name())
    }

    /// Adds a parameter.
    #[must_use]
    pub fn with(mut self, parameter: Self) -> Self {
        self.parameters.push(parameter);
        self
    }

    /// Creates the type of a struct in a package.
    pub fn structure(
        name: impl Into<Cow<'static, str>>,
        package: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::of(PropertyKind::Struct).with(Self::new(name).with(Self::new(package)))
    }

    /// Creates the type of an enum in a package, with its underlying integer type.
    pub fn enumeration(
        name: impl Into<Cow<'static, str>>,
        package: impl Into<Cow<'static, str>>,
        underlying: PropertyKind,
    ) -> Self {
        let name = Self::new(name).with(Self::new(package));
        Self::of(PropertyKind::Enum).with(name).with(Self::of(underlying))
    }

    /// Creates an array type.
    pub fn array(of: Self) -> Self {
        Self::of(PropertyKind::Array).with(of)
    }

    /// Creates a set type.
    pub fn set(of: Self) -> Self {
        Self::of(PropertyKind::Set).with(of)
    }

    /// Creates an optional type.
    pub fn optional(of: Self) -> Self {
        Self::of(PropertyKind::Optional).with(of)
    }

    /// Creates a map type.
    pub fn map(key: Self, value: Self) -> Self {
        Self::of(PropertyKind::Map).with(key).with(value)
    }

    /// Returns the parameters.
    pub fn parameters(&self) -> &[Self] {
        &self.parameters
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the type and all types nested in it, in pre-order, with their levels.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = (&Self, usize)> {
        let mut rest = alloc::vec![(self, 0usize)];
        core::iter::from_fn(move || {
            let (next, level) = rest.pop()?;
            let inner = level.saturating_add(1);
            rest.extend(next.parameters.iter().rev().map(|parameter| (parameter, inner)));
            Some((next, level))
        })
    }

    /// Returns the name and the number of parameters of each type in pre-order. Together they
    /// identify the whole type.
    fn shape(&self) -> impl Iterator<Item = (&str, usize)> {
        self.nodes().map(|(node, _)| (node.name(), node.parameters.len()))
    }

    pub(crate) fn name_cow(&self) -> Cow<'static, str> {
        self.name.clone()
    }
}

/// Converts a type, or the part of the type that the tag states. The recursion is limited, because
/// the nesting depth of the type was checked when the tag was read.
impl From<PropertyType<'_>> for PropertyTypeBuf {
    fn from(of: PropertyType<'_>) -> Self {
        let name = alloc::string::ToString::to_string(&of.kind_name());
        let mut parameters: Vec<_> = of.parameters().map(Self::from).collect();
        if let (true, Some(name)) = (parameters.is_empty(), of.name()) {
            parameters.push(Self::new(alloc::string::ToString::to_string(&name)));
        }
        Self { name: name.into(), parameters }
    }
}

impl Drop for PropertyTypeBuf {
    fn drop(&mut self) {
        let mut rest = core::mem::take(&mut self.parameters);
        while let Some(mut next) = rest.pop() {
            rest.append(&mut next.parameters);
        }
    }
}

impl Clone for PropertyTypeBuf {
    fn clone(&self) -> Self {
        let nodes: Vec<_> = self.nodes().collect();
        // Copies the nodes from last to first. When a node is reached, its parameters are therefore
        // the last items of `copied`, in reverse order.
        let mut copied = Vec::new();
        for (node, _) in nodes.into_iter().rev() {
            let parameters = node.parameters.iter().filter_map(|_| copied.pop()).collect();
            copied.push(Self { name: node.name_cow(), parameters });
        }
        copied.pop().unwrap_or_else(|| Self::new(""))
    }
}

impl PartialEq for PropertyTypeBuf {
    fn eq(&self, other: &Self) -> bool {
        self.shape().eq(other.shape())
    }
}

impl Eq for PropertyTypeBuf {}

impl Hash for PropertyTypeBuf {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.shape().for_each(|node| node.hash(state));
    }
}

impl fmt::Display for PropertyTypeBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut open = 0_usize;
        for (node, level) in self.nodes() {
            if level > open {
                f.write_char('(')?;
            } else if level > 0 {
                close(f, open.saturating_sub(level))?;
                f.write_char(',')?;
            }
            f.write_str(node.name())?;
            open = level;
        }
        close(f, open)
    }
}

fn close(f: &mut fmt::Formatter<'_>, levels: usize) -> fmt::Result {
    (0..levels).try_for_each(|_| f.write_char(')'))
}

impl fmt::Debug for PropertyTypeBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PropertyTypeBuf({self})")
    }
}
