//! Reads the pins of the nodes in a blueprint or another graph of Unreal Engine, and prints what
//! each pin is linked to.
//!
//! ```text
//! cargo run --example graph_pins --features unreal -- corpus/unreal/ue5.4-SimpleRefsRoot.uasset
//! ```
//!
//! A node (`UEdGraphNode`) writes its pins after its properties. This example reads pins in the
//! layout that the editors of engines 4.13 to 5.6 write. In older packages, each pin is a separate
//! export. Cooked packages have no pins.

use gamewire::unreal::archive::{Archive, ArchiveReader, Array, Serialize};
use gamewire::unreal::properties::FormattedText;
use gamewire::unreal::tables::Export;
use gamewire::unreal::{
    ErrorKind, Guid, NameRef, ObjectRef, Package, PackageIndex, Result, StrRef,
};
use std::{env, error::Error, fs};

/// The version of `FBlueprintsObjectVersion` that introduced pins in the data of nodes.
const EDGRAPH_PIN_OPTIMIZED: i32 = 4;

/// The file version of engine 5.6.
const NEWEST: i32 = 1017;

/// The name of a pin or of a type. Older packages store a string instead of a name.
#[derive(Clone, Copy, Debug)]
pub enum PinName<'a> {
    Name(NameRef<'a>),
    Text(StrRef<'a>),
}

impl Default for PinName<'_> {
    fn default() -> Self {
        Self::Text(StrRef::default())
    }
}

impl<'a> Serialize<'a> for PinName<'a> {
    const MIN_SIZE: u64 = 4;

    fn serialize<A: Archive<'a>>(&mut self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            *self = match ar.layout().custom.framework >= 31 {
                true => Self::Name(NameRef::default()),
                false => Self::Text(StrRef::default()),
            };
        }
        match self {
            Self::Name(name) => ar.serialize(name),
            Self::Text(text) => ar.serialize(text),
        }
    }
}

impl PinName<'_> {
    pub fn to_string(self, package: &Package<'_>) -> String {
        match self {
            Self::Name(NameRef::Index(name)) => {
                package.name(name).map(|name| name.to_string()).unwrap_or_default()
            }
            Self::Name(NameRef::Text(text)) | Self::Text(text) => text.to_string(),
        }
    }
}

/// A reference to a pin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PinRef(pub Option<(PackageIndex, Guid)>);

impl<'a> Serialize<'a> for PinRef {
    const MIN_SIZE: u64 = 4;

    fn serialize<A: Archive<'a>>(&mut self, ar: &mut A) -> Result<()> {
        let mut is_null = self.0.is_none();
        ar.serialize(&mut is_null)?;
        if is_null {
            self.0 = None;
            return Ok(());
        }
        let (node, id) = self.0.get_or_insert_default();
        ar.serialize(node)?;
        ar.serialize(id)
    }
}

/// The type of the values in a map (`FEdGraphTerminalType`).
#[derive(Clone, Copy, Debug, Default)]
pub struct TerminalType<'a> {
    pub category: PinName<'a>,
    pub subcategory: PinName<'a>,
    pub object: ObjectRef<'a>,
    pub is_const: bool,
    pub is_weak: bool,
    pub is_wrapper: Option<bool>,
}

impl<'a> Serialize<'a> for TerminalType<'a> {
    fn serialize<A: Archive<'a>>(&mut self, ar: &mut A) -> Result<()> {
        ar.serialize(&mut self.category)?;
        ar.serialize(&mut self.subcategory)?;
        ar.serialize(&mut self.object)?;
        ar.serialize(&mut self.is_const)?;
        ar.serialize(&mut self.is_weak)?;
        ar.serialize_if(ar.layout().custom.release >= 32, &mut self.is_wrapper)
    }
}

