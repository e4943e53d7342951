//! Writes a file again, in the same format or in a different one.

mod color;
mod limited;
mod plan;
mod verify;

pub use plan::Plan;
pub use verify::{Compared, Difference, verify};

use self::color::is_color;
use super::write::forward_item;
use super::{
    BinaryWriter, Dialect, Era, Error, Item, ItemSink, ItemSource, Kind, OutputFormat, Property,
    TextWriter, Type, Unreadable, Warning, WriteError, WriteErrorKind,
};
use alloc::vec::Vec;
use limited::Limited;

type Result<T = (), E = WriteError> = core::result::Result<T, E>;

/// Maximum length in bytes of the result of [`convert_to_vec`] and [`rewrite_to_vec`]: 1 GiB. A
/// binary stream contains each name only once, but a text file repeats it for each property, so a
/// small stream can become a huge text file.
pub const MAX_CONVERTED: usize = 1 << 30;

/// Writes a file again in the same format. Keeps all items, and calls `warn` for each item that the
/// engine could not read back. Only whitespace and alternative spellings change.
///
/// ```
/// use gamewire::rems::{Dialect, TextReader, TextWriter, rewrite};
///
/// let text = br#"[ { "class": "T", "i:*ptr": 1, "f:x": NaN } ]"#;
/// let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
/// let mut warnings = Vec::new();
/// rewrite(&mut TextReader::new(text), &mut writer, |warning| warnings.push(warning))?;
/// assert_eq!(writer.finish()?, br#"[{"class":"T","i:*ptr":1,"f:x":NaN}]"#);
/// assert_eq!(warnings[0].to_string(), "no engine reads NaN and Infinity in text");
/// # Ok::<(), gamewire::rems::WriteError>(())
/// ```
///
/// # Errors
/// If the source is malformed, if the sink is full, or if the writer returns any other error, for
/// example because the target format lacks a type or because objects are nested too deeply.
pub fn rewrite<'a>(
    from: &mut (impl ItemSource<'a> + ?Sized),
    to: &mut impl ItemSink,
    mut warn: impl FnMut(Warning),
) -> Result {
    to.force(true);
    loop {
        match &from.next() {
            Ok(Some(item)) => forward_item(item, to)?,
            Ok(None) => return Ok(()),
            Err(error) => return Err(source_error(*error, to)),
        }
        to.take_warning().into_iter().for_each(&mut warn);
    }
}

#[cold]
fn source_error(error: Error, to: &impl ItemSink) -> WriteError {
    WriteError::new(WriteErrorKind::Source(error), to.offset())
}

/// Writes a file again like [`rewrite`], and returns the result as a vector. This function is not
/// generic, so that programs that call it do not compile their own copies of the writers.
///
/// # Errors
/// See [`rewrite`]. Also fails if the result would be longer than [`MAX_CONVERTED`] bytes.
pub fn rewrite_to_vec<'a>(
    from: &mut dyn ItemSource<'a>,
    format: OutputFormat,
    warn: &mut dyn FnMut(Warning),
) -> Result<Vec<u8>> {
    match format {
        OutputFormat::Text(dialect) => {
            let mut writer = TextWriter::new(Limited::new(MAX_CONVERTED), dialect);
            rewrite(from, &mut writer, warn)?;
            writer.finish().map(|sink| sink.bytes)
        }
        OutputFormat::Binary(era) => {
            let mut writer = BinaryWriter::new(Limited::new(MAX_CONVERTED), era);
            rewrite(from, &mut writer, &mut *warn)?;
            warn_if_empty(&writer, warn);
            writer.finish().map(|sink| sink.bytes)
        }
    }
}

/// Converts a file like [`convert`], and returns the result as a vector. This function is not
/// generic, so that programs that call it do not compile their own copies of the writers.
///
/// # Errors
/// See [`convert`]. Also fails if the result would be longer than [`MAX_CONVERTED`] bytes.
pub fn convert_to_vec<'a>(
    from: &mut dyn ItemSource<'a>,
    format: OutputFormat,
    plan: &Plan<'a>,
    options: ConvertOptions,
    warn: &mut dyn FnMut(Warning),
) -> Result<Vec<u8>> {
    match format {
        OutputFormat::Text(dialect) => {
            let mut writer = TextWriter::new(Limited::new(MAX_CONVERTED), dialect);
            convert(from, &mut writer, plan, options, warn)?;
            writer.finish().map(|sink| sink.bytes)
        }
        OutputFormat::Binary(era) => {
            let mut writer = BinaryWriter::new(Limited::new(MAX_CONVERTED), era);
            convert(from, &mut writer, plan, options, &mut *warn)?;
            if options.force {
                warn_if_empty(&writer, warn);
            }
            writer.finish().map(|sink| sink.bytes)
        }
    }
}

