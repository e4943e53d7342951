//! Decodes structs, either from their native serialization or as lists of properties.

use super::containers::Names;
use super::decode::{Decode, ValuePosition};
use super::inference::Reading;
use super::list::Properties;
use super::native::{NativeFields, NativeValue};
use super::value::{Instanced, OpaqueReason, PropertyValue};
use crate::unreal::format::{ErrorKind, FileCursor, ue4};
use crate::unreal::properties::types::{
    KnownName, NameCode, NativeForm, NativeStruct, ObjectRef, PropertyType, is_untagged,
};

/// The encoding of a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StructEncoding {
    Native(&'static NativeStruct),
    /// An unknown encoding.
    Unknown,
    /// Tagged properties. If `speculative` is `true`, the struct may have a different encoding, so
    /// the kinds of the properties are checked.
    Tagged {
        speculative: bool,
    },
}

impl<'p> Decode<'p> {
    /// Reads a struct, either with native serialization or as a list of properties.
    pub(super) fn structure(
        &self,
        from: &mut FileCursor<'p>,
        code: NameCode,
        of: Option<&PropertyType<'p>>,
        to: &mut PropertyValue<'p>,
    ) -> Result<(), OpaqueReason> {
        let form = match of {
            Some(of) => self.form_of(code, of),
            None => self.form(code),
        };
        match form {
            StructEncoding::Native(native) => return self.native(from, native, to),
            StructEncoding::Unknown => return Err(OpaqueReason::NativeStruct),
            StructEncoding::Tagged { speculative } => {
                *to = PropertyValue::Struct(self.tagged(from, of, speculative)?)
            }
        }
        Ok(())
    }

