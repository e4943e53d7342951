//! Converts the summary of a package.

use super::super::oracle::{Fields, Node};
use super::records::{engine, guid, list, text};
use gamewire::unreal::Package;
use gamewire::unreal::tables::{FileVersions, Summary};

/// Adds numbers to `$fields`, in this order.
macro_rules! numbers {
    ($fields:ident, $of:expr, $($name:ident)*) => {$(
        $fields.put(stringify!($name), Node::number($of.$name));
    )*};
}

/// Adds numbers to `$fields`, except those that the version of the file lacks.
macro_rules! some {
    ($fields:ident, $of:expr, $($name:ident)*) => {$(
        if let Some(number) = $of.$name {
            $fields.put(stringify!($name), Node::number(number));
        }
    )*};
}

pub fn summary(package: &Package<'_>) -> Node {
    let mut fields = Fields::default();
    versions(&mut fields, package.versions());
    let summary = package.summary();
    beginning(&mut fields, summary);
    places(&mut fields, summary);
    history(&mut fields, summary);
    ending(&mut fields, summary);
    fields.done()
}

fn versions(fields: &mut Fields, versions: &FileVersions) {
    numbers!(fields, versions, legacy_version);
    some!(fields, versions, ue3_version);
    numbers!(fields, versions, ue4_version);
    some!(fields, versions, ue5_version);
    numbers!(fields, versions, licensee_version);
}

fn beginning(fields: &mut Fields, summary: &Summary<'_>) {
    if let Some(hash) = summary.saved_hash {
        fields.put("saved_hash", Node::Bytes(hash.to_vec()));
    }
    some!(fields, summary, early_header_size);
    let customs = list(&summary.custom_versions, |custom| {
        let mut fields = Fields::default();
        fields.put("guid", guid(custom.guid));
        numbers!(fields, custom, version);
        if let Some(name) = custom.name {
            fields.put("name", text(name));
        }
        fields.done()
    });
    fields.put("custom_versions", customs);
    some!(fields, summary, late_header_size);
    fields.put("package_name", text(summary.package_name));
    numbers!(fields, summary, package_flags);
}

fn places(fields: &mut Fields, summary: &Summary<'_>) {
    numbers!(fields, summary, name_count name_offset);
    some!(fields, summary, soft_object_path_count soft_object_path_offset);
    if let Some(id) = summary.localization_id {
        fields.put("localization_id", text(id));
    }
    some!(fields, summary, gatherable_text_count gatherable_text_offset);
    numbers!(fields, summary, export_count export_offset import_count import_offset);
    some!(
        fields, summary,
        cell_export_count cell_export_offset cell_import_count cell_import_offset metadata_offset
    );
    numbers!(fields, summary, depends_offset);
    some!(
        fields, summary,
        soft_package_reference_count soft_package_reference_offset searchable_names_offset
    );
    numbers!(fields, summary, thumbnail_table_offset);
    some!(fields, summary, import_type_hierarchy_count import_type_hierarchy_offset);
}

fn history(fields: &mut Fields, summary: &Summary<'_>) {
    let guids = [
        ("guid", summary.guid),
        ("persistent_guid", summary.persistent_guid),
        ("owner_persistent_guid", summary.owner_persistent_guid),
    ];
    for (name, id) in guids {
        if let Some(id) = id {
            fields.put(name, guid(id));
        }
    }
    let generations = list(&summary.generations, |generation| {
        let mut fields = Fields::default();
        numbers!(fields, generation, export_count name_count);
        fields.done()
    });
    fields.put("generations", generations);
    fields.put("saved_by_engine", engine(&summary.saved_by_engine));
    if let Some(version) = &summary.compatible_with_engine {
        fields.put("compatible_with_engine", engine(version));
    }
}

fn ending(fields: &mut Fields, summary: &Summary<'_>) {
    numbers!(fields, summary, compression_flags);
    let chunks = list(&summary.compressed_chunks, |chunk| {
        let mut fields = Fields::default();
        numbers!(
            fields, chunk,
            uncompressed_offset uncompressed_size compressed_offset compressed_size
        );
        fields.done()
    });
    fields.put("compressed_chunks", chunks);
    numbers!(fields, summary, package_source);
    fields.put("additional_packages_to_cook", list(&summary.additional_packages_to_cook, text));
    some!(fields, summary, texture_allocations);
    numbers!(fields, summary, asset_registry_data_offset bulk_data_start_offset);
    some!(fields, summary, world_tile_info_data_offset);
    if let Some(chunks) = &summary.chunk_ids {
        fields.put("chunk_ids", Node::List(chunks.iter().map(Node::number).collect()));
    }
    some!(
        fields, summary,
        preload_dependency_count preload_dependency_offset
        names_referenced_from_export_data_count payload_toc_offset data_resource_offset
    );
}
