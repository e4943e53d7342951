//! Converts the crate's values to those of the oracle through the public API, and compares them.

mod properties;
mod records;
mod saves;
mod summary;
mod tables;
mod texts;

use super::oracle::{self, Node, difference};
use gamewire::unreal::tables::Export;
use gamewire::unreal::{Package, Save, StructHint, Versions};

/// The number of values that are equal (zero if both readers reject the input), or a description of
/// the first difference.
pub type Same = Result<usize, String>;

/// Compares a package without its properties.
pub fn package(header: &[u8], exports: Option<&[u8]>, supplied: Option<Versions>) -> Same {
    let versions = supplied.map(|versions| (versions.ue4, versions.ue5));
    let theirs = oracle::Package::open(header, exports, versions);
    let (ours, theirs) = match (Package::open_as(header, exports, supplied), theirs) {
        (Ok(ours), Ok(theirs)) => (ours, theirs),
        (Err(_), Err(_)) => return Ok(0),
        (Ok(_), Err(_)) => return Err("opened by the crate alone".to_owned()),
        (Err(error), Ok(_)) => return Err(format!("refused by the crate alone: {error}")),
    };
    let summary = theirs.summary.node.as_ref().expect("a package has one");
    let mut same = compare("summary", &summary::summary(&ours), summary)?;
    for ((name, ours), (_, theirs)) in tables::tables(&ours).iter().zip(&theirs.tables()) {
        same += compare(name, ours, theirs)?;
    }
    for thumbnail in ours.thumbnails().ok().flatten().into_iter().flatten().flatten() {
        let picture = tables::picture(&ours, &thumbnail);
        let other = theirs.picture(thumbnail.offset).unwrap_or_else(|_| Node::word("bad"));
        same += compare("thumbnail", &picture, &other)?;
    }
    Ok(same)
}

/// Compares the properties of all exports of a package. Does not compare its tables.
pub fn objects(header: &[u8], exports: Option<&[u8]>, supplied: Option<Versions>) -> Same {
    let versions = supplied.map(|versions| (versions.ue4, versions.ue5));
    let Ok(theirs) = oracle::Package::open(header, exports, versions) else { return Ok(0) };
    let Ok(ours) = Package::open_as(header, exports, supplied) else { return Ok(0) };
    let mut same = 0;
    for (number, export) in ours.exports().flatten().enumerate() {
        same += object(&ours, &theirs, &[], &export)
            .map_err(|difference| format!("export {number}: {difference}"))?;
    }
    Ok(same)
}

/// Compares the properties of one export, which need not be in the table of exports.
pub fn object(
    ours: &Package<'_>,
    theirs: &oracle::Package,
    hints: &[StructHint<'_>],
    export: &Export,
) -> Same {
    let class = export.class.0;
    let node = match ours.properties(export) {
        Ok(Some(object)) => properties::object(&object, class == 0),
        Ok(None) => Node::word("none"),
        Err(_) => Node::word("bad"),
    };
    let hints: Vec<_> = hints.iter().map(|hint| (hint.property, hint.key, hint.value)).collect();
    let object_flags = export.object_flags;
    let (size, offset) = (export.serial.size, export.serial.offset);
    let class_name = ours.class_name(export).map(|name| name.to_string());
    let script_start = export.script_start;
    let export = oracle::Export { class, class_name, script_start, object_flags, size, offset };
    compare("object", &node, &oracle::object(theirs, &hints, export))
}

/// Compares a save.
pub fn save(file: &[u8]) -> Same {
    match (Save::open(file), oracle::save(file, &[])) {
        (Ok(ours), Ok(theirs)) => compare("save", &saves::save(&ours), &theirs),
        (Err(_), Err(_)) => Ok(0),
        (Ok(_), Err(_)) => Err("opened by the crate alone".to_owned()),
        (Err(error), Ok(_)) => Err(format!("refused by the crate alone: {error}")),
    }
}

fn compare(what: &str, ours: &Node, theirs: &Node) -> Same {
    match difference(ours, theirs) {
        Some(difference) => Err(format!("{what}{difference}")),
        None => Ok(theirs.len()),
    }
}
