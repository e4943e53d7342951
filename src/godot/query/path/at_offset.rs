//! Finds the path of the value at an offset.

use super::{Segment, key};
use crate::godot::read::walk::ENGINE_DEPTH;
use crate::godot::types::components::SubValues;
use crate::godot::types::text::{self, StrRef};
use crate::godot::{Dialect, Encoded, Error, Kind, Leaf, Open, Property, Reader, Role, Visitor};
use core::fmt::{self, Display, Formatter};

/// The path of the value at an offset. `Display` walks the packet to find it.
///
/// If decoding fails before it reaches the offset, this is the path of the value that could not be
/// decoded. The path of the offset of an error therefore names the malformed value.
/// [`Encoded::find`] accepts the path of any value; the path of the packet's root is empty. An
/// offset in the middle of a value selects the value. In a packed array it selects the element, and
/// in the name of a property it selects the property.
///
/// ```
/// use gamewire::godot::path::Path;
/// use gamewire::godot::{Dialect, Reader};
///
/// // {"a": [5, an unknown type]}
/// let packet = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x01\0\0\0a\0\0\0\
///     \x1c\0\0\0\x02\0\0\0\x02\0\0\0\x05\0\0\0\x27\0\0\0";
/// assert_eq!(Path::new(packet, Dialect::Godot4, 32).to_string(), "a/0");
/// let error = Reader::new(packet, Dialect::Godot4).read().unwrap_err();
/// assert_eq!(error.path_in(packet, Dialect::Godot4).to_string(), "a/1");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    packet: &'a [u8],
    dialect: Dialect,
    offset: u64,
}

impl<'a> Path<'a> {
    /// Returns the path of the value that is `offset` bytes after the start of `packet`. The packet
    /// is one value of the dialect and need not be well-formed.
    pub const fn new(packet: &'a [u8], dialect: Dialect, offset: u64) -> Self {
        Self { packet, dialect, offset }
    }
}

impl Error {
    /// Returns the path of the malformed value. `packet` is the whole input that was read.
    pub const fn path_in<'a>(&self, packet: &'a [u8], dialect: Dialect) -> Path<'a> {
        Path::new(packet, dialect, self.offset())
    }
}

impl Display for Path<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut search = Search::new(*self);
        // An error ends the walk early; the path up to there is still valid.
        let _ = Reader::new(self.packet, self.dialect).visit_dyn(&mut search);
        let mut separator = "";
        for segment in search.segments() {
            write!(f, "{separator}{segment}")?;
            separator = "/";
        }
        Ok(())
    }
}

/// The part of a container that is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    Element,
    /// The next key, or a key that is a container and is being walked.
    Key,
    /// The name of the next property.
    Name,
    /// The value of a pair whose key a path can contain.
    Value,
    /// The value of a pair or property that a path cannot select by its key or name. The key is a
    /// container, or the key or name is too long, so the path contains the number of the pair or
    /// property.
    ByNumber,
    /// The value of a property.
    Property,
}

/// A container around the requested value.
#[derive(Clone, Copy, Debug)]
struct Frame {
    item: Item,
    /// Number of elements, pairs or properties before the current one.
    number: u32,
    /// Offset of the current key or name.
    key: u32,
    /// `true` if a later key or name is equal to the current one.
    hidden: bool,
}

impl Frame {
    const NONE: Self = Self { item: Item::Element, number: 0, key: 0, hidden: false };

    /// Updates the frame after a complete value.
    fn finish_item(&mut self) {
        let (item, pairs) = match self.item {
            Item::Key => (Item::Value, 0),
            Item::Value | Item::ByNumber => (Item::Key, 1),
            Item::Property => (Item::Name, 1),
            item => (item, 1),
        };
        self.item = item;
        self.number = self.number.saturating_add(pairs);
    }
}

/// Visitor that finds the value at the offset. It then visits the rest of the enclosing containers
/// to compare later keys with those on the path. If a later key is equal, the path must contain the
/// number of the pair instead of the key.
struct Search<'a> {
    path: Path<'a>,
    frames: [Frame; ENGINE_DEPTH as usize],
    /// Number of open containers.
    height: usize,
    found: Option<Found>,
}

#[derive(Clone, Copy, Debug)]
struct Found {
    /// Number of containers around the value.
    depth: usize,
    /// Number of containers around the value that are still open.
    open: usize,
    /// Index of the element, if the value is a packed array.
    element: Option<u64>,
}

/// The error that ends the walk early.
struct Stop;

impl From<Error> for Stop {
    fn from(_: Error) -> Self {
        Self
    }
}

impl<'a> Search<'a> {
    fn new(path: Path<'a>) -> Self {
        Self { path, frames: [Frame::NONE; _], height: 0, found: None }
    }

    /// Returns the innermost open container.
    fn frame(&mut self) -> Option<&mut Frame> {
        self.frames.get_mut(self.height.checked_sub(1)?)
    }

    /// Returns `true` for the first bytes whose end is after the requested offset.
    fn reaches(&self, offset: u64, bytes: &[u8]) -> bool {
        self.found.is_none() && offset.saturating_add(bytes.len() as u64) > self.path.offset
    }

    fn find(&mut self, element: Option<u64>) {
        self.found = Some(Found { depth: self.height, open: self.height, element });
        // A long key is read only once, here, and not again for each later key.
        for at in 0..self.height {
            let by_number = match self.frames.get(at) {
                Some(frame @ Frame { item: Item::Value | Item::Property, .. }) => {
                    matches!(self.segment(frame), Segment::Pair(_))
                }
                _ => false,
            };
            if let Some(frame) = self.frames.get_mut(at).filter(|_| by_number) {
                frame.item = Item::ByNumber;
            }
        }
    }

