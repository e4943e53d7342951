//! The family `unreal`: saves and packages of Unreal Engine as trees. `listing` has its other files.

mod companions;
mod edit;
mod listing;
mod node;
pub mod open;
mod package;
mod row;
mod section;
mod stored;

use crate::file::place::{Fault, Layout, Opening, Part, Place, Row, Source, Splice};
use gamewire::unreal::properties::Elements;
use gamewire::unreal::{
    ByteOrder, Mappings, Package, PropertyKind, PropertyValue, Save, Versions, ZenPackage,
};
pub use node::fault;
use node::{Content, Context, File, Node};
use stored::Stored;

/// A file with properties.
#[derive(Clone, Copy)]
pub enum Unreal {
    Save,
    Package { versions: Option<Versions>, mappings: Option<&'static Mappings<'static>> },
    Zen { versions: Option<Versions>, mappings: Option<&'static Mappings<'static>> },
}

/// A function that is called with the context of an opened file.
type Use<'u> = dyn for<'p> FnMut(Context<'p>) -> Result<(), Fault> + 'u;

impl Unreal {
    /// Opens the file, and calls `each` with its context.
    pub fn with(&self, bytes: &[u8], each: &mut Use<'_>) -> Result<(), Fault> {
        match *self {
            Self::Save => {
                let save = Save::open(bytes).map_err(fault)?;
                let stored = Stored { bytes, is_big: save.layout().order == ByteOrder::Big };
                each(Context { file: File::Save(&save), stored })
            }
            Self::Package { versions, mappings } => {
                let package = Package::open_as(bytes, None, versions).map_err(fault)?;
                let package = match mappings {
                    Some(mappings) => package.with_mappings(mappings),
                    None => package,
                };
                let stored = Stored { bytes, is_big: package.layout().order == ByteOrder::Big };
                each(Context { file: File::Package(&package), stored })
            }
            Self::Zen { versions, mappings } => {
                let package = ZenPackage::open_as(bytes, versions).map_err(fault)?;
                let package = match mappings {
                    Some(mappings) => package.with_mappings(mappings),
                    None => package,
                };
                let stored = Stored { bytes, is_big: false };
                each(Context { file: File::Zen(&package), stored })
            }
        }
    }

    /// Calls `each` with the context and the last value in the chain. `form` is the [`Place::form`]
    /// of its children.
    fn at(
        &self,
        bytes: &[u8],
        chain: &[Place],
        form: u32,
        each: &mut dyn for<'p> FnMut(&Context<'p>, Node<'p>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.with(bytes, &mut |context| {
            let offset = chain.last().map_or(0, Place::start);
            let gone = || Fault { text: "there is no such value".into(), offset };
            let found = context.resolve(chain).ok_or_else(gone)?;
            let node = found.last().map_or(Context::root(), |child| child.node);
            each(&context, context.inside(node, form))
        })
    }
}

/// Returns the size of an element, if the elements are numbers or bools and have no other bytes.
fn fixed_size(elements: &Elements<'_>) -> Option<usize> {
    let size = match elements.of().kind() {
        PropertyKind::Bool | PropertyKind::Int8 | PropertyKind::Byte => 1,
        PropertyKind::Int16 | PropertyKind::UInt16 => 2,
        PropertyKind::Int | PropertyKind::UInt32 | PropertyKind::Float => 4,
        PropertyKind::Int64 | PropertyKind::UInt64 | PropertyKind::Double => 8,
        _ => return None,
    };
    (elements.bytes().len() == size * elements.len()).then_some(size)
}

