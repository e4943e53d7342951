//! The payload of a NodePath. Every engine since 1.0 writes this form:
//!
//! | offset | size | field |
//! |---|---|---|
//! | 4 | 4 | number of names, with bit 31 set |
//! | 8 | 4 | number of subnames |
//! | 12 | 4 | flags: 1 absolute; 2 one more subname (in Godot 2: a property) |
//! | 16 | | the names, then the subnames, each a string |
//!
//! In the old form, bit 31 is clear and the payload is one string. In Godot 2, no pad follows the
//! string. In `Docs` and `DocsDouble`, a pad follows.
//!
//! Engines up to 4.6 do not clear the pads of these strings: the pads contain leftover memory.

use super::packed::too_long;
#[cfg(feature = "alloc")]
use super::parts::{BuildResult, PartSource};
use super::parts::{Part, PartResult};
use super::text::{self, StrRef, Texts};
use crate::buffer::{Cursor, Sink};
use crate::godot::table::dialect::{OldNodePath, Rules};
use crate::godot::table::layouts::U32;
use crate::godot::table::payload::{Header, Payload};
use crate::godot::write::encoder::Encoder;
use crate::godot::{Dialect, Error, ErrorKind, Kind, Result};
use core::fmt;

const NEW: u32 = 1 << 31;
const ABSOLUTE: u32 = 1;
const ONE_MORE: u32 = 2;

/// A path to a node or to one of its properties.
///
/// `/root/player:position:x` has the names `root` and `player`, and the subnames `position` and
/// `x`. `Display` prints the path as the engine does.
///
/// ```
/// use gamewire::godot::{Dialect, NodePath, Reader, Writer};
///
/// let mut packet = Vec::new();
/// Writer::new(&mut packet, Dialect::Godot4).put(NodePath("/root/player:position"))?;
/// let path = Reader::new(&packet, Dialect::Godot4).read()?.as_node_path().unwrap();
/// assert!(path.is_absolute());
/// assert_eq!(path.names().len(), 2);
/// assert!(path.subnames().next().unwrap() == "position");
/// assert_eq!(path.to_string(), "/root/player:position");
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct NodePathRef<'a> {
    /// The bytes after the header.
    payload: &'a [u8],
    dialect: Dialect,
}

/// The first three words, decoded.
#[derive(Clone, Copy)]
struct Counts {
    names: u32,
    subnames: u32,
    property: bool,
    absolute: bool,
}

impl Counts {
    /// Decodes the words. The total is the number of names plus the number of subnames, wrapped to
    /// 32 bits as in the engine. For example, 1 and 0xFFFFFFFF give 0 strings (3.2.3, 4.6.3). If
    /// the total is smaller than the number of names, it replaces that number.
    fn new([names, subnames, flags]: &[U32; 3], rules: &Rules) -> Self {
        let one_more = flags.get() & ONE_MORE != 0;
        let property = one_more && rules.node_path_property;
        let names = names.get() & !NEW;
        let total =
            names.wrapping_add(subnames.get()).wrapping_add(u32::from(one_more && !property));
        let names = names.min(total);
        Self {
            names,
            subnames: total.saturating_sub(names),
            property,
            absolute: flags.get() & ABSOLUTE != 0,
        }
    }
}

impl<'a> NodePathRef<'a> {
    /// Creates a view of a payload that was checked before. `payload` must end where the NodePath
    /// ends.
    pub(crate) const fn trusted(payload: &'a [u8], dialect: Dialect) -> Self {
        Self { payload, dialect }
    }

    fn counts(&self) -> (Counts, Cursor<'a>) {
        let mut at = Cursor::new(self.payload);
        let none = Counts { names: 0, subnames: 0, property: false, absolute: false };
        let counts = match at.read::<[U32; 3]>() {
            Ok(words) if !self.is_old() => Counts::new(words, self.dialect.rules()),
            _ => none,
        };
        (counts, at)
    }

    fn is_old(&self) -> bool {
        self.payload.get(3).is_some_and(|byte| byte & 0x80 == 0)
    }

    /// Returns `true` if the path starts at the root. Always `false` for a path in the old form.
    pub fn is_absolute(&self) -> bool {
        self.counts().0.absolute
    }

