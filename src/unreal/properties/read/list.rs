use super::plain;
use super::slot_walk::SlotWalk;
use super::tag::{Tag, TagHead};
use crate::buffer::{Full, Sink};
use crate::unreal::format::{Error, ErrorKind, FileCursor, Layout, NameText, Result, put};
use crate::unreal::properties::types::{HintScope, NameRef, PropertyContext, PropertyKind};
use core::iter::FusedIterator;

/// An iterator over a list of properties, up to the name that ends it. After an error, the iterator
/// ends.
#[derive(Clone, Copy, Debug)]
pub struct Properties<'p> {
    pub(super) at: FileCursor<'p>,
    pub(crate) context: &'p PropertyContext<'p>,
    /// Remaining nesting depth, which bounds the recursion of walks.
    pub(super) depth_left: u8,
    pub(super) state: ListState,
    /// The slots of a list without tags; `None` for a list of tags.
    pub(super) walk: Option<SlotWalk<'p>>,
    /// The path of the list among the hints.
    pub(super) scope: HintScope,
    /// `true` for a whole list within a value, of which no property has been read.
    pub(super) is_value: bool,
    /// `true` if other values of the same container follow the list.
    pub(super) is_open: bool,
}

/// The state of an iteration. One comparison tells whether the next item is a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListState {
    /// A tag, or the name that ends the list, follows.
    Tags,
    /// A value without a tag can follow.
    Slots,
    /// The end of the next value without a tag cannot be found.
    Broken,
    Done,
}

/// Maximum nesting depth of structs and containers. Files that engines write stay far below this
/// depth.
pub(crate) const MAX_DEPTH: u8 = 48;

impl<'p> Properties<'p> {
    pub(crate) const fn new(at: FileCursor<'p>, context: &'p PropertyContext<'p>) -> Self {
        Self {
            at,
            context,
            depth_left: MAX_DEPTH,
            state: ListState::Tags,
            walk: None,
            scope: HintScope::ROOT,
            is_value: false,
            is_open: false,
        }
    }

    /// Creates a list of tags within a value. The list was checked before. `at` begins with it, and
    /// continues with other values if `is_open` is `true`.
    #[inline(always)]
    pub(super) const fn checked(
        at: FileCursor<'p>,
        context: &'p PropertyContext<'p>,
        depth_left: u8,
        scope: HintScope,
        is_open: bool,
    ) -> Self {
        Self { depth_left, scope, is_value: true, is_open, ..Self::new(at, context) }
    }

    /// Creates an empty list.
    pub(crate) const fn none(at: FileCursor<'p>, context: &'p PropertyContext<'p>) -> Self {
        let state = ListState::Done;
        Self { state, depth_left: 0, scope: HintScope::NONE, ..Self::new(at, context) }
    }

    /// Reads a list within a value, and moves `from` past it. If `speculative` is `true`, an
    /// unknown kind of property is an error, unless the name of the kind ends with `Property`.
    pub(crate) fn walked(
        from: &mut FileCursor<'p>,
        context: &'p PropertyContext<'p>,
        speculative: bool,
        depth_left: u8,
        scope: HintScope,
    ) -> Result<Self> {
        let start = *from;
        if !plain::pass(from, context) {
            while pass(from, context, speculative)? {}
        }
        Ok(Self::checked(start.until(from), context, depth_left, scope, false))
    }

    /// Returns the offset of the next property or, after the last property, of the end of the list.
    pub fn offset(&self) -> u64 {
        self.at.offset()
    }

