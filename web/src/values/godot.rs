//! Values of Godot as a tree.

mod edit;

use crate::file::place::{Fault, Layout, Opening, Part, Place, Role, Row, Source, Splice};
use crate::file::text::{LABEL, LONG, SHORT, limited};
use gamewire::godot::json::Printer;
use gamewire::godot::{
    Container, Dialect, Error, Kind, Leaf, ObjectRef, Open, Property, Reader, StrRef, VariantRef,
    Visitor,
};

/// A file of Godot values.
#[derive(Clone, Copy, Debug)]
pub struct Godot {
    pub dialect: Dialect,
    /// `Values` or `Frames`.
    pub layout: Layout,
}

/// Size of a header, a length or a count.
const WORD: usize = 4;

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self { text: error.kind().to_string(), offset: error.offset() as usize }
    }
}

/// The start of a value.
enum Head<'a> {
    Leaf(Leaf<'a>),
    Open(Open<'a>),
}

/// Visitor that stops at the first event.
struct First<'a>(Option<Head<'a>>);

enum Stop {
    Found,
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl<'a> Visitor<'a> for First<'a> {
    type Error = Stop;
    const CUT_OFF: bool = true;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Stop> {
        self.0 = Some(Head::Leaf(leaf));
        Err(Stop::Found)
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Stop> {
        self.0 = Some(Head::Open(open));
        Err(Stop::Found)
    }

    fn property(&mut self, _: Property<'a>) -> Result<(), Stop> {
        Err(Stop::Found)
    }

    fn close(&mut self, _: Kind) -> Result<(), Stop> {
        Err(Stop::Found)
    }
}

/// Visitor that ignores everything. The walk of `visit_dyn` is compiled only once per dialect, so it
/// makes a smaller program than `Reader::skip` and `Reader::read`.
struct Ignore;

impl Visitor<'_> for Ignore {
    type Error = Error;

