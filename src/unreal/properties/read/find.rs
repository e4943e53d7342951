//! Lookup of properties by name and of map entries by key.

use super::containers::{Entries, Map};
use super::list::Properties;
use super::tag::Tag;
use super::value::PropertyValue;
use crate::unreal::format::{display_eq, display_eq_ignore_case};
use crate::unreal::properties::types::{NameRef, ObjectRef, PropertyType};

impl<'p> Properties<'p> {
    /// Returns the first property with this name. For a fixed-size array, returns its element 0.
    /// Properties before the requested one are skipped by their size. Returns `None` if there is no
    /// such property, or if reading an earlier property fails.
    ///
    /// ```
    /// use gamewire::unreal::{PropertyValue, Save};
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal/gvas-ue4.27-Slot1.sav")?;
    /// let save = Save::open(file)?;
    /// let found = save.properties().get("u8_test").unwrap();
    /// assert!(matches!(found.value(), PropertyValue::UInt(129)));
    /// assert!(save.properties().get("u8_tset").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn get(&self, name: &str) -> Option<Tag<'p>> {
        self.get_at(name, 0)
    }

    /// Returns an element of a fixed-size array: the property with this name and index. An element
    /// that equals the one in the object's template is not stored.
    pub fn get_at(&self, name: &str, array_index: i32) -> Option<Tag<'p>> {
        let mut tags = self.map_while(Result::ok);
        tags.find(|tag| tag.name() == *name && tag.head().array_index == array_index)
    }
}

impl<'p> Map<'p> {
    /// Returns the value with this key; see [`Entries::get`].
    pub fn get(&self, key: &str) -> Option<PropertyValue<'p>> {
        self.entries().get(key)
    }
}

impl<'p> Entries<'p> {
    /// Returns the value of the first entry whose key, when printed, equals `key`. Keys can be
    /// names, strings, bools, numbers, GUIDs and references to objects. In a package, a reference
    /// is printed as its index. ASCII case is ignored, as in engines, except for bools and numbers.
    /// Keys of other types never match.
    ///
    /// ```
    /// use gamewire::unreal::{Package, PropertyValue};
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal/ue5.6-SimpleRefsRoot.uasset")?;
    /// let package = Package::open(file)?;
    /// let class = package.export(package.find_export("SimpleRefsRoot_C").unwrap())?;
    /// let guids = package.properties(&class)?.unwrap().iter().get("PropertyGuids").unwrap();
    /// let PropertyValue::Map(guids) = guids.value() else { panic!() };
    /// let Some(PropertyValue::Guid(guid)) = guids.get("VarSoft") else { panic!() };
    /// assert_eq!(guid.to_string(), "54F78B4041DB26D58DE6A187D5798B7E");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn get(&self, key: &str) -> Option<PropertyValue<'p>> {
        let of = self.key();
        let mut entries = *self;
        entries.find(|(found, _)| found.display_eq(&of, key)).map(|(_, value)| value)
    }
}

impl<'p> PropertyValue<'p> {
    /// Returns `true` if the value is a scalar that is printed as `text`. `of` resolves names.
    fn display_eq(&self, of: &PropertyType<'p>, text: &str) -> bool {
        match *self {
            Self::Bool(value) => display_eq(value, text),
            Self::Int(value) => display_eq(value, text),
            Self::UInt(value) => display_eq(value, text),
            Self::Float(value) => display_eq(format_args!("{value:?}"), text),
            Self::Double(value) => display_eq(format_args!("{value:?}"), text),
            Self::Name(name) => of.text(name).is_some_and(|name| name == *text),
            Self::Str(value) => display_eq_ignore_case(value, text),
            Self::Utf8Str(value) => display_eq_ignore_case(value, text),
            Self::Object(ObjectRef::Index(index)) => display_eq(index.0, text),
            Self::Object(ObjectRef::Path(path)) => display_eq_ignore_case(path, text),
            Self::Guid(guid) => display_eq_ignore_case(guid, text),
            _ => false,
        }
    }
}

impl<'p> PropertyType<'p> {
    /// Returns the text of a name in the same file.
    fn text(&self, name: NameRef<'p>) -> Option<crate::unreal::NameText<'p>> {
        self.context.text(name)
    }
}