impl Source for Unreal {
    fn open(&self, bytes: &[u8], chain: &[Place]) -> Option<Opening> {
        let place = chain.last()?;
        let mut opening = Opening {
            layout: Layout::Values,
            count: None,
            first: place.value.start,
            end: place.value.end,
            form: 0,
        };
        let mut can_open = chain.len() == 1;
        let _ = self.with(bytes, &mut |context| {
            let Some(found) = context.resolve(chain) else { return Ok(()) };
            let Some(child) = found.last() else { return Ok(()) };
            let value = match child.node.value {
                // Reads the whole container, to find out how it is encoded.
                Content::Tag(tag) => {
                    let value = tag.value();
                    opening.form = value.container_encoding().to_bits();
                    value
                }
                Content::Value(value) => value,
                _ => {
                    can_open = context.content(&child.node).can_open;
                    return Ok(());
                }
            };
            can_open = context.value(&value, child.node.at).can_open;
            let elements = match value {
                PropertyValue::Array(all) => {
                    opening.count = Some(all.len() as u64);
                    all
                }
                PropertyValue::Set(set) => {
                    opening.count = Some((set.removed().len() + set.values().len()) as u64);
                    return Ok(());
                }
                PropertyValue::Map(map) => {
                    opening.count = Some((map.removed().len() + map.entries().len()) as u64);
                    return Ok(());
                }
                _ => return Ok(()),
            };
            if let Some(size) = fixed_size(&elements) {
                (opening.layout, opening.first) = (Layout::Fixed(size), elements.offset() as usize);
            }
            Ok(())
        });
        can_open.then_some(opening)
    }

    fn walk(
        &self,
        bytes: &[u8],
        chain: &[Place],
        opening: &Opening,
        from: (u64, usize),
        each: &mut dyn FnMut(Place) -> bool,
    ) -> Result<(), Fault> {
        self.at(bytes, chain, opening.form, &mut |context, node| {
            context.children(&node, from, &mut |child| {
                each(Place {
                    role: child.role,
                    index: child.index,
                    key: child.key,
                    value: child.bytes,
                    form: opening.form,
                })
            })
        })
    }

    fn rows(&self, bytes: &[u8], chain: &[Place], children: &[Place]) -> Vec<Row> {
        let mut rows = Vec::new();
        let Some(first) = children.first() else { return rows };
        let result = self.at(bytes, chain, first.form, &mut |context, node| {
            context.children(&node, (first.index, first.start()), &mut |child| {
                rows.push(context.row(&child));
                rows.len() < children.len()
            })
        });
        // A value that cannot be read again is malformed.
        let text = result.err().map(|fault| fault.text).unwrap_or_default();
        rows.resize_with(children.len(), || Row {
            kind: "malformed".into(),
            text: text.clone(),
            ..Row::default()
        });
        rows
    }

    fn text(&self, bytes: &[u8], chain: &[Place], part: Part) -> String {
        let mut text = String::new();
        let _ = self.with(bytes, &mut |context| {
            if let Some((_, value, _)) = context.leaf(chain, part) {
                text = context.text(&value);
            }
            Ok(())
        });
        text
    }

    fn edit(
        &self,
        bytes: &[u8],
        chain: &[Place],
        part: Part,
        text: &str,
    ) -> Result<Vec<Splice>, Fault> {
        if matches!(self, Self::Zen { .. }) {
            let text = "packages from containers can only be read".into();
            return Err(Fault { text, offset: 0 });
        }
        let mut splices = Vec::new();
        self.with(bytes, &mut |context| {
            let change = context.change(chain, part, text)?;
            splices = match context.file {
                File::Package(package) => package::corrected(package, bytes, chain, change)?,
                _ => change.splices.clone(),
            };
            Ok(())
        })?;
        Ok(splices)
    }

    fn json(&self, bytes: &[u8], chain: &[Place], out: &mut String) -> Result<(), Fault> {
        crate::file::json::write(self, bytes, chain, out)
    }

    fn check(&self, bytes: &[u8], chain: &[Place]) -> Result<(), Fault> {
        crate::file::json::check(self, bytes, chain)
    }

    fn check_change(&self, bytes: &[u8], chain: &[Place]) -> Result<(), Fault> {
        let offset = chain.last().map_or(0, Place::start);
        let broken = || Fault { text: "the values around it do not allow this".into(), offset };
        // A value can decide how the values around it are read.
        for end in 2..=chain.len() {
            let (place, around) = chain[..end].split_last().ok_or_else(broken)?;
            let row = self.rows(bytes, around, std::slice::from_ref(place)).pop();
            if row.is_none_or(|row| row.is_malformed()) {
                return Err(broken());
            }
        }
        Ok(())
    }
}
