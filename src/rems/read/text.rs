//! Reader of text files.

mod head;
mod state;
mod visit;

use crate::rems::item::Next;
use crate::rems::text::{Scan, TextOptions, array_len, reference};
use crate::rems::value::Encoding;
use crate::rems::{ErrorKind, Item, ItemSource, Kind, List, Object, Property, Result, Type, Value};
use core::mem::replace;
use head::swapped;
use state::{Due, Enclosing, Frame};

/// A reader of text files of any version of the engine since 2020.
///
/// The reader neither copies nor allocates. It decodes values only when the caller requests them,
/// and does not validate skipped parts.
///
/// `DEPTH` is the maximum nesting of objects and lists. `TextReader::<1000>::with_depth` creates a
/// reader for a deeper file; each level takes 32 bytes.
///
/// ```
/// use gamewire::rems::{Item, TextReader};
///
/// let text = br#"[{"class":"Aa","i:*ptr":1,"S:name":"a","Bb:b":{"i:*ptr":2,"Aa:a":1}}]"#;
/// let mut reader = TextReader::new(text);
/// while let Some(item) = reader.next()? {
///     match item {
///         Item::Object(object) => println!("{} {:?}", object.class, object.pointer),
///         Item::Property(property) => print!("{} {}: ", property.ty, property.name),
///         Item::Value(value) => println!("{}", value.text()?),
///         Item::Pointer(number) => println!("see {number}"),
///         Item::Null | Item::List(_) | Item::End => {}
///         _ => {}
///     }
/// }
/// # Ok::<(), gamewire::rems::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TextReader<'a, const DEPTH: usize = 256> {
    scan: Scan<'a>,
    due: Due,
    /// Type of the next object or list.
    ty: Type<'a>,
    /// The innermost open object or list.
    top: Frame<'a>,
    outer: [Frame<'a>; DEPTH],
    depth: usize,
    options: TextOptions,
    /// Offset of the last comment that was skipped.
    comment: Option<u64>,
}

impl<'a> TextReader<'a> {
    /// Creates a reader at the start of a text file.
    pub const fn new(text: &'a [u8]) -> Self {
        Self::with_depth(text)
    }

    /// Creates a reader of a single object, which another reader returned in an [`Item::Object`].
    ///
    /// ```
    /// use gamewire::rems::{Item, TextReader};
    ///
    /// let text = br#"[{"class":"Aa","K[]:kids":[2,{"i:x":1},{"i:x":2}]}]"#;
    /// let mut reader = TextReader::new(text);
    /// let mut last = None;
    /// while let Some(item) = reader.next()? {
    ///     if let Item::Object(object) = item {
    ///         last = Some(object);
    ///     }
    /// }
    /// let mut reader = TextReader::at(text, last.unwrap());
    /// let Some(Item::Object(object)) = reader.next()? else { panic!() };
    /// assert_eq!(object.class, *"K");
    /// # Ok::<(), gamewire::rems::Error>(())
    /// ```
    pub fn at(text: &'a [u8], object: Object<'a>) -> Self {
        let scan = Scan::at(text, object.offset);
        let alone = Frame { enclosing: Enclosing::Alone, class: object.class, left: 0 };
        Self { scan, top: alone, due: Due::Alone, ..Self::new(text) }
    }
}

impl<'a, const DEPTH: usize> TextReader<'a, DEPTH> {
    /// Creates a reader whose `DEPTH` can differ from the default of 256.
    pub const fn with_depth(text: &'a [u8]) -> Self {
        Self {
            scan: Scan::new(text, 0),
            due: Due::Start,
            ty: Type::Object,
            top: Frame::FILE,
            outer: [Frame::FILE; DEPTH],
            depth: 0,
            options: TextOptions { octal: true, wrapping: false },
            comment: None,
        }
    }

    /// Sets options for numbers.
    #[must_use]
    pub fn options(mut self, options: TextOptions) -> Self {
        self.options = options;
        self
    }

    /// Returns the offset of the next item, or of the whitespace before it.
    pub const fn offset(&self) -> u64 {
        self.scan.offset()
    }