    fn leaf(&mut self, _: Leaf<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn open(&mut self, _: Open<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn property(&mut self, _: Property<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn close(&mut self, _: Kind) -> Result<(), Error> {
        Ok(())
    }
}

/// The elements of a packed array.
struct Packed {
    count: usize,
    kind: Kind,
    /// Size of an element in bytes. `None` for strings.
    size: Option<usize>,
    /// The flags in the header that an element would have as a value of its own.
    flags: u32,
}

/// Header bit 16: numbers have 64 bits.
const WIDE: u32 = 1 << 16;

fn packed(value: &VariantRef<'_>) -> Option<Packed> {
    let width = if value.is_double() { 8 } else { 4 };
    let flags = if value.is_double() { WIDE } else { 0 };
    let (count, kind, size, flags) = match value {
        VariantRef::PackedByteArray(bytes) => (bytes.len(), Kind::Int, 1, 0),
        VariantRef::PackedInt32Array(ints) => (ints.len(), Kind::Int, 4, 0),
        VariantRef::PackedInt64Array(ints) => (ints.len(), Kind::Int, 8, WIDE),
        VariantRef::PackedFloat32Array(floats) => (floats.len(), Kind::Float, 4, 0),
        VariantRef::PackedFloat64Array(floats) => (floats.len(), Kind::Float, 8, WIDE),
        VariantRef::PackedVector2Array(items) => (items.len(), Kind::Vector2, 2 * width, flags),
        VariantRef::PackedVector3Array(items) => (items.len(), Kind::Vector3, 3 * width, flags),
        VariantRef::PackedVector4Array(items) => (items.len(), Kind::Vector4, 4 * width, flags),
        VariantRef::PackedColorArray(items) => (items.len(), Kind::Color, 16, 0),
        VariantRef::PackedStringArray(items) => (items.len(), Kind::String, 0, 0),
        _ => return None,
    };
    Some(Packed { count, kind, size: Some(size).filter(|size| *size > 0), flags })
}

fn word(bytes: &[u8], pos: usize) -> Option<[u8; WORD]> {
    bytes.get(pos..)?.first_chunk().copied()
}

impl Godot {
    /// Returns the start of the value at `pos`.
    fn head<'a>(&self, bytes: &'a [u8], pos: usize) -> Result<Head<'a>, Fault> {
        let mut first = First(None);
        let mut reader = Reader::new(bytes.get(pos..).unwrap_or_default(), self.dialect);
        reader = reader.origin(pos as u64);
        match (reader.visit_dyn(&mut first), first.0) {
            (_, Some(head)) => Ok(head),
            (Err(Stop::Failed(error)), None) => Err(error.into()),
            _ => Err(Fault { text: "no value".into(), offset: pos }),
        }
    }

    /// Returns the end of the value at `pos`. A malformed container extends to `end`, so that it
    /// can be opened up to the error.
    fn end(&self, bytes: &[u8], pos: usize, end: usize) -> Result<usize, Fault> {
        let mut reader = Reader::new(bytes.get(pos..end).unwrap_or_default(), self.dialect);
        reader = reader.origin(pos as u64);
        match reader.visit_dyn(&mut Ignore) {
            Ok(()) => Ok(reader.offset() as usize),
            Err(_) if matches!(self.head(bytes, pos), Ok(Head::Open(_))) => Ok(end),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the offset of the first error, or `None` if all values are well-formed.
    pub fn first_error(&self, bytes: &[u8]) -> Option<usize> {
        let root = crate::file::place::root(bytes);
        let opening = self.opening(bytes, &root)?;
        let mut pos = opening.first;
        loop {
            match self.step(bytes, &opening, 0, pos) {
                Ok(Some(place)) => match self.checked(bytes, &place) {
                    Ok(()) => pos = place.value.end,
                    Err(fault) => return Some(fault.offset),
                },
                Ok(None) => return None,
                Err(fault) => return Some(fault.offset),
            }
        }
    }

    /// Returns the end of a string without a header.
    fn end_of_string(&self, bytes: &[u8], pos: usize) -> Result<usize, Fault> {
        let fault = || Fault { text: "the text is cut off".into(), offset: pos };
        let len = u32::from_le_bytes(word(bytes, pos).ok_or_else(fault)?) as usize;
        let end =
            pos.checked_add(WORD).and_then(|start| start.checked_add(len)).ok_or_else(fault)?;
        let end = end.next_multiple_of(WORD).min(bytes.len());
        // Padding counts from the start of the value, which need not be aligned in the file.
        let padded = pos + WORD + len.next_multiple_of(WORD);
        if padded <= bytes.len() {
            Ok(padded)
        } else if end > pos {
            Ok(end)
        } else {
            Err(fault())
        }
    }

    /// Returns a short text for the key at `pos`, on one line.
    fn line(&self, bytes: &[u8], pos: usize) -> String {
        match self.head(bytes, pos) {
            Ok(Head::Leaf(leaf)) => one_line(&leaf.value),
            Ok(Head::Open(open)) => match open.container {
                Container::Array { len, .. } => format!("[{len}]"),
                Container::Dictionary { len, .. } => format!("{{{len}}}"),
                Container::Object { class, .. } => class.to_string_lossy().into_owned(),
            },
            Err(fault) => fault.text,
        }
    }

    fn label(&self, bytes: &[u8], place: &Place) -> String {
        match place.role {
            Role::Property => limited(string(bytes, place.key.start), LABEL),
            Role::Pair => match self.head(bytes, place.key.start) {
                Ok(Head::Leaf(leaf)) => match leaf.value {
                    VariantRef::String(text) | VariantRef::StringName(text) => {
                        limited(text.to_string_lossy(), LABEL)
                    }
                    value => one_line(&value),
                },
                _ => self.line(bytes, place.key.start),
            },
            _ => place.index.to_string(),
        }
    }

    /// Returns the text of an element of a packed array in the notation, and the name of its type.
    fn packed_text(&self, bytes: &[u8], place: &Place, limit: usize) -> (String, &'static str) {
        let kind = |kind| self.dialect.type_name(kind).unwrap_or_default();
        let array = place.key.start;
        if word(bytes, array).and_then(|header| self.dialect.kind(header[0].into()))
            == Some(Kind::PackedStringArray)
        {
            let text = string(bytes, place.value.start);
            let text = VariantRef::String(StrRef::new(text.as_bytes()));
            return (limited(text.printed_as(self.dialect), limit), kind(Kind::String));
        }
        let Some(value) = self.packed_value(bytes, place) else { return Default::default() };
        match self.head(&value, 0) {
            Ok(Head::Leaf(leaf)) if limit == LONG => {
                (self.exact_text(&leaf), kind(leaf.value.kind()))
            }
            Ok(Head::Leaf(leaf)) => {
                (limited(leaf.value.printed_as(self.dialect), limit), kind(leaf.value.kind()))
            }
            _ => Default::default(),
        }
    }

    /// Returns the text of a leaf in the notation. The notation of an older engine can round
    /// numbers. In this case, returns the notation of Godot 4 if that is exact.
    fn exact_text(&self, leaf: &Leaf<'_>) -> String {
        let own = limited(leaf.value.printed_as(self.dialect), LONG);
        let is_exact =
            |text: &str| edit::encoded(self, text, leaf).as_deref() == Ok(leaf.encoded.as_bytes());
        if self.dialect == Dialect::Godot4 || is_exact(&own) {
            return own;
        }
        let exact = limited(leaf.value.printed_as(Dialect::Godot4), LONG);
        if is_exact(&exact) { exact } else { own }
    }

    /// Returns an element of a packed array as a value with a header. A byte becomes an int.
    fn packed_value(&self, bytes: &[u8], place: &Place) -> Option<Vec<u8>> {
        let Ok(Head::Leaf(array)) = self.head(bytes, place.key.start) else { return None };
        let Packed { kind, size, flags, .. } = packed(&array.value)?;
        let header = u32::from(self.dialect.id(kind)?) | flags;
        let mut value = header.to_le_bytes().to_vec();
        if size.is_some() {
            value.extend(bytes.get(place.value.clone())?);
            value.resize(value.len().max(2 * WORD), 0);
        } else {
            value.extend(bytes.get(place.value.clone())?);
        }
        Some(value)
    }
}

/// Returns a string without a header.
fn string(bytes: &[u8], pos: usize) -> String {
    let len = word(bytes, pos).map_or(0, u32::from_le_bytes) as usize;
    let start = pos + WORD;
    let text = bytes.get(start..start.saturating_add(len)).unwrap_or_default();
    String::from_utf8_lossy(text).trim_end_matches('\0').into()
}

fn one_line(value: &VariantRef<'_>) -> String {
    let text = match packed(value) {
        Some(packed) => return len_text(packed.count),
        None => limited(value, SHORT),
    };
    text.replace('\n', " ")
}

fn len_text(len: usize) -> String {
    format!("{len} element{}", if len == 1 { "" } else { "s" })
}

impl Godot {
    /// Returns the children of a value, or `None` if it has none.
    fn opening(&self, bytes: &[u8], place: &Place) -> Option<Opening> {
        let Place { value, .. } = place;
        if place.role == Role::Root {
            let (first, end) = (value.start, value.end);
            return Some(Opening { layout: self.layout, count: None, first, end, form: 0 });
        }
        if place.role == Role::Packed {
            return None;
        }
        let end = value.end;
        match self.head(bytes, value.start).ok()? {
            Head::Open(open) => {
                let first = value.start + open.head.len();
                let (layout, count) = match open.container {
                    Container::Array { len, .. } => (Layout::Values, len),
                    Container::Dictionary { len, .. } => (Layout::Pairs, len),
                    Container::Object { len, .. } => (Layout::Properties, len),
                };
                (count > 0).then_some(Opening {
                    layout,
                    count: Some(count.into()),
                    first,
                    end,
                    form: 0,
                })
            }
            Head::Leaf(leaf) => {
                let packed = packed(&leaf.value).filter(|packed| packed.count > 0)?;
                let layout = packed.size.map_or(Layout::Strings, Layout::Fixed);
                // The header and the count come before the elements.
                let first = value.start + 2 * WORD;
                Some(Opening { layout, count: Some(packed.count as u64), first, end, form: 0 })
            }
        }
    }

    /// Returns the child that begins at `pos`, or `None` at the end.
    fn step(
        &self,
        bytes: &[u8],
        opening: &Opening,
        index: u64,
        pos: usize,
    ) -> Result<Option<Place>, Fault> {
        if pos >= opening.end {
            let fault = Fault { text: "a value is missing here".into(), offset: pos };
            return if opening.count.is_some() { Err(fault) } else { Ok(None) };
        }
        let place = match opening.layout {
            Layout::Frames { big_endian } => {
                let fault = |text: &str| Fault { text: text.into(), offset: pos };
                let prefix = word(bytes, pos).ok_or_else(|| fault("the length is cut off"))?;
                let len = match big_endian {
                    true => u32::from_be_bytes(prefix),
                    false => u32::from_le_bytes(prefix),
                };
                let start = pos + WORD;
                let end = start.checked_add(len as usize).filter(|end| *end <= opening.end);
                let end = end.ok_or_else(|| fault("the frame is longer than the file"))?;
                Place { role: Role::Frame, index, key: pos..start, value: start..end, form: 0 }
            }
            Layout::Pairs => {
                let key = self.end(bytes, pos, opening.end)?;
                let end = self.end(bytes, key, opening.end)?;
                Place { role: Role::Pair, index, key: pos..key, value: key..end, form: 0 }
            }
            Layout::Properties => {
                let key = self.end_of_string(bytes, pos)?;
                let end = self.end(bytes, key, opening.end)?;
                Place { role: Role::Property, index, key: pos..key, value: key..end, form: 0 }
            }
            Layout::Strings => {
                let end = self.end_of_string(bytes, pos)?;
                let array = opening.first - 2 * WORD;
                Place { role: Role::Packed, index, key: array..array, value: pos..end, form: 0 }
            }
            Layout::Fixed(size) => {
                let array = opening.first - 2 * WORD;
                Place {
                    role: Role::Packed,
                    index,
                    key: array..array,
                    value: pos..pos + size,
                    form: 0,
                }
            }
            _ => {
                let end = self.end(bytes, pos, opening.end)?;
                Place { role: Role::Element, index, key: 0..0, value: pos..end, form: 0 }
            }
        };
        Ok(Some(place))
    }

    fn row(&self, bytes: &[u8], place: &Place) -> Row {
        let mut row = Row { label: self.label(bytes, place), ..Row::default() };
        if place.role == Role::Packed {
            let (text, kind) = self.packed_text(bytes, place, SHORT);
            (row.text, row.kind, row.can_edit) = (text, kind.into(), true);
            return row;
        }
        row.can_edit_key = place.role == Role::Pair;
        match self.head(bytes, place.value.start) {
            Ok(Head::Open(open)) => {
                let (kind, len) = match open.container {
                    Container::Array { len, .. } => (Kind::Array, len),
                    Container::Dictionary { len, .. } => (Kind::Dictionary, len),
                    Container::Object { len, .. } => (Kind::Object, len),
                };
                row.kind = self.dialect.type_name(kind).unwrap_or_default().into();
                row.count = Some(len.into());
                row.can_open = len > 0;
                if let Container::Object { class, .. } = open.container {
                    row.text = limited(class.to_string_lossy(), SHORT);
                }
            }
            Ok(Head::Leaf(leaf)) => {
                row.kind = self.dialect.type_name(leaf.value.kind()).unwrap_or_default().into();
                row.text = one_line(&leaf.value);
                row.count = packed(&leaf.value).map(|packed| packed.count as u64);
                row.can_open = row.count.is_some_and(|len| len > 0);
                row.can_edit = !matches!(leaf.value, VariantRef::Object(ObjectRef::Id(_)));
            }
            Err(fault) => {
                row.kind = "malformed".into();
                row.text = fault.text;
            }
        }
        row
    }

    fn text_of(&self, bytes: &[u8], place: &Place, part: Part) -> String {
        if place.role == Role::Packed {
            return self.packed_text(bytes, place, LONG).0;
        }
        let pos = if part == Part::Key { place.key.start } else { place.value.start };
        match self.head(bytes, pos) {
            Ok(Head::Leaf(leaf)) => self.exact_text(&leaf),
            _ => String::new(),
        }
    }

    fn checked(&self, bytes: &[u8], place: &Place) -> Result<(), Fault> {
        let value = bytes.get(place.value.clone()).unwrap_or_default();
        let mut reader = Reader::new(value, self.dialect).origin(place.value.start as u64);
        reader.visit_dyn(&mut Ignore)?;
        Ok(reader.finish()?)
    }
}

impl Source for Godot {
    fn open(&self, bytes: &[u8], chain: &[Place]) -> Option<Opening> {
        self.opening(bytes, chain.last()?)
    }

    fn walk(
        &self,
        bytes: &[u8],
        _: &[Place],
        opening: &Opening,
        (mut index, mut pos): (u64, usize),
        each: &mut dyn FnMut(Place) -> bool,
    ) -> Result<(), Fault> {
        while opening.count.is_none_or(|count| index < count) {
            let Some(place) = self.step(bytes, opening, index, pos)? else { break };
            (index, pos) = (index + 1, place.value.end);
            if !each(place) {
                break;
            }
        }
        Ok(())
    }

    fn rows(&self, bytes: &[u8], _: &[Place], children: &[Place]) -> Vec<Row> {
        children.iter().map(|place| self.row(bytes, place)).collect()
    }

    fn text(&self, bytes: &[u8], chain: &[Place], part: Part) -> String {
        chain.last().map(|place| self.text_of(bytes, place, part)).unwrap_or_default()
    }

    fn edit(
        &self,
        bytes: &[u8],
        chain: &[Place],
        part: Part,
        text: &str,
    ) -> Result<Vec<Splice>, Fault> {
        // Text may be less exact than the value, so text that was not edited must not replace it.
        if chain.last().is_some_and(|place| self.text_of(bytes, place, part) == text) {
            return Ok(Vec::new());
        }
        edit::edit(self, bytes, chain, part, text)
    }

    fn json(&self, bytes: &[u8], chain: &[Place], out: &mut String) -> Result<(), Fault> {
        let Some(place) = chain.last() else { return Ok(()) };
        let mut reader =
            Reader::new(bytes.get(place.value.clone()).unwrap_or_default(), self.dialect);
        reader = reader.origin(place.value.start as u64);
        reader
            .visit_dyn(&mut Printer::new(out).exact(true))
            .map_err(|error| Fault { text: error.to_string(), offset: place.value.start })
    }

    fn check(&self, bytes: &[u8], chain: &[Place]) -> Result<(), Fault> {
        chain.last().map_or(Ok(()), |place| self.checked(bytes, place))
    }

    /// Checks the whole value at the top level, because a change can exceed the maximum depth.
    fn check_change(&self, bytes: &[u8], chain: &[Place]) -> Result<(), Fault> {
        self.check(bytes, chain.get(..2).unwrap_or(chain))
    }
}
