//! Serializes bytes as hexadecimal digits or base64.

use crate::unreal::format::{AsDisplay, Hex};
use crate::unreal::properties::BytesForm;
use data_encoding::BASE64;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Bytes that are serialized as an object with the member `hex` or `base64`.
pub(crate) struct BytesObject<'b>(pub &'b [u8], pub BytesForm);

impl Serialize for BytesObject<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(1))?;
        match self.1 {
            BytesForm::Base64 => {
                map.serialize_entry("base64", &AsDisplay(BASE64.encode_display(self.0)))?;
            }
            _ => map.serialize_entry("hex", &Hex(self.0))?,
        }
        map.end()
    }
}
