//! The tree of a file: where its values are, and how the values of a container are found.
//!
//! A tree is never stored. A [`Place`] is the range of a value in the content, and a [`Listing`]
//! holds the offset of every 64th child of an opened container. From there, the other children are
//! found by walking.

use std::ops::Range;

/// What a value is in its container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The content itself.
    Root,
    /// A value after its length.
    Frame,
    Element,
    /// The value of a pair.
    Pair,
    /// The value of a property.
    Property,
    /// An element of a packed array, which has no header.
    Packed,
}

/// The place of a value in the content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub role: Role,
    /// Number of siblings before it.
    pub index: u64,
    /// The bytes of its key, name or length. Empty if it has none. For an element of a packed
    /// array of Godot, an empty range at the start of the array.
    pub key: Range<usize>,
    pub value: Range<usize>,
    /// Anything else that the format must know to read the value, such as the encoding of the
    /// container around it. 0 if it needs nothing.
    pub form: u32,
}

impl Place {
    /// Returns the offset at which the value begins, with its key.
    pub fn start(&self) -> usize {
        if self.key.is_empty() { self.value.start } else { self.key.start }
    }
}

/// How the children of a container follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Values in a row.
    Values,
    /// Frames whose lengths are little-endian, or big-endian.
    Frames { big_endian: bool },
    /// Pairs of encoded keys and values.
    Pairs,
    /// Names and encoded values.
    Properties,
    /// Strings without headers.
    Strings,
    /// Elements without headers that all have this size.
    Fixed(usize),
}

/// The children of a container before they are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    pub layout: Layout,
    /// Number of children, if the container states it.
    pub count: Option<u64>,
    /// Offset of the first child.
    pub first: usize,
    /// End of the container.
    pub end: usize,
    /// The [`Place::form`] of the children.
    pub form: u32,
}

/// An error at an offset of the content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub text: String,
    pub offset: usize,
}

/// The parts of a value that its row shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    pub label: String,
    pub kind: String,
    pub text: String,
    /// Number of children, if it is known.
    pub count: Option<u64>,
    pub can_open: bool,
    pub can_edit: bool,
    pub can_edit_key: bool,
    /// `true` for a file in an archive.
    pub can_extract: bool,
    pub shape: Shape,
}

impl Row {
    pub fn is_malformed(&self) -> bool {
        self.kind == "malformed"
    }
}

/// The form of a value in JSON, for formats that make JSON from their rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// As a string.
    #[default]
    Text,
    /// As the text of the row.
    Plain,
    /// As a string, whose text is in quotes already.
    Quoted,
    /// As a list of the values inside.
    List,
    /// As an object of the values inside.
    Object,
}

/// A part of a value that can be edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Key,
    Value,
}

/// A replacement of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    pub at: usize,
    pub old: Vec<u8>,
    pub new: Vec<u8>,
}

/// A format, as a tree over the bytes of the content.
///
/// A chain of places leads from the root to a value. It always has at least one place.
pub trait Source {
    /// Returns the children of the last value in the chain, or `None` if it has none.
    fn open(&self, bytes: &[u8], chain: &[Place]) -> Option<Opening>;
    /// Calls `each` with the children of the last value in the chain, until it returns `false`.
    /// `from` is the index and the offset of the first of them.
    fn walk(
        &self,
        bytes: &[u8],
        chain: &[Place],
        opening: &Opening,
        from: (u64, usize),
        each: &mut dyn FnMut(Place) -> bool,
    ) -> Result<(), Fault>;
    /// Returns the rows of children of the last value in the chain.
    fn rows(&self, bytes: &[u8], chain: &[Place], children: &[Place]) -> Vec<Row>;
    /// Returns the text of the last value in the chain, or of its key, as it can be edited. It is
    /// cut off after 1 MiB, and empty if the format has only the text of the row.
    fn text(&self, bytes: &[u8], chain: &[Place], part: Part) -> String;
    /// Returns the replacements that change the last value in the chain, or its key.
    fn edit(
        &self,
        bytes: &[u8],
        chain: &[Place],
        part: Part,
        text: &str,
    ) -> Result<Vec<Splice>, Fault>;
    /// Appends the last value in the chain as JSON.
    fn json(&self, bytes: &[u8], chain: &[Place], out: &mut String) -> Result<(), Fault>;
    /// Checks the last value in the chain completely.
    fn check(&self, bytes: &[u8], chain: &[Place]) -> Result<(), Fault>;
    /// Returns the file in an archive that the chain leads to, with its name.
    fn extract(&self, _: &[u8], _: &[Place]) -> Result<Option<(String, Vec<u8>)>, Fault> {
        Ok(None)
    }
    /// Tells the format that the content has changed.
    fn changed(&self, _: &[u8]) {}
    /// Checks the last value in the chain, and the values around it, after it was changed.
    fn check_change(&self, _: &[u8], _: &[Place]) -> Result<(), Fault> {
        Ok(())
    }
}