    /// Returns the bytes of the remaining properties. For a list in a value, they end with the name
    /// that ends the list; for the list of an export or a save, they are followed by other data.
    pub(crate) fn bytes(&self) -> &'p [u8] {
        match self.end() {
            Ok(end) if self.is_open => self.at.until(&end).rest(),
            _ => self.at.rest(),
        }
    }

    /// Writes a list within a value as it was read. Returns `false` if the list is from a file with
    /// another layout, or if some properties have already been read.
    pub(crate) fn write_in<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<bool, Full> {
        put(to, self.bytes())?;
        Ok(self.is_value && self.context.layout == *layout)
    }

    /// Returns `true` if there is no further property that can be read.
    pub(crate) fn is_empty(mut self) -> bool {
        !matches!(self.next(), Some(Ok(_)))
    }

    /// Skips the remaining properties, and returns the position after the list.
    ///
    /// # Errors
    /// If the list is malformed.
    pub(crate) fn end(mut self) -> Result<FileCursor<'p>> {
        self.try_for_each(|tag| tag.map(drop))?;
        self.broken()?;
        Ok(self.at)
    }

    /// Returns the name that ends the list. Returns `None` if the list is invalid or already at its
    /// end.
    pub(crate) fn ending(&self) -> Option<NameRef<'p>> {
        if self.state != ListState::Tags {
            return None;
        }
        let mut at = self.end_of_tags()?;
        at.read(&self.context.layout).ok()
    }

    /// Returns the position of the name that ends the list.
    pub(crate) fn end_of_tags(mut self) -> Option<FileCursor<'p>> {
        loop {
            let at = self.at;
            match self.next() {
                Some(Ok(_)) => {}
                Some(Err(_)) => return None,
                None => return Some(at),
            }
        }
    }

    /// Returns the bytes from the next property to the end of the export or value.
    #[cfg(feature = "serde")]
    pub(crate) const fn rest(&self) -> &'p [u8] {
        self.at.rest()
    }

    /// Returns the bytes of the remaining properties and of the name that ends the list. Returns
    /// `None` if the list is invalid.
    #[cfg(feature = "serde")]
    pub(crate) fn whole_bytes(&self) -> Option<&'p [u8]> {
        Some(self.at.until(&self.end().ok()?).rest())
    }

    /// Returns the bytes of the remaining properties, without the name that ends the list. Returns
    /// `None` if the list is invalid.
    #[cfg(feature = "serde")]
    pub(crate) fn bytes_of_tags(&self) -> Option<&'p [u8]> {
        Some(self.at.until(&self.end_of_tags()?).rest())
    }

    /// Returns the text of a name in these properties, or an empty text if the file does not have
    /// the name.
    pub fn name(&self, name: NameRef<'p>) -> NameText<'p> {
        self.context.text(name).unwrap_or_default()
    }
}

/// Skips a property. Returns `false` at the end of the list.
fn pass<'p>(
    from: &mut FileCursor<'p>,
    context: &'p PropertyContext<'p>,
    speculative: bool,
) -> Result<bool> {
    let mut at = *from;
    let Some(head) = TagHead::read(&mut at, context)? else {
        *from = at;
        return Ok(false);
    };
    at.bytes(head.size.into())?;
    *from = at;
    if speculative && !is_kind(&head) {
        let (what, value) = ("kind of property", 0);
        return Err(Error::new(ErrorKind::Unknown { what, value }, head.offset));
    }
    Ok(true)
}

/// Returns `true` if the kind is known, or if its name ends with `Property`, as the names of all
/// kinds do.
fn is_kind(head: &TagHead<'_>) -> bool {
    let word = head.of.kind_name();
    head.of.kind() != PropertyKind::Unknown
        || word.number() == 0 && word.text().bytes().ends_with(b"Property")
}

impl<'p> Iterator for Properties<'p> {
    type Item = Result<Tag<'p>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.state != ListState::Tags {
            return self.next_slot();
        }
        self.is_value = false;
        let mut at = self.at;
        match Tag::read(&mut at, self.context, self.depth_left, self.scope) {
            Ok(Some(tag)) => {
                self.at = at;
                Some(Ok(tag))
            }
            Ok(None) => {
                (self.at, self.state) = (at, ListState::Done);
                None
            }
            Err(error) => {
                self.state = ListState::Done;
                Some(Err(error))
            }
        }
    }
}

impl FusedIterator for Properties<'_> {}
