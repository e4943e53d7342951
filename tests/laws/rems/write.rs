//! Laws for every readable Rem's Engine file: it can be written in every format, and the written
//! file has the same contents.

use gamewire::rems::{
    BinaryReader, BinaryWriter, Compared, ConvertOptions, Dialect, Difference, Era, Item, ItemSink,
    ItemSource, Kind, OutputFormat, Part, Plan, Pointers, Scalar, Tables, TextReader, TextWriter,
    Type, Unreadable, Value, WriteError, WriteErrorKind, convert, rewrite, verify,
};

/// Maximum number of array elements that are compared.
const ENOUGH: usize = 1 << 10;

/// Limit on the bytes that the binary format needs for omitted values.
const FILL: u64 = 1 << 16;

/// Checks that a file rewritten as a text save has the same contents.
pub fn rems_text_written(bytes: &[u8]) {
    let Some(whole) = read(&mut TextReader::new(bytes), Exact::All) else { return };
    let is_wide = has_wide_pointers(bytes);
    for dialect in [Dialect::Engine2021, Dialect::Engine2026] {
        let again = |text: &[u8]| {
            let mut writer = TextWriter::new(Vec::new(), dialect);
            let mut warnings = Vec::new();
            let mut warn = |reason| warnings.push(reason);
            rewrite(&mut TextReader::new(text), &mut writer, |w| warn(w.reason)).unwrap();
            (writer.finish().unwrap(), warnings)
        };
        if is_wide {
            break; // a conversion shortens these numbers, but a writer refuses them
        }
        let (text, warnings) = again(bytes);
        if warnings.iter().any(is_lost) {
            continue;
        }
        assert_eq!(read(&mut TextReader::new(&text), Exact::All).as_ref(), Some(&whole));
        assert_eq!(again(&text), (text, warnings));
    }
    let plan = Plan::of(&mut TextReader::new(bytes)).unwrap();
    let meant = read(&mut TextReader::new(bytes), Exact::Meaning).unwrap();
    for era in [Era::October2024, Era::October2021] {
        let mut writer = BinaryWriter::new(Vec::new(), era).fill_limit(FILL);
        let mut reader = TextReader::new(bytes);
        let how = ConvertOptions { force: true, colors: true };
        let result = convert(&mut reader, &mut writer, &plan, how, |_| {});
        writer.force(true);
        match result.and_then(|()| writer.finish()) {
            Ok(stream) => {
                let mut tables = Tables::new();
                let mut reader = BinaryReader::new(&stream, era, &mut tables);
                let found = read(&mut reader, Exact::Meaning).unwrap();
                assert!(is_wide || found == meant, "{found:?} {meant:?}");
                check_targets(bytes, &stream, era);
                binary(&stream, era);
            }
            Err(error) => assert!(cannot_be_said(&error), "{error}"),
        }
    }
}

/// Returns `true` if a text save has pointers with numbers of more than 31 bits, as files from May
/// 2020 do.
fn has_wide_pointers(text: &[u8]) -> bool {
    let mut reader = TextReader::new(text);
    std::iter::from_fn(|| reader.next().unwrap())
        .any(|item| matches!(item, Item::Pointer(number) if number > i32::MAX as u64))
}

/// Asserts that the stream that a text save was converted to has the same values, and that each
/// pointer leads to the same object.
fn check_targets(text: &[u8], stream: &[u8], era: Era) {
    let (mut tables, mut slots, mut others) = (Tables::new(), Vec::new(), Vec::new());
    let before = Pointers::collect(&mut TextReader::new(text), &mut slots).unwrap();
    let mut reader = BinaryReader::new(stream, era, &mut tables);
    let after = Pointers::collect(&mut reader, &mut others).unwrap();
    let mut reader = BinaryReader::new(stream, era, &mut tables);
    let before = Compared { items: &mut TextReader::new(text), pointers: &before };
    let after = Compared { items: &mut reader, pointers: &after };
    let mut report = |difference, offset| {
        assert!(difference != Difference::Other, "at {offset}: {}", String::from_utf8_lossy(text));
    };
    verify(before, after, OutputFormat::Binary(era), &mut report).unwrap();
}

/// Checks that a file rewritten as a binary stream of an era has the same contents.
pub fn rems_binary_written(bytes: &[u8], era: Era) {
    binary(bytes, era);
}