/// Returns the place of the whole content.
pub fn root(bytes: &[u8]) -> Place {
    Place { role: Role::Root, index: 0, key: 0..0, value: 0..bytes.len(), form: 0 }
}

/// The number of children from one offset in a listing to the next.
const SAMPLE: u64 = 64;

/// The children of an opened container.
#[derive(Clone, Debug)]
pub struct Listing {
    pub opening: Opening,
    pub count: u64,
    /// Offset of every 64th child. Empty if all children have the same size.
    samples: Vec<usize>,
    /// The error that ends the list early.
    pub fault: Option<Fault>,
}

impl Listing {
    /// Finds all children of the last value in the chain.
    pub fn new(source: &dyn Source, bytes: &[u8], chain: &[Place], opening: Opening) -> Self {
        let mut listing = Self { opening, count: 0, samples: Vec::new(), fault: None };
        if let (Layout::Fixed(_), Some(count)) = (opening.layout, opening.count) {
            listing.count = count;
            return listing;
        }
        if opening.count == Some(0) {
            return listing;
        }
        let walked = source.walk(bytes, chain, &opening, (0, opening.first), &mut |place| {
            if listing.count.is_multiple_of(SAMPLE) {
                listing.samples.push(place.start());
            }
            listing.count += 1;
            opening.count.is_none_or(|count| listing.count < count)
        });
        listing.fault = walked.err();
        listing
    }

    /// Calls `each` with the children from `from` on, until it returns `false`.
    pub fn walk(
        &self,
        source: &dyn Source,
        bytes: &[u8],
        chain: &[Place],
        from: u64,
        each: &mut dyn FnMut(Place) -> bool,
    ) {
        if from >= self.count {
            return;
        }
        let first = match self.opening.layout {
            Layout::Fixed(size) => (from, self.opening.first + from as usize * size),
            _ => {
                let sample = from / SAMPLE;
                let Some(pos) = self.samples.get(sample as usize) else { return };
                (sample * SAMPLE, *pos)
            }
        };
        // An error ends the walk, as it did when the list was made.
        let _ = source.walk(bytes, chain, &self.opening, first, &mut |place| {
            let is_last = place.index + 1 >= self.count;
            (place.index < from || each(place)) && !is_last
        });
    }

    pub fn child(
        &self,
        source: &dyn Source,
        bytes: &[u8],
        chain: &[Place],
        index: u64,
    ) -> Option<Place> {
        let mut found = None;
        self.walk(source, bytes, chain, index, &mut |place| {
            found = Some(place);
            false
        });
        found
    }

    /// Returns the child that contains an offset.
    pub fn child_at(
        &self,
        source: &dyn Source,
        bytes: &[u8],
        chain: &[Place],
        offset: usize,
    ) -> Option<Place> {
        let from = match self.opening.layout {
            Layout::Fixed(size) => (offset.checked_sub(self.opening.first)? / size.max(1)) as u64,
            _ => {
                let after = self.samples.partition_point(|sample| *sample <= offset) as u64;
                after.checked_sub(1)? * SAMPLE
            }
        };
        let mut found = None;
        self.walk(source, bytes, chain, from, &mut |place| {
            let is_here = (place.start()..place.value.end).contains(&offset);
            let is_before = place.value.end <= offset;
            found = is_here.then_some(place);
            is_before
        });
        found
    }

    /// Moves all offsets from `end` on, after bytes before them were replaced.
    pub fn shift(&mut self, end: usize, delta: isize) {
        let moved = |offset: &mut usize| {
            if *offset >= end {
                *offset = offset.saturating_add_signed(delta);
            }
        };
        self.samples.iter_mut().for_each(moved);
        moved(&mut self.opening.first);
        moved(&mut self.opening.end);
    }
}

/// Moves a place after bytes before `end` were replaced.
pub fn shift(place: &mut Place, end: usize, delta: isize) {
    for offset in
        [&mut place.key.start, &mut place.key.end, &mut place.value.start, &mut place.value.end]
    {
        if *offset >= end {
            *offset = offset.saturating_add_signed(delta);
        }
    }
}
