use super::Found;
use super::segment::{Fault, Segment};
use crate::godot::types::components::SubValues;
use crate::godot::{ObjectRef, VariantRef};
use core::fmt::{self, Display, Formatter};

/// Maximum number of names in a message.
const LISTED: usize = 8;

/// The error of a path that cannot be resolved: the failing segment and the names that exist.
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
    /// The segment that leads nowhere, and those after it.
    from: &'p str,
    within: VariantRef<'a>,
    within_bytes: &'a [u8],
    fault: Option<Fault>,
}

impl<'a, 'p> NotFound<'a, 'p> {
    /// `from` is where `path` fails.
    pub(super) fn new(
        path: &'p str,
        from: &'p str,
        within: Found<'a>,
        fault: Option<Fault>,
    ) -> Self {
        Self { path, from, within: within.value, within_bytes: within.bytes, fault }
    }

    /// The segment that leads nowhere; where it cannot be read, all from there on.
    pub fn segment(&self) -> &'p str {
        match super::Asked::split(self.from) {
            Ok((_, Some(after))) => {
                let len = self.from.len().saturating_sub(after.len()).saturating_sub(1);
                self.with_its_group(len)
            }
            _ => self.from,
        }
    }

    /// The first `len` bytes, and what belongs to them as to the first half of a number's
    /// name: `origin/q` is one segment, like the `origin/x` that is there.
    fn with_its_group(&self, len: usize) -> &'p str {
        let mut segment = self.from.get(..len).unwrap_or(self.from);
        let is_group = |segment: &str| {
            let behind = |name: &&'static str| name.strip_prefix(segment)?.strip_prefix('/');
            self.numbers().iter().any(|name| behind(name).is_some())
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

    /// The names of a vector's numbers, or the like.
    fn numbers(&self) -> &'static [&'static str] {
        match self.within().sub_values() {
            SubValues::Components(numbers) => numbers.names,
            _ => &[],
        }
    }

    /// The path as far as it leads.
    pub fn parent(&self) -> &'p str {
        let len = self.path.len().saturating_sub(self.from.len());
        self.path.get(..len.saturating_sub(1)).unwrap_or_default()
    }

    /// The value there.
    pub fn within(&self) -> VariantRef<'a> {
        self.within
    }

    /// Its bytes.
    pub(crate) fn within_bytes(&self) -> &'a [u8] {
        self.within_bytes
    }

    /// Returns `true` if the path is malformed.
    pub fn is_malformed(&self) -> bool {
        self.fault.is_some()
    }

    /// The names that would lead on: keys, properties, numbers of a vector. (No indices.)
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
        let numbers = self.numbers().iter().map(|name| Segment::Number(name));
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
        let (segment, place) = (self.segment(), At(self.parent()));
        if let Some(fault) = self.fault {
            return write!(f, "`{segment}` is no segment of a path: {fault}");
        }
        match (self.within(), self.elements()) {
            (VariantRef::Dictionary(_), _) => {
                write!(f, "no key `{segment}` {place} (keys: ")?;
            }
            (VariantRef::Object(ObjectRef::Full(object)), _) => {
                write!(f, "no property `{segment}` {place} ({} has: ", object.class())?;
            }
            (_, Some(len)) => {
                return write!(f, "no index `{segment}` {place} (elements: {len})");
            }
            (leaf, None) if self.names().next().is_none() => {
                return write!(f, "no `{segment}` {place} ({:?} has nothing inside)", leaf.kind());
            }
            (leaf, None) => write!(f, "no `{segment}` {place} ({:?} has: ", leaf.kind())?,
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

/// Prints the location for a sentence.
struct At<'p>(&'p str);

impl Display for At<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            "" => f.write_str("at the top"),
            path => write!(f, "in `{path}`"),
        }
    }
}
