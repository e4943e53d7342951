//! Values from pieces of text. Containers that are open stand on a stack of their own.

use super::args::{Args, is_number};
use super::convert::{Stated, Type, fit};
use super::error::{Error, ErrorKind, Result};
use super::lexer::{Lexer, Token, What};
use super::names::{constructor, element_type, float_word};
use super::number::{engine_float, engine_int, is_float};
use super::{Reading, args, keys};
use crate::godot::notation::words;
use crate::godot::read::walk::ENGINE_DEPTH;
use crate::godot::types::object::{ENCODED_OBJECT_AS_ID, OBJECT_ID};
use crate::godot::write::encoder::Encoder;
use crate::godot::{
    self, Array, Color, Dictionary, Encoded, Kind, Object, ObjectRef, StrRef, ToVariant, Variant,
    VariantRef,
};
use alloc::borrow::Cow;
use alloc::vec::Vec;

#[derive(Debug)]
pub(super) struct Parser<'t> {
    lexer: Lexer<'t>,
    how: Reading,
    open: Vec<Frame>,
}

/// A container that is open.
#[derive(Debug)]
struct Frame {
    container: Variant,
    /// The dictionary's key whose value comes next.
    key: Option<Variant>,
    /// The object's property whose value comes next.
    name: Vec<u8>,
    /// What a typed container says of itself; it stands in parentheses.
    stated: Option<Stated>,
    /// Where it starts in the text.
    offset: usize,
}

impl Frame {
    fn new(container: impl Into<Variant>, stated: Option<Stated>, offset: usize) -> Self {
        Self { container: container.into(), key: None, name: Vec::new(), stated, offset }
    }

    fn closer(&self) -> u8 {
        match self.container {
            Variant::Dictionary(_) => b'}',
            Variant::Object(_) => b')',
            _ => b']',
        }
    }

    /// Takes in an item; whether its value comes next, behind a colon.
    fn take(&mut self, item: Variant) -> bool {
        match &mut self.container {
            Variant::Array(array) => array.items.push(item),
            Variant::Dictionary(dictionary) => match self.key.take() {
                None => self.key = Some(item),
                Some(key) => dictionary.pairs.push((key, item)),
            },
            Variant::Object(object) => {
                object.properties.push((core::mem::take(&mut self.name), item));
            }
            Variant::Leaf(_) => {}
        }
        self.key.is_some()
    }
}