/// Warns if the stream has no objects. The writer itself records this warning only in `finish`,
/// which consumes the writer, so the caller could not take the warning from it.
fn warn_if_empty(writer: &impl ItemSink, warn: &mut dyn FnMut(Warning)) {
    if writer.offset() == 0 {
        warn(Warning { reason: Unreadable::NoObjects, offset: 0 });
    }
}

/// Options of [`convert`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConvertOptions {
    /// With `true`, items that the engine could not read back are written, with a warning. With
    /// `false`, they are errors, except for lists of one class: engines from before October 2024
    /// could not read such lists in binary streams, so conversion to these eras turns them into
    /// lists of several classes. The default is `false`.
    pub force: bool,
    /// With `true`, conversion to the text format of 2026 turns integers into colours if the name
    /// of the property suggests it. The name of a single integer must end in `color` or contain
    /// `color.`; the name of an array of integers must end in `color` or `colors`. In the engine,
    /// most properties with such names are colours. The default is `true`.
    pub colors: bool,
}

impl Default for ConvertOptions {
    fn default() -> Self {
        Self { force: false, colors: true }
    }
}

/// Converts a file to the format of the writer `to`: to text or binary, of any supported version of
/// the engine.
///
/// Where the file contains the necessary information, the result is what the engine would have
/// written. Objects gain or lose numbers, and pointers gain the class of their target. The [`Plan`]
/// comes from a first pass over the same file. A pointer to a number that no object has is an
/// error, unless [`force`](ConvertOptions::force) is on. The documentation of [the
/// module](crate::rems) lists what is lost.
///
/// ```
/// use gamewire::rems::{
///     BinaryWriter, ConvertOptions, Dialect, Era, BinaryReader, Plan, Tables, TextReader, TextWriter,
///     convert,
/// };
///
/// let text = br#"[{"class":"Outer","i:*ptr":1,"K[]:kids":[2,{"f:v":0.1},{}],"K:more":{}}]"#;
/// let plan = Plan::of(&mut TextReader::new(text))?;
/// let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
/// convert(&mut TextReader::new(text), &mut writer, &plan, ConvertOptions::default(), |_| {})?;
/// let stream = writer.finish()?;
///
/// let mut tables = Tables::new();
/// let plan = Plan::of(&mut BinaryReader::new(&stream, Era::October2024, &mut tables))?;
/// let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2021);
/// let mut reader = BinaryReader::new(&stream, Era::October2024, &mut tables);
/// convert(&mut reader, &mut writer, &plan, ConvertOptions::default(), |_| {})?;
/// assert_eq!(writer.finish()?, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the source is malformed or does not match the plan, if the sink is full, if the target format
/// has no equivalent of a type, or if the result exceeds a limit of the writer. Without
/// [`force`](ConvertOptions::force), also if the engine could not read the result back.
pub fn convert<'a>(
    from: &mut (impl ItemSource<'a> + ?Sized),
    to: &mut impl ItemSink,
    plan: &Plan<'a>,
    options: ConvertOptions,
    mut warn: impl FnMut(Warning),
) -> Result {
    to.force(options.force);
    let mut converter =
        Converter { plan, options, form: to.format(), objects: 0, lists: 0, depth: 0 };
    loop {
        let item = &from.next();
        let value;
        let item = match item {
            Ok(Some(Item::Property(property))) => {
                // The type in the key of the property depends on its value, so read the value
                // first.
                value = from.next();
                if let Ok(Some(value)) = &value {
                    if matches!(value, Item::Pointer(0))
                        && matches!(converter.form, OutputFormat::Binary(_))
                    {
                        continue; // engines treat the property as absent
                    }
                    to.property(converter.ty(*property, value), property.name)?;
                    to.take_warning().into_iter().for_each(&mut warn);
                }
                &value
            }
            item => item,
        };
        match item {
            Ok(Some(item)) => {
                converter.check_target(item, to)?.into_iter().for_each(&mut warn);
                converter.write(item, to)?;
            }
            Ok(None) => return Ok(()),
            Err(error) => return Err(source_error(*error, to)),
        }
        to.take_warning().into_iter().for_each(&mut warn);
    }
}

