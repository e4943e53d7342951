//! Serializes localized texts as documents.

use super::on_demand::Sequence;
use crate::unreal::locres::{Locres, Namespace, Text};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Serializes a map that contains the version and the texts. Texts are serialized one by one, and
/// texts that cannot be read are left out.
impl Serialize for Locres<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("type", "locres")?;
        map.serialize_entry("version", &self.version())?;
        let namespaces = || self.namespaces().flatten().map(NamespaceDocument);
        map.serialize_entry("namespaces", &Sequence(namespaces))?;
        map.end()
    }
}

struct NamespaceDocument<'a, 'l>(Namespace<'a, 'l>);

impl Serialize for NamespaceDocument<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("namespace", &format_args!("{}", self.0.key.text))?;
        let texts = || self.0.texts().flatten().map(TextDocument);
        map.serialize_entry("texts", &Sequence(texts))?;
        map.end()
    }
}

struct TextDocument<'a>(Text<'a>);

impl Serialize for TextDocument<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("key", &format_args!("{}", self.0.key.text))?;
        map.serialize_entry("source_hash", &self.0.source_hash)?;
        map.serialize_entry("text", &format_args!("{}", self.0.text))?;
        map.end()
    }
}
