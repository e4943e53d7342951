use super::{OBJECT_ID, STAND_IN, is_bare, is_script_path, member, named_parts, prefix};
use crate::godot::check::{rewrite, says_nil};
use crate::godot::dialect::Rules;
use crate::godot::parts::Parts;
use crate::godot::{
    Container, Dialect, Error, ErrorKind, Kind, Leaf, NodePathRef, ObjectRef, Open, Property,
    StrRef, TypeRef, VariantRef, Visitor,
};
use core::fmt::{self, Write};

/// Prints each value that [`Reader::visit`](crate::godot::Reader::visit) tells it of, in
/// the [notation](super), all on one line.
///
/// Text is what a script sees, control characters escaped: the output is JSON for any
/// reader, but for infinity in `args`. Nothing is allocated. After an error what was
/// printed ends anywhere, so [check](crate::godot::Reader::skip) a packet first.
///
/// ```
/// use gamewire::godot::json::{PrintError, Printer};
/// use gamewire::godot::{Dialect, Reader};
///
/// let packet = [2, 0, 1, 0, 5, 0, 0, 0, 0, 0, 0, 0]; // 5, in 64 bits
/// let mut out = String::new();
/// let mut reader = Reader::new(&packet, Dialect::Godot4);
/// reader.visit(&mut Printer::new(&mut out))?;
/// assert_eq!(out, r#""i:5""#);
///
/// out.clear();
/// let mut reader = Reader::new(&packet, Dialect::Godot4);
/// reader.visit(&mut Printer::new(&mut out).exact(true))?;
/// assert_eq!(out, r#"{"type":"int","args":["i:5"],"wide":true}"#);
/// # Ok::<(), PrintError>(())
/// ```
#[derive(Debug)]
pub struct Printer<W> {
    out: W,
    exact: bool,
    /// Whether the next item needs a comma in front.
    comma: bool,
    closers: Closers,
}