/// State of a conversion.
struct Converter<'p, 'a> {
    plan: &'p Plan<'a>,
    options: ConvertOptions,
    form: OutputFormat,
    /// Number of objects so far, and therefore the index of the next object in the plan. `lists` is
    /// the same for lists.
    objects: usize,
    lists: usize,
    depth: u32,
}

impl<'a> Converter<'_, 'a> {
    fn write(&mut self, item: &Item<'a>, to: &mut impl ItemSink) -> Result {
        match item {
            Item::Object(object) => {
                let number = self.number(self.objects);
                self.objects = self.objects.wrapping_add(1);
                self.depth = self.depth.wrapping_add(1);
                to.object(object.class, number)
            }
            Item::List(_) => {
                self.lists = self.lists.wrapping_add(1);
                self.depth = self.depth.wrapping_add(1);
                forward_item(item, to)
            }
            Item::End => {
                self.depth = self.depth.wrapping_sub(1);
                to.end()
            }
            Item::Pointer(0) if matches!(self.form, OutputFormat::Binary(_)) => to.null(),
            Item::Pointer(number) => to.pointer(self.plan.pointer(*number)),
            _ => forward_item(item, to),
        }
    }

    /// Returns the number to write for the object with the index `object`. Returns `None` for a
    /// number that is omitted: text files from 2021 contain the number of an object only if the
    /// object is at the top level or [needs its number](Plan::needs_number). All other formats
    /// contain all numbers.
    fn number(&self, object: usize) -> Option<u32> {
        let is_of_2021 = matches!(self.form, OutputFormat::Text(Dialect::Engine2021));
        let is_omitted = is_of_2021 && self.depth > 0 && !self.plan.needs_number(object);
        self.plan.number(object).filter(|_| !is_omitted)
    }

    /// Checks that a pointer leads to an object. Returns a warning if it does not and
    /// [`force`](ConvertOptions::force) is on.
    fn check_target(&self, item: &Item<'a>, to: &impl ItemSink) -> Result<Option<Warning>> {
        let Item::Pointer(number) = item else { return Ok(None) };
        let (reason, offset) = (Unreadable::Dangling, to.offset());
        match self.plan.is_dangling(*number) {
            false => Ok(None),
            true if self.options.force => Ok(Some(Warning { reason, offset })),
            true => Err(WriteError::new(reason.into(), offset)),
        }
    }

    /// Returns the type to write for a property with this value.
    fn ty(&self, property: Property<'a>, value: &Item<'a>) -> Type<'a> {
        match (property.ty, value, self.form) {
            (Type::Object, Item::Pointer(number), OutputFormat::Text(_)) => {
                self.plan.class(*number).map_or(Type::Object, |class| Type::Class(class, 0))
            }
            (Type::Class(..), Item::Null, OutputFormat::Text(_)) if property.ty.dim() == 0 => {
                Type::Object
            }
            // In a binary stream, arrays and lists cannot be null.
            (ty, Item::Null, OutputFormat::Binary(_)) if ty.dim() > 0 => Type::Object,
            (Type::Class(_, 1), Item::List(_), OutputFormat::Binary(era))
                if !self.of_one_class(era) =>
            {
                Type::Mixed(1)
            }
            (Type::Kind(Kind::Color, dim), _, OutputFormat::Text(Dialect::Engine2021)) => {
                Type::Kind(Kind::I32, dim)
            }
            (Type::Kind(Kind::I32, dim), _, OutputFormat::Text(Dialect::Engine2026))
                if self.options.colors && is_color(property, dim) =>
            {
                Type::Kind(Kind::Color, dim)
            }
            (ty, ..) => ty,
        }
    }

    /// Returns `true` if the next list can be written as a list of one class.
    fn of_one_class(&self, era: Era) -> bool {
        let readable = era >= Era::October2024;
        self.plan.is_of_one_class(self.lists) && (readable || self.options.force)
    }
}
