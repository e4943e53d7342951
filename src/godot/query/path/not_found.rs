use super::Found;
use super::segment::{Fault, Segment};
use crate::godot::types::components::SubValues;
use crate::godot::{ObjectRef, VariantRef};
use core::fmt::{self, Display, Formatter};

/// Maximum number of names in a message.
const LISTED: usize = 8;

/// The error for a path that cannot be resolved. It states which segment was not found, and which
/// names exist in the value in which the segment was looked up.
///
/// ```
/// use gamewire::godot::{Dialect, Reader};
///
/// let packet = [5, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40]; // Vector2(1, 2)
/// let vector = Reader::new(&packet, Dialect::Godot4).read()?;
/// let missing = vector.find("z").unwrap_err();
/// assert_eq!(missing.segment(), "z");
/// assert_eq!(missing.to_string(), "no `z` at the top (Vector2 has: x, y)");
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NotFound<'a, 'p> {
    path: &'p str,
    /// The part of the path from the segment that cannot be resolved to the end.
    from: &'p str,
    within: VariantRef<'a>,
    within_bytes: &'a [u8],
    fault: Option<Fault>,
}

impl<'a, 'p> NotFound<'a, 'p> {
    /// Creates an error for `path`. `from` is the suffix of `path` that cannot be resolved.
    pub(super) fn new(
        path: &'p str,
        from: &'p str,
        within: Found<'a>,
        fault: Option<Fault>,
    ) -> Self {
        Self { path, from, within: within.value, within_bytes: within.bytes, fault }
    }

    /// Returns the segment that cannot be resolved. If it is malformed, the result includes the
    /// rest of the path.
    pub fn segment(&self) -> &'p str {
        match super::SegmentQuery::split(self.from) {
            Ok((_, Some(after))) => {
                let len = self.from.len().saturating_sub(after.len()).saturating_sub(1);
                self.with_component_group(len)
            }
            _ => self.from,
        }
    }

    /// Returns the first `len` bytes of the unresolved part of the path. Adds the next name if the
    /// two together look like the name of a component: `origin/q` is one segment, because
    /// `origin/x` is one.
    fn with_component_group(&self, len: usize) -> &'p str {
        let mut segment = self.from.get(..len).unwrap_or(self.from);
        let is_group = |segment: &str| {
            let behind = |name: &&'static str| name.strip_prefix(segment)?.strip_prefix('/');
            self.component_names().iter().any(|name| behind(name).is_some())
        };
        while is_group(segment)
            && let Some(more) = self.from.get(segment.len()..).and_then(|m| m.strip_prefix('/'))
        {
            let end = more.find('/').unwrap_or(more.len());
            let len = segment.len().saturating_add(1).saturating_add(end);
            segment = self.from.get(..len).unwrap_or(self.from);
        }
        segment
    }

    /// Returns the names of the components of a vector or similar type.
    fn component_names(&self) -> &'static [&'static str] {
        match self.within().sub_values() {
            SubValues::Components(numbers) => numbers.names,
            _ => &[],
        }
    }

    /// Returns the part of the path that could be resolved.
    pub fn parent(&self) -> &'p str {
        let len = self.path.len().saturating_sub(self.from.len());
        self.path.get(..len.saturating_sub(1)).unwrap_or_default()
    }

    /// Returns the value at [`parent`](Self::parent), in which the segment was not found.
    pub fn within(&self) -> VariantRef<'a> {
        self.within
    }

    /// Returns the bytes of the value that [`within`](Self::within) returns.
    pub(crate) fn within_bytes(&self) -> &'a [u8] {
        self.within_bytes
    }

    /// Returns `true` if the path is malformed.
    pub fn is_malformed(&self) -> bool {
        self.fault.is_some()
    }

    /// Returns the segments that could stand in place of the one that was not found: the keys of a
    /// dictionary, the properties of an object, or the components of a vector. Indices are not
    /// listed.
    pub fn names(&self) -> impl Iterator<Item = Segment<'a>> + use<'a> {
        let dictionary = self.within().as_dictionary();
        let pairs = dictionary.into_iter().flat_map(|dictionary| dictionary.iter().encoded());
        let keys = (0..).zip(pairs).map(|(number, (key, _))| Segment::of_key(key, number));
        let object = match self.within() {
            VariantRef::Object(ObjectRef::Full(object)) => Some(object),
            _ => None,
        };
        let properties = object.into_iter().flat_map(|object| object.properties().encoded());
        let properties = (0..).zip(properties);
        let properties = properties.map(|(number, (name, _))| Segment::of_name(name, number));
        let numbers = self.component_names().iter().map(|name| Segment::Number(name));
        keys.chain(properties).chain(numbers)
    }

    /// Returns the number of elements of an array or packed array.
    fn elements(&self) -> Option<usize> {
        match self.within().sub_values() {
            SubValues::Elements(elements) => Some(elements.len()),
            _ => self.within().as_array().map(|array| array.len()),
        }
    }
}

impl Display for NotFound<'_, '_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (segment, parent) = (self.segment(), Location(self.parent()));
        if let Some(fault) = self.fault {
            return write!(f, "`{segment}` is not a valid path segment: {fault}");
        }
        match (self.within(), self.elements()) {
            (VariantRef::Dictionary(_), _) => {
                write!(f, "no key `{segment}` {parent} (keys: ")?;
            }
            (VariantRef::Object(ObjectRef::Full(object)), _) => {
                write!(f, "no property `{segment}` {parent} ({} has: ", object.class())?;
            }
            (_, Some(len)) => {
                return write!(f, "no index `{segment}` {parent} (elements: {len})");
            }
            (leaf, None) if self.names().next().is_none() => {
                return write!(f, "no `{segment}` {parent} ({:?} has nothing inside)", leaf.kind());
            }
            (leaf, None) => write!(f, "no `{segment}` {parent} ({:?} has: ", leaf.kind())?,
        }
        self.list(f)
    }
}

impl NotFound<'_, '_> {
    fn list(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut names = self.names();
        match names.next() {
            Some(first) => first.fmt(f)?,
            None => f.write_str("none")?,
        }
        for name in names.by_ref().take(LISTED.saturating_sub(1)) {
            write!(f, ", {name}")?;
        }
        match names.count() {
            0 => f.write_str(")"),
            more => write!(f, " and {more} more)"),
        }
    }
}

/// A path that is displayed as the end of a sentence: "in `a/b`".
struct Location<'p>(&'p str);

impl Display for Location<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            "" => f.write_str("at the top"),
            path => write!(f, "in `{path}`"),
        }
    }
}