/// Why a value was not printed to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrintError {
    /// The packet is malformed, or deeper than 1024.
    #[error(transparent)]
    Malformed(#[from] Error),
    /// Where it is printed to has failed.
    #[error("cannot print")]
    Output(#[from] fmt::Error),
}

type Result = core::result::Result<(), PrintError>;

impl<W: Write> Printer<W> {
    /// Prints to `out`, as the engine does.
    pub fn new(out: W) -> Self {
        Self { out, exact: false, comma: false, closers: Closers::default() }
    }

    /// Wraps in an object what a string would lose something of.
    #[must_use]
    pub fn exact(mut self, exact: bool) -> Self {
        self.exact = exact;
        self
    }

    /// Before each item.
    fn item(&mut self) -> fmt::Result {
        if self.comma && !self.closers.is_empty() {
            self.out.write_char(',')?;
        }
        self.comma = true;
        Ok(())
    }

    fn wraps(&self, rules: &Rules) -> bool {
        self.exact || !rules.engine_json
    }

    fn value(&mut self, leaf: Leaf<'_>) -> fmt::Result {
        let kind = leaf.value.kind();
        let rules = leaf.encoded.dialect().rules();
        match leaf.value {
            VariantRef::Object(object) => self.object(leaf, object),
            _ if !is_bare(kind) => self.wrapped(leaf, loss(&leaf)),
            _ if !self.wraps(rules) => bare(&mut self.out, &leaf),
            _ => match loss(&leaf) {
                Loss::Nothing => bare(&mut self.out, &leaf),
                loss => self.wrapped(leaf, loss),
            },
        }
    }

    fn wrapped(&mut self, leaf: Leaf<'_>, mut loss: Loss) -> fmt::Result {
        let dialect = leaf.encoded.dialect();
        self.begin(leaf.value.kind(), dialect)?;
        match named_parts(leaf.value.kind()) {
            Some(names) if !is_nothing(&leaf.value) => {
                let rules = dialect.rules();
                leaf.value.parts(&mut Members {
                    out: &mut self.out,
                    names: names.iter(),
                    rules,
                })?;
            }
            Some(_) => {}
            None => {
                self.open_list(member::ARGS)?;
                if prefix(leaf.value.kind()).is_some() {
                    bare(&mut self.out, &leaf)?;
                } else if list(&mut self.out, &leaf)? {
                    loss = Loss::Bytes;
                }
                self.out.write_char(']')?;
            }
        }
        self.end(&leaf, loss)
    }

    /// An object that is null or an id.
    fn object(&mut self, leaf: Leaf<'_>, object: ObjectRef<'_>) -> fmt::Result {
        let dialect = leaf.encoded.dialect();
        match object {
            ObjectRef::Id(id) if id != 0 => {
                write!(self.out, "{{\"{}\":\"{STAND_IN}\"", member::TYPE)?;
                self.open_list(member::PROPS)?;
                // The engine has it signed.
                write!(self.out, "\"{OBJECT_ID}\",\"i:{}\"]", id.cast_signed())?;
                self.end(&leaf, loss(&leaf))
            }
            _ if !self.wraps(dialect.rules()) => self.out.write_str("null"),
            _ => {
                self.begin(Kind::Object, dialect)?;
                self.end(&leaf, loss(&leaf))
            }
        }
    }

    fn begin(&mut self, kind: Kind, dialect: Dialect) -> fmt::Result {
        let name = dialect.type_name(kind).unwrap_or_default();
        write!(self.out, "{{\"{}\":\"{name}\"", member::TYPE)
    }

    fn open_list(&mut self, name: &str) -> fmt::Result {
        write!(self.out, ",\"{name}\":[")
    }

    fn end(&mut self, leaf: &Leaf<'_>, loss: Loss) -> fmt::Result {
        let flagged = || leaf.encoded.is_wide() && leaf.value.is_double();
        match loss {
            Loss::Bytes => self.hex(member::WIRE, leaf.encoded.as_bytes())?,
            Loss::Width => write!(self.out, ",\"{}\":true", member::WIDE)?,
            Loss::Nothing if flagged() => write!(self.out, ",\"{}\":true", member::WIDE)?,
            Loss::Nothing => {}
        }
        self.out.write_char('}')
    }

    fn hex(&mut self, name: &str, bytes: &[u8]) -> fmt::Result {
        write!(self.out, ",\"{name}\":\"")?;
        bytes.iter().try_for_each(|byte| write!(self.out, "{byte:02x}"))?;
        self.out.write_char('"')
    }

    /// How a container opens; whether as an object.
    fn head(&mut self, open: &Open<'_>) -> core::result::Result<bool, fmt::Error> {
        let rules = open.dialect.rules();
        let shared = rules.shared && open.container.is_shared();
        let is_plain = open.container.kind() == Kind::Array && stated(open).next().is_none();
        if is_plain && !(self.wraps(rules) && (shared || loses_head(open))) {
            self.out.write_char('[')?;
            return Ok(false);
        }
        let list = match open.container {
            Container::Object { class, .. } => {
                write!(self.out, "{{\"{}\":", member::TYPE)?;
                quote(&mut self.out, class, rules)?;
                member::PROPS
            }
            _ => {
                self.begin(open.container.kind(), open.dialect)?;
                member::ARGS
            }
        };
        for (member, of) in stated(open) {
            write!(self.out, ",\"{member}\":")?;
            let name = match of {
                TypeRef::Untyped => StrRef::new(&[]),
                TypeRef::Builtin(kind) => open.dialect.type_name(kind).unwrap_or_default().into(),
                TypeRef::Class(text) | TypeRef::Script(text) => text,
            };
            quote(&mut self.out, name, rules)?;
        }
        if shared {
            write!(self.out, ",\"{}\":true", member::SHARED)?;
        }
        if loses_head(open) {
            self.hex(member::HEAD, open.head)?;
        }
        self.open_list(list)?;
        Ok(true)
    }
}

/// The types that a container states, and the members that have them.
fn stated<'a>(open: &Open<'a>) -> impl Iterator<Item = (&'static str, TypeRef<'a>)> + use<'a> {
    let types = match open.container {
        Container::Array { element, .. } => [(member::ELEM_TYPE, element), NO_TYPE],
        Container::Dictionary { key, value, .. } => {
            [(member::KEY_TYPE, key), (member::VALUE_TYPE, value)]
        }
        Container::Object { .. } => [NO_TYPE; 2],
    };
    // For an engine a type of Nil is none.
    types
        .into_iter()
        .filter(|(_, of)| !matches!(of, TypeRef::Untyped | TypeRef::Builtin(Kind::Nil)))
}