    /// Before the value is found, records the offset of a key. Afterwards, compares a key with the
    /// key on the path.
    fn begin(&mut self, offset: u64, role: Role, is_leaf: bool) {
        if self.found.is_none() {
            let Some(frame) = self.frame().filter(|_| role == Role::Key) else { return };
            frame.key = u32::try_from(offset).unwrap_or(u32::MAX);
        } else if role == Role::Key && is_leaf && self.is_around() {
            self.hide(|search, frame| {
                let keys = || search.key_at(frame.key).zip(search.key_at(offset as u32));
                frame.item == Item::Value
                    && keys().is_some_and(|(a, b)| key::same(&a.decode(), &b.decode(), a.dialect()))
            });
        }
    }

    /// Returns `true` if the innermost open container encloses the value that was found.
    fn is_around(&self) -> bool {
        self.found.is_some_and(|found| self.height == found.open)
    }

    /// Marks the frame of the innermost container as hidden if `is_same` returns `true` for it.
    fn hide(&mut self, is_same: impl Fn(&Self, Frame) -> bool) {
        let Some(frame) = self.frame().copied() else { return };
        let hidden = frame.hidden || is_same(self, frame);
        if let Some(frame) = self.frame() {
            frame.hidden = hidden;
        }
    }

    fn end_item(&mut self) {
        if self.found.is_none()
            && let Some(frame) = self.frame()
        {
            frame.finish_item();
        }
    }

    fn key_at(&self, offset: u32) -> Option<Encoded<'a>> {
        let key = self.path.packet.get(offset as usize..)?;
        Reader::new(key, self.path.dialect).read_encoded().ok()
    }

    fn name_at(&self, offset: u32) -> Option<StrRef<'a>> {
        let name = self.path.packet.get(offset as usize..)?;
        let mut at = crate::buffer::Cursor::new(name);
        text::read(&mut at, self.path.dialect.rules()).ok().map(StrRef::new)
    }

    /// Returns the segments, the outermost first.
    fn segments(&self) -> impl Iterator<Item = Segment<'a>> {
        let depth = self.found.map_or(self.height, |found| found.depth);
        let element = self.found.and_then(|found| found.element).map(Segment::Index);
        self.frames.iter().take(depth).map(|frame| self.segment(frame)).chain(element)
    }

    fn segment(&self, frame: &Frame) -> Segment<'a> {
        let number = frame.number.into();
        match frame.item {
            Item::Element => Segment::Index(number),
            Item::Key => Segment::KeyOf(number),
            Item::Value if !frame.hidden => match self.key_at(frame.key) {
                Some(key) => Segment::of_key(key, number),
                None => Segment::Pair(number),
            },
            Item::Property if !frame.hidden => match self.name_at(frame.key) {
                Some(name) => Segment::of_name(name, number),
                None => Segment::Pair(number),
            },
            _ => Segment::Pair(number),
        }
    }
}

/// Returns the index of the packed array's element at `offset`.
fn element_at(leaf: &Leaf<'_>, offset: u64) -> Option<u64> {
    let SubValues::Elements(elements) = leaf.value.sub_values() else { return None };
    let start = leaf.encoded.as_bytes().as_ptr().addr();
    let address = start.checked_add(usize::try_from(offset.checked_sub(leaf.offset)?).ok()?)?;
    let contains = |bytes: &[u8]| {
        let start = bytes.as_ptr().addr();
        (start..start.saturating_add(bytes.len())).contains(&address)
    };
    let mut bytes = elements.map(|element| element.bytes);
    bytes.position(contains).map(|index| index as u64)
}

impl<'a> Visitor<'a> for Search<'a> {
    type Error = Stop;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Stop> {
        self.begin(leaf.offset, leaf.role, true);
        if self.reaches(leaf.offset, leaf.encoded.as_bytes()) {
            self.find(element_at(&leaf, self.path.offset));
        }
        self.end_item();
        self.continue_or_stop()
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Stop> {
        self.begin(open.offset, open.role, false);
        if self.reaches(open.offset, open.head) {
            self.find(None);
        }
        self.height = self.height.saturating_add(1);
        let item = match open.container.kind() {
            Kind::Dictionary => Item::Key,
            Kind::Object => Item::Name,
            _ => Item::Element,
        };
        let is_found = self.found.is_some();
        if let Some(frame) = self.frame().filter(|_| !is_found) {
            *frame = Frame { item, ..Frame::NONE };
        }
        self.continue_or_stop()
    }

    fn property(&mut self, property: Property<'a>) -> Result<(), Stop> {
        if self.is_around() {
            self.hide(|search, frame| {
                frame.item == Item::Property
                    && search.name_at(frame.key).is_some_and(|name| name == property.name)
            });
        } else if self.found.is_none()
            && let Some(frame) = self.frame()
        {
            frame.item = Item::Property;
            frame.key = u32::try_from(property.offset).unwrap_or(u32::MAX);
        }
        if self.reaches(property.offset, property.bytes) {
            self.find(None);
        }
        self.continue_or_stop()
    }

    fn close(&mut self, _: Kind) -> Result<(), Stop> {
        self.height = self.height.saturating_sub(1);
        if let Some(found) = &mut self.found {
            found.open = found.open.min(self.height);
        }
        let was_key = self.frame().is_some_and(|frame| frame.item == Item::Key);
        self.end_item();
        if let Some(frame) = self.frame().filter(|frame| was_key && frame.item == Item::Value) {
            frame.item = Item::ByNumber;
        }
        self.continue_or_stop()
    }
}

impl Search<'_> {
    /// Stops the walk once no later byte can change the path.
    fn continue_or_stop(&self) -> Result<(), Stop> {
        match self.found {
            Some(Found { open: 0, .. }) => Err(Stop),
            _ => Ok(()),
        }
    }
}