    /// Iterates over the names of the nodes.
    pub fn names(&self) -> Texts<'a> {
        let (counts, at) = self.counts();
        Texts::new(at, counts.names, self.dialect.rules())
    }

    /// Iterates over the subnames: a property and its components.
    pub fn subnames(&self) -> Texts<'a> {
        let (counts, _) = self.counts();
        self.names().followed_by(counts.subnames)
    }

    /// Returns the property that Godot 2 stores separately from the subnames.
    pub fn property(&self) -> Option<StrRef<'a>> {
        let (counts, _) = self.counts();
        self.subnames().followed_by(counts.property.into()).next()
    }

    /// Returns the whole path if it has the old form ([`Godot2`](Dialect::Godot2),
    /// [`Docs`](Dialect::Docs) and [`DocsDouble`](Dialect::DocsDouble)). Names and subnames are
    /// empty in that case.
    pub fn old_form(&self) -> Option<StrRef<'a>> {
        if !self.is_old() {
            return None;
        }
        let mut at = Cursor::new(self.payload);
        let len = at.read::<U32>().ok()?.get();
        at.slice(len).ok().map(StrRef::new)
    }

    /// Iterates over the pieces of the text that the engine prints for the path, including
    /// separators.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = StrRef<'a>> + use<'a> {
        let root = self.is_absolute().then(|| "/".into());
        let names = separated("/", self.names(), false);
        let subnames = self.subnames().chain(self.property());
        // Godot 4 omits the colon if the only subname is empty.
        let mut some = subnames.clone();
        let lone = some.next().is_some_and(|first| first.visible().is_empty());
        let none = lone && some.next().is_none() && !self.dialect.rules().lone_colon;
        let subnames = separated(":", subnames, true).take(if none { 0 } else { usize::MAX });
        self.old_form().into_iter().chain(root).chain(names).chain(subnames)
    }

    /// Returns `true` if parsing the path's text gives the same names and subnames again. This is
    /// the case if none of them is empty and none contains a separator.
    pub(crate) fn text_round_trips(&self) -> bool {
        let is_part = |text: StrRef<'_>, separators: &[u8]| {
            let text = text.visible();
            !text.is_empty() && !text.iter().any(|byte| separators.contains(byte))
        };
        self.names().all(|name| is_part(name, b"/:"))
            && self.subnames().chain(self.property()).all(|name| is_part(name, b":"))
    }
}

/// Puts a separator before each string. If `before_first` is `false`, omits the separator before
/// the first string.
fn separated<'a>(
    separator: &'static str,
    texts: impl Iterator<Item = StrRef<'a>>,
    before_first: bool,
) -> impl Iterator<Item = StrRef<'a>> {
    let skipped = usize::from(!before_first);
    texts.flat_map(move |text| [separator.into(), text]).skip(skipped)
}

/// Prints the path as the engine does: `/root/player:position`.
impl fmt::Display for NodePathRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces().try_for_each(|piece| piece.fmt(f))
    }
}

impl fmt::Debug for NodePathRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "^\"{self}\"")
    }
}

impl<'a> Payload<'a> for NodePathRef<'a> {
    #[inline]
    fn read(at: &mut Cursor<'a>, _: Header, rules: &'static Rules) -> Result<Self> {
        let start = *at;
        let first = at.read::<U32>()?.get();
        if first & NEW == 0 {
            old(at, first, rules)?;
        } else {
            *at = start;
            let counts = Counts::new(at.read()?, rules);
            let texts = u64::from(counts.names)
                .saturating_add(u64::from(counts.subnames))
                .saturating_add(u64::from(counts.property));
            for _ in 0..texts {
                text::read(at, rules)?;
            }
        }
        Ok(Self::trusted(at.since(&start), rules.dialect))
    }

    /// Splits a path in the old form as the engine does, and writes it in the new form.
    fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
        match self.old_form() {
            Some(path) => encode_path(path.visible(), kind, out),
            None => {
                let parts = [self.names(), self.subnames()].map(|texts| texts.map(bytes));
                encode_parts(self.is_absolute(), parts, self.property().map(bytes), kind, out)
            }
        }
    }

    fn parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> PartResult<E>) -> PartResult<E> {
        to(Part::Path(*self))
    }

    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, E: From<Error>>(
        kind: Kind,
        from: &mut PartSource<'_, 't, E>,
        out: &mut Encoder<'_, S>,
    ) -> BuildResult<E> {
        Ok(encode_path(StrRef::new(&from.text()?).visible(), kind, out)?)
    }

    fn texts(&self, each: &mut impl FnMut(StrRef<'a>) -> Result<()>) -> Result<()> {
        self.old_form().into_iter().try_for_each(&mut *each)?;
        self.names().try_for_each(&mut *each)?;
        self.subnames().try_for_each(&mut *each)?;
        self.property().into_iter().try_for_each(each)
    }
}

/// Reads the rest of a path in the old form, after its length.
#[cold]
fn old(at: &mut Cursor<'_>, len: u32, rules: &Rules) -> Result<()> {
    match rules.old_node_path {
        None => {
            let offset = at.pos().saturating_sub(4) as u64;
            return Err(Error::new(ErrorKind::OldNodePath, offset));
        }
        Some(OldNodePath::Unpadded) => {
            at.slice::<u8>(len).map_err(|end| too_long(len, 1, end.into()))?;
        }
        Some(OldNodePath::Padded) => {
            at.slice::<u8>(len).map_err(|end| too_long(len, 1, end.into()))?;
            at.slice::<u8>(text::pad(len as usize) as u32)?;
        }
    }
    Ok(())
}