/// The type of a pin (`FEdGraphPinType`).
#[derive(Clone, Copy, Debug, Default)]
pub struct PinType<'a> {
    pub category: PinName<'a>,
    pub subcategory: PinName<'a>,
    pub object: ObjectRef<'a>,
    /// 0 for a single value, 1 for an array, 2 for a set, 3 for a map.
    pub container: Option<u8>,
    pub is_map: Option<bool>,
    pub value: Option<TerminalType<'a>>,
    pub is_set: Option<bool>,
    pub is_array: Option<bool>,
    pub is_reference: bool,
    pub is_weak: bool,
    /// For a delegate, the function with its signature: class, name and GUID.
    pub member: (ObjectRef<'a>, NameRef<'a>, Guid),
    pub is_const: Option<bool>,
    pub is_wrapper: Option<bool>,
    pub is_single_precision: Option<bool>,
}

impl<'a> Serialize<'a> for PinType<'a> {
    fn serialize<A: Archive<'a>>(&mut self, ar: &mut A) -> Result<()> {
        let custom = ar.layout().custom;
        let has_container = custom.framework >= 26;
        let has_maps = !has_container && custom.blueprints >= 6;
        ar.serialize(&mut self.category)?;
        ar.serialize(&mut self.subcategory)?;
        ar.serialize(&mut self.object)?;
        ar.serialize_if(has_container, &mut self.container)?;
        ar.serialize_if(has_maps, &mut self.is_map)?;
        let is_map = self.container == Some(3) || self.is_map == Some(true);
        ar.serialize_if(is_map, &mut self.value)?;
        ar.serialize_if(has_maps, &mut self.is_set)?;
        ar.serialize_if(!has_container, &mut self.is_array)?;
        ar.serialize(&mut self.is_reference)?;
        ar.serialize(&mut self.is_weak)?;
        ar.serialize(&mut self.member.0)?;
        ar.serialize(&mut self.member.1)?;
        ar.serialize(&mut self.member.2)?;
        ar.serialize_if(ar.versions().ue4 >= 456, &mut self.is_const)?;
        ar.serialize_if(custom.release >= 32, &mut self.is_wrapper)?;
        ar.serialize_if(custom.ue5_release >= 36, &mut self.is_single_precision)
    }
}

/// A pin of a node (`UEdGraphPin`).
#[derive(Clone, Copy, Debug, Default)]
pub struct Pin<'a> {
    pub node: PackageIndex,
    pub id: Guid,
    pub name: PinName<'a>,
    pub friendly_name: FormattedText<'a>,
    pub source_index: Option<i32>,
    pub tooltip: StrRef<'a>,
    /// 0 for an input, 1 for an output.
    pub direction: u8,
    pub pin_type: PinType<'a>,
    pub default_value: StrRef<'a>,
    pub autogenerated_default_value: StrRef<'a>,
    pub default_object: ObjectRef<'a>,
    pub default_text: FormattedText<'a>,
    pub linked_to: Array<'a, PinRef>,
    pub sub_pins: Array<'a, PinRef>,
    pub parent: PinRef,
    pub reference_pass_through: PinRef,
    pub persistent_id: Guid,
    /// Bit 0: hidden.
    pub flags: u32,
}

impl<'a> Serialize<'a> for Pin<'a> {
    fn serialize<A: Archive<'a>>(&mut self, ar: &mut A) -> Result<()> {
        ar.serialize(&mut self.node)?;
        ar.serialize(&mut self.id)?;
        ar.serialize(&mut self.name)?;
        ar.serialize(&mut self.friendly_name)?;
        ar.serialize_if(ar.layout().custom.ue5_main >= 50, &mut self.source_index)?;
        ar.serialize(&mut self.tooltip)?;
        ar.serialize(&mut self.direction)?;
        if self.direction > 1 {
            let (what, value) = ("direction of a pin", self.direction.into());
            return Err(ar.error(ErrorKind::Unknown { what, value }));
        }
        ar.serialize(&mut self.pin_type)?;
        ar.serialize(&mut self.default_value)?;
        ar.serialize(&mut self.autogenerated_default_value)?;
        ar.serialize(&mut self.default_object)?;
        ar.serialize(&mut self.default_text)?;
        ar.serialize(&mut self.linked_to)?;
        ar.serialize(&mut self.sub_pins)?;
        ar.serialize(&mut self.parent)?;
        ar.serialize(&mut self.reference_pass_through)?;
        ar.serialize(&mut self.persistent_id)?;
        ar.serialize(&mut self.flags)
    }
}

