//! Dependencies between packages, assets and names.

use super::names::StoredName;
use super::records::StoredIdentifier;
use super::versions::{ADDED_DEPENDENCY_FLAGS, ADDED_HARD_MANAGE, MANAGE_DEPENDENCIES_COOK_RULE};
use super::view::Registry;
use crate::unreal::format::{
    ErrorKind, FileCursor, Layout, List, NameText, ReadItem, Records, Result, SampledIndex,
};
use core::fmt;
use core::iter::FusedIterator;

/// Properties of dependencies on packages.
pub mod dependency_properties {
    /// The dependency must be loaded before the package that depends on it.
    pub const HARD: u8 = 1;
    /// The game uses the dependency. Otherwise, only the editor uses it.
    pub const GAME: u8 = 2;
    /// The dependency is used when the package is built.
    pub const BUILD: u8 = 4;
}

/// Properties of dependencies on managed assets: assets that the engine's asset manager assigns to
/// a primary asset.
pub mod manage_properties {
    /// The asset is managed directly, not because a managed asset refers to it.
    pub const DIRECT: u8 = 1;
    /// The dependency decides whether the asset is cooked.
    pub const COOK_RULE: u8 = 2;
}

use dependency_properties::{BUILD, GAME, HARD};
use manage_properties::{COOK_RULE, DIRECT};

/// The properties of a dependency: one or more combinations of bits. For example, if a package has
/// a soft reference to another package in the game, and a hard reference in the editor, the
/// dependency has two combinations. No combination contains all bits of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Properties {
    stored: u8,
    combinations: &'static [&'static [u8]],
}

/// The combinations for each number that a file stores for three properties. The table lists all
/// sets of combinations in which no combination contains another one. Smaller sets come first.
const OF_THREE: &[&[u8]] = &[
    &[0],
    &[1],
    &[2],
    &[3],
    &[4],
    &[5],
    &[6],
    &[7],
    &[1, 2],
    &[1, 4],
    &[1, 6],
    &[2, 4],
    &[2, 5],
    &[3, 4],
    &[3, 5],
    &[3, 6],
    &[5, 6],
    &[1, 2, 4],
    &[3, 5, 6],
];

/// The combinations for each number that a file stores for two properties.
const OF_TWO: &[&[u8]] = &[&[0], &[1], &[2], &[3], &[1, 2]];

/// Size in bits of the number that a file stores for three properties.
const THREE_BITS: u32 = 5;
/// Size in bits of the number that a file stores for two properties.
const TWO_BITS: u32 = 3;

impl Properties {
    /// Returns the number that stands for the combinations in files of the newest version.
    pub const fn stored(&self) -> u8 {
        self.stored
    }

    /// Returns the combinations. Their bits are [`dependency_properties`] or [`manage_properties`].
    /// If the number in the file has no meaning, the list is empty.
    pub fn combinations(&self) -> &'static [u8] {
        self.combinations.get(usize::from(self.stored)).copied().unwrap_or_default()
    }

    /// Returns `true` if a combination has this bit.
    pub fn any(&self, property: u8) -> bool {
        self.combinations().iter().any(|bits| bits & property != 0)
    }
}

/// A dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// Index of the node on which another node depends.
    pub node: i32,
    /// The properties of the dependency.
    pub properties: Properties,
}

/// An iterator over dependencies. [`Node::package_dependencies`] and [`Node::manage_dependencies`]
/// return it.
#[derive(Clone, Debug)]
pub struct Dependencies<'a> {
    nodes: Records<'a, i32>,
    /// A second list, whose dependencies have different properties; empty from version 7 on.
    more: Records<'a, i32>,
    source: PropertySource<'a>,
    combinations: &'static [&'static [u8]],
    next: usize,
}

/// Where the properties of dependencies come from.
#[derive(Clone, Copy, Debug)]
enum PropertySource<'a> {
    /// The file stores a number of `width` bits for each dependency. All dependencies also have the
    /// properties `always`.
    Stored { bits: &'a [u8], width: u32, always: u8 },
    /// The dependencies in the lists `nodes` and `more` have these properties.
    Lists { nodes: u8, more: u8 },
}

impl Iterator for Dependencies<'_> {
    type Item = Dependency;

    fn next(&mut self) -> Option<Dependency> {
        let (node, is_first) = match self.nodes.next() {
            Some(node) => (node.ok()?, true),
            None => (self.more.next()?.ok()?, false),
        };
        let index = self.next;
        self.next = index.saturating_add(1);
        let stored = match self.source {
            PropertySource::Stored { bits, width, always } => {
                number_at(bits, index, width) | always
            }
            PropertySource::Lists { nodes, .. } if is_first => nodes,
            PropertySource::Lists { more, .. } => more,
        };
        let properties = Properties { stored, combinations: self.combinations };
        Some(Dependency { node, properties })
    }
}

impl FusedIterator for Dependencies<'_> {}