    /// Returns the bytes after the last bracket, without leading whitespace, once
    /// [`next`](Self::next) has returned `None`. Like engines, the reader ignores these bytes.
    /// Before the end of the file, and after an error, the result is empty.
    ///
    /// ```
    /// let text = br#"[{"class":"Empty"}] ignored"#;
    /// let mut reader = gamewire::rems::TextReader::new(text);
    /// while reader.next()?.is_some() {}
    /// assert_eq!(reader.trailing(), b"ignored");
    /// # Ok::<(), gamewire::rems::Error>(())
    /// ```
    pub fn trailing(&self) -> &'a [u8] {
        if self.due != Due::End {
            return &[];
        }
        let mut scan = self.scan;
        scan.skip_whitespace();
        scan.rest()
    }

    /// Returns the offset of the last comment before the current position. If several comments
    /// follow each other, returns the offset of the first of them. Ignores comments in skipped
    /// parts. No engine writes comments, and writers do not keep them.
    pub const fn last_comment(&self) -> Option<u64> {
        self.comment
    }

    /// Skips whitespace and comments.
    #[inline(always)]
    fn skip_trivia(&mut self) -> Result<()> {
        self.scan.skip_whitespace();
        match self.scan.peek() {
            Some(b'/') => self.skip_comments(),
            _ => Ok(()),
        }
    }

    #[cold]
    fn skip_comments(&mut self) -> Result<()> {
        self.comment = Some(self.scan.offset());
        self.scan.skip_trivia()
    }

    /// Reads the next item. Returns `None` at the end of the file. Bytes after the last bracket are
    /// ignored.
    ///
    /// # Errors
    /// If the text is malformed. After an error there are no more items.
    #[inline(never)]
    #[allow(clippy::should_implement_trait, reason = "fallible, and used with `?`")]
    pub fn next(&mut self) -> Next<'a> {
        // Each call sets the next state; after an error, the state remains `Due::Nothing`. The
        // functions that create items must be inlined into this one: an item that is stored in
        // parts and then loaded in one piece causes store-forwarding stalls.
        let mut due = replace(&mut self.due, Due::Nothing);
        if due == Due::Element {
            due = self.find_element()?;
        }
        match due {
            Due::Plain(kind, dim) => self.plain(kind, dim),
            Due::Member | Due::First => self.member(due),
            Due::Instance => self.instance(),
            Due::List => self.list(),
            Due::Root | Due::Start => match self.find_root(due)? {
                true => self.object(None).map(|object| Some(Item::Object(object))),
                false => self.finish(),
            },
            Due::Alone => {
                self.object(Some(self.top.class)).map(|object| Some(Item::Object(object)))
            }
            Due::Element => self.end(),
            Due::Nothing => Ok(None),
            Due::End => self.finish(),
        }
    }

    #[inline(never)]
    fn finish(&mut self) -> Next<'a> {
        self.due = Due::End;
        Ok(None)
    }

    /// Skips any number of commas before a top-level object. Returns `true` if an object follows.
    #[inline(never)]
    fn find_root(&mut self, due: Due) -> Result<bool> {
        self.scan.skip_whitespace();
        if due == Due::Start {
            self.scan.expect(b'[', "the opening bracket of the file")?;
            self.scan.skip_whitespace();
        }
        while self.scan.peek() == Some(b',') {
            self.scan.advance(1);
            self.scan.skip_whitespace();
        }
        match self.scan.peek() {
            Some(b'{') => Ok(true),
            Some(b']') => {
                self.scan.advance(1);
                Ok(false)
            }
            _ => Err(self.scan.expected("an object or the end of the file")),
        }
    }

    #[inline(always)]
    fn member(&mut self, due: Due) -> Next<'a> {
        // Fast path: no whitespace.
        let more = match self.scan.rest() {
            [b',', b'"', ..] if due == Due::Member => {
                self.scan.advance(1);
                true
            }
            [b'}', ..] => false,
            _ => self.find_member(due)?,
        };
        if more { self.property() } else { self.end() }
    }

    /// Skips the separator before a property. Returns `false` at the end of the object.
    #[inline(never)]
    fn find_member(&mut self, due: Due) -> Result<bool> {
        self.skip_trivia()?;
        if due == Due::Member {
            match self.scan.peek() {
                Some(b',') => self.scan.advance(1),
                Some(b'}') => return Ok(false),
                _ => return Err(self.scan.expected("a comma or the end of the object")),
            }
            self.skip_trivia()?;
        }
        match self.scan.peek() {
            Some(b'"') => Ok(true),
            Some(b'}') => Ok(false),
            _ => Err(self.scan.expected("a property or the end of the object")),
        }
    }

    /// Closes the innermost object or list.
    #[inline(always)]
    fn end(&mut self) -> Next<'a> {
        self.scan.advance(1);
        self.pop();
        Ok(Some(Item::End))
    }

    #[inline(always)]
    fn pop(&mut self) {
        self.depth = self.depth.wrapping_sub(1);
        self.top = self.outer.get(self.depth).copied().unwrap_or(Frame::FILE);
        self.after_value();
    }

    #[inline(always)]
    fn push(&mut self, frame: Frame<'a>) -> Result<()> {
        match self.outer.get_mut(self.depth) {
            Some(outer) => {
                *outer = self.top;
                self.top = frame;
                self.depth = self.depth.wrapping_add(1);
                Ok(())
            }
            None => {
                let limit = u32::try_from(DEPTH).unwrap_or(u32::MAX);
                Err(self.scan.error(ErrorKind::TooDeep { limit }))
            }
        }
    }

    #[inline(always)]
    fn after_value(&mut self) {
        self.due = match self.top.enclosing {
            Enclosing::Object => Due::Member,
            Enclosing::File => Due::Root,
            Enclosing::Alone => Due::Nothing,
            _ => Due::Element,
        };
    }

    #[inline(always)]
    fn colon(&mut self) -> Result<()> {
        if let [b':', b'!'..=b'\xFF', ..] = self.scan.rest() {
            self.scan.advance(1);
            return Ok(());
        }
        self.spaced_colon()
    }

    #[inline(never)]
    fn spaced_colon(&mut self) -> Result<()> {
        self.scan.skip_whitespace();
        self.scan.expect(b':', "a colon")?;
        self.scan.skip_whitespace();
        Ok(())
    }

    #[inline(always)]
    fn property(&mut self) -> Next<'a> {
        let start = self.scan;
        let Some((ty, name)) = self.scan.key()? else { return Err(start.error(ErrorKind::NoType)) };
        let ty_name = ty;
        self.colon()?;
        let (mut ty, mut name) = (Type::named(ty), name);
        // Older engines swapped the type and the name of integer vectors.
        if let [b'v', b'2'..=b'4', b'i'] = name.raw()
            && self.scan.peek() == Some(b'[')
            && let Some(kind) = swapped(ty, name.raw(), self.scan.rest())
        {
            (ty, name) = (Type::Kind(kind, 0), ty_name);
        }
        self.due = match ty {
            Type::Kind(kind, dim) if dim == 0 || !kind.is_text() => Due::Plain(kind, dim),
            _ => {
                self.ty = ty;
                if ty.dim() == 0 { Due::Instance } else { Due::List }
            }
        };
        Ok(Some(Item::Property(Property { ty, name, offset: start.offset() })))
    }

    #[inline(always)]
    fn plain(&mut self, kind: Kind, dim: u8) -> Next<'a> {
        if (dim > 0 || kind.is_text()) && self.scan.eat_null() {
            return self.null();
        }
        // The offset of a string is that of the first byte after the quote.
        let offset = self.scan.offset().wrapping_add(u64::from(kind.is_text()));
        let span = self.scan.value(kind, kind.brackets().wrapping_add(dim))?;
        self.after_value();
        let encoding = Encoding::Text(self.options);
        Ok(Some(Item::Value(Value { kind, dim, encoding, span, count: 0, offset })))
    }

    #[inline(always)]
    fn null(&mut self) -> Next<'a> {
        self.after_value();
        Ok(Some(Item::Null))
    }

    /// Reads an object, a reference by number, or null.
    #[inline(always)]
    fn instance(&mut self) -> Next<'a> {
        match self.scan.peek() {
            Some(b'{') => {
                let class = match self.ty {
                    Type::Class(class, _) => Some(class),
                    _ => None,
                };
                self.object(class).map(|object| Some(Item::Object(object)))
            }
            Some(b'-' | b'0'..=b'9') => {
                let number = reference(&mut self.scan, self.options)?;
                self.after_value();
                Ok(Some(Item::Pointer(number)))
            }
            _ if self.scan.eat_null() => self.null(),
            _ => Err(self.scan.expected("an object, the number of one, or null")),
        }
    }

    #[inline(always)]
    fn list(&mut self) -> Next<'a> {
        let ty = self.ty;
        match self.open_list()? {
            Some(len) => Ok(Some(Item::List(List { ty, len }))),
            None => self.null(),
        }
    }

    /// Reads the opening bracket and the count of a list. Returns `None` for null.
    #[inline(never)]
    fn open_list(&mut self) -> Result<Option<u32>> {
        if self.scan.eat_null() {
            return Ok(None);
        }
        self.scan.expect(b'[', "an opening bracket")?;
        let len = array_len(&mut self.scan, self.options)?;
        self.push(Frame::list(self.ty, len))?;
        self.due = Due::Element;
        Ok(Some(len))
    }

    /// Skips the separator before an element. Returns the state for reading the element, or
    /// `Due::Element` at the end of the list.
    #[inline(never)]
    fn find_element(&mut self) -> Result<Due> {
        self.scan.skip_whitespace();
        match self.scan.peek() {
            Some(b',') => self.scan.advance(1),
            Some(b']') => return Ok(Due::Element),
            _ => return Err(self.scan.expected("a comma or the end of the list")),
        }
        self.scan.skip_whitespace();
        self.top.left = match self.top.left.checked_sub(1) {
            Some(left) => left,
            None => return Err(self.scan.error(ErrorKind::TooManyElements)),
        };
        // If the closing bracket follows the comma directly, the element is omitted.
        if self.scan.peek() == Some(b']') {
            return Ok(Due::Element);
        }
        self.ty = self.top.elements();
        Ok(match self.ty {
            Type::Kind(kind, 0) => Due::Plain(kind, 0),
            ty if ty.dim() == 0 => Due::Instance,
            _ => Due::List,
        })
    }

    /// If the last item started an object or list, skips the rest of it. If the last item was a
    /// property, skips its value. After any other item, skips the rest of the enclosing object or
    /// list. The [`End`](Item::End) of a skipped object or list is skipped, too.
    ///
    /// This method parses only brackets, strings and comments.
    ///
    /// # Errors
    /// If the file ends before the skipped part does, or if the skipped value of a property is
    /// missing or has a malformed escape or character.
    pub fn skip(&mut self) -> Result<()> {
        match replace(&mut self.due, Due::Nothing) {
            Due::Plain(..) | Due::Instance | Due::List => {
                match self.scan.peek() {
                    Some(b'[' | b'{') => {
                        self.scan.advance(1);
                        self.scan.skip_to_close()?;
                    }
                    // Reads to the end of any other value without validating it.
                    _ => drop(self.scan.value(Kind::Char, 0)?),
                }
                self.after_value();
            }
            Due::First | Due::Member | Due::Element => {
                self.scan.skip_to_close()?;
                self.pop();
            }
            Due::Root => {
                self.scan.skip_to_close()?;
                self.due = Due::End;
            }
            Due::End => self.due = Due::End,
            Due::Start | Due::Alone | Due::Nothing => {}
        }
        Ok(())
    }
}

impl<'a, const DEPTH: usize> ItemSource<'a> for TextReader<'a, DEPTH> {
    #[inline(always)]
    fn next(&mut self) -> Next<'a> {
        Self::next(self)
    }

    fn skip(&mut self) -> Result<()> {
        Self::skip(self)
    }

    fn offset(&self) -> u64 {
        Self::offset(self)
    }
}