/// An element in a node's list of pins: a reference to the pin and, unless the reference is null,
/// the pin itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnedPin<'a> {
    pub reference: PinRef,
    pub pin: Option<Pin<'a>>,
}

impl<'a> Serialize<'a> for OwnedPin<'a> {
    const MIN_SIZE: u64 = 4;

    fn serialize<A: Archive<'a>>(&mut self, ar: &mut A) -> Result<()> {
        ar.serialize(&mut self.reference)?;
        ar.serialize_if(self.reference.0.is_some(), &mut self.pin)
    }
}

/// The pins of a node.
pub type Pins<'a> = Array<'a, OwnedPin<'a>>;

/// Returns `true` if the name of an export's class begins like those of the engine's node classes.
pub fn is_node(package: &Package<'_>, export: &Export) -> bool {
    const STARTS: [&str; 5] =
        ["K2Node", "EdGraphNode", "AnimGraphNode", "AnimStateNode", "AnimStateTransitionNode"];
    package.class_name(export).is_some_and(|class| {
        STARTS.iter().any(|start| class.text().bytes().starts_with(start.as_bytes()))
    })
}

/// Reads the pins of a node. Also returns the reader after the pins, where the data of classes
/// derived from `UEdGraphNode` begin.
pub fn read_pins<'p>(
    package: &'p Package<'_>,
    node: &Export,
) -> Result<(Pins<'p>, ArchiveReader<'p>), Box<dyn Error>> {
    let layout = package.layout();
    if layout.versions.ue5 > NEWEST {
        return Err("the package is newer than engine 5.6".into());
    }
    if !layout.editor_data {
        return Err("the package is cooked, so its nodes have no pins".into());
    }
    if layout.custom.blueprints < EDGRAPH_PIN_OPTIMIZED {
        return Err("the package is too old: each of its pins is an export".into());
    }
    let mut ar = package.native_archive(node)?.ok_or("the properties have no tags")?;
    let pins = ar.read()?;
    Ok((pins, ar))
}

fn print_pins(package: &Package<'_>, node: &Export, pins: Pins<'_>) -> Result<(), Box<dyn Error>> {
    let name = |name| package.name(name).map(|name| name.to_string()).unwrap_or_default();
    println!("{}", name(node.object_name));
    for pin in pins {
        let Some(pin) = pin?.pin else { continue };
        let direction = if pin.direction == 0 { "in" } else { "out" };
        let (pin_name, category) = (pin.name, pin.pin_type.category);
        print!("  {direction} {}: {}", pin_name.to_string(package), category.to_string(package));
        if !pin.default_value.is_empty() {
            print!(" = {}", pin.default_value);
        }
        for link in pin.linked_to {
            if let PinRef(Some((node, id))) = link? {
                print!(" -> {} {id}", package.path_of(node));
            }
        }
        println!();
    }
    Ok(())
}

#[allow(dead_code, reason = "tests include this file as a module")]
fn main() -> Result<(), Box<dyn Error>> {
    let file = env::args().nth(1).ok_or("usage: graph_pins FILE.uasset")?;
    let bytes = fs::read(file)?;
    let package = Package::open(&bytes)?;
    for export in package.exports() {
        let export = export?;
        if is_node(&package, &export) {
            print_pins(&package, &export, read_pins(&package, &export)?.0)?;
        }
    }
    Ok(())
}
