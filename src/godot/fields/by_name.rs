//! Reads the fields of a Dictionary in any order, by looking up each field by its name. This is the
//! slow path, for dictionaries whose keys are not in the order of the fields.

use super::{Field, FieldError, FieldFault, Fields, FromFields};
use crate::godot::read::walk::TYPE_DEPTH;
use crate::godot::{ConversionError, DictionaryRef, ErrorKind, Kind, VariantRef};

/// Reads `T` from a checked value that starts at `offset`.
#[cold]
#[inline(never)]
pub(super) fn by_name<'a, T: FromFields<'a>>(
    value: VariantRef<'a>,
    offset: u64,
) -> Result<T, FieldError> {
    match value {
        VariantRef::Dictionary(dictionary) => {
            T::from_fields(&mut ByName::new(dictionary, offset, TYPE_DEPTH.saturating_sub(1)))
        }
        other => {
            let kind = ErrorKind::WrongType { expected: Kind::Dictionary, found: other.kind() };
            Err(FieldError::new(FieldFault::Packet(kind), offset))
        }
    }
}

/// Converts a checked value that is not in a Dictionary, such as an argument of a call. `name`
/// becomes the name of the field in errors.
pub(crate) fn from_argument<'a, T: Field<'a>>(
    value: VariantRef<'a>,
    name: &'static str,
    offset: u64,
) -> Result<T, FieldError> {
    T::by_name(Found { value, name, offset, levels_left: TYPE_DEPTH })
}

/// A checked Dictionary.
pub(super) struct ByName<'a> {
    dictionary: DictionaryRef<'a>,
    /// Offset of the dictionary.
    offset: u64,
    /// Number of further levels of nested structs that are allowed.
    levels_left: u32,
}

/// A value found in a Dictionary.
pub(super) struct Found<'a> {
    pub value: VariantRef<'a>,
    name: &'static str,
    /// Offset of the value.
    offset: u64,
    levels_left: u32,
}

impl<'a> ByName<'a> {
    pub(super) fn new(dictionary: DictionaryRef<'a>, offset: u64, levels_left: u32) -> Self {
        Self { dictionary, offset, levels_left }
    }

    /// Finds the value of the last pair with this key. If a key occurs several times, an engine
    /// keeps the last value.
    fn find(&self, name: &'static str) -> Option<Found<'a>> {
        let (mut pairs, mut found) = (self.dictionary.iter().encoded(), None);
        while let Some((key, value)) = pairs.next() {
            if key.decode().as_str().is_some_and(|text| text == name) {
                found = Some((value, pairs.pos()));
            }
        }
        let (value, end) = found?;
        let start = end.saturating_sub(value.as_bytes().len()) as u64;
        let offset = self.offset.saturating_add(start);
        Some(Found { value: value.decode(), name, offset, levels_left: self.levels_left })
    }
}

impl<'a> Fields<'a> for ByName<'a> {
    fn get<T: Field<'a>>(&mut self, name: &'static str) -> Result<T, FieldError> {
        match self.find(name) {
            Some(found) => T::by_name(found),
            None => T::missing().ok_or(FieldError::new(FieldFault::Missing { name }, self.offset)),
        }
    }
}

impl<'a> Found<'a> {
    /// Reads a Dictionary as a struct.
    pub(super) fn record<T: FromFields<'a>>(self) -> Result<T, FieldError> {
        let VariantRef::Dictionary(dictionary) = self.value else {
            let error = ConversionError::new("Dictionary", self.value.kind());
            return Err(self.fail(FieldFault::Type { name: self.name, error }));
        };
        match self.levels_left.checked_sub(1) {
            Some(levels_left) => {
                T::from_fields(&mut ByName::new(dictionary, self.offset, levels_left))
            }
            None => Err(self.fail(FieldFault::Packet(ErrorKind::TooDeep { limit: TYPE_DEPTH }))),
        }
    }

    /// Converts the value.
    pub(super) fn converted<T>(self) -> Result<T, FieldError>
    where
        T: TryFrom<VariantRef<'a>, Error = ConversionError>,
    {
        let name = self.name;
        T::try_from(self.value).map_err(|error| self.fail(FieldFault::Type { name, error }))
    }

    fn fail(&self, fault: FieldFault) -> FieldError {
        FieldError::new(fault, self.offset)
    }
}
