//! Converts all tables after the summary.

use super::super::oracle::{self, Fields, Node};
use super::records::{guid, index, list, name, name_entry, sub_path, text};
use gamewire::unreal::tables::{
    AssetPath, AssetRegistry, DataResources, Export, GatherableText, Import, ImportTypeHierarchy,
    Metadata, MetadataPair, RegistryDependencies, SearchableNames, SoftObjectPath, SoftPackage,
    TextMetadata, TextMetadataValue, Thumbnail, Trailer, WorldTileInfo,
};
use gamewire::unreal::{Error, List, Package, Records, Value};

/// Converts the rows of a table, up to the first malformed row.
fn rows<'a, T: Value<'a>>(records: Records<'a, T>, one: impl Fn(T) -> Node) -> Node {
    let (mut rows, mut whole) = (Vec::new(), true);
    for record in records {
        match record {
            Ok(record) => rows.push(one(record)),
            Err(_) => whole = false,
        }
    }
    oracle::Package::table_of(rows, whole)
}

fn single<T>(value: Result<Option<T>, Error>, one: impl FnOnce(T) -> Node) -> Node {
    match value {
        Ok(Some(value)) => one(value),
        Ok(None) => Node::word("none"),
        Err(_) => Node::word("bad"),
    }
}

/// Converts all tables, in the same order as the oracle.
pub fn tables(package: &Package<'_>) -> Vec<(&'static str, Node)> {
    vec![
        ("names", rows(package.names(), name_entry)),
        ("imports", rows(package.imports(), import)),
        ("exports", rows(package.exports(), export)),
        ("depends", rows(package.depends(), |of| list(&of, index))),
        ("soft_package_references", rows(package.soft_package_references(), soft_package)),
        ("soft_object_paths", rows(package.soft_object_paths(), soft_path)),
        ("gatherable_text", rows(package.gatherable_text(), gatherable)),
        ("preload_dependencies", rows(package.preload_dependencies(), index)),
        ("import_type_hierarchies", rows(package.import_type_hierarchies(), hierarchy)),
        ("searchable_names", single(package.searchable_names(), |of| list(&of, searchable))),
        ("thumbnails", single(package.thumbnails(), |of| list(&of, thumbnail))),
        ("metadata", single(package.metadata(), |of| metadata(&of))),
        ("asset_registry", single(package.asset_registry(), |of| registry(&of))),
        ("registry_dependencies", single(package.registry_dependencies(), |of| dependencies(&of))),
        ("world_tile_info", single(package.world_tile_info(), |of| tile(&of))),
        ("data_resources", single(package.data_resources(), |of| resources(&of))),
        ("trailer", single(package.trailer(), |of| trailer(&of))),
    ]
}

fn import(import: Import) -> Node {
    let mut fields = Fields::default();
    fields.put("class_package", name(import.class_package));
    fields.put("class_name", name(import.class_name));
    fields.put("outer", index(import.outer));
    fields.put("object_name", name(import.object_name));
    fields.put_some("package_name", import.package_name.map(name));
    fields.put_some("optional", import.optional.map(Node::Truth));
    fields.done()
}

fn export(export: Export) -> Node {
    let mut fields = Fields::default();
    fields.put("class", index(export.class));
    fields.put("super_struct", index(export.super_struct));
    fields.put_some("template", export.template.map(index));
    fields.put("outer", index(export.outer));
    fields.put("object_name", name(export.object_name));
    fields.put("object_flags", Node::number(export.object_flags));
    fields.put("serial_size", Node::number(export.serial.size));
    fields.put("serial_offset", Node::number(export.serial.offset));
    fields.put("forced_export", Node::Truth(export.forced_export));
    fields.put("not_for_client", Node::Truth(export.not_for_client));
    fields.put("not_for_server", Node::Truth(export.not_for_server));
    fields.put_some("package_guid", export.package_guid.map(guid));
    fields.put_some("inherited_instance", export.inherited_instance.map(Node::Truth));
    fields.put("package_flags", Node::number(export.package_flags));
    let always = export.not_always_loaded_for_editor_game;
    fields.put_some("not_always_loaded_for_editor_game", always.map(Node::Truth));
    fields.put_some("is_asset", export.is_asset.map(Node::Truth));
    fields.put_some("generate_public_hash", export.generate_public_hash.map(Node::Truth));
    if let Some(of) = export.dependencies {
        fields.put("first_dependency", Node::number(of.first));
        fields.put("serialize_before_serialize", Node::number(of.serialize_before_serialize));
        fields.put("create_before_serialize", Node::number(of.create_before_serialize));
        fields.put("serialize_before_create", Node::number(of.serialize_before_create));
        fields.put("create_before_create", Node::number(of.create_before_create));
    }
    fields.put_some("script_start", export.script_start.map(Node::number));
    fields.put_some("script_end", export.script_end.map(Node::number));
    fields.done()
}

