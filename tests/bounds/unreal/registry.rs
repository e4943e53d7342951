//! Tests the bounds of asset registries.

use crate::measure::{
    Entry, Family, SMALL_INPUT, Work, consume, shape, with_memory, without_allocation,
};
use crate::support::registry::{Asset, Model, NO_HASHES, Node, Package, Value, write};
use gamewire::unreal::Error;
use gamewire::unreal::registry::Registry;

fn all(registry: &Registry<'_>) -> Result<(), Error> {
    for asset in registry.assets() {
        let asset = asset?;
        consume((asset.package_name().is_ok(), asset.class().is_ok()));
        asset.tags().for_each(|tag| consume(tag.is_ok()));
        asset.bundles().flat_map(|bundle| bundle.paths()).for_each(|path| consume(path.is_ok()));
    }
    for node in registry.dependencies()?.nodes() {
        let node = node?;
        consume(node.identifier().is_ok());
        node.package_dependencies().chain(node.manage_dependencies()).for_each(consume);
    }
    for package in registry.packages()? {
        consume(package?.name().is_ok());
    }
    Ok(())
}

fn family() -> Family {
    let entries = vec![
        without_allocation("Registry::open", |file| consume(Registry::open(file).is_ok())),
        Entry {
            // Finding a name reads up to 1/256 of the names.
            work: Work::AtMost(20_000.0),
            ..without_allocation("Registry::assets", |file| {
                if let Ok(registry) = Registry::open(file) {
                    consume(all(&registry).is_ok());
                }
            })
        },
        with_memory("Registry::with_name_index", 2, |file| {
            if let Ok(registry) = Registry::open(file) {
                consume(all(&registry.with_name_index()).is_ok());
            }
        }),
        with_memory("Registry::verify", 2, |file| {
            if let Ok(registry) = Registry::open(file) {
                consume(registry.with_name_index().verify(consume));
            }
        }),
        with_memory("Graph::with_node_index", 2, |file| {
            if let Ok(registry) = Registry::open(file)
                && let Ok(graph) = registry.dependencies()
            {
                let graph = graph.with_node_index();
                (0..).map_while(|index| graph.node(index)).for_each(consume);
            }
        }),
        Entry {
            work: Work::AtMost(20_000.0),
            ..without_allocation("Graph::node", |file| {
                if let Ok(registry) = Registry::open(file)
                    && let Ok(graph) = registry.dependencies()
                {
                    (0..).map_while(|index| graph.node(index)).for_each(consume);
                }
            })
        },
    ];
    let tagged = |size: usize, version, value: fn(usize) -> Value| {
        let assets = (0..size / 90).map(|index| Asset {
            package: format!("/Game/P{index}x"),
            tags: vec![("Key".into(), value(index)), ("Key_7".into(), value(index))],
            ..Asset::default()
        });
        let model = Model { assets: assets.collect(), ..Model::default() };
        write(&model, version, true, NO_HASHES)
    };
    let shapes = vec![
        shape("assets with strings, version 1", move |size| {
            tagged(size, 1, |_| Value::Ansi("text".into()))
        }),
        shape("assets with strings, version 6", move |size| {
            tagged(size, 6, |_| Value::Ansi("text".into()))
        }),
        shape("assets with strings, version 24", move |size| {
            tagged(size, 24, |index| Value::Ansi(index.to_string()))
        }),
        shape("assets with names and texts", move |size| {
            tagged(size, 16, |index| match index % 2 {
                0 => Value::Name(format!("Name_{index}")),
                _ => Value::Text("text".into()),
            })
        }),
        shape("nodes and packages", |size| {
            let node = |index: usize| Node {
                names: [Some(format!("/Game/P{index}x")), None, None, None],
                packages: vec![(index as i32, 18); 3],
                managed: vec![(0, 1); 3],
                ..Node::default()
            };
            let package =
                |index: usize| Package { name: format!("/Game/P{index}x"), ..Package::default() };
            let count = size / 200;
            let nodes = (0..count).map(node).collect();
            let packages = (0..count).map(package).collect();
            write(&Model { nodes, packages, ..Model::default() }, 22, true, NO_HASHES)
        }),
        shape("assets without tags", |size| {
            let assets = vec![Asset::default(); size / 45];
            write(&Model { assets, ..Model::default() }, 8, true, NO_HASHES)
        }),
        shape("a long string", |size| {
            let tag = ("Key".into(), Value::Ansi("t".repeat(size)));
            let assets = vec![Asset { tags: vec![tag], ..Asset::default() }];
            write(&Model { assets, ..Model::default() }, 8, true, NO_HASHES)
        }),
    ];
    Family { entries, shapes, max_instructions_per_byte: 5_000.0, small_input: 4 * SMALL_INPUT }
}

#[test]
fn registry_work() {
    family().assert_work("unreal::registry::registry_work");
}

#[test]
fn registry_memory() {
    family().assert_memory();
}