const NO_TYPE: (&str, TypeRef<'_>) = ("", TypeRef::Untyped);

impl<'a, W: Write> Visitor<'a> for Printer<W> {
    type Error = PrintError;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result {
        self.item()?;
        Ok(self.value(leaf)?)
    }

    fn open(&mut self, open: Open<'a>) -> Result {
        self.item()?;
        let wrapped = self.head(&open)?;
        self.comma = false;
        match self.closers.push(wrapped) {
            Some(()) => Ok(()),
            None => {
                let limit = crate::godot::walk::ENGINE_DEPTH;
                Err(Error::new(ErrorKind::TooDeep { limit }, open.offset).into())
            }
        }
    }

    fn property(&mut self, property: Property<'a>) -> Result {
        self.item()?;
        let rules = property.dialect.rules();
        let wrap = self.wraps(rules) && !property.name.is_canonical();
        if wrap {
            write!(self.out, "{{\"{}\":", member::NAME)?;
        }
        quote(&mut self.out, property.name, rules)?;
        if wrap {
            self.hex(member::WIRE, property.name.as_bytes())?;
            self.out.write_char('}')?;
        }
        Ok(())
    }

    fn close(&mut self, _: Kind) -> Result {
        self.comma = true;
        Ok(self.out.write_str(if self.closers.pop() { "]}" } else { "]" })?)
    }
}

/// Whether each open container is an object: a bit each, for the engine's depth and an
/// empty container at the bottom of it.
#[derive(Debug, Default)]
struct Closers {
    wrapped: [u64; 17],
    len: u16,
}

impl Closers {
    fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// `None` where it is too deep.
    fn push(&mut self, wrapped: bool) -> Option<()> {
        let (word, bit) = (self.len >> 6, self.len & 63);
        let word = self.wrapped.get_mut(usize::from(word))?;
        *word = *word & !(1_u64 << bit) | u64::from(wrapped) << bit;
        self.len = self.len.saturating_add(1);
        Some(())
    }

    fn pop(&mut self) -> bool {
        self.len = self.len.saturating_sub(1);
        let (word, bit) = (self.len >> 6, self.len & 63);
        self.wrapped.get(usize::from(word)).is_some_and(|word| word >> bit & 1 == 1)
    }
}

/// What of a leaf its form does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loss {
    Nothing,
    /// That it has 64 bits although 32 would do.
    Width,
    /// Something else.
    Bytes,
}

/// The engine's NaN, as a script's `NAN` has it.
const NAN: u64 = 0x7FF8_0000_0000_0000;

fn is_odd_nan(value: f64) -> bool {
    value.is_nan() && value.to_bits() != NAN
}

/// (A NaN among parts is seen where they are printed.)
fn loss(leaf: &Leaf<'_>) -> Loss {
    // A short form says nothing that the value does not.
    if leaf.encoded.is_compact() {
        return Loss::Nothing;
    }
    let (bytes, dialect) = (leaf.encoded.as_bytes(), leaf.encoded.dialect());
    let told = match leaf.value {
        VariantRef::Float(value) => !is_odd_nan(value),
        // Godot 2's property looks like one more sub-name.
        VariantRef::NodePath(path) => path.is_its_text() && path.property().is_none(),
        _ => true,
    };
    let is_told = |text: StrRef<'_>| match text.is_canonical() {
        true => Ok(()),
        false => Err(Error::new(ErrorKind::BadText, 0)),
    };
    let told = told && leaf.value.texts(&mut |text| is_told(text)).is_ok();
    let same = |wide| rewrite(bytes, dialect, wide, |out| leaf.value.encode(out)).other.is_none();
    match told {
        true if same(false) => Loss::Nothing,
        true if leaf.encoded.is_wide() && same(true) => Loss::Width,
        _ => Loss::Bytes,
    }
}