fn soft_package(package: SoftPackage<'_>) -> Node {
    match package {
        SoftPackage::Name(package) => name(package),
        SoftPackage::Text(package) => text(package),
    }
}

fn soft_path(path: SoftObjectPath<'_>) -> Node {
    let mut fields = Fields::default();
    match path.path {
        AssetPath::Whole(whole) => fields.put("whole", name(whole)),
        AssetPath::Parts { package, asset } => {
            fields.put("package", name(package));
            fields.put("asset", name(asset));
        }
    }
    fields.put("sub_path", sub_path(path.sub_path));
    fields.done()
}

fn gatherable(of: GatherableText<'_>) -> Node {
    let mut fields = Fields::default();
    fields.put("namespace", text(of.namespace));
    fields.put("source", text(of.source));
    fields.put("source_metadata", remarks(of.source_metadata));
    let sites = list(&of.sites, |site| {
        let mut fields = Fields::default();
        fields.put("key", text(site.key));
        fields.put("site", text(site.site));
        fields.put("editor_only", Node::Truth(site.editor_only));
        fields.put("optional", Node::Truth(site.optional));
        fields.put("info_metadata", remarks(site.info_metadata));
        fields.put("key_metadata", remarks(site.key_metadata));
        fields.done()
    });
    fields.put("sites", sites);
    fields.done()
}

fn remarks(remarks: List<'_, TextMetadata<'_>>) -> Node {
    list(&remarks, |remark| {
        let mut fields = Fields::default();
        fields.put("key", text(remark.key));
        fields.put("value", remark_value(remark.value));
        fields.done()
    })
}

fn remark_value(value: TextMetadataValue<'_>) -> Node {
    match value {
        TextMetadataValue::None => Node::word("nothing"),
        TextMetadataValue::Bool(truth) => Node::Truth(truth),
        TextMetadataValue::Text(remark) => text(remark),
        TextMetadataValue::Array(values) => Node::form("array", list(&values, remark_value)),
        TextMetadataValue::Object(values) => Node::form("object", remarks(values)),
    }
}

fn hierarchy(of: ImportTypeHierarchy<'_>) -> Node {
    let mut fields = Fields::default();
    fields.put("object", index(of.object));
    let types = list(&of.types, |of| {
        let mut fields = Fields::default();
        fields.put("type", name(of.name));
        fields.put("package", name(of.package));
        fields.put("class", name(of.class));
        fields.put("class_package", name(of.class_package));
        fields.done()
    });
    fields.put("types", types);
    fields.done()
}

fn searchable(of: SearchableNames<'_>) -> Node {
    let mut fields = Fields::default();
    fields.put("object", index(of.object));
    fields.put("names", list(&of.names, name));
    fields.done()
}

fn thumbnail(of: Thumbnail<'_>) -> Node {
    let mut fields = Fields::default();
    fields.put("class_name", text(of.class_name));
    fields.put("object_path", text(of.object_path));
    fields.put("offset", Node::number(of.offset));
    fields.done()
}

pub fn picture(package: &Package<'_>, of: &Thumbnail<'_>) -> Node {
    let Ok((head, bytes)) = package.thumbnail(of) else { return Node::word("bad") };
    assert_eq!(head.size as usize, bytes.len());
    let mut fields = Fields::default();
    fields.put("width", Node::number(head.width));
    fields.put("height", Node::number(head.height));
    fields.put("bytes", Node::Bytes(bytes.to_vec()));
    fields.done()
}

fn metadata(of: &Metadata<'_>) -> Node {
    let mut fields = Fields::default();
    let objects = list(&of.objects, |of| {
        let mut fields = Fields::default();
        fields.put("object", index(of.object));
        fields.put("values", list(&of.values, pair));
        fields.done()
    });
    fields.put("objects", objects);
    fields.put("root", list(&of.root, pair));
    fields.done()
}

fn pair(of: MetadataPair<'_>) -> Node {
    let mut fields = Fields::default();
    fields.put("key", name(of.key));
    fields.put("value", text(of.value));
    fields.done()
}

