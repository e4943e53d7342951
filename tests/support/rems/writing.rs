//! Helpers shared by the tests of writers.

use super::expected::Case;
use gamewire::rems::{
    BinaryReader, BinaryWriter, ConvertOptions, Dialect, Era, ItemSink, ItemSource, Kind, Part,
    Plan, Scalar, Tables, TextReader, TextWriter, Type, Unreadable, WriteError, convert, rewrite,
};

/// Number of the case with a class that is named like a kind. Neither the library nor the engine
/// can read the text of this case.
pub const NAMED_LIKE_A_KIND: u32 = 53;

pub fn dialect_of(case: &Case) -> Dialect {
    match case.era {
        2021 => Dialect::Engine2021,
        _ => Dialect::Engine2026,
    }
}

pub fn era_of(case: &Case) -> Era {
    match case.era {
        2021 => Era::October2021,
        _ => Era::October2024,
    }
}

/// Writes the file again. Returns the reasons why the engine could not read parts of the output.
pub fn again<'a>(from: &mut impl ItemSource<'a>, to: &mut impl ItemSink) -> Vec<Unreadable> {
    let mut warnings = Vec::new();
    rewrite(from, to, |warning| warnings.push(warning.reason)).unwrap();
    warnings
}

pub fn show(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

pub fn text_of(case: &Case) -> Vec<u8> {
    file_of(case, "text.json")
}

pub fn file_of(case: &Case, end: &str) -> Vec<u8> {
    let name = case.path.file_name().unwrap().to_str().unwrap();
    let stem = name.split('.').next().unwrap();
    std::fs::read(case.path.with_file_name(format!("{stem}.{end}"))).unwrap()
}

pub const FORCED: ConvertOptions = ConvertOptions { force: true, colors: true };

pub fn text_to_binary(text: &[u8], era: Era, how: ConvertOptions) -> Vec<u8> {
    let plan = Plan::of(&mut TextReader::new(text)).unwrap();
    let mut writer = BinaryWriter::new(Vec::new(), era);
    convert(&mut TextReader::new(text), &mut writer, &plan, how, |_| {}).unwrap();
    writer.force(how.force);
    writer.finish().unwrap()
}

pub fn binary_to_text(stream: &[u8], era: Era, dialect: Dialect, how: ConvertOptions) -> Vec<u8> {
    let (mut tables, mut others) = (Tables::new(), Tables::new());
    let plan = Plan::of(&mut BinaryReader::new(stream, era, &mut others)).unwrap();
    let mut writer = TextWriter::new(Vec::new(), dialect);
    let mut reader = BinaryReader::new(stream, era, &mut tables);
    convert(&mut reader, &mut writer, &plan, how, |_| {}).unwrap();
    writer.finish().unwrap()
}

pub const DIALECTS: [Dialect; 2] = [Dialect::Engine2021, Dialect::Engine2026];

/// Writes a property of this type. Its value consists of zeros, or is empty.
pub fn zeros(to: &mut impl ItemSink, kind: Kind, dim: u8) -> Result<(), WriteError> {
    to.property(Type::Kind(kind, dim), "x")?;
    if kind.is_text() {
        return match dim {
            0 => to.text(""),
            _ => to.list(0).and_then(|()| to.end()),
        };
    }
    fn put<T: Part>(to: &mut impl ItemSink, kind: Kind, dim: u8) -> Result<(), WriteError> {
        let parts = [T::default(); 16];
        match dim {
            0 => to.parts(&parts[..kind.parts()]),
            1 => to.array(&parts[..0]),
            _ => to.rows(&[&parts[..0]]),
        }
    }
    match kind.scalar() {
        Scalar::Bool => put::<bool>(to, kind, dim),
        Scalar::I8 => put::<i8>(to, kind, dim),
        Scalar::Char => put::<u16>(to, kind, dim),
        Scalar::I16 => put::<i16>(to, kind, dim),
        Scalar::I32 => put::<i32>(to, kind, dim),
        Scalar::I64 => put::<i64>(to, kind, dim),
        Scalar::F32 => put::<f32>(to, kind, dim),
        Scalar::F64 => put::<f64>(to, kind, dim),
        Scalar::Text => unreachable!(),
    }
}
