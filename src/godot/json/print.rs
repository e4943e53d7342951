use super::form::{item, list, quote, short_form};
use super::loss::{Loss, has_no_parts, loses_head, loss};
use super::{has_short_form, member, named_parts, prefix};
use crate::godot::read::walk::ENGINE_DEPTH;
use crate::godot::table::dialect::Rules;
use crate::godot::types::object::{ENCODED_OBJECT_AS_ID, OBJECT_ID};
use crate::godot::{
    Container, Dialect, Error, ErrorKind, Kind, Leaf, ObjectRef, Open, Property, StrRef, TypeRef,
    VariantRef, Visitor,
};
use core::fmt::{self, Write};

/// A visitor that prints values in the [notation](super) on one line; see
/// [`Reader::visit`](crate::godot::Reader::visit).
///
/// Text is printed as a script sees it, with control characters escaped. The output is valid JSON,
/// except for infinity in `args`. Printing allocates nothing. After an error, the output is
/// incomplete and the printer is unusable. To avoid incomplete output,
/// [check](crate::godot::Reader::skip) the packet before printing it.
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
    /// `true` if a comma must precede the next item.
    comma: bool,
    closers: Closers,
}

/// The error of printing a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrintError {
    /// The packet is malformed, or has more than the 1024 levels of containers that an engine
    /// reads. An empty container may be one level deeper.
    #[error(transparent)]
    Malformed(#[from] Error),
    /// The output returned an error.
    #[error("cannot print")]
    Output(#[from] fmt::Error),
}

type Result = core::result::Result<(), PrintError>;

impl<W: Write> Printer<W> {
    /// Creates a printer that writes to `out`. By default, it prints the same forms as the engine.
    pub fn new(out: W) -> Self {
        Self { out, exact: false, comma: false, closers: Closers::default() }
    }

    /// Sets whether a value whose short form would lose information is wrapped in an object. The
    /// default is `false`.
    #[must_use]
    pub fn exact(mut self, exact: bool) -> Self {
        self.exact = exact;
        self
    }

    /// Writes the separator before an item.
    fn item(&mut self) -> fmt::Result {
        if self.comma && !self.closers.is_empty() {
            self.out.write_str(",")?;
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
            _ if !has_short_form(kind) => self.wrapped(leaf, loss(&leaf)),
            _ if !self.wraps(rules) => short_form(&mut self.out, &leaf),
            _ => match loss(&leaf) {
                Loss::Nothing => short_form(&mut self.out, &leaf),
                loss => self.wrapped(leaf, loss),
            },
        }
    }

    fn wrapped(&mut self, leaf: Leaf<'_>, mut loss: Loss) -> fmt::Result {
        let dialect = leaf.encoded.dialect();
        self.start(leaf.value.kind(), dialect)?;
        let names = named_parts(leaf.value.kind());
        self.out.write_str(if names.is_some() { "\"" } else { member::ARGS_START })?;
        match names {
            Some(names) if !has_no_parts(&leaf.value) => {
                let mut names = names.iter();
                leaf.value.parts(&mut |part| {
                    key(&mut self.out, names.next().copied().unwrap_or_default())?;
                    item(&mut self.out, part, dialect.rules())
                })?;
            }
            Some(_) => {}
            None => {
                if prefix(leaf.value.kind()).is_some() {
                    short_form(&mut self.out, &leaf)?;
                } else if list(&mut self.out, &leaf)? {
                    loss = Loss::Bytes;
                }
                self.out.write_str("]")?;
            }
        }
        self.end(&leaf, loss)
    }

    /// Prints a null object or an object that is encoded as an id.
    fn object(&mut self, leaf: Leaf<'_>, object: ObjectRef<'_>) -> fmt::Result {
        let dialect = leaf.encoded.dialect();
        match object {
            ObjectRef::Id(id) if id != 0 => {
                write!(self.out, "{{\"{}\":\"{ENCODED_OBJECT_AS_ID}\"", member::TYPE)?;
                self.open_list(member::PROPS)?;
                // The engine prints the id as a signed integer.
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

    /// Prints the start of an object, up to the quotes after the name of its type.
    fn begin(&mut self, kind: Kind, dialect: Dialect) -> fmt::Result {
        self.start(kind, dialect)?;
        self.out.write_str("\"")
    }

    /// Prints the start of an object, without the quotes after the name of its type.
    fn start(&mut self, kind: Kind, dialect: Dialect) -> fmt::Result {
        self.out.write_str(member::TYPE_START)?;
        self.out.write_str(dialect.type_name(kind).unwrap_or_default())
    }

    fn open_list(&mut self, name: &str) -> fmt::Result {
        key(&mut self.out, name)?;
        self.out.write_str("[")
    }

    fn end(&mut self, leaf: &Leaf<'_>, loss: Loss) -> fmt::Result {
        let flagged = || leaf.encoded.is_wide() && leaf.value.is_double();
        match loss {
            Loss::Bytes => self.hex(member::WIRE, leaf.encoded.as_bytes())?,
            Loss::Width => self.flag(member::WIDE)?,
            Loss::Nothing if flagged() => self.flag(member::WIDE)?,
            Loss::Nothing => {}
        }
        self.out.write_str("}")
    }

    fn flag(&mut self, name: &str) -> fmt::Result {
        key(&mut self.out, name)?;
        self.out.write_str("true")
    }

    fn hex(&mut self, name: &str, bytes: &[u8]) -> fmt::Result {
        key(&mut self.out, name)?;
        self.out.write_str("\"")?;
        bytes.iter().try_for_each(|byte| write!(self.out, "{byte:02x}"))?;
        self.out.write_str("\"")
    }

    /// Prints the start of a container. Returns `true` if it is wrapped in an object.
    fn head(&mut self, open: &Open<'_>) -> core::result::Result<bool, fmt::Error> {
        let rules = open.dialect.rules();
        let shared = rules.shared && open.container.is_shared();
        let is_plain =
            open.container.kind() == Kind::Array && declared_types(open).next().is_none();
        let may_wrap = !is_plain || self.wraps(rules);
        let loses = may_wrap && loses_head(open);
        if is_plain && !(may_wrap && (shared || loses)) {
            self.out.write_str("[")?;
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
        for (member, declared) in declared_types(open) {
            key(&mut self.out, member)?;
            let name = match declared {
                TypeRef::Untyped => StrRef::new(&[]),
                TypeRef::Builtin(kind) => open.dialect.type_name(kind).unwrap_or_default().into(),
                TypeRef::Class(text) | TypeRef::Script(text) => text,
            };
            quote(&mut self.out, name, rules)?;
        }
        if shared {
            self.flag(member::SHARED)?;
        }
        if loses {
            self.hex(member::HEAD, open.head)?;
        }
        self.open_list(list)?;
        Ok(true)
    }
}

/// Prints the separator and the key of a member.
fn key(out: &mut impl Write, name: &str) -> fmt::Result {
    out.write_str(",\"")?;
    out.write_str(name)?;
    out.write_str("\":")
}

/// Returns the declared types of a container, each with the name of the JSON member that holds it.
fn declared_types<'a>(
    open: &Open<'a>,
) -> impl Iterator<Item = (&'static str, TypeRef<'a>)> + use<'a> {
    let types = match open.container {
        Container::Array { element, .. } => [(member::ELEM_TYPE, element), NO_TYPE],
        Container::Dictionary { key, value, .. } => {
            [(member::KEY_TYPE, key), (member::VALUE_TYPE, value)]
        }
        Container::Object { .. } => [NO_TYPE; 2],
    };
    // The engines treat the type Nil as untyped.
    types
        .into_iter()
        .filter(|(_, declared)| !matches!(declared, TypeRef::Untyped | TypeRef::Builtin(Kind::Nil)))
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
        let too_deep =
            || Error::new(ErrorKind::TooDeep { limit: ENGINE_DEPTH }, open.offset).into();
        self.closers.push(wrapped).ok_or_else(too_deep)
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
            self.out.write_str("}")?;
        }
        Ok(())
    }

    fn close(&mut self, _: Kind) -> Result {
        self.comma = true;
        Ok(self.out.write_str(if self.closers.pop() { "]}" } else { "]" })?)
    }
}

/// A stack with one bit for each open container. The bit is 1 if the container is wrapped in a JSON
/// object, which must be closed after it. The stack has room for one level more than the engine's
/// maximum depth, since an empty container can be at that additional level.
#[derive(Debug, Default)]
struct Closers {
    wrapped: [u64; ENGINE_DEPTH as usize / 64 + 1],
    len: u32,
}

impl Closers {
    fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Pushes a bit. Returns `None` if the maximum depth is exceeded.
    fn push(&mut self, wrapped: bool) -> Option<()> {
        if self.len > ENGINE_DEPTH {
            return None;
        }
        let (word, bit) = (self.len >> 6, self.len & 63);
        let word = self.wrapped.get_mut(word as usize)?;
        *word = *word & !(1_u64 << bit) | u64::from(wrapped) << bit;
        self.len = self.len.saturating_add(1);
        Some(())
    }

    fn pop(&mut self) -> bool {
        self.len = self.len.saturating_sub(1);
        let (word, bit) = (self.len >> 6, self.len & 63);
        self.wrapped.get(word as usize).is_some_and(|word| word >> bit & 1 == 1)
    }
}
