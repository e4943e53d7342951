//! Finds out whether the objects in a packet are null or full.

use super::run::{ObjectReading, Run};
use crate::godot::Dialect;
use crate::godot::read::compact_form::NULL_OBJECT;

/// The result of reading all values of a run.
#[derive(Clone, Copy)]
struct Extent {
    /// Number of bytes after the last value.
    unread: usize,
    /// `true` if one of the values is a null object.
    has_null: bool,
}

impl<'a> Run<'a> {
    /// Reads the objects as null and as full objects, and selects the reading that uses all bytes.
    /// If the run contains objects and both readings use all bytes, selects
    /// [`ObjectReading::Either`]. If neither reading uses all bytes, selects the reading that
    /// leaves fewer bytes unread. If one reading finds a malformed value, selects the other one.
    ///
    /// In Godot 4, the two readings differ only in where the values end. In Godot 3, the header of
    /// an object states whether it is full. A run without objects is read once, and a run with
    /// objects is read twice.
    ///
    /// ```
    /// use gamewire::godot::multiplayer::{ObjectReading, Run};
    ///
    /// let null = Run::compact(b"\x18\0\0\0\x02\x05").detect_objects(); // null, 5
    /// assert_eq!(null.objects(), ObjectReading::Null);
    ///
    /// let object = b"\x18\0\0\0\x04\0\0\0Node\0\0\0\0"; // a Node without properties
    /// let run = Run::compact(object).detect_objects();
    /// assert_eq!(run.objects(), ObjectReading::Full);
    /// let node = run.iter().read()?.unwrap();
    /// assert!(node.as_object().is_some());
    /// # Ok::<(), gamewire::godot::Error>(())
    /// ```
    #[must_use]
    pub fn detect_objects(self) -> Self {
        if self.has_only_leaves() {
            return self;
        }
        let [null, full] =
            [ObjectReading::Null, ObjectReading::Full].map(|reading| self.with_objects(reading));
        let extent = null.extent();
        if extent.is_some_and(|extent| extent.unread == 0 && !extent.has_null) {
            return null;
        }
        match (extent, full.extent()) {
            (_, None) => null,
            (None, Some(_)) => full,
            (Some(a), Some(b)) if a.unread == 0 && b.unread == 0 => {
                self.with_objects(ObjectReading::Either)
            }
            (Some(a), Some(b)) if a.unread <= b.unread => null,
            (Some(_), Some(_)) => full,
        }
    }

    /// Reads all values. Returns `None` if one is malformed or missing.
    fn extent(&self) -> Option<Extent> {
        let mut values = self.iter();
        let (mut has_null, has_short_null) = (false, self.dialect() == Dialect::Godot4);
        while values.has_next() {
            has_null |= has_short_null && values.rest().starts_with(&NULL_OBJECT);
            values.skip_value().ok()?;
        }
        Some(Extent { unread: values.rest().len(), has_null })
    }

    /// Returns the bytes after the last announced value. The engine ignores them.
    ///
    /// If a value is malformed, returns an empty slice.
    pub fn unread(&self) -> &'a [u8] {
        if self.extends_to_end() {
            return &[];
        }
        let bytes = self.as_bytes();
        if let Some(end) = self.end_of_leaves() {
            return bytes.get(end..).unwrap_or_default();
        }
        let unread = self.extent().map_or(0, |extent| extent.unread);
        bytes.get(bytes.len().saturating_sub(unread)..).unwrap_or_default()
    }
}
