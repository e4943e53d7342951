use super::StrRef;

/// Key of the class of an object, in serde maps and plain JSON.
pub(super) const CLASS: &str = "class";
/// Key of the number of an object, in serde maps and plain JSON.
pub(super) const NUMBER: &str = "*ptr";

/// Returns the key of a property in serde maps and in [plain JSON](super::json::print_plain).
/// There, the keys `class` and `*ptr` belong to the class and the number of the object.
///
/// The key is the name of the property. Only properties that are themselves named `class` or `*ptr`
/// have the key `:class` or `:*ptr`.
///
/// ```
/// use gamewire::rems::property_key;
///
/// assert_eq!(property_key("class".into()), *":class");
/// assert_eq!(property_key("position".into()), *"position");
/// ```
pub fn property_key(name: StrRef<'_>) -> StrRef<'_> {
    if name == *CLASS {
        ":class".into()
    } else if name == *NUMBER {
        ":*ptr".into()
    } else {
        name
    }
}