/// Checks that a binary stream can be rewritten. The first byte selects its era.
pub fn rems_binary_written_any(data: &[u8]) {
    const ERAS: [Era; 5] =
        [Era::October2024, Era::March2022, Era::October2021, Era::August2021, Era::December2020];
    if let [era, bytes @ ..] = data {
        binary(bytes, ERAS[usize::from(*era) % ERAS.len()]);
    }
}

fn binary(bytes: &[u8], era: Era) {
    let mut tables = Tables::new();
    let all = |bytes: &[u8], tables: &mut Tables, exact| {
        read(&mut BinaryReader::new(bytes, era, tables), exact)
    };
    let Some(whole) = all(bytes, &mut tables, Exact::All) else { return };
    let again = |bytes: &[u8], tables: &mut Tables| {
        let mut writer = BinaryWriter::new(Vec::new(), era);
        rewrite(&mut BinaryReader::new(bytes, era, tables), &mut writer, |_| {}).unwrap();
        writer.finish().unwrap()
    };
    let stream = again(bytes, &mut tables);
    assert_eq!(all(&stream, &mut tables, Exact::All), Some(whole));
    assert_eq!(again(&stream, &mut tables), stream);
    let meant = all(bytes, &mut tables, Exact::Meaning);
    let mut others = Tables::new();
    let plan = Plan::of(&mut BinaryReader::new(bytes, era, &mut others)).unwrap();
    for dialect in [Dialect::Engine2021, Dialect::Engine2026] {
        for force in [false, true] {
            let how = ConvertOptions { force, colors: true };
            let mut writer = TextWriter::new(Vec::new(), dialect);
            let mut reader = BinaryReader::new(bytes, era, &mut tables);
            let mut warnings = Vec::new();
            let mut warn = |reason| warnings.push(reason);
            match convert(&mut reader, &mut writer, &plan, how, |w| warn(w.reason)) {
                Ok(()) if !warnings.iter().any(is_lost) => {
                    let text = writer.finish().unwrap();
                    assert_eq!(read(&mut TextReader::new(&text), Exact::Meaning), meant);
                }
                Ok(()) => assert!(force),
                Err(error) => {
                    assert!(!force && matches!(error.kind(), WriteErrorKind::Unreadable(_)));
                }
            }
        }
    }
}

/// Returns `true` if the engine would read content that has this problem as different content.
/// Writers write such content only if `force` is on.
fn is_lost(reason: &Unreadable) -> bool {
    matches!(
        reason,
        Unreadable::ClassName
            | Unreadable::LooksLikeNumber
            | Unreadable::SwappedName
            | Unreadable::HalfPair
    )
}

fn cannot_be_said(error: &WriteError) -> bool {
    use WriteErrorKind::*;
    matches!(error.kind(), TooMuchToFill { .. } | NoSuchType { .. })
}

/// Level of detail of a comparison.
#[derive(Clone, Copy, PartialEq)]
enum Exact {
    /// Everything, except the sign of zero, the components of matrices, and the array elements
    /// after the first [`ENOUGH`]. An omitted array element is the same as a written default value,
    /// and an empty file path is the same as null.
    All,
    /// Everything that `All` includes, except the numbers of objects, the types of properties,
    /// properties that are the pointer 0, and default values at the end of a list. In lists, the
    /// pointer 0 is the same as null, and null in place of an inner list is the same as an empty
    /// list.
    Meaning,
}

/// Returns all items as text, if there is no error and each value is valid.
fn read<'a>(items: &mut impl ItemSource<'a>, exact: Exact) -> Option<Vec<String>> {
    let mut read = Reading { exact, lines: Vec::new(), open: Vec::new(), ty: Type::Object };
    while let Some(item) = items.next().ok()? {
        read.item(item)?;
    }
    Some(read.lines)
}

struct Reading<'a> {
    exact: Exact,
    lines: Vec<String>,
    /// For each open list, the type of its elements and the index of its first element in `lines`;
    /// `None` for an open object.
    open: Vec<Option<(Type<'a>, usize)>>,
    /// Type of the last property's value.
    ty: Type<'a>,
}