/// Whether what is told of a container would be written otherwise than it is there.
fn loses_head(open: &Open<'_>) -> bool {
    let is_told = |of: TypeRef<'_>| match of {
        TypeRef::Untyped | TypeRef::Builtin(_) => true,
        TypeRef::Class(name) => {
            !is_script_path(name.as_bytes()) && Kind::named(name.as_bytes()).is_none()
        }
        TypeRef::Script(path) => is_script_path(path.as_bytes()),
    };
    let told = match open.container {
        Container::Array { element, .. } => is_told(element),
        Container::Dictionary { key, value, .. } => is_told(key) && is_told(value),
        Container::Object { class, .. } => class != *STAND_IN,
    };
    !told
        || says_nil(&open.container)
        || !open.container.texts().all(|text| text.is_canonical())
        || rewrite(open.head, open.dialect, false, |out| out.head(&open.container)).other.is_some()
}

/// A RID or signal that has nothing to tell.
fn is_nothing(value: &VariantRef<'_>) -> bool {
    match value {
        VariantRef::Rid(id) => id.unwrap_or_default() == 0,
        VariantRef::Signal(signal) => signal.name.visible().is_empty() && signal.object == 0,
        _ => true,
    }
}

/// A text as a JSON string, quotes and escapes included.
///
/// ```
/// use gamewire::godot::json::Text;
///
/// assert_eq!(Text("a \"b\"\n").to_string(), r#""a \"b\"\n""#);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Text<'a>(pub &'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        escape_str(f, self.0)?;
        f.write_char('"')
    }
}

/// The form that needs no object: a word, or a string with a prefix.
fn bare(out: &mut impl Write, leaf: &Leaf<'_>) -> fmt::Result {
    let rules = leaf.encoded.dialect().rules();
    match (&leaf.value, prefix(leaf.value.kind())) {
        (VariantRef::Nil, _) => out.write_str("null"),
        (_, None) => leaf.value.parts(&mut Plain { out, rules }),
        (_, Some(prefix)) => {
            out.write_char('"')?;
            out.write_str(prefix)?;
            leaf.value.parts(&mut Plain { out, rules })?;
            out.write_char('"')
        }
    }
}

/// The parts between brackets; whether a NaN among them is not the engine's own.
fn list(out: &mut impl Write, leaf: &Leaf<'_>) -> core::result::Result<bool, fmt::Error> {
    let rules = leaf.encoded.dialect().rules();
    let mut list = List { out, rules, comma: false, odd_nan: false };
    leaf.value.parts(&mut list)?;
    Ok(list.odd_nan)
}

/// A part without quotes.
struct Plain<'w, W> {
    out: &'w mut W,
    rules: &'static Rules,
}

impl<'a, W: Write> Parts<'a> for Plain<'_, W> {
    type Error = fmt::Error;

    fn truth(&mut self, value: bool) -> fmt::Result {
        self.out.write_str(if value { "true" } else { "false" })
    }

    fn int(&mut self, value: i64) -> fmt::Result {
        write!(self.out, "{value}")
    }

    fn id(&mut self, value: u64) -> fmt::Result {
        write!(self.out, "{value}")
    }

    /// `inf`, `-inf`, `nan`, or the shortest decimal that is this number.
    fn real(&mut self, value: f64) -> fmt::Result {
        if value.is_nan() { self.out.write_str("nan") } else { write!(self.out, "{value:?}") }
    }

    fn text(&mut self, value: StrRef<'a>) -> fmt::Result {
        escape(self.out, value, self.rules)
    }

    fn path(&mut self, value: NodePathRef<'a>) -> fmt::Result {
        value.pieces().try_for_each(|piece| self.text(piece))
    }
}

/// Parts between brackets.
struct List<'w, W> {
    out: &'w mut W,
    rules: &'static Rules,
    comma: bool,
    odd_nan: bool,
}

impl<W: Write> List<'_, W> {
    fn plain(&mut self) -> core::result::Result<Plain<'_, W>, fmt::Error> {
        if self.comma {
            self.out.write_char(',')?;
        }
        self.comma = true;
        Ok(Plain { out: self.out, rules: self.rules })
    }
}

