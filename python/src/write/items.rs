//! The containers whose items are being written.

use super::dumper::Done;
use crate::error::Failure;
use pyo3::prelude::*;
use pyo3::types::PyInt;
use pyo3::types::dict::BoundDictIterator;
use pyo3::types::list::BoundListIterator;
use pyo3::types::tuple::BoundTupleIterator;

/// The items of a container that are still to be written.
pub(super) enum Items<'py> {
    List(BoundListIterator<'py>),
    Tuple(BoundTupleIterator<'py>),
    Pairs(BoundDictIterator<'py>),
    Properties(BoundDictIterator<'py>),
}

/// The next thing to write of a container.
pub(super) enum Next<'py> {
    /// An element, a key or a value.
    Value(Bound<'py, PyAny>),
    /// The name of a property.
    Name(Bound<'py, PyAny>),
    End,
}

/// A container whose items are being written.
pub(super) struct Open<'py> {
    items: Items<'py>,
    /// Number of items when the container was opened.
    len: usize,
    /// Number of items that were begun.
    begun: usize,
    /// The key of the pair that was begun, or the name of the property.
    key: Option<Bound<'py, PyAny>>,
    /// The value of that pair, until it is written.
    value: Option<Bound<'py, PyAny>>,
}

impl<'py> Open<'py> {
    pub(super) fn new(len: usize, items: Items<'py>) -> Self {
        Self { items, len, begun: 0, key: None, value: None }
    }

    #[inline]
    pub(super) fn next(&mut self) -> Next<'py> {
        if let Some(value) = self.value.take() {
            return Next::Value(value);
        }
        let is_properties = matches!(self.items, Items::Properties(_));
        let item = match &mut self.items {
            Items::List(items) => items.next(),
            Items::Tuple(items) => items.next(),
            Items::Pairs(pairs) | Items::Properties(pairs) => {
                let Some((key, value)) = pairs.next() else { return Next::End };
                self.begun += 1;
                self.key = Some(key.clone());
                self.value = Some(value);
                return if is_properties { Next::Name(key) } else { Next::Value(key) };
            }
        };
        let Some(item) = item else { return Next::End };
        self.begun += 1;
        Next::Value(item)
    }

    /// Checks that as many items were written as the container had when it was opened.
    pub(super) fn finish(&self) -> Done {
        if self.len == self.begun {
            return Ok(());
        }
        let message = "the container was changed while it was written".to_owned();
        Err(Failure::Value("Changed", message))
    }

    /// Returns the segment of a path for the item that was begun last.
    pub(super) fn segment(&self) -> String {
        let number = self.begun.saturating_sub(1);
        let Some(key) = &self.key else { return number.to_string() };
        if let Ok(int) = key.cast_exact::<PyInt>() {
            return int.to_string();
        }
        let is_plain = |name: &str| {
            name.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        };
        match key.extract::<String>() {
            Ok(name) if is_plain(&name) => name,
            Ok(name) => format!("{name:?}"),
            Err(_) => format!("[#{number}]"),
        }
    }
}
