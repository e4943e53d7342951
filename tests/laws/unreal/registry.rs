//! Laws of asset registries in arbitrary bytes: all ways to find names and nodes agree, and the
//! number of items is limited by the size of the file.

use super::accessors::show;
use gamewire::unreal::registry::{Asset, Graph, Node, PackageData, Registry};
use gamewire::unreal::{Error, Result};
use std::fmt::{self, Display};

/// Reads an asset registry.
pub fn unreal_registry(data: &[u8]) {
    let registry = match Registry::open(data) {
        Ok(registry) => registry,
        Err(error) => return show(error),
    };
    assert!(Registry::is_registry(data));
    let indexed = registry.clone().with_name_index();
    let most = data.len();
    let assets = same(registry.assets(), indexed.assets(), look_at_asset);
    assert!(assets <= most / 24);
    match (registry.dependencies(), indexed.dependencies()) {
        (Ok(graph), Ok(other)) => {
            assert!(same(graph.nodes(), other.nodes(), look_at_node) <= most / 17);
            look_at_graph(&graph, &other.with_node_index());
        }
        (first, second) => assert_eq!(error(first), error(second)),
    }
    match (registry.packages(), indexed.packages()) {
        (Ok(packages), Ok(others)) => {
            assert!(same(packages, others, look_at_package) <= most / 28);
        }
        (first, second) => assert_eq!(error(first), error(second)),
    }
    let (mut problems, mut others) = (Vec::new(), Vec::new());
    let ok = registry.verify(|error| problems.push(error));
    assert_eq!(ok, indexed.verify(|error| others.push(error)));
    assert_eq!((ok, &problems), (problems.is_empty(), &others));
    problems.iter().for_each(show);
    assert!(problems.len() <= most + 4);
}

fn error<T>(result: Result<T>) -> Error {
    match result {
        Ok(_) => panic!("only one of two ways succeeds"),
        Err(error) => error,
    }
}

/// The first part of an item's text, for comparison.
#[derive(Default, PartialEq, Debug)]
struct Look {
    text: String,
}

/// Maximum length of the text of an item.
const MAX_TEXT: usize = 4096;

impl Look {
    fn add(&mut self, item: Result<impl Display>) {
        match item {
            Ok(text) => _ = fmt::write(self, format_args!("{text};")),
            Err(error) => _ = fmt::write(self, format_args!("{error};")),
        }
    }
}

impl fmt::Write for Look {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.text.len() < MAX_TEXT {
            self.text.push_str(text);
        }
        Ok(())
    }
}

/// Asserts that two ways to read items give the same items. Returns their number.
fn same<T>(
    mut first: impl Iterator<Item = Result<T>>,
    mut second: impl Iterator<Item = Result<T>>,
    look_at: fn(&T) -> Look,
) -> usize {
    let mut count = 0;
    loop {
        match (first.next(), second.next()) {
            (Some(Ok(first)), Some(Ok(second))) => {
                count += 1;
                assert_eq!(look_at(&first), look_at(&second));
            }
            (Some(Err(first)), Some(Err(second))) => assert_eq!(first, second),
            (None, None) => return count,
            _ => panic!("only one of two ways reads an item"),
        }
    }
}

fn look_at_asset(asset: &Asset<'_, '_>) -> Look {
    let mut look = Look::default();
    look.add(asset.package_name());
    look.add(asset.package_path());
    look.add(asset.asset_name());
    look.add(asset.class());
    for path in [asset.object_path(), asset.outer_path()].into_iter().flatten() {
        look.add(path);
    }
    let mut tags = asset.tags();
    for tag in tags.by_ref().take(MAX_ITEMS) {
        look.add(tag.map(|tag| format!("{}={}", tag.key, tag.value)));
    }
    assert!(tags.take(MAX_ITEMS).count() <= asset.tag_count());
    for bundle in asset.bundles().take(MAX_ITEMS) {
        look.add(bundle.name());
        bundle.paths().take(MAX_ITEMS).for_each(|path| look.add(path));
    }
    look.add(Ok(format!("{:?} {}", asset.chunks().iter().next(), asset.flags())));
    look
}

/// Maximum number of items, such as tags, that are read from each list of an asset, a node or a
/// package. Without a maximum, hostile files in which many assets share tags would take too long.
const MAX_ITEMS: usize = 50;

fn look_at_node(node: &Node<'_, '_>) -> Look {
    let mut look = Look::default();
    look.add(node.identifier());
    let all = node.package_dependencies().chain(node.manage_dependencies());
    for dependency in all.take(MAX_ITEMS) {
        let combinations = dependency.properties.combinations();
        let bits = combinations.iter().fold(0, |bits, more| bits | more);
        assert!(bits <= 7 && combinations.len() <= 3);
        assert!((0..3).all(|bit| dependency.properties.any(1 << bit) == (bits >> bit & 1 == 1)));
        look.add(Ok(format!("{dependency:?}")));
    }
    let lists = [node.name_dependencies(), node.referencers()];
    look.add(Ok(format!("{:?}", lists.map(|list| list.len()))));
    look
}

/// Asserts that each node is found by its index.
fn look_at_graph(graph: &Graph<'_, '_>, indexed: &Graph<'_, '_>) {
    for (index, node) in (0..).zip(graph.nodes()) {
        let found = [graph, indexed].map(|graph| graph.node(index).map(|node| node.offset()));
        assert_eq!(found, [node.ok().map(|node| node.offset()); 2]);
    }
}

fn look_at_package(package: &PackageData<'_, '_>) -> Look {
    let mut look = Look::default();
    look.add(package.name());
    package.imported_classes().take(MAX_ITEMS).for_each(|class| look.add(class));
    let (guid, hash) = (package.guid(), package.saved_hash());
    assert!(guid.is_some() != hash.is_some());
    let facts = (package.disk_size(), guid, hash, package.cooked_hash(), package.extension());
    look.add(Ok(format!("{facts:?}")));
    let versions = package.file_versions().map(|of| (of.versions, of.licensee, of.custom.len()));
    look.add(Ok(format!("{:?} {versions:?}", package.chunk_hashes().len())));
    look
}