impl<'a, W: Write> Parts<'a> for List<'_, W> {
    type Error = fmt::Error;

    fn truth(&mut self, value: bool) -> fmt::Result {
        self.plain()?.truth(value)
    }

    fn int(&mut self, value: i64) -> fmt::Result {
        self.plain()?.int(value)
    }

    fn id(&mut self, value: u64) -> fmt::Result {
        self.plain()?.id(value)
    }

    fn real(&mut self, value: f64) -> fmt::Result {
        self.odd_nan |= is_odd_nan(value);
        let mut plain = self.plain()?;
        match value {
            f64::INFINITY => plain.out.write_str("1e99999"),
            f64::NEG_INFINITY => plain.out.write_str("-1e99999"),
            _ if value.is_nan() => plain.out.write_str("\"nan\""),
            _ => plain.real(value),
        }
    }

    fn text(&mut self, value: StrRef<'a>) -> fmt::Result {
        let Plain { out, rules } = self.plain()?;
        quote(out, value, rules)
    }

    fn path(&mut self, value: NodePathRef<'a>) -> fmt::Result {
        self.plain()?.path(value)
    }
}

/// Parts that are members.
struct Members<'w, W> {
    out: &'w mut W,
    names: core::slice::Iter<'static, &'static str>,
    rules: &'static Rules,
}

impl<W: Write> Members<'_, W> {
    fn list(&mut self) -> core::result::Result<List<'_, W>, fmt::Error> {
        write!(self.out, ",\"{}\":", self.names.next().copied().unwrap_or_default())?;
        Ok(List { out: self.out, rules: self.rules, comma: false, odd_nan: false })
    }
}

impl<'a, W: Write> Parts<'a> for Members<'_, W> {
    type Error = fmt::Error;

    fn truth(&mut self, value: bool) -> fmt::Result {
        self.list()?.truth(value)
    }

    fn int(&mut self, value: i64) -> fmt::Result {
        self.list()?.int(value)
    }

    fn id(&mut self, value: u64) -> fmt::Result {
        self.list()?.id(value)
    }

    fn real(&mut self, value: f64) -> fmt::Result {
        self.list()?.real(value)
    }

    fn text(&mut self, value: StrRef<'a>) -> fmt::Result {
        self.list()?.text(value)
    }

    fn path(&mut self, value: NodePathRef<'a>) -> fmt::Result {
        self.list()?.path(value)
    }
}

fn quote(out: &mut impl Write, text: StrRef<'_>, rules: &Rules) -> fmt::Result {
    out.write_char('"')?;
    escape(out, text, rules)?;
    out.write_char('"')
}

/// Text inside quotes.
fn escape(out: &mut impl Write, text: StrRef<'_>, rules: &Rules) -> fmt::Result {
    text.show(rules.text, &mut |piece| escape_str(out, piece))
}

fn escape_str(out: &mut impl Write, mut text: &str) -> fmt::Result {
    while let Some((before, special, after)) = split_at_special(text) {
        out.write_str(before)?;
        match special {
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            '\u{8}' => out.write_str("\\b")?,
            '\t' => out.write_str("\\t")?,
            '\n' => out.write_str("\\n")?,
            '\u{C}' => out.write_str("\\f")?,
            '\r' => out.write_str("\\r")?,
            control => write!(out, "\\u{:04x}", u32::from(control))?,
        }
        text = after;
    }
    out.write_str(text)
}

/// The first character that does not stand for itself: JSON wants the controls below a
/// space, quote and backslash escaped; a terminal the other controls.
fn split_at_special(text: &str) -> Option<(&str, char, &str)> {
    let is_special = |byte: &u8| matches!(byte, 0..0x20 | b'"' | b'\\' | 0x7F | 0xC2);
    let mut from = 0_usize;
    loop {
        let place = text.as_bytes().get(from..)?.iter().position(is_special)?;
        let place = from.saturating_add(place);
        let (before, rest) = text.split_at_checked(place)?;
        let mut chars = rest.chars();
        match chars.next()? {
            // 0xC2 leads other characters than controls, too.
            other @ '\u{A0}'.. => from = place.saturating_add(other.len_utf8()),
            special => return Some((before, special, chars.as_str())),
        }
    }
}