impl<'a> Reading<'a> {
    fn item(&mut self, item: Item<'a>) -> Option<()> {
        let meaning = self.exact == Exact::Meaning;
        let (ty, in_list) = match self.open.last() {
            Some(Some((ty, _))) => (*ty, true),
            _ => (self.ty, false),
        };
        let line = match item {
            Item::Object(object) => {
                self.open.push(None);
                let number = if meaning { None } else { object.pointer };
                format!("{:?} {number:?}", object.class)
            }
            Item::List(list) => {
                self.open.push(Some((inside(list.ty), self.lines.len() + 1)));
                format!("list of {}", list.len)
            }
            Item::Property(property) => {
                self.ty = property.ty;
                let ty = if meaning { String::new() } else { property.ty.to_string() };
                format!("{ty} {:?}:", property.name)
            }
            Item::End => {
                if let Some((ty, start)) = self.open.pop()? {
                    self.cut(ty, start);
                }
                "end".to_owned()
            }
            // In binary streams, the pointer 0 is null, and a property that is null is not written.
            Item::Pointer(0) if meaning && !in_list => {
                self.lines.pop();
                return Some(());
            }
            Item::Pointer(0) if meaning => "null".to_owned(),
            Item::Pointer(number) => format!("see {number}"),
            Item::Null if ty == Type::Kind(Kind::File, 0) => "\"\"".to_owned(),
            Item::Null if meaning && in_list && ty.dim() > 0 => {
                self.lines.push("list of 0".to_owned());
                "end".to_owned()
            }
            Item::Null => "null".to_owned(),
            Item::Value(value) => show(value)?,
            other => panic!("{other:?}"),
        };
        self.lines.push(line);
        Some(())
    }

    /// Removes default values at the end of a list, because a format may omit them.
    fn cut(&mut self, ty: Type<'_>, start: usize) {
        let nothing: &[&str] = match ty {
            _ if self.exact == Exact::All => return,
            Type::Kind(_, 0) => &["\"\""],
            ty if ty.dim() > 0 => &["list of 0", "end"],
            _ => &["null"],
        };
        while self.lines[start..]
            .ends_with(&nothing.iter().map(|s| s.to_string()).collect::<Vec<_>>())
        {
            self.lines.truncate(self.lines.len() - nothing.len());
        }
    }
}

fn inside(ty: Type<'_>) -> Type<'_> {
    match ty {
        Type::Kind(kind, dim) => Type::Kind(kind, dim - 1),
        Type::Class(class, dim) => Type::Class(class, dim - 1),
        Type::Mixed(2) => Type::Mixed(1),
        _ => Type::Object,
    }
}

fn show(value: Value<'_>) -> Option<String> {
    let kind = value.kind();
    if value.dim() > 0 {
        let array = value.array().ok()?;
        let elements = array.iter().take(ENOUGH).map(|element| show(element.ok()?));
        let elements: Option<Vec<String>> = elements.collect();
        // All written elements must be valid, even those that are not compared.
        let sound = array.iter().written().all(|element| element.is_ok_and(|e| show(e).is_some()));
        return elements.filter(|_| sound).map(|elements| format!("{} {elements:?}", array.len()));
    }
    Some(match kind.scalar() {
        Scalar::Text => format!("{:?}", value.text().ok()?),
        Scalar::Bool => parts::<bool>(value)?,
        Scalar::I8 => parts::<i8>(value)?,
        Scalar::Char => parts::<u16>(value)?,
        Scalar::I16 => parts::<i16>(value)?,
        Scalar::I32 => parts::<i32>(value)?,
        Scalar::I64 => parts::<i64>(value)?,
        Scalar::F32 => parts::<f32>(value)?,
        Scalar::F64 => parts::<f64>(value)?,
    })
}

/// Formats the components of a value without the sign of zero. Formats every matrix as the same
/// word, because writers replace small components of matrices with zero.
fn parts<T: Part + std::fmt::Debug>(value: Value<'_>) -> Option<String> {
    let parts = value.parts::<T>().ok()?;
    let is_matrix = value.kind().columns() > 2 || matches!(value.kind(), Kind::Mat2 | Kind::Mat2d);
    let shown = parts.iter().map(|part| match format!("{part:?}").as_str() {
        "-0.0" => "0.0".to_owned(),
        shown => shown.to_owned(),
    });
    Some(if is_matrix { "matrix".to_owned() } else { shown.collect::<Vec<_>>().join(" ") })
}
