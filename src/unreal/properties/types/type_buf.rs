use super::kind::PropertyKind;
use super::property_type::PropertyType;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt::{self, Write};

/// The type of a new property: a name, and types or names as parameters.
///
/// From 5:1012, a tag contains the complete type; older tags contain only parts of it. `Display`
/// prints it like [`PropertyType`].
///
/// ```
/// use gamewire::unreal::{PropertyKind, PropertyTypeBuf};
///
/// let item = PropertyTypeBuf::structure("Item", "/Script/Game");
/// let items = PropertyTypeBuf::map(PropertyTypeBuf::of(PropertyKind::Name), item);
/// assert_eq!(items.to_string(), "MapProperty(NameProperty,StructProperty(Item(/Script/Game)))");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PropertyTypeBuf {
    name: Cow<'static, str>,
    parameters: Vec<PropertyTypeBuf>,
}

impl PropertyTypeBuf {
    /// Creates a type without parameters. `name` is the name of a kind of property. In a parameter
    /// of another type, it can also be the name of a struct, an enum or a package.
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

    pub(crate) fn name_cow(&self) -> Cow<'static, str> {
        self.name.clone()
    }
}

/// Converts the parts of the type that its tag states. Reading the tag has limited their depth.
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

impl fmt::Display for PropertyTypeBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (index, of) in self.parameters.iter().enumerate() {
            f.write_char(if index == 0 { '(' } else { ',' })?;
            of.fmt(f)?;
        }
        if self.parameters.is_empty() { Ok(()) } else { f.write_char(')') }
    }
}
