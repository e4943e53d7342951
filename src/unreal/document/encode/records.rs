//! Finds the records that are different in a document and in its package, and changes them.

use super::node::{Fault, Node};
use crate::unreal::edit::PackageEditor;
use crate::unreal::format::PackageIndex;
use crate::unreal::tables::{Export, Import};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The index of each record that is different in the document, and the new record.
#[derive(Default)]
pub struct Changes {
    imports: Vec<(usize, Node)>,
    exports: Vec<(usize, Node)>,
}

impl Changes {
    pub const fn is_empty(&self) -> bool {
        self.imports.is_empty() && self.exports.is_empty()
    }
}

/// Returns `true` for a member that is computed from others. A change to it is ignored.
fn is_derived(key: &str) -> bool {
    matches!(key, "name_hashes" | "total_header_size" | "errors" | "native_size" | "class_name")
        || matches!(key, "script_start" | "script_end" | "serial_size" | "properties_size")
        || key == "rows_error"
        || key.ends_with("_offset")
        || key.ends_with("_count")
}

/// Compares a document with the document of the original package, and returns the changed records.
/// A change that cannot be written is an error.
pub fn changes(new: &Node, old: &Node) -> Result<Changes, Fault> {
    let mut changes = Changes::default();
    let (Node::Map(new), Node::Map(members)) = (new, old) else { return Ok(changes) };
    for (key, new) in new {
        match (&**key, old.get(key)) {
            ("names", _) => {}
            ("imports", Some(old)) => changes.imports = rows(key, new.list()?, old.list()?, true)?,
            ("exports", Some(old)) => {
                changes.exports = rows(key, new.list()?, old.list()?, false)?;
                for (index, row) in &changes.exports {
                    let old = old.list()?.get(*index).unwrap_or(&Node::Null);
                    fixed(&format!("exports[{index}]"), &without(row), &without(old))?;
                }
            }
            (key, _) if is_derived(key) => {}
            (key, Some(old)) => fixed(key, new, old)?,
            (key, None) => return Err(cannot_change(key)),
        }
    }
    match members.iter().find(|(key, _)| !is_derived(key) && !new.iter().any(|(new, _)| new == key))
    {
        Some((key, _)) => Err(cannot_change(key)),
        None => Ok(changes),
    }
}

/// Returns the members of an export that cannot be changed.
fn without(export: &Node) -> Node {
    match export {
        Node::Map(members) => {
            let is_kept = |(key, _): &&(String, Node)| !FIELDS.contains(&&**key);
            Node::Map(members.iter().filter(is_kept).cloned().collect())
        }
        other => other.clone(),
    }
}

fn cannot_change(path: &str) -> Fault {
    format!("`{path}` cannot be changed").into()
}

/// Returns the records of a table that differ from the old ones, and their indices. `grows` is
/// `true` if records can be added to the table.
fn rows(table: &str, new: &[Node], old: &[Node], grows: bool) -> Result<Vec<(usize, Node)>, Fault> {
    if new.len() < old.len() || (new.len() > old.len() && !grows) {
        return Err(format!(
            "records cannot be removed from `{table}`, and can only be added to `imports`"
        )
        .into());
    }
    let changed = |(index, row): &(usize, &Node)| old.get(*index).is_none_or(|old| !same(row, old));
    Ok(new.iter().enumerate().filter(changed).map(|(index, row)| (index, row.clone())).collect())
}

/// Returns `true` if two records are the same, apart from members that are computed from others.
fn same(new: &Node, old: &Node) -> bool {
    fixed("", new, old).is_ok()
}

/// Returns `true` if two lists of properties or rows are the same.
pub fn same_values(new: &Node, old: &Node) -> bool {
    compare("", new, old, |_| false).is_ok()
}

/// Checks that a value is the same as before, apart from members that are computed from others. The
/// error names the first part that differs.
fn fixed(path: &str, new: &Node, old: &Node) -> Result<(), Fault> {
    compare(path, new, old, is_derived)
}

