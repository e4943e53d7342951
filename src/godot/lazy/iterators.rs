//! Iterators over the items of lazy views.

use super::LazyRef;
use super::place::Place;
use crate::godot::{Result, StrRef};
use core::iter::FusedIterator;

/// Iterator over the values of a lazy view. After a container, the next step walks this container
/// to find its end, and returns the error if the container is malformed. The iterator ends after an
/// error.
#[derive(Clone, Debug)]
pub struct LazyItems<'a> {
    steps: Steps<'a>,
}

/// Iterator over the pairs of a [`LazyDictionary`](super::LazyDictionary). It steps over containers
/// and ends after an error, as [`LazyItems`] does.
#[derive(Clone, Debug)]
pub struct LazyPairs<'a>(pub(super) LazyItems<'a>);

/// Iterator over the names and values of a [`LazyObject`](super::LazyObject). It steps over
/// containers and ends after an error, as [`LazyItems`] does.
#[derive(Clone, Debug)]
pub struct LazyProperties<'a> {
    steps: Steps<'a>,
}

/// The position of an iterator.
#[derive(Clone, Debug)]
struct Steps<'a> {
    /// The place after the last item, or of the last item if it is a container.
    at: Place<'a>,
    /// `true` if the last item is a container that was not walked yet.
    inside: bool,
    left: usize,
}

impl<'a> Steps<'a> {
    /// Calls `name`, which moves to the value of the next item, and then reads this value. Ends after
    /// an error.
    #[inline]
    fn next<T>(
        &mut self,
        name: impl FnOnce(&mut Place<'a>) -> Result<T>,
    ) -> Option<Result<(T, LazyRef<'a>)>> {
        let step = self.step(name);
        if step.is_err() {
            (self.inside, self.left) = (false, 0);
        }
        step.transpose()
    }

    #[inline]
    fn step<T>(
        &mut self,
        name: impl FnOnce(&mut Place<'a>) -> Result<T>,
    ) -> Result<Option<(T, LazyRef<'a>)>> {
        if self.inside {
            // Also after the last item, so that an iterator that ends has checked everything.
            self.at = self.at.pass(1)?;
            self.inside = false;
        }
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        let name = name(&mut self.at)?;
        let value = self.at.next()?;
        self.inside = !matches!(value, LazyRef::Leaf(_));
        Ok(Some((name, value)))
    }
}

impl<'a> LazyItems<'a> {
    pub(super) const fn new(at: Place<'a>, left: usize) -> Self {
        Self { steps: Steps { at, inside: false, left } }
    }
}

impl<'a> Iterator for LazyItems<'a> {
    type Item = Result<LazyRef<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        Some(self.steps.next(|_| Ok(()))?.map(|((), value)| value))
    }

    /// Returns no lower bound, because the iterator ends at a malformed item.
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.steps.left.saturating_add(1)))
    }
}

impl FusedIterator for LazyItems<'_> {}

impl<'a> Iterator for LazyPairs<'a> {
    type Item = Result<(LazyRef<'a>, LazyRef<'a>)>;

    fn next(&mut self) -> Option<Self::Item> {
        let key = match self.0.next()? {
            Ok(key) => key,
            Err(error) => return Some(Err(error)),
        };
        Some(self.0.next()?.map(|value| (key, value)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl FusedIterator for LazyPairs<'_> {}

impl<'a> LazyProperties<'a> {
    pub(super) const fn new(at: Place<'a>, left: usize) -> Self {
        Self { steps: Steps { at, inside: false, left } }
    }
}

impl<'a> Iterator for LazyProperties<'a> {
    type Item = Result<(StrRef<'a>, LazyRef<'a>)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.steps.next(Place::text)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.steps.left.saturating_add(1)))
    }
}

impl FusedIterator for LazyProperties<'_> {}