/// What a piece of text begins.
enum Begun {
    Whole(Variant),
    Container(Frame),
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, how: Reading) -> Self {
        Self { lexer: Lexer::new(text, how), how, open: Vec::new() }
    }

    /// A value, and nothing of what follows it.
    pub(super) fn read(&mut self) -> Result<Variant> {
        let mut token = self.lexer.next()?;
        loop {
            let mut item = match self.begin(token)? {
                Begun::Whole(value) => value,
                Begun::Container(frame) => {
                    if self.open.len() >= ENGINE_DEPTH as usize {
                        let kind = godot::ErrorKind::TooDeep { limit: ENGINE_DEPTH };
                        let kind = ErrorKind::Unwritable(kind);
                        return Err(Error::new(kind, frame.offset as u64));
                    }
                    self.open.push(frame);
                    match self.first()? {
                        Ok(first) => {
                            token = first;
                            continue;
                        }
                        Err(empty) => empty,
                    }
                }
            };
            loop {
                if self.open.is_empty() {
                    return Ok(item);
                }
                match self.take(item)? {
                    Ok(next) => {
                        token = next;
                        break;
                    }
                    Err(closed) => item = closed,
                }
            }
        }
    }

    /// That only blanks and comments are left.
    pub(super) fn finish(&mut self) -> Result<()> {
        let token = self.lexer.next()?;
        match token.what {
            What::End => Ok(()),
            _ => Err(token.fail(ErrorKind::TrailingText)),
        }
    }

    /// What was not read.
    pub(super) fn rest(&self) -> &'t str {
        self.lexer.rest()
    }

    /// The first piece of a container's first item, or, where it has none, the container.
    fn first(&mut self) -> Result<core::result::Result<Token<'t>, Variant>> {
        let token = self.lexer.next()?;
        self.item_or_end(token)
    }

    /// Puts an item into the innermost container: the first piece of the next one, or,
    /// where that was the last, the container.
    fn take(&mut self, item: Variant) -> Result<core::result::Result<Token<'t>, Variant>> {
        let Some(frame) = self.open.last_mut() else { return Ok(Err(item)) };
        if frame.take(item) {
            self.expect(b':', "`:`")?;
            return self.lexer.next().map(Ok);
        }
        let closer = frame.closer();
        let token = self.lexer.next()?;
        if token.is(b',') {
            let token = self.lexer.next()?;
            return self.item_or_end(token);
        }
        match closer {
            _ if token.is(closer) => self.item_or_end(token),
            b'}' => token.expected("`,` or `}`"),
            b')' => token.expected("`,` or `)`"),
            _ => token.expected("`,` or `]`"),
        }
    }

    /// A piece that begins an item, or ends the innermost container. A property's name and
    /// its colon are taken on the way.
    fn item_or_end(
        &mut self,
        token: Token<'t>,
    ) -> Result<core::result::Result<Token<'t>, Variant>> {
        let Some(frame) = self.open.last_mut() else { return Ok(Ok(token)) };
        if token.is(frame.closer()) {
            return self.close().map(Err);
        }
        if !matches!(frame.container, Variant::Object(_)) {
            return Ok(Ok(token));
        }
        match token.what {
            What::Text(name) => frame.name = name.into_owned(),
            _ => return token.expected("the name of a property or `)`"),
        }
        self.expect(b':', "`:`")?;
        self.lexer.next().map(Ok)
    }

    /// Ends the innermost container.
    fn close(&mut self) -> Result<Variant> {
        let Some(mut frame) = self.open.pop() else { return Ok(Variant::NIL) };
        if let Variant::Dictionary(dictionary) = &mut frame.container {
            keys::merge(dictionary, self.how.dialect);
        }
        if let Some(stated) = &frame.stated {
            self.expect(b')', "`)`")?;
            let misfit = || Error::new(ErrorKind::ElementType, frame.offset as u64);
            let mut typed = fit(frame.container, stated, self.how).ok_or_else(misfit)?;
            // Keys may have become one.
            if let Variant::Dictionary(dictionary) = &mut typed {
                keys::merge(dictionary, self.how.dialect);
            }
            return Ok(typed);
        }
        match frame.container {
            Variant::Object(object) if object.class() == ENCODED_OBJECT_AS_ID => {
                let id = object.get(OBJECT_ID).and_then(Variant::as_i64).unwrap_or(0);
                self.put(VariantRef::Object(ObjectRef::Id(id.cast_unsigned())), frame.offset)
            }
            container => Ok(container),
        }
    }

    /// What a piece of text begins, and all of it where that is no container.
    fn begin(&mut self, token: Token<'t>) -> Result<Begun> {
        let offset = token.offset;
        let value = match token.what {
            What::Sign(b'[') => {
                return Ok(Begun::Container(Frame::new(Array::new(), None, offset)));
            }
            What::Sign(b'{') => {
                return Ok(Begun::Container(Frame::new(Dictionary::new(), None, offset)));
            }
            What::Text(ref text) => self.put(StrRef::new(text), offset)?,
            What::StringName(ref text) => {
                self.put(VariantRef::StringName(StrRef::new(text)), offset)?
            }
            What::Color(digits) => self.color(digits, &token)?,
            What::Number(number) => self.number(number, &token)?,
            What::Name(name) => return self.named(name, &token),
            What::Sign(_) | What::End => return token.expected("a value"),
        };
        Ok(Begun::Whole(value))
    }

    fn number(&self, number: &str, token: &Token<'t>) -> Result<Variant> {
        match (is_float(number), self.how.as_the_engine) {
            (true, true) => self.put(engine_float(number), token.offset),
            (true, false) => {
                let float: f64 = number.parse().map_err(|_| token.fail(ErrorKind::BadNumber))?;
                self.put(float, token.offset)
            }
            (false, true) => self.put(engine_int(number), token.offset),
            (false, false) => self.put(args::int(token, self.how, i64::MIN)?, token.offset),
        }
    }

    /// Godot 4 has the digits in the order red, green, blue, alpha, Godot 3 alpha first.
    fn color(&self, digits: &str, token: &Token<'t>) -> Result<Variant> {
        const OPAQUE_BLACK: [f32; 4] = [0.0, 0.0, 0.0, 1.0];
        let [r, g, b, a] = match color_parts(digits, self.how.is_godot4()) {
            Some(parts) => parts,
            None if self.how.as_the_engine => OPAQUE_BLACK,
            None => return Err(token.fail(ErrorKind::BadColor)),
        };
        self.put(Color { r, g, b, a }, token.offset)
    }

    /// A word, or a type and what it is made of.
    fn named(&mut self, name: &'t str, token: &Token<'t>) -> Result<Begun> {
        let offset = token.offset;
        let value = match name {
            words::NULL | "nil" => self.put((), offset)?,
            "true" => self.put(true, offset)?,
            "false" => self.put(false, offset)?,
            "Array" | "Dictionary" if self.how.is_godot4() => return self.typed(name, offset),
            "Object" => return self.object(offset),
            words::RESOURCE if self.is_script() => {
                let path = self.resource()?;
                self.put(StrRef::new(&path), offset)?
            }
            words::RESOURCE | "SubResource" | "ExtResource" => {
                return Err(token.fail(ErrorKind::Resource));
            }
            _ => match (float_word(name, self.how), constructor(name, self.how)) {
                (Some(float), _) => self.put(float, offset)?,
                (None, Some(kind)) => self.construct(kind, offset)?,
                (None, None) => return Err(token.fail(ErrorKind::UnknownName)),
            },
        };
        Ok(Begun::Whole(value))
    }

    /// A type's parts in parentheses.
    fn construct(&mut self, kind: Kind, offset: usize) -> Result<Variant> {
        self.expect(b'(', "`(`")?;
        let mut parts = Vec::new();
        if matches!(kind, Kind::Callable | Kind::Signal) && self.is_lax() {
            return self.built(kind, parts, offset);
        }
        let mut token = self.lexer.next()?;
        if !token.is(b')') {
            loop {
                parts.push(self.part(kind, token)?);
                match self.after_part(kind)? {
                    Some(next) => token = next,
                    None => break,
                }
            }
        }
        self.check_count(kind, &mut parts, offset)?;
        if let (Kind::PackedByteArray, [Token { what: What::Text(text), .. }]) = (kind, &*parts) {
            let bytes =
                base64(text).ok_or_else(|| Error::new(ErrorKind::BadBase64, offset as u64))?;
            return self.put(&*bytes, offset);
        }
        // Godot 3's RIDs cannot be made; it gives the number.
        if let (Kind::Rid, false, [number]) = (kind, self.how.is_godot4(), &*parts) {
            return self.put(args::int(number, self.how, i64::MIN)?, offset);
        }
        self.built(kind, parts, offset)
    }

    fn built(&self, kind: Kind, parts: Vec<Token<'t>>, offset: usize) -> Result<Variant> {
        let mut args = Args { offset, tokens: parts.into_iter(), how: self.how };
        self.written(offset, |out| {
            VariantRef::build(kind, &mut args, out)?;
            args.finish()
        })
    }

    /// Engines do not look at what follows the whole value, not even whether the
    /// parenthesis of some types is closed.
    fn is_lax(&self) -> bool {
        self.how.as_the_engine && self.open.is_empty()
    }

    /// A piece that may stand between those parentheses.
    fn part(&self, kind: Kind, token: Token<'t>) -> Result<Token<'t>> {
        let base64 = self.how.is_godot4() && kind == Kind::PackedByteArray;
        let fits = match (&token.what, kind) {
            (_, Kind::Callable | Kind::Signal) => false,
            (What::Text(_), Kind::NodePath | Kind::PackedStringArray) => true,
            (_, Kind::NodePath | Kind::PackedStringArray) => false,
            (What::Text(_), _) => base64,
            (what, _) => is_number(what, self.how),
        };
        match kind {
            _ if fits => Ok(token),
            Kind::Callable | Kind::Signal => token.expected("`)`"),
            Kind::NodePath | Kind::PackedStringArray => token.expected("a string"),
            _ => token.expected("a number"),
        }
    }

    /// The first token of the next part, if there is one. Only lists of strings may end in
    /// a comma.
    fn after_part(&mut self, kind: Kind) -> Result<Option<Token<'t>>> {
        let lax = self.is_lax();
        let token = match self.lexer.next() {
            Err(_) if lax && matches!(kind, Kind::NodePath | Kind::Rid) => return Ok(None),
            token => token?,
        };
        if token.is(b')') {
            return Ok(None);
        }
        if token.is(b',') && !matches!(kind, Kind::NodePath | Kind::Rid) {
            let next = self.lexer.next()?;
            let ends = kind == Kind::PackedStringArray && next.is(b')');
            return Ok(Some(next).filter(|_| !ends));
        }
        match kind {
            Kind::NodePath | Kind::Rid if lax => Ok(None),
            Kind::NodePath | Kind::Rid => token.expected("`)`"),
            _ => token.expected("`,` or `)`"),
        }
    }

    /// Engines drop numbers at the end that make no whole vector or colour.
    fn check_count(&self, kind: Kind, parts: &mut Vec<Token<'t>>, offset: usize) -> Result<()> {
        let each = match kind {
            Kind::PackedVector2Array => 2,
            Kind::PackedVector3Array => 3,
            Kind::PackedVector4Array | Kind::PackedColorArray => 4,
            // The engines need the path, and Godot 3 the number.
            Kind::NodePath if parts.is_empty() => {
                return Err(Error::new(ErrorKind::PartCount(1), offset as u64));
            }
            Kind::Rid if parts.is_empty() && !self.how.is_godot4() => {
                return Err(Error::new(ErrorKind::PartCount(1), offset as u64));
            }
            _ => return Ok(()),
        };
        if self.how.as_the_engine {
            let surplus = parts.len().checked_rem(each).unwrap_or(0);
            parts.truncate(parts.len().saturating_sub(surplus));
        }
        Ok(())
    }

    /// `Array[T](` or `Dictionary[K, V](`, and the bracket of the list itself.
    fn typed(&mut self, name: &str, offset: usize) -> Result<Begun> {
        self.expect(b'[', "`[`")?;
        let key = self.type_name()?;
        if name == "Array" {
            self.expect(b']', "`]`")?;
            self.expect(b'(', "`(`")?;
            self.expect(b'[', "`[`")?;
            let stated = Stated::Array(key);
            return Ok(Begun::Container(Frame::new(Array::new(), Some(stated), offset)));
        }
        self.expect(b',', "`,`")?;
        let value = self.type_name()?;
        self.expect(b']', "`]`")?;
        self.expect(b'(', "`(`")?;
        self.expect(b'{', "`{`")?;
        let stated = Stated::Dictionary(key, value);
        Ok(Begun::Container(Frame::new(Dictionary::new(), Some(stated), offset)))
    }

    /// What stands in the brackets of a typed container.
    fn type_name(&mut self) -> Result<Type> {
        let token = self.lexer.next()?;
        let What::Name(name) = token.what else { return token.expected("the name of a type") };
        match name {
            words::RESOURCE => self.script(),
            "SubResource" | "ExtResource" => Err(token.fail(ErrorKind::Resource)),
            words::VARIANT => Ok(Type::Untyped),
            _ => Ok(match element_type(name) {
                Some(Kind::Nil) => Type::Untyped,
                Some(kind) => Type::Builtin(kind),
                None => Type::Class(name.as_bytes().to_vec()),
            }),
        }
    }

    /// The class `Resource`, or a script.
    fn script(&mut self) -> Result<Type> {
        let before = self.lexer.clone();
        if self.lexer.next()?.is(b'(') {
            self.lexer = before;
            return self.resource().map(|path| Type::Script(path.into_owned()));
        }
        self.lexer = before;
        Ok(Type::Class(words::RESOURCE.into()))
    }

    /// Whether the value of an object's script is due, which travels as a path.
    fn is_script(&self) -> bool {
        let frame = self.open.last();
        frame.is_some_and(|frame| frame.name == words::SCRIPT.as_bytes())
    }

    /// The path of `("uid://…", "res://…")`: perhaps with a uid, in either order.
    fn resource(&mut self) -> Result<Cow<'t, [u8]>> {
        self.expect(b'(', "`(`")?;
        let mut path = self.text()?;
        let mut token = self.lexer.next()?;
        if token.is(b',') {
            let second = self.text()?;
            path = if path.starts_with(b"uid://") { second } else { path };
            token = self.lexer.next()?;
        }
        if token.is(b')') { Ok(path) } else { token.expected("`)`") }
    }

    fn text(&mut self) -> Result<Cow<'t, [u8]>> {
        let token = self.lexer.next()?;
        match token.what {
            What::Text(text) => Ok(text),
            _ => token.expected("a string"),
        }
    }

    /// `Object(Class,`; names and values follow.
    fn object(&mut self, offset: usize) -> Result<Begun> {
        self.expect(b'(', "`(`")?;
        let token = self.lexer.next()?;
        let What::Name(class) = token.what else { return token.expected("the name of a class") };
        self.expect(b',', "`,`")?;
        Ok(Begun::Container(Frame::new(Object::new(class), None, offset)))
    }

    fn expect(&mut self, sign: u8, what: &'static str) -> Result<()> {
        let token = self.lexer.next()?;
        if token.is(sign) { Ok(()) } else { token.expected(what) }
    }

    fn put(&self, value: impl ToVariant, offset: usize) -> Result<Variant> {
        self.written(offset, |out| Ok(value.write(out)?))
    }

    /// A leaf, as the engine's packets have it.
    fn written(
        &self,
        offset: usize,
        write: impl FnOnce(&mut Encoder<'_, Vec<u8>>) -> Result<()>,
    ) -> Result<Variant> {
        let (mut bytes, dialect) = (Vec::new(), self.how.dialect);
        let at = |error: Error| match *error.kind() {
            kind @ ErrorKind::Unwritable(_) => Error::new(kind, offset as u64),
            _ => error,
        };
        write(&mut Encoder::new(&mut bytes, dialect.into(), ENGINE_DEPTH)).map_err(at)?;
        Encoded::trusted(&bytes, dialect).to_variant().map_err(Error::from).map_err(at)
    }
}