/// Returns the number at this index in an array of numbers that have `width` bits each. `width` is
/// at most 8.
fn number_at(bits: &[u8], index: usize, width: u32) -> u8 {
    let place = index.saturating_mul(width as usize);
    let byte = |at: usize| bits.get(at).copied().unwrap_or(0);
    let at = place.wrapping_shr(3);
    let both = u16::from_le_bytes([byte(at), byte(at.saturating_add(1))]);
    let mask = 1u16.wrapping_shl(width).wrapping_sub(1);
    (both.wrapping_shr((place & 7) as u32) & mask) as u8
}

/// A node as it is stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredNode<'a> {
    identifier: StoredIdentifier<'a>,
    packages: StoredDependencies<'a>,
    names: List<'a, i32>,
    managed: StoredDependencies<'a>,
    referencers: List<'a, i32>,
}

/// A list of dependencies as it is stored.
#[derive(Clone, Copy, Debug)]
struct StoredDependencies<'a> {
    nodes: List<'a, i32>,
    more: List<'a, i32>,
    source: PropertySource<'a>,
}

impl<'a> StoredDependencies<'a> {
    /// Reads a list of nodes, and an array with a number of `width` bits for each node. The array is
    /// padded to a multiple of 32 bits.
    fn with_properties(
        from: &mut FileCursor<'a>,
        width: u32,
        always: u8,
        layout: &Layout,
    ) -> Result<Self> {
        let nodes: List<'a, i32> = from.read(layout)?;
        let words = (nodes.len() as u64).saturating_mul(width.into()).div_ceil(32);
        let bits = from.bytes(words.saturating_mul(4))?;
        let source = PropertySource::Stored { bits, width, always };
        Ok(Self { nodes, more: List::default(), source })
    }

    fn iter(&self, combinations: &'static [&'static [u8]]) -> Dependencies<'a> {
        let (nodes, more) = (self.nodes.iter(), self.more.iter());
        Dependencies { nodes, more, source: self.source, combinations, next: 0 }
    }
}

/// Minimum size in bytes of a node: its identifier, and four counts.
const LEAST: u64 = 17;

impl<'a> StoredNode<'a> {
    pub(super) fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        match layout.table_version {
            ADDED_DEPENDENCY_FLAGS.. => Self::with_properties(from, layout),
            _ => Self::without_properties(from, layout),
        }
    }

    fn with_properties(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        let identifier = from.read(layout)?;
        let packages = StoredDependencies::with_properties(from, THREE_BITS, 0, layout)?;
        let names = from.read(layout)?;
        let (width, always) = match layout.table_version {
            MANAGE_DEPENDENCIES_COOK_RULE.. => (TWO_BITS, 0),
            _ => (1, COOK_RULE),
        };
        let managed = StoredDependencies::with_properties(from, width, always, layout)?;
        Ok(Self { identifier, packages, names, managed, referencers: from.read(layout)? })
    }

    fn without_properties(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        let identifier = from.read(layout)?;
        let mut count = || {
            let start = *from;
            let count: i32 = from.read(layout)?;
            u32::try_from(count).map_err(|_| start.error(ErrorKind::BadCount(count)))
        };
        let (hard, soft, name, soft_managed) = (count()?, count()?, count()?, count()?);
        let has_hard_managed = layout.table_version >= ADDED_HARD_MANAGE;
        let hard_managed = if has_hard_managed { count()? } else { 0 };
        let referencer = count()?;
        let mut list = |count| List::counted(from, count, layout);
        let packages = StoredDependencies {
            nodes: list(hard)?,
            more: list(soft)?,
            source: PropertySource::Lists { nodes: HARD | GAME | BUILD, more: GAME | BUILD },
        };
        let names = list(name)?;
        let managed = StoredDependencies {
            nodes: list(soft_managed)?,
            more: list(hard_managed)?,
            source: PropertySource::Lists { nodes: COOK_RULE, more: DIRECT | COOK_RULE },
        };
        Ok(Self { identifier, packages, names, managed, referencers: list(referencer)? })
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct NodeReader;

impl<'a> ReadItem<'a> for NodeReader {
    type Item = StoredNode<'a>;

    fn read_item(
        &self,
        _: u32,
        from: &mut FileCursor<'a>,
        layout: &Layout,
    ) -> Result<StoredNode<'a>> {
        StoredNode::read(from, layout)
    }
}

/// The dependencies in a registry: nodes that refer to each other by index.
#[derive(Clone, Debug)]
pub struct Graph<'a, 'r> {
    registry: &'r Registry<'a>,
    nodes: SampledIndex<'a, NodeReader, 256>,
}

impl<'a, 'r> Graph<'a, 'r> {
    /// Reads the number of nodes, and creates a view of them.
    pub(super) fn read(registry: &'r Registry<'a>, from: &mut FileCursor<'a>) -> Result<Self> {
        let count = from.count(LEAST, registry.layout())?;
        Ok(Self { registry, nodes: SampledIndex::new(NodeReader, *from, count) })
    }

    pub(super) const fn none(registry: &'r Registry<'a>) -> Self {
        Self { registry, nodes: SampledIndex::none(NodeReader) }
    }

