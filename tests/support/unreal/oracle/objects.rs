//! Reads names, imports and exports.

use super::bytes::{Cursor, Out, Text};
use super::node::{Fields, Node};
use super::summary::Summary;
use super::versions::Versions;

pub fn name(from: &mut Cursor<'_>, versions: &Versions) -> Out<(Node, Text)> {
    let mut fields = Fields::default();
    let text = from.text()?;
    fields.put("text", text.clone().node());
    if versions.ue4 >= 504 {
        fields.put("hash", Node::number(from.u16()?));
        fields.put("hash_of_case", Node::number(from.u16()?));
    }
    Ok((fields.done(), text))
}

/// Returns `true` if imports include the name of their package. If the gap between imports and
/// exports holds a whole number of records, the size of these records decides; otherwise, the
/// version decides.
pub fn import_packages(summary: &Summary) -> bool {
    let versions = &summary.versions;
    let by_rule = versions.ue4 >= 520 && versions.editor;
    let gap = summary.place("export_offset") - summary.place("import_offset");
    let count = summary.place("import_count");
    if count <= 0 || gap <= 0 || gap % count != 0 {
        return by_rule;
    }
    let short = if versions.ue5 >= 1003 { 32 } else { 28 };
    match gap / count {
        size if size == short => false,
        size if size == short + 8 => true,
        _ => by_rule,
    }
}

pub fn import(from: &mut Cursor<'_>, versions: &Versions, packages: bool) -> Out<Node> {
    let mut fields = Fields::default();
    fields.put("class_package", from.name()?);
    fields.put("class_name", from.name()?);
    fields.put("outer", from.number()?);
    fields.put("object_name", from.name()?);
    if packages {
        fields.put("package_name", from.name()?);
    }
    if versions.ue5 >= 1003 {
        fields.put("optional", from.truth()?);
    }
    Ok(fields.done())
}

pub fn export(from: &mut Cursor<'_>, versions: &Versions) -> Out<Node> {
    let Versions { ue4, ue5, .. } = *versions;
    let mut fields = Fields::default();
    fields.put("class", from.number()?);
    fields.put("super_struct", from.number()?);
    if ue4 >= 508 {
        fields.put("template", from.number()?);
    }
    fields.put("outer", from.number()?);
    fields.put("object_name", from.name()?);
    fields.put("object_flags", from.unsigned()?);
    for part in ["serial_size", "serial_offset"] {
        fields.put(part, if ue4 >= 511 { from.wide_number()? } else { from.number()? });
    }
    for truth in ["forced_export", "not_for_client", "not_for_server"] {
        fields.put(truth, from.truth()?);
    }
    if ue5 < 1005 {
        fields.put("package_guid", from.id()?);
    }
    if ue5 >= 1006 {
        fields.put("inherited_instance", from.truth()?);
    }
    fields.put("package_flags", from.unsigned()?);
    if ue4 >= 365 {
        fields.put("not_always_loaded_for_editor_game", from.truth()?);
    }
    if ue4 >= 485 {
        fields.put("is_asset", from.truth()?);
    }
    if ue5 >= 1003 {
        fields.put("generate_public_hash", from.truth()?);
    }
    if ue4 >= 507 {
        for part in DEPENDENCIES {
            fields.put(part, from.number()?);
        }
    }
    if ue5 >= 1010 && !versions.unversioned_properties {
        fields.put("script_start", from.wide_number()?);
        fields.put("script_end", from.wide_number()?);
    }
    Ok(fields.done())
}

const DEPENDENCIES: [&str; 5] = [
    "first_dependency",
    "serialize_before_serialize",
    "create_before_serialize",
    "serialize_before_create",
    "create_before_create",
];
