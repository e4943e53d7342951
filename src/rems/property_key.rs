use super::StrRef;

/// Key of an object's class, in serde maps and plain JSON.
pub(super) const CLASS: &str = "class";
/// Key of an object's number, in serde maps and plain JSON.
pub(super) const NUMBER: &str = "*ptr";

/// Returns the key of a property where class and number of the object are keys as well: in serde
/// maps and in [plain JSON](super::json::print_plain).
///
/// This is the property's name, except that properties named `class` and `*ptr` have the keys
/// `:class` and `:*ptr`.
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
