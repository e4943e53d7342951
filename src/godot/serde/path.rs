use crate::godot::{Dialect, Error, Kind, Leaf, Open, Property, Reader, Role, Visitor};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Keys and indices that lead to the value in which `offset` of `bytes` lies: as
/// `players/3/position`. Found by going through the packet again, which costs nobody but
/// those who fail.
pub(super) fn path_at(bytes: &[u8], dialect: Dialect, offset: u64) -> String {
    let mut trail = Trail { offset, steps: Vec::new() };
    // It ends early: there, or where the packet is malformed.
    let _ = Reader::new(bytes, dialect).visit(&mut trail);
    let names = trail.steps.iter().map(|step| match &step.name {
        Some(name) => name.clone(),
        None => step.index.to_string(),
    });
    names.collect::<Vec<_>>().join("/")
}

/// Where the walk is: in which item of which container.
struct Trail {
    offset: u64,
    steps: Vec<Step>,
}

struct Step {
    /// Of the item, or of the pair.
    index: usize,
    name: Option<String>,
    /// Whether an item was seen.
    begun: bool,
}

/// That the place was found, or that there is none.
struct Found;

impl From<Error> for Found {
    fn from(_: Error) -> Self {
        Self
    }
}

impl Trail {
    /// The item of `role` that comes now starts at `offset`.
    fn item(&mut self, role: Role, offset: u64, key: impl FnOnce() -> String) -> Result<(), Found> {
        let beyond = offset > self.offset;
        if let Some(step) = self.steps.last_mut() {
            match role {
                // A fault in a key is one of the container.
                _ if beyond => {}
                Role::Element | Role::Key => {
                    step.index = step.index.saturating_add(usize::from(step.begun));
                    step.begun = true;
                    step.name = matches!(role, Role::Key).then(key);
                }
                Role::Value | Role::Property => {}
            }
        }
        if beyond { Err(Found) } else { Ok(()) }
    }
}

impl<'a> Visitor<'a> for Trail {
    type Error = Found;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Found> {
        self.item(leaf.role, leaf.offset, || match leaf.value.as_str() {
            Some(text) => text.to_string(),
            None => format!("{:?}", leaf.value),
        })?;
        let end = leaf.offset.saturating_add(leaf.encoded.as_bytes().len() as u64);
        if self.offset < end { Err(Found) } else { Ok(()) }
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Found> {
        self.item(open.role, open.offset, || format!("{:?}", open.container.kind()))?;
        let end = open.offset.saturating_add(open.head.len() as u64);
        if self.offset < end {
            return Err(Found);
        }
        self.steps.push(Step { index: 0, name: None, begun: false });
        Ok(())
    }

    fn property(&mut self, property: Property<'a>) -> Result<(), Found> {
        if let Some(step) = self.steps.last_mut() {
            step.name = Some(property.name.to_string());
        }
        let end = property.offset.saturating_add(property.bytes.len() as u64);
        if self.offset < end { Err(Found) } else { Ok(()) }
    }

    fn close(&mut self, _: Kind) -> Result<(), Found> {
        self.steps.pop();
        Ok(())
    }
}