/// Red, green, blue and alpha, of 3, 4, 6 or 8 digits.
pub(super) fn color_parts(digits: &str, alpha_last: bool) -> Option<[f32; 4]> {
    let (each, most) = match digits.len() {
        3 | 4 => (1, 15.0),
        6 | 8 => (2, 255.0),
        _ => return None,
    };
    let part = |index: usize| {
        let start = index.checked_mul(each)?;
        let digits = digits.get(start..start.checked_add(each)?)?;
        u8::from_str_radix(digits, 16).ok().map(|part| f32::from(part) / most)
    };
    let (first, second, third) = (part(0)?, part(1)?, part(2)?);
    Some(match part(3) {
        None => [first, second, third, 1.0],
        Some(last) if alpha_last => [first, second, third, last],
        Some(last) => [second, third, last, first],
    })
}

/// The standard alphabet with its pads; line ends, and blanks in front of them, are left
/// out. Bits too many in the last group do not matter.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut digits: Vec<u8> = Vec::with_capacity(text.len());
    for line in text.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let blanks = line.iter().rev().take_while(|byte| **byte == b' ').count();
        digits.extend(line.get(..line.len().saturating_sub(blanks))?);
    }
    let (groups, []) = digits.as_chunks::<4>() else { return None };
    let mut bytes = Vec::with_capacity(groups.len().saturating_mul(3));
    for (index, group) in groups.iter().enumerate() {
        let is_last = index.checked_add(1) == Some(groups.len());
        let pads = group.iter().rev().take_while(|digit| **digit == b'=').count();
        let bits = group
            .iter()
            .take(4_usize.saturating_sub(pads))
            .try_fold(0_u32, |bits, digit| Some(bits << 6 | u32::from(base64_digit(*digit)?)))?;
        let [_, three @ ..] = bits.checked_shl((pads as u32).wrapping_mul(6))?.to_be_bytes();
        if pads > 2 || pads > 0 && !is_last {
            return None;
        }
        bytes.extend(three.get(..3_usize.saturating_sub(pads))?);
    }
    Some(bytes)
}

fn base64_digit(digit: u8) -> Option<u8> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    ALPHABET.iter().position(|known| *known == digit)?.try_into().ok()
}
