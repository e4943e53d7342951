//! Serializes saves as documents.

use crate::unreal::format::{
    AsDisplay, FieldEntries, Hex, InContext, Record, Result, SerializeContext,
};
use crate::unreal::properties::Same;
use crate::unreal::save::Save;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Serializes a map that contains the versions, the header, the custom versions, the class, the
/// properties and the trailer of a save.
impl Serialize for Save<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let context = SerializeContext { layout: self.layout(), names: None };
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("kind", "save")?;
        let mut entries = FieldEntries { map: &mut map, context };
        self.versions().each(context.layout, &mut entries)?;
        self.header().each(context.layout, &mut entries)?;
        map.serialize_entry("custom_versions", &InContext(self.custom_versions(), context))?;
        self.class().each(context.layout, &mut FieldEntries { map: &mut map, context })?;
        if let Some(bytes) = self.unusual_header() {
            map.serialize_entry("stored_header", &Hex(bytes))?;
        }
        let properties = self.properties();
        map.serialize_entry("properties_offset", &properties.offset())?;
        map.serialize_entry("properties", &properties)?;
        match self.trailer() {
            Ok((end, trailer)) => {
                if let Some(bytes) = properties.unusual_end() {
                    map.serialize_entry("stored_end", &Hex(bytes))?;
                }
                map.serialize_entry("properties_end", &end)?;
                map.serialize_entry("trailer", &Hex(trailer))?;
            }
            Err(error) => map.serialize_entry("properties_error", &AsDisplay(error))?,
        }
        map.end()
    }
}

impl<'a> Save<'a> {
    /// Returns the bytes before the properties, if a writer would choose different ones.
    fn unusual_header(&self) -> Option<&'a [u8]> {
        let mut same = Same::new(self.header_bytes());
        let written = self.write_header_in(&self.layout().normalizing(), &mut same);
        (written.is_err() || !same.is_end()).then_some(self.header_bytes())
    }
}
