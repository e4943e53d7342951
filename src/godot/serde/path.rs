use crate::godot::{Dialect, Error, Kind, Leaf, Open, Property, Reader, Role, Visitor};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Keys and indices that lead to the value in which `offset` of `bytes` lies: as
/// `players/3/position`. Found by going through the packet again, which costs nobody but
/// those who fail.
pub(super) fn path_at(bytes: &[u8], dialect: Dialect, offset: u64) -> String {
    let mut trail = Trail { offset, steps: Vec::new() };
    if let Err(Stop::Malformed) = Reader::new(bytes, dialect).visit(&mut trail) {
        trail.begin_next();
    }
    let names = trail.steps.iter().filter_map(Step::name);
    names.collect::<Vec<_>>().join("/")
}

/// Where the walk is: in which item of which container.
struct Trail {
    offset: u64,
    steps: Vec<Step>,
}

struct Step {
    kind: Kind,
    /// How many items of an array have begun.
    begun: usize,
    /// The key or property whose value comes or came last.
    key: Option<String>,
    /// Whether the last item has ended.
    between: bool,
}

/// Why the walk does not go on.
enum Stop {
    Found,
    Malformed,
}

impl From<Error> for Stop {
    fn from(_: Error) -> Self {
        Self::Malformed
    }
}

impl Step {
    fn name(&self) -> Option<String> {
        match self.kind {
            Kind::Array => self.begun.checked_sub(1).map(|index| index.to_string()),
            _ => self.key.clone(),
        }
    }

    fn begin(&mut self, key: Option<String>) {
        self.begun = self.begun.saturating_add(1);
        self.key = key;
        self.between = false;
    }
}

impl Trail {
    /// What starts at `offset` plays that role; whether the place is before it.
    fn item(&mut self, role: Role, offset: u64, key: impl FnOnce() -> String) -> Result<(), Stop> {
        if offset > self.offset {
            return Err(Stop::Found);
        }
        if let Some(step) = self.steps.last_mut() {
            match role {
                Role::Element => step.begin(None),
                Role::Key => step.begin(Some(key())),
                Role::Value | Role::Property => {}
            }
        }
        Ok(())
    }

    /// What was told of ends after `len` bytes.
    fn told(&self, offset: u64, len: usize) -> Result<(), Stop> {
        let end = offset.saturating_add(len as u64);
        if self.offset < end { Err(Stop::Found) } else { Ok(()) }
    }

    /// The item has ended.
    fn end_item(&mut self) {
        if let Some(step) = self.steps.last_mut() {
            step.between = true;
        }
    }

    /// The place is in an item that cannot be told of. (In a key it is one of the
    /// dictionary.)
    fn begin_next(&mut self) {
        if let Some(step) = self.steps.last_mut()
            && step.between
        {
            step.begin(None);
        }
    }
}

impl<'a> Visitor<'a> for Trail {
    type Error = Stop;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Stop> {
        self.item(leaf.role, leaf.offset, || match leaf.value.as_str() {
            Some(text) => text.to_string(),
            None => format!("{:?}", leaf.value),
        })?;
        self.told(leaf.offset, leaf.encoded.as_bytes().len())?;
        if leaf.role != Role::Key {
            self.end_item();
        }
        Ok(())
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Stop> {
        self.item(open.role, open.offset, || format!("{:?}", open.container.kind()))?;
        self.told(open.offset, open.head.len())?;
        let kind = open.container.kind();
        self.steps.push(Step { kind, begun: 0, key: None, between: true });
        Ok(())
    }

    fn property(&mut self, property: Property<'a>) -> Result<(), Stop> {
        if let Some(step) = self.steps.last_mut() {
            step.begin(Some(property.name.to_string()));
        }
        self.told(property.offset, property.bytes.len())
    }

    fn close(&mut self, _: Kind) -> Result<(), Stop> {
        self.steps.pop();
        self.end_item();
        Ok(())
    }
}
