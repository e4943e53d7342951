use super::tag::{Tag, TagHead};
use crate::unreal::format::{Error, ErrorKind, FileCursor, NameText, Result};
use crate::unreal::properties::types::{NameRef, PropertyContext, PropertyKind};
use core::iter::FusedIterator;

/// A list of properties, up to the name that ends it. After an error there are no more.
#[derive(Clone, Copy, Debug)]
pub struct Properties<'p> {
    at: FileCursor<'p>,
    pub(crate) context: &'p PropertyContext<'p>,
    /// How many values may still be inside each other: who goes through them calls itself.
    depth_left: u8,
    done: bool,
}

/// Structs and containers inside each other; no engine comes near.
pub(crate) const MAX_DEPTH: u8 = 48;

impl<'p> Properties<'p> {
    pub(crate) const fn new(at: FileCursor<'p>, context: &'p PropertyContext<'p>) -> Self {
        Self { at, context, depth_left: MAX_DEPTH, done: false }
    }

    /// A list that is over before it begins.
    pub(crate) const fn none(at: FileCursor<'p>, context: &'p PropertyContext<'p>) -> Self {
        Self { at, context, depth_left: 0, done: true }
    }

    /// A list inside of a value, which `from` moves past. What may be something else is asked
    /// for the names of its kinds of properties.
    pub(crate) fn walked(
        from: &mut FileCursor<'p>,
        context: &'p PropertyContext<'p>,
        speculative: bool,
        depth_left: u8,
    ) -> Result<Self> {
        let list = Self { depth_left, ..Self::new(*from, context) };
        while pass(from, context, speculative)? {}
        Ok(list)
    }

    /// Where the next property begins; once there are no more, where the list ends.
    pub fn offset(&self) -> u64 {
        self.at.offset()
    }

    /// What comes behind the list; properties that were not looked at are passed.
    ///
    /// # Errors
    /// If the list does not end as it should.
    pub(crate) fn end(mut self) -> Result<FileCursor<'p>> {
        self.try_for_each(|tag| tag.map(drop))?;
        Ok(self.at)
    }

    /// The name that ends the list, if it ends as it should. (Of one that is over already it
    /// is no longer known.)
    pub(crate) fn ending(&self) -> Option<NameRef<'p>> {
        if self.done {
            return None;
        }
        let mut at = self.end_of_tags()?;
        at.read(&self.context.layout).ok()
    }

    /// Where the name is that ends the list.
    fn end_of_tags(mut self) -> Option<FileCursor<'p>> {
        loop {
            let at = self.at;
            match self.next() {
                Some(Ok(_)) => {}
                Some(Err(_)) => return None,
                None => return Some(at),
            }
        }
    }

    /// The text of a name in these properties.
    pub fn name(&self, name: NameRef<'p>) -> NameText<'p> {
        self.context.text(name).unwrap_or_default()
    }
}

/// Moves past a property, or the end of a list and is `false`.
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

/// Whether the word for its kind is one for a kind of property.
fn is_kind(head: &TagHead<'_>) -> bool {
    let word = head.of.kind_name();
    head.of.kind() != PropertyKind::Unknown
        || word.number() == 0 && word.text().bytes().ends_with(b"Property")
}

impl<'p> Iterator for Properties<'p> {
    type Item = Result<Tag<'p>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let mut at = self.at;
        match Tag::read(&mut at, self.context, self.depth_left) {
            Ok(Some(tag)) => {
                self.at = at;
                Some(Ok(tag))
            }
            Ok(None) => {
                (self.at, self.done) = (at, true);
                None
            }
            Err(error) => {
                self.done = true;
                Some(Err(error))
            }
        }
    }
}

impl FusedIterator for Properties<'_> {}
