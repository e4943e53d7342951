//! Builds values from tokens. Open containers are kept on an explicit stack.

use super::args::{Args, is_number};
use super::colors::color_parts;
use super::convert::{DeclaredTypes, Type, convert_container};
use super::error::{Error, ErrorKind, Result};
use super::lexer::{Lexer, Token, TokenKind};
use super::names::{constructor, element_type, float_constant};
use super::number::{engine_float, engine_int, is_float};
use super::{Reading, args, keys};
use crate::godot::notation::keywords;
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
    options: Reading,
    open: Vec<Frame>,
}

/// An open container.
#[derive(Debug)]
struct Frame {
    container: Variant,
    /// The dictionary's key whose value comes next.
    key: Option<Variant>,
    /// The object's property whose value comes next.
    name: Vec<u8>,
    /// The declared types of a typed container. The notation puts such a container in parentheses.
    types: Option<DeclaredTypes>,
    /// The offset of the container in the text.
    offset: usize,
}

impl Frame {
    fn new(container: impl Into<Variant>, types: Option<DeclaredTypes>, offset: usize) -> Self {
        Self { container: container.into(), key: None, name: Vec::new(), types, offset }
    }

    fn closer(&self) -> u8 {
        match self.container {
            Variant::Dictionary(_) => b'}',
            Variant::Object(_) => b')',
            _ => b']',
        }
    }