fn bytes(text: StrRef<'_>) -> &[u8] {
    text.as_bytes()
}

/// Writes a path given as text. Subnames start at the first `:`. This function is not inlined, because
/// it is much larger than the code that writes other values.
#[inline(never)]
pub(crate) fn encode_path<S: Sink>(
    path: &[u8],
    kind: Kind,
    out: &mut Encoder<'_, S>,
) -> Result<()> {
    let absolute = path.first() == Some(&b'/');
    let mut parts = [&[][..]; 8];
    if let Some([names, subnames]) = split_short(path, &mut parts) {
        let parts = [names.iter().copied(), subnames.iter().copied()];
        return encode_parts(absolute, parts, None, kind, out);
    }
    let colon = memchr::memchr(b':', path).unwrap_or(path.len());
    let (names, subnames) = path.split_at_checked(colon).unwrap_or((path, &[]));
    let parts = [(names, b'/'), (subnames, b':')].map(|(text, separator)| {
        text.split(move |byte| *byte == separator).filter(|part| !part.is_empty())
    });
    encode_parts(absolute, parts, None, kind, out)
}

/// Splits a path into its names and subnames, which are stored in `parts`. Returns `None` if there
/// are more of them than `parts` can hold.
#[inline(always)]
fn split_short<'a, 'p>(
    path: &'a [u8],
    parts: &'p mut [&'a [u8]; 8],
) -> Option<[&'p [&'a [u8]]; 2]> {
    let (mut rest, mut count, mut names) = (path, 0_usize, None);
    loop {
        // A slash in a subname is not a separator.
        let slash = if names.is_some() { b':' } else { b'/' };
        let end = position_of_either(rest, slash, b':').unwrap_or(rest.len());
        let (part, after) = rest.split_at_checked(end)?;
        if !part.is_empty() {
            *parts.get_mut(count)? = part;
            count = count.wrapping_add(1);
        }
        let Some((separator, after)) = after.split_first() else { break };
        if *separator == b':' {
            names.get_or_insert(count);
        }
        rest = after;
    }
    let (names, subnames) = parts.get(..count)?.split_at_checked(names.unwrap_or(count))?;
    Some([names, subnames])
}

/// Returns the position of the first byte that equals `a` or `b`. Looks at 8 bytes at a time, because
/// names are short: a call to `memchr2` would cost more.
#[inline(always)]
fn position_of_either(text: &[u8], a: u8, b: u8) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // Sets the top bit of the first zero byte of a word, and perhaps of bytes after it.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & ONES << 7;
    let [repeated_a, repeated_b] = [a, b].map(|byte| u64::from(byte).wrapping_mul(ONES));
    let (words, last) = text.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = zeros(word ^ repeated_a) | zeros(word ^ repeated_b);
        if found != 0 {
            let byte = found.trailing_zeros().wrapping_shr(3) as usize;
            return Some(number.wrapping_mul(8).wrapping_add(byte));
        }
    }
    let position = last.iter().position(|byte| *byte == a || *byte == b)?;
    Some(text.len().wrapping_sub(last.len()).wrapping_add(position))
}

fn encode_parts<'a, S: Sink>(
    absolute: bool,
    [names, subnames]: [impl Iterator<Item = &'a [u8]> + Clone; 2],
    property: Option<&'a [u8]>,
    kind: Kind,
    out: &mut Encoder<'_, S>,
) -> Result<()> {
    // Only Godot 2 stores a property separately. In other dialects it is one more subname.
    let apart = out.rules().node_path_property;
    let subnames = subnames.chain(property.filter(|_| !apart));
    let property = property.filter(|_| apart);
    let flags = if absolute { ABSOLUTE } else { 0 } | if property.is_some() { ONE_MORE } else { 0 };

    let header = out.header(kind, 0)?;
    // A long path is split again in each pass, so one pass both counts and measures.
    let (name_count, names_len) = out.measure_texts(names.clone())?;
    let (subname_count, subnames_len) = out.measure_texts(subnames.clone())?;
    let (_, property_len) = out.measure_texts(property.into_iter())?;
    let texts_len = names_len.saturating_add(subnames_len).saturating_add(property_len);
    out.reserve(texts_len.saturating_add(16))?;
    let words = [out.count(name_count)? | NEW, out.count(subname_count)?, flags];
    out.put(&header);
    out.put(words.map(u32::to_le_bytes).as_flattened());
    for text in names.chain(subnames).chain(property) {
        out.text(text);
    }
    Ok(())
}