/// Compares two values, apart from those members for which `is_ignored` returns `true`. The error
/// names the first part that differs. The recursion is limited, because the parser limits the
/// nesting of documents.
fn compare(path: &str, new: &Node, old: &Node, is_ignored: fn(&str) -> bool) -> Result<(), Fault> {
    match (new, old) {
        (Node::Map(new_members), Node::Map(members)) => {
            for (key, old) in members.iter().filter(|(key, _)| !is_ignored(key)) {
                let path = format!("{path}.{key}");
                match new.get(key) {
                    Some(new) => compare(&path, new, old, is_ignored)?,
                    None => return Err(cannot_change(&path)),
                }
            }
            match new_members.iter().find(|(key, _)| !is_ignored(key) && old.get(key).is_none()) {
                Some((key, _)) => Err(cannot_change(&format!("{path}.{key}"))),
                None => Ok(()),
            }
        }
        (Node::List(new), Node::List(old)) if new.len() == old.len() => {
            new.iter().zip(old).enumerate().try_for_each(|(index, (new, old))| {
                compare(&format!("{path}[{index}]"), new, old, is_ignored)
            })
        }
        // A document in a binary format stores the exact value of a single-precision number instead
        // of its shortest decimal form.
        (Node::Float(new), Node::Float(old)) if *new == f64::from(*old as f32) => Ok(()),
        (new, old) if new == old => Ok(()),
        _ => Err(cannot_change(path)),
    }
}

impl Changes {
    /// Applies these changes to the imports and exports of the package.
    pub fn apply(&self, editor: &mut PackageEditor<'_>) -> Result<(), Fault> {
        for (index, row) in &self.imports {
            let mut import = editor.imports.to_mut().get(*index).copied().unwrap_or_default();
            self::import(&mut import, row, editor)?;
            match editor.imports.to_mut().get_mut(*index) {
                Some(place) => *place = import,
                None => editor.imports.push(import),
            }
        }
        for (index, row) in &self.exports {
            let Some(data) = editor.exports.get(*index) else { continue };
            let mut export = data.export;
            self::export(&mut export, row, editor)?;
            if let Some(data) = editor.exports.get_mut(*index) {
                data.export = export;
            }
        }
        Ok(())
    }
}

fn import(to: &mut Import, row: &Node, editor: &mut PackageEditor<'_>) -> Result<(), Fault> {
    let mut name = |key: &str| Ok::<_, Fault>(editor.add_name(row.member(key)?.text()?)?);
    to.class_package = name("class_package")?;
    to.class_name = name("class_name")?;
    to.object_name = name("object_name")?;
    if row.get("package_name").is_some() {
        to.package_name = Some(name("package_name")?);
    }
    to.outer = index(row, "outer")?;
    if let Some(optional) = row.get("optional") {
        to.optional = Some(optional.bool()?);
    }
    Ok(())
}

fn index(row: &Node, key: &str) -> Result<PackageIndex, Fault> {
    Ok(PackageIndex(row.member(key)?.whole()?))
}

/// Members of exports that can be changed.
const FIELDS: &[&str] = &[
    "class",
    "super",
    "template",
    "outer",
    "object_name",
    "object_flags",
    "package_flags",
    "forced_export",
    "not_for_client",
    "not_for_server",
    "is_asset",
    "not_always_loaded_for_editor_game",
    "generate_public_hash",
    "inherited_instance",
];

fn export(to: &mut Export, row: &Node, editor: &mut PackageEditor<'_>) -> Result<(), Fault> {
    to.class = index(row, "class")?;
    to.super_struct = index(row, "super")?;
    to.outer = index(row, "outer")?;
    if row.get("template").is_some() {
        to.template = Some(index(row, "template")?);
    }
    to.object_name = editor.add_name(row.member("object_name")?.text()?)?;
    to.object_flags = row.member("object_flags")?.whole()?;
    to.package_flags = row.member("package_flags")?.whole()?;
    to.forced_export = row.member("forced_export")?.bool()?;
    to.not_for_client = row.member("not_for_client")?.bool()?;
    to.not_for_server = row.member("not_for_server")?.bool()?;
    let bool = |key: &str| row.get(key).map(Node::bool).transpose();
    to.is_asset = bool("is_asset")?.or(to.is_asset);
    let always = bool("not_always_loaded_for_editor_game")?;
    to.not_always_loaded_for_editor_game = always.or(to.not_always_loaded_for_editor_game);
    to.generate_public_hash = bool("generate_public_hash")?.or(to.generate_public_hash);
    to.inherited_instance = bool("inherited_instance")?.or(to.inherited_instance);
    Ok(())
}
