use super::kind::PropertyKind;
use super::property_type::PropertyType;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt::{self, Write};

/// The type of a new property: a word, and the types or names in it.
///
/// It is that of files from 5:1012; a tag of an older one has what such tags have of it.
/// `Display` prints it as [`PropertyType`] does.
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
    /// A kind of property, or the name of a struct or enum, or of the package of one.
    pub fn new(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), parameters: Vec::new() }
    }

    /// A kind of property, with nothing in it.
    pub fn of(kind: PropertyKind) -> Self {
        Self::new(kind.name())
    }

    /// The same with something more in it.
    #[must_use]
    pub fn with(mut self, parameter: Self) -> Self {
        self.parameters.push(parameter);
        self
    }

    /// A struct, and the package that it is of.
    pub fn structure(
        name: impl Into<Cow<'static, str>>,
        package: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::of(PropertyKind::Struct).with(Self::new(name).with(Self::new(package)))
    }

    /// An enum, the package that it is of, and what its numbers are.
    pub fn enumeration(
        name: impl Into<Cow<'static, str>>,
        package: impl Into<Cow<'static, str>>,
        underlying: PropertyKind,
    ) -> Self {
        let name = Self::new(name).with(Self::new(package));
        Self::of(PropertyKind::Enum).with(name).with(Self::of(underlying))
    }

    /// An array of these.
    pub fn array(of: Self) -> Self {
        Self::of(PropertyKind::Array).with(of)
    }

    /// A set of these.
    pub fn set(of: Self) -> Self {
        Self::of(PropertyKind::Set).with(of)
    }

    /// One of these or none.
    pub fn optional(of: Self) -> Self {
        Self::of(PropertyKind::Optional).with(of)
    }

    /// A map.
    pub fn map(key: Self, value: Self) -> Self {
        Self::of(PropertyKind::Map).with(key).with(value)
    }

    /// What is in it.
    pub fn parameters(&self) -> &[Self] {
        &self.parameters
    }

    /// Its first word.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn name_cow(&self) -> Cow<'static, str> {
        self.name.clone()
    }
}

/// As far as the tag says; types are no deeper inside each other than those that were read.
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
