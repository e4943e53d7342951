//! Laws that hold when arbitrary bytes are read as packages from `IoStore` containers.

use super::accessors::{Look, show};
use crate::support::unreal::unversioned::Made;
use crate::support::unreal::zen;
use gamewire::unreal::tables::{ObjectIndex, ZenExport};
use gamewire::unreal::{
    Layout, Mappings, PackageIndex, Save, ScriptNames, ScriptObjects, Value, Versions, ZenPackage,
};
use std::sync::OnceLock;

/// Returns the script names with which the packages are read.
fn names() -> &'static ScriptNames<'static> {
    static NAMES: OnceLock<ScriptNames<'static>> = OnceLock::new();
    static MAPPINGS: OnceLock<Mappings<'static>> = OnceLock::new();
    let mappings = MAPPINGS.get_or_init(|| Mappings::open(Made::new(1).mappings.leak()).unwrap());
    NAMES.get_or_init(|| ScriptNames::new(Some(mappings), None))
}

/// Checks the laws on bytes, which are read as a package and as a table of script objects.
pub fn unreal_zen(data: &[u8]) {
    script_objects(data);
    let read = if data.len() <= super::COMPARED { Some(zen::read(data)) } else { None };
    assert!(read.as_ref().is_none_or(|read| read.is_some() == ZenPackage::is_zen(data)));
    for (major, minor) in [(4, 27), (5, 4), (5, 8)] {
        let package = match ZenPackage::open_as(data, Versions::of_engine(major, minor)) {
            Ok(package) => package,
            Err(error) => return show(error),
        };
        assert!(ZenPackage::is_zen(data) && !Save::is_save(data));
        if let Some(Some(read)) = &read {
            agrees(&package, read);
        }
        package_as(&package.with_script_names(names()), data);
    }
}

/// Compares the tables with those that the independent reader of the tests has found.
fn agrees(package: &ZenPackage<'_>, read: &zen::Read) {
    let texts = package.names().map_while(Result::ok).map(|name| name.text.bytes());
    // The library does not return a final NUL.
    let whole = read.names.iter().map(|name| name.as_slice());
    texts.zip(whole).for_each(|(ours, theirs)| assert!(theirs.starts_with(ours)));
    assert_eq!(package.names().map_while(Result::ok).count(), read.names.len());
    let hashes = package.names().map_while(Result::ok).map(|name| name.hash);
    assert!(hashes.eq(read.hashes.iter().copied().take(read.names.len())));
    assert!(package.imports().flatten().map(|index| index.0).eq(read.imports.iter().copied()));
    let hashes = package.imported_hashes().flatten().map(|hash| hash.0);
    assert!(hashes.eq(read.imported_hashes.iter().copied()));
    let exports = package.exports().map(|export| written(&export.unwrap()));
    assert!(exports.eq(read.exports.iter().cloned()));
    assert_eq!((package.header_size(), package.bulk_data().len()), (read.size, read.bulk));
    let [oldest, newest] = package.engines();
    assert!((oldest..=newest).contains(&read.engine), "{:?}", read.engine);
}

fn written(export: &ZenExport) -> Vec<u8> {
    let mut bytes = Vec::new();
    export.write(&mut bytes, &Layout::default()).unwrap();
    bytes
}

/// Calls all accessors, and compares those that must agree.
fn package_as(package: &ZenPackage<'_>, data: &[u8]) {
    let mut ok = true;
    let sound = package.verify(|problem| {
        show(problem);
        ok = false;
    });
    assert_eq!(sound, ok);
    let indexed = package.clone().with_index();
    tables(package);
    for (export, index) in package.exports().flatten().zip(0..).take(50) {
        let offset = package.export_offset(index);
        assert_eq!(offset, indexed.export_offset(index));
        if let Ok(bytes) = package.export_bytes(index) {
            let place = offset.unwrap() as usize;
            assert_eq!(bytes, &data[place..place + export.serial_size as usize]);
        }
        show(package.path_of(ObjectIndex(index.into())));
        package.class_name(&export).iter().for_each(show);
        match package.properties(index) {
            Ok(Some(object)) => {
                let mut look = Look { may_break: true, ..Look::default() };
                look.object(&object);
            }
            Ok(None) => {}
            Err(error) => show(error),
        }
        if let Ok(Some(rows)) = package.data_table_rows(index) {
            rows.map_while(Result::ok).for_each(|(_, list)| show(list.count()));
        }
    }
    #[cfg(feature = "serde")]
    serde_json::to_writer(std::io::sink(), package).unwrap();
}

fn tables(package: &ZenPackage<'_>) {
    let mut look = Look::default();
    look.item(&(package, package.summary(), package.versions(), package.has_version()));
    package.imports().flatten().take(100).for_each(|import| {
        show(package.path_of(import));
        look.item(&package.structure(import));
    });
    macro_rules! records {
        ($($table:ident)*) => {$( package.$table().for_each(|row| look.item(&row)); )*};
    }
    records! {
        names imports imported_hashes exports cell_imports cell_exports bulk_data bundles
        bundle_entries dependencies dependency_entries
    }
    if let Ok(packages) = package.imported_packages() {
        packages.flatten().for_each(show);
    }
    if let Ok(arcs) = package.package_arcs() {
        arcs.for_each(|arcs| look.item(&arcs));
    }
    if let Ok((between, imports)) = package.arcs() {
        look.item(&between);
        imports.for_each(|arcs| look.item(&arcs));
    }
    for index in [i32::MIN, -1, 0, 1, i32::MAX] {
        look.item(&package.object_at(PackageIndex(index)));
    }
    package.long_name().iter().for_each(show);
    assert_eq!(package.find_export("No such object"), None);
}

fn script_objects(data: &[u8]) {
    let Ok(objects) = ScriptObjects::open(data) else { return };
    let objects = objects.with_name_index();
    let names = ScriptNames::new(None, Some(&objects));
    for object in objects.objects().flatten().take(100) {
        assert!(names.path(object.index).is_none_or(|path| {
            show(path);
            true
        }));
        assert_eq!(names.structure(object.index).map(|of| of.slots()), None);
    }
    assert!(ScriptNames::new_in(None, Some(&objects), &mut []).is_ok() == objects.is_empty());
}