    fn tagged(
        &self,
        from: &mut FileCursor<'p>,
        of: Option<&PropertyType<'p>>,
        speculative: bool,
    ) -> Result<Properties<'p>, OpaqueReason> {
        if self.context.layout.unversioned_properties {
            return self.slots_to_end(from, of);
        }
        let depth_left = self.inside(from)?.depth_left;
        let list = Properties::walked(from, self.context, speculative, depth_left, self.scope)?;
        match self.reading() {
            // A few bytes of other data can look like an empty list, so a list that is read on
            // trial must have a property.
            Reading::OTHER if list.is_empty() => Err(from.error(ErrorKind::UnlikelyList).into()),
            _ => Ok(list),
        }
    }

    /// Skips a struct of this type.
    pub(crate) fn pass_struct(
        &self,
        from: &mut FileCursor<'p>,
        of: &PropertyType<'p>,
    ) -> Result<(), OpaqueReason> {
        match self.form_of(of.code, of) {
            StructEncoding::Tagged { speculative } => {
                self.tagged(from, Some(of), speculative).map(drop)
            }
            StructEncoding::Native(native) => self.pass_native(from, native),
            StructEncoding::Unknown => Err(OpaqueReason::NativeStruct),
        }
    }

    /// Skips a struct with native serialization.
    pub(super) fn pass_native(
        &self,
        from: &mut FileCursor<'p>,
        native: &'static NativeStruct,
    ) -> Result<(), OpaqueReason> {
        match native.form {
            NativeForm::Fields(fields) => Ok(NativeFields::read(from, fields, *self).map(drop)?),
            _ => self.native(from, native, &mut PropertyValue::Bool(false)),
        }
    }

    pub(super) fn native(
        &self,
        from: &mut FileCursor<'p>,
        native: &'static NativeStruct,
        to: &mut PropertyValue<'p>,
    ) -> Result<(), OpaqueReason> {
        let layout = &self.context.layout;
        *to = match native.form {
            NativeForm::Fields(fields) => {
                PropertyValue::Native(native, NativeFields::read(from, fields, *self)?)
            }
            NativeForm::Scalar(part) => {
                let mut value = NativeValue::Bool(false);
                self.part(from, part, &mut value)?;
                match value {
                    NativeValue::Int(value) => PropertyValue::Int(value),
                    NativeValue::UInt(value) => PropertyValue::UInt(value),
                    NativeValue::Guid(guid) => PropertyValue::Guid(guid),
                    _ => return Err(OpaqueReason::NativeStruct),
                }
            }
            NativeForm::SoftPath if !layout.has_ue4(ue4::ADDED_SOFT_OBJECT_PATH) => {
                PropertyValue::Str(from.read(layout)?)
            }
            NativeForm::SoftPath => PropertyValue::Soft(self.soft(from)?),
            NativeForm::Names => PropertyValue::Names(Names::read(from, self.context)?),
            NativeForm::Instanced => PropertyValue::Instanced(self.instanced(from)?),
        };
        Ok(())
    }

    /// Reads an `FInstancedStruct`. In editor packages without `FInstancedStructCustomVersion`, a
    /// magic number and a version can precede it.
    fn instanced(&self, from: &mut FileCursor<'p>) -> Result<Instanced<'p>, OpaqueReason> {
        const MARK: u32 = 0xABAB_ABAB;
        let layout = &self.context.layout;
        if layout.custom.instanced_struct < 0 && layout.editor_data {
            let mut after = *from;
            if after.read::<u32>(layout) == Ok(MARK) {
                after.read::<u8>(layout)?;
                *from = after;
            }
        }
        let of: ObjectRef<'p> = from.read(layout)?;
        let size = from.count(1, layout)?;
        let mut body = from.window(size.into())?;
        if size == 0 {
            return Ok(Instanced { of, size, properties: Properties::none(body, self.context) });
        }
        if layout.unversioned_properties {
            let properties = match self.context.imported_struct(of) {
                Some(structure) => Properties::slots(body, self.context, structure)?,
                None => Properties::without_schema(body, self.context),
            };
            let depth_left = self.inside(from)?.depth_left;
            return Ok(Instanced { of, size, properties: Properties { depth_left, ..properties } });
        }
        let properties = Properties::walked(
            &mut body,
            self.context,
            false,
            self.inside(from)?.depth_left,
            self.scope,
        )?;
        match u32::try_from(body.remaining()) {
            Ok(0) => Ok(Instanced { of, size, properties }),
            left => Err(OpaqueReason::LeftOver(left.unwrap_or(u32::MAX))),
        }
    }

    /// Returns the encoding of a struct of this type. In files without tags, only the name of a
    /// struct shows that its encoding is unknown.
    #[inline(always)]
    pub(super) fn form_of(&self, code: NameCode, of: &PropertyType<'p>) -> StructEncoding {
        let name = || of.in_mappings().and_then(|of| of.name());
        match self.form(code) {
            StructEncoding::Tagged { .. }
                if self.context.layout.unversioned_properties
                    && code == NameCode::OTHER
                    && name().is_some_and(|name| is_untagged(name.bytes())) =>
            {
                StructEncoding::Unknown
            }
            form => form,
        }
    }

    /// Returns the native serialization of a struct whose name has this code, if it is known.
    pub(super) fn native_struct(&self, code: NameCode) -> Option<&'static NativeStruct> {
        match self.form(code) {
            StructEncoding::Native(native) => Some(native),
            _ => None,
        }
    }

    /// Returns the encoding of a struct whose name has this code.
    pub(super) fn form(&self, code: NameCode) -> StructEncoding {
        let word = self.word(code);
        let usual = match (word, self.native) {
            (KnownName::Native(native), Some(true)) => StructEncoding::Native(native),
            (KnownName::Native(native), None) if native.is_in(&self.context.layout) => {
                StructEncoding::Native(native)
            }
            (_, Some(true)) if self.place == ValuePosition::Tag => StructEncoding::Unknown,
            // A struct without a known name could be anything, so its properties are checked.
            _ => StructEncoding::Tagged { speculative: code == NameCode::UNKNOWN },
        };
        match self.reading() {
            Reading::USUAL => usual,
            reading => self.tried(code, word, usual, reading).unwrap_or(usual),
        }
    }

    /// Returns the encoding of a struct in a reading other than the usual one, or `None` if that
    /// reading does not apply to the struct.
    #[cold]
    fn tried(
        &self,
        code: NameCode,
        word: KnownName,
        usual: StructEncoding,
        reading: Reading,
    ) -> Option<StructEncoding> {
        let list = StructEncoding::Tagged { speculative: true };
        match (reading, usual) {
            (Reading::OTHER, StructEncoding::Unknown) => Some(list),
            (Reading::OTHER, StructEncoding::Native(_)) if self.native.is_none() => Some(list),
            (Reading::OTHER, StructEncoding::Tagged { .. }) if self.native.is_none() => {
                word.known().map(StructEncoding::Native)
            }
            (Reading::SECOND, _) if self.native != Some(false) => {
                word.known()?.other.map(StructEncoding::Native)
            }
            (reading, StructEncoding::Tagged { .. })
                if code == NameCode::UNKNOWN && self.hinted().is_none() =>
            {
                reading.guess().map(StructEncoding::Native)
            }
            _ => None,
        }
    }

    /// Returns `true` if this reading applies to a struct whose name has this code, and gives it an
    /// encoding other than the usual one.
    pub(crate) fn offers(&self, code: NameCode, reading: Reading) -> bool {
        let usual = Self { readings: [Reading::USUAL; 2], ..*self };
        self.tried(code, self.word(code), usual.form(code), reading).is_some()
    }

    /// Returns how structs at this position are read.
    pub(crate) const fn reading(&self) -> Reading {
        let [keys, others] = self.readings;
        match self.place {
            ValuePosition::Key => keys,
            _ => others,
        }
    }

    /// Returns what the library knows about the name of a struct. If the file does not state the
    /// name, it is taken from a hint.
    fn word(&self, code: NameCode) -> KnownName {
        match code {
            NameCode::UNKNOWN => self.hinted().map_or(KnownName::Other, KnownName::named),
            code => code.word(),
        }
    }

    /// Returns the name from the caller's hint for a struct whose name is not in the file.
    pub(crate) fn hinted(&self) -> Option<&'p str> {
        match self.place {
            ValuePosition::Key => self.hint?.key,
            _ => self.hint?.value,
        }
    }

    /// Returns the name of a struct that the file does not name: a name that was guessed from the
    /// contents, or the one from a hint.
    #[cfg(feature = "serde")]
    pub(crate) fn struct_name(&self) -> Option<&'p str> {
        self.reading().name().or_else(|| self.hinted())
    }
}