    /// Adds an item. Returns `true` if the item is a key, in which case a colon and its value
    /// follow.
    fn add(&mut self, item: Variant) -> bool {
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

/// The result of parsing the start of a value.
enum ValueStart {
    /// A complete value that is not a container.
    Complete(Variant),
    /// A container whose items follow.
    Container(Frame),
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, options: Reading) -> Self {
        Self { lexer: Lexer::new(text, options), options, open: Vec::new() }
    }

    /// Parses a value and leaves the text after it unread.
    pub(super) fn read(&mut self) -> Result<Variant> {
        let mut token = self.lexer.next()?;
        loop {
            let mut item = match self.start_value(token)? {
                ValueStart::Complete(value) => value,
                ValueStart::Container(frame) => {
                    if self.open.len() >= ENGINE_DEPTH as usize {
                        let kind = godot::ErrorKind::TooDeep { limit: ENGINE_DEPTH };
                        let kind = ErrorKind::Unwritable(kind);
                        return Err(Error::new(kind, frame.offset as u64));
                    }
                    self.open.push(frame);
                    match self.first_item()? {
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
                match self.add_item(item)? {
                    Ok(next) => {
                        token = next;
                        break;
                    }
                    Err(closed) => item = closed,
                }
            }
        }
    }

    /// Returns an error if anything but white space and comments follows the value.
    pub(super) fn finish(&mut self) -> Result<()> {
        let token = self.lexer.next()?;
        match token.kind {
            TokenKind::End => Ok(()),
            _ => Err(token.fail(ErrorKind::TrailingText)),
        }
    }

    /// Returns the unread text.
    pub(super) fn rest(&self) -> &'t str {
        self.lexer.rest()
    }

    /// Returns the first token of the innermost container's first item, or the container itself if
    /// it is empty.
    fn first_item(&mut self) -> Result<core::result::Result<Token<'t>, Variant>> {
        let token = self.lexer.next()?;
        self.item_or_end(token)
    }

    /// Adds an item to the innermost container. Returns the first token of the next item. If the
    /// added item was the last one, closes the container and returns it.
    fn add_item(&mut self, item: Variant) -> Result<core::result::Result<Token<'t>, Variant>> {
        let Some(frame) = self.open.last_mut() else { return Ok(Err(item)) };
        if frame.add(item) {
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

    /// Handles a token that starts an item or closes the innermost container. Returns the first
    /// token of the item's value or the closed container. For a property of an object, the first
    /// token of the value is the one after the name and the colon.
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
        match token.kind {
            TokenKind::Text(name) => frame.name = name.into_owned(),
            _ => return token.expected("the name of a property or `)`"),
        }
        self.expect(b':', "`:`")?;
        self.lexer.next().map(Ok)
    }

    /// Closes the innermost container and returns it.
    fn close(&mut self) -> Result<Variant> {
        let Some(mut frame) = self.open.pop() else { return Ok(Variant::NIL) };
        if let Variant::Dictionary(dictionary) = &mut frame.container {
            keys::merge(dictionary, self.options.dialect);
        }
        if let Some(types) = &frame.types {
            self.expect(b')', "`)`")?;
            let wrong_type = || Error::new(ErrorKind::ElementType, frame.offset as u64);
            let converted = convert_container(frame.container, types, self.options);
            let mut typed = converted.ok_or_else(wrong_type)?;
            // Different keys can become equal by conversion.
            if let Variant::Dictionary(dictionary) = &mut typed {
                keys::merge(dictionary, self.options.dialect);
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

    /// Parses the value that starts with `token`, or the start of a container.
    fn start_value(&mut self, token: Token<'t>) -> Result<ValueStart> {
        let offset = token.offset;
        let value = match token.kind {
            TokenKind::Punct(b'[') => {
                return Ok(ValueStart::Container(Frame::new(Array::new(), None, offset)));
            }
            TokenKind::Punct(b'{') => {
                return Ok(ValueStart::Container(Frame::new(Dictionary::new(), None, offset)));
            }
            TokenKind::Text(ref text) => self.put(StrRef::new(text), offset)?,
            TokenKind::StringName(ref text) => {
                self.put(VariantRef::StringName(StrRef::new(text)), offset)?
            }
            TokenKind::Color(digits) => self.color(digits, &token)?,
            TokenKind::Number(number) => self.number(number, &token)?,
            TokenKind::Name(name) => return self.named(name, &token),
            TokenKind::Punct(_) | TokenKind::End => return token.expected("a value"),
        };
        Ok(ValueStart::Complete(value))
    }

    fn number(&self, number: &str, token: &Token<'t>) -> Result<Variant> {
        match (is_float(number), self.options.as_the_engine) {
            (true, true) => self.put(engine_float(number), token.offset),
            (true, false) => {
                let float: f64 = number.parse().map_err(|_| token.fail(ErrorKind::BadNumber))?;
                self.put(float, token.offset)
            }
            (false, true) => self.put(engine_int(number), token.offset),
            (false, false) => self.put(args::int(token, self.options, i64::MIN)?, token.offset),
        }
    }

    /// Parses a colour. Alpha comes last in Godot 4, and first in Godot 3.
    fn color(&self, digits: &str, token: &Token<'t>) -> Result<Variant> {
        const OPAQUE_BLACK: [f32; 4] = [0.0, 0.0, 0.0, 1.0];
        let [r, g, b, a] = match color_parts(digits, self.options.is_godot4()) {
            Some(parts) => parts,
            None if self.options.as_the_engine => OPAQUE_BLACK,
            None => return Err(token.fail(ErrorKind::BadColor)),
        };
        self.put(Color { r, g, b, a }, token.offset)
    }

    /// Parses a value that starts with a name: a constant, or a type and its arguments.
    fn named(&mut self, name: &'t str, token: &Token<'t>) -> Result<ValueStart> {
        let offset = token.offset;
        let value = match name {
            keywords::NULL | "nil" => self.put((), offset)?,
            "true" => self.put(true, offset)?,
            "false" => self.put(false, offset)?,
            "Array" | "Dictionary" if self.options.is_godot4() => return self.typed(name, offset),
            "Object" => return self.object(offset),
            keywords::RESOURCE if self.is_script() => {
                let path = self.resource()?;
                self.put(StrRef::new(&path), offset)?
            }
            keywords::RESOURCE | "SubResource" | "ExtResource" => {
                return Err(token.fail(ErrorKind::Resource));
            }
            _ => match (float_constant(name, self.options), constructor(name, self.options)) {
                (Some(float), _) => self.put(float, offset)?,
                (None, Some(kind)) => self.construct(kind, offset)?,
                (None, None) => return Err(token.fail(ErrorKind::UnknownName)),
            },
        };
        Ok(ValueStart::Complete(value))
    }

    /// Parses the arguments of a constructor in parentheses and builds the value.
    fn construct(&mut self, kind: Kind, offset: usize) -> Result<Variant> {
        self.expect(b'(', "`(`")?;
        let mut parts = Vec::new();
        if matches!(kind, Kind::Callable | Kind::Signal) && self.is_lax() {
            return self.build(kind, parts, offset);
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
        if let (Kind::PackedByteArray, [Token { kind: TokenKind::Text(text), .. }]) =
            (kind, &*parts)
        {
            let bytes =
                base64(text).ok_or_else(|| Error::new(ErrorKind::BadBase64, offset as u64))?;
            return self.put(&*bytes, offset);
        }
        // Godot 3 cannot create a RID from a number, and returns the number.
        if let (Kind::Rid, false, [number]) = (kind, self.options.is_godot4(), &*parts) {
            return self.put(args::int(number, self.options, i64::MIN)?, offset);
        }
        self.build(kind, parts, offset)
    }

    fn build(&self, kind: Kind, parts: Vec<Token<'t>>, offset: usize) -> Result<Variant> {
        let mut args = Args { offset, tokens: parts.into_iter(), options: self.options };
        self.encode(offset, |out| {
            VariantRef::build(kind, &mut args, out)?;
            args.finish()
        })
    }

    /// Returns `true` if the text after the value's last argument is ignored. Functions such
    /// as `str_to_var` ignore it, and for some types even a missing closing parenthesis.
    fn is_lax(&self) -> bool {
        self.options.as_the_engine && !self.options.in_file && self.open.is_empty()
    }

    /// Checks that the token can be an argument of the constructor of `kind`.
    fn part(&self, kind: Kind, token: Token<'t>) -> Result<Token<'t>> {
        let base64 = self.options.is_godot4() && kind == Kind::PackedByteArray;
        let fits = match (&token.kind, kind) {
            (_, Kind::Callable | Kind::Signal) => false,
            (TokenKind::Text(_), Kind::NodePath | Kind::PackedStringArray) => true,
            (_, Kind::NodePath | Kind::PackedStringArray) => false,
            (TokenKind::Text(_), _) => base64,
            (token_kind, _) => is_number(token_kind, self.options),
        };
        match kind {
            _ if fits => Ok(token),
            Kind::Callable | Kind::Signal => token.expected("`)`"),
            Kind::NodePath | Kind::PackedStringArray => token.expected("a string"),
            _ => token.expected("a number"),
        }
    }

    /// Returns the first token of the next argument, if there is one. Only lists of strings may end
    /// with a comma.
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

    /// Returns an error for a NodePath, or a RID of Godot 3, without arguments. With
    /// [`Reading::as_the_engine`], drops trailing numbers of a packed array that do not form a
    /// complete vector or colour. All other wrong counts are found when the value is built.
    fn check_count(&self, kind: Kind, parts: &mut Vec<Token<'t>>, offset: usize) -> Result<()> {
        let part_count = match kind {
            Kind::PackedVector2Array => 2,
            Kind::PackedVector3Array => 3,
            Kind::PackedVector4Array | Kind::PackedColorArray => 4,
            // All engines require the path of a NodePath, and Godot 3 the number of a RID.
            Kind::NodePath if parts.is_empty() => {
                return Err(Error::new(ErrorKind::PartCount(1), offset as u64));
            }
            Kind::Rid if parts.is_empty() && !self.options.is_godot4() => {
                return Err(Error::new(ErrorKind::PartCount(1), offset as u64));
            }
            _ => return Ok(()),
        };
        if self.options.as_the_engine {
            let surplus = parts.len().checked_rem(part_count).unwrap_or(0);
            parts.truncate(parts.len().saturating_sub(surplus));
        }
        Ok(())
    }

    /// Parses the start of a typed container after its name: `[T]([` or `[K, V]({`.
    fn typed(&mut self, name: &str, offset: usize) -> Result<ValueStart> {
        self.expect(b'[', "`[`")?;
        let key = self.type_name()?;
        if name == "Array" {
            self.expect(b']', "`]`")?;
            self.expect(b'(', "`(`")?;
            self.expect(b'[', "`[`")?;
            let types = DeclaredTypes::Array(key);
            return Ok(ValueStart::Container(Frame::new(Array::new(), Some(types), offset)));
        }
        self.expect(b',', "`,`")?;
        let value = self.type_name()?;
        self.expect(b']', "`]`")?;
        self.expect(b'(', "`(`")?;
        self.expect(b'{', "`{`")?;
        let types = DeclaredTypes::Dictionary(key, value);
        Ok(ValueStart::Container(Frame::new(Dictionary::new(), Some(types), offset)))
    }

    /// Parses a type in the brackets of a typed container.
    fn type_name(&mut self) -> Result<Type> {
        let token = self.lexer.next()?;
        let TokenKind::Name(name) = token.kind else { return token.expected("the name of a type") };
        match name {
            keywords::RESOURCE => self.script(),
            "SubResource" | "ExtResource" => Err(token.fail(ErrorKind::Resource)),
            keywords::VARIANT => Ok(Type::Untyped),
            _ => Ok(match element_type(name) {
                Some(Kind::Nil) => Type::Untyped,
                Some(kind) => Type::Builtin(kind),
                None => Type::Class(name.as_bytes().to_vec()),
            }),
        }
    }

    /// Parses the rest of a type that starts with `Resource`. The type is a script if a path
    /// follows, and otherwise the class `Resource`.
    fn script(&mut self) -> Result<Type> {
        let before = self.lexer.clone();
        if self.lexer.next()?.is(b'(') {
            self.lexer = before;
            return self.resource().map(|path| Type::Script(path.into_owned()));
        }
        self.lexer = before;
        Ok(Type::Class(keywords::RESOURCE.into()))
    }

    /// Returns `true` if the next value is the script of an object. In a packet, the path of the
    /// script takes the place of the script.
    fn is_script(&self) -> bool {
        let frame = self.open.last();
        frame.is_some_and(|frame| frame.name == keywords::SCRIPT.as_bytes())
    }

    /// Parses the arguments of a resource and returns its path. A UID can precede or follow the
    /// path: `("uid://…", "res://…")`.
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
        match token.kind {
            TokenKind::Text(text) => Ok(text),
            _ => token.expected("a string"),
        }
    }

    /// Parses the start of an object after its name: `(Class,`.
    fn object(&mut self, offset: usize) -> Result<ValueStart> {
        self.expect(b'(', "`(`")?;
        let token = self.lexer.next()?;
        let TokenKind::Name(class) = token.kind else {
            return token.expected("the name of a class");
        };
        self.expect(b',', "`,`")?;
        Ok(ValueStart::Container(Frame::new(Object::new(class), None, offset)))
    }

    fn expect(&mut self, punct: u8, expected: &'static str) -> Result<()> {
        let token = self.lexer.next()?;
        if token.is(punct) { Ok(()) } else { token.expected(expected) }
    }

    fn put(&self, value: impl ToVariant, offset: usize) -> Result<Variant> {
        self.encode(offset, |out| Ok(value.write(out)?))
    }

    /// Encodes a leaf with `write`. Errors get the offset of the value in the text.
    fn encode(
        &self,
        offset: usize,
        write: impl FnOnce(&mut Encoder<'_, &mut Vec<u8>>) -> Result<()>,
    ) -> Result<Variant> {
        let (mut bytes, dialect) = (Vec::new(), self.options.dialect);
        let with_offset = |error: Error| match *error.kind() {
            kind @ ErrorKind::Unwritable(_) => Error::new(kind, offset as u64),
            _ => error,
        };
        // A `Writer` also writes into a reference, so that both share the compiled code.
        let mut sink = &mut bytes;
        write(&mut Encoder::new(&mut sink, dialect.into(), ENGINE_DEPTH)).map_err(with_offset)?;
        Encoded::trusted(&bytes, dialect).to_variant().map_err(Error::from).map_err(with_offset)
    }
}

/// Decodes base64 with the standard alphabet and padding, as Godot 4 does. Skips line ends and the
/// spaces before them. Ignores surplus bits in the last group.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut digits: Vec<u8> = Vec::with_capacity(text.len());
    for line in text.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let spaces = line.iter().rev().take_while(|byte| **byte == b' ').count();
        digits.extend(line.get(..line.len().saturating_sub(spaces))?);
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