fn registry(of: &AssetRegistry<'_>) -> Node {
    let mut fields = Fields::default();
    fields.put_some("dependency_data_offset", of.dependency_data_offset.map(Node::number));
    let objects = list(&of.objects, |of| {
        let mut fields = Fields::default();
        fields.put("path", text(of.path));
        fields.put("class", text(of.class));
        let tags = list(&of.tags, |tag| {
            let mut fields = Fields::default();
            fields.put("key", text(tag.key));
            fields.put("value", text(tag.value));
            fields.done()
        });
        fields.put("tags", tags);
        fields.done()
    });
    fields.put("objects", objects);
    fields.done()
}

fn dependencies(of: &RegistryDependencies<'_>) -> Node {
    let mut fields = Fields::default();
    let imports = of.imports_used_in_game.iter().map(Node::Truth).collect();
    fields.put("imports_used_in_game", Node::List(imports));
    let soft = of.soft_packages_used_in_game.iter().map(Node::Truth).collect();
    fields.put("soft_packages_used_in_game", Node::List(soft));
    let extra = of.extra.map(|extra| {
        list(&extra, |of| {
            let mut fields = Fields::default();
            fields.put("package", name(of.package));
            fields.put("flags", Node::number(of.flags));
            fields.done()
        })
    });
    fields.put_some("extra", extra);
    fields.done()
}

fn tile(of: &WorldTileInfo<'_>) -> Node {
    let mut fields = Fields::default();
    let (place, layer) = (of.position, &of.layer);
    let position = [Some(place.x), Some(place.y), place.z];
    let position = position.into_iter().flatten().map(Node::number).collect();
    fields.put("position", Node::List(position));
    let bounds = of.bounds.min.iter().chain(&of.bounds.max);
    let bounds = bounds.map(|real| Node::Double(real.0.to_bits())).collect();
    fields.put("bounds", Node::List(bounds));
    fields.put("bounds_valid", Node::number(of.bounds.valid));
    fields.put("layer", text(layer.name));
    let reserved = [layer.reserved, layer.reserved_point.x, layer.reserved_point.y];
    fields.put("reserved", Node::List(reserved.map(Node::number).to_vec()));
    fields.put_some("streaming_distance", layer.streaming_distance.map(Node::number));
    let counts = layer.distance_streaming_enabled;
    fields.put_some("distance_streaming_enabled", counts.map(Node::Truth));
    fields.put_some("hide_in_tile_view", of.hide_in_tile_view.map(Node::Truth));
    fields.put("parent_tile", text(of.parent_tile));
    let lods = of.lods.map(|lods| {
        list(&lods, |lod| {
            Node::List(vec![
                Node::number(lod.relative_streaming_distance),
                Node::Single(lod.reserved_0.to_bits()),
                Node::Single(lod.reserved_1.to_bits()),
                Node::number(lod.reserved_2),
                Node::number(lod.reserved_3),
            ])
        })
    });
    fields.put_some("lods", lods);
    fields.put_some("z_order", of.z_order.map(Node::number));
    fields.done()
}

fn resources(of: &DataResources<'_>) -> Node {
    let mut fields = Fields::default();
    fields.put("version", Node::number(of.version));
    let entries = list(&of.entries, |entry| {
        let mut fields = Fields::default();
        fields.put("flags", Node::number(entry.flags));
        fields.put_some("cooked_index", entry.cooked_index.map(Node::number));
        fields.put("serial_offset", Node::number(entry.serial_offset));
        fields.put("duplicate_serial_offset", Node::number(entry.duplicate_serial_offset));
        fields.put("serial_size", Node::number(entry.serial_size));
        fields.put("raw_size", Node::number(entry.raw_size));
        fields.put("outer", index(entry.outer));
        fields.put("legacy_flags", Node::number(entry.legacy_flags.0));
        fields.done()
    });
    fields.put("entries", entries);
    fields.done()
}

fn trailer(of: &Trailer<'_>) -> Node {
    let mut fields = Fields::default();
    fields.put("version", Node::number(of.head.version));
    fields.put("header_size", Node::number(of.head.header_size));
    fields.put("payload_size", Node::number(of.head.payload_size));
    fields.put_some("access", of.head.access.map(Node::number));
    let entries = list(&of.entries, |entry| {
        let mut fields = Fields::default();
        fields.put("id", Node::Bytes(entry.id.to_vec()));
        fields.put("offset", Node::number(entry.offset));
        fields.put("compressed_size", Node::number(entry.compressed_size));
        fields.put("raw_size", Node::number(entry.raw_size));
        fields.put_some("flags", entry.flags.map(Node::number));
        fields.put_some("filter", entry.filter.map(Node::number));
        fields.put_some("access", entry.access.map(Node::number));
        fields.done()
    });
    fields.put("entries", entries);
    fields.done()
}