    /// Stores the offset of each node, so that [`node`](Self::node) works in constant time after
    /// its first call.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn with_node_index(mut self) -> Self {
        self.nodes.index_all(self.registry.layout());
        self
    }

    /// Returns the number of nodes, as the file states it.
    pub const fn node_count(&self) -> u32 {
        self.nodes.count()
    }

    /// Returns the nodes, in the order of the file. After an error, the iterator ends.
    pub const fn nodes(&self) -> Nodes<'a, 'r> {
        Nodes { registry: self.registry, from: self.nodes.input(), left: self.nodes.count() }
    }

    /// Returns the node with this index, or `None` if there is no such node or it cannot be read.
    /// The first call works in linear time. Each later call reads up to 1/256 of the nodes.
    pub fn node(&self, index: i32) -> Option<Node<'a, 'r>> {
        let layout = self.registry.layout();
        self.nodes.prepare(layout, |_, _| {});
        let mut at = self.nodes.cursor_at(index, layout)?;
        let offset = at.offset();
        let stored = StoredNode::read(&mut at, layout).ok()?;
        Some(Node { registry: self.registry, stored, offset })
    }
}

/// An iterator over nodes. [`Graph::nodes`] returns it.
#[derive(Clone, Debug)]
pub struct Nodes<'a, 'r> {
    registry: &'r Registry<'a>,
    from: FileCursor<'a>,
    left: u32,
}

impl<'a> Nodes<'a, '_> {
    /// Reads all nodes, and returns the position after the last one.
    pub(super) fn end(mut self) -> Result<FileCursor<'a>> {
        match self.try_for_each(|node| node.map(drop)) {
            Ok(()) => Ok(self.from),
            Err(error) => Err(error),
        }
    }

    pub(super) const fn input(&self) -> FileCursor<'a> {
        self.from
    }
}

impl<'a, 'r> Iterator for Nodes<'a, 'r> {
    type Item = Result<Node<'a, 'r>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let (registry, offset) = (self.registry, self.from.offset());
        let stored = StoredNode::read(&mut self.from, registry.layout());
        if stored.is_err() {
            self.left = 0;
        }
        Some(stored.map(|stored| Node { registry, stored, offset }))
    }
}

impl FusedIterator for Nodes<'_, '_> {}

/// A node: a package, an asset or a name, with its dependencies and the nodes that depend on it.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a, 'r> {
    registry: &'r Registry<'a>,
    stored: StoredNode<'a>,
    offset: u64,
}

impl<'a> Node<'a, '_> {
    /// Returns the offset of the node in the file.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the identifier, which states what the node stands for. Fails if a name in the
    /// identifier is missing from the table of names.
    pub fn identifier(&self) -> Result<Identifier<'a>> {
        let text = |name: Option<StoredName<'a>>| {
            name.map(|name| self.registry.text(name, self.offset)).transpose()
        };
        let stored = &self.stored.identifier;
        Ok(Identifier {
            package: text(stored.package)?,
            primary_asset_type: text(stored.primary_asset_type)?,
            object: text(stored.object)?,
            value: text(stored.value)?,
        })
    }

    /// Returns the dependencies on packages. Below version 7, each has the properties
    /// [`GAME`](dependency_properties::GAME) and [`BUILD`](dependency_properties::BUILD), and hard
    /// dependencies also have [`HARD`](dependency_properties::HARD).
    pub fn package_dependencies(&self) -> Dependencies<'a> {
        self.stored.packages.iter(OF_THREE)
    }

    /// Returns the dependencies on names, as indices of nodes.
    pub const fn name_dependencies(&self) -> List<'a, i32> {
        self.stored.names
    }

    /// Returns the dependencies on managed assets. Below version 22, each has the property
    /// [`COOK_RULE`](manage_properties::COOK_RULE).
    pub fn manage_dependencies(&self) -> Dependencies<'a> {
        self.stored.managed.iter(OF_TWO)
    }

    /// Returns the indices of the nodes that depend on this one.
    pub const fn referencers(&self) -> List<'a, i32> {
        self.stored.referencers
    }
}

/// The identifier of a node (`FAssetIdentifier`). For a package, only `package` is present.
///
/// `Display` prints `Package.Object::Value`, or `Type:Object` for a primary asset.
#[derive(Clone, Copy, Debug, Default)]
pub struct Identifier<'a> {
    /// The package.
    pub package: Option<NameText<'a>>,
    /// The type of a primary asset.
    pub primary_asset_type: Option<NameText<'a>>,
    /// The object in the package, or the name of the primary asset.
    pub object: Option<NameText<'a>>,
    /// The name of a value in the object, such as that of a row in a data table.
    pub value: Option<NameText<'a>>,
}

impl fmt::Display for Identifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            ("", self.package),
            ("", self.primary_asset_type),
            (if self.primary_asset_type.is_some() { ":" } else { "." }, self.object),
            ("::", self.value),
        ];
        let parts = parts.iter().filter_map(|(before, name)| name.map(|name| (before, name)));
        for (index, (before, name)) in parts.enumerate() {
            if index > 0 {
                f.write_str(before)?;
            }
            name.fmt(f)?;
        }
        Ok(())
    }
}
