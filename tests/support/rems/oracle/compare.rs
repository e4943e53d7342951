//! Converts the results of the crate's readers to the trees of the oracle, and compares them.

use super::tree::{Array, List, Object, Part, Property, Value};
use super::types::{Builtin, Scalar, Type};
use super::{Options, Time, read_binary, read_container, read_text};
use gamewire::rems::{
    self, BinaryReader, Era, Error, FileFormat, Item, ItemSource, Tables, TextOptions, TextReader,
};

type Result<T, E = Error> = std::result::Result<T, E>;

/// Asserts that the crate and the oracle both accept a text and read the same tree, or both reject
/// it. Returns `true` if they accept it.
pub fn same_text(bytes: &[u8], options: Options) -> bool {
    let Options { octal, wrapping } = options;
    let mut reader = TextReader::new(bytes).options(TextOptions { octal, wrapping });
    let second = read_text(bytes, options);
    if second.as_ref().is_ok_and(|roots| !roots.is_empty()) {
        assert_eq!(FileFormat::detect(bytes), Some(FileFormat::Text));
    }
    same(tree_of(&mut reader), second)
}

/// Asserts that the crate and the oracle both accept a binary stream and read the same tree, or
/// both reject it. Returns `true` if they accept it.
pub fn same_binary(bytes: &[u8], era: Era) -> bool {
    let time = match era {
        Era::December2020 => Time::December2020,
        Era::August2021 => Time::August2021,
        Era::October2021 => Time::October2021,
        Era::March2022 => Time::March2022,
        Era::October2024 => Time::October2024,
    };
    let mut tables = Tables::new();
    let first = tree_of(&mut BinaryReader::new(bytes, era, &mut tables));
    let second = read_binary(bytes, time);
    if second.is_ok() {
        assert_eq!(FileFormat::detect(bytes), Some(FileFormat::Binary));
    }
    same(first, second)
}

/// Asserts that the crate and the oracle both accept a container and read the same stream from it,
/// or both reject it. Returns `true` if they accept it.
#[cfg(feature = "rems-container")]
pub fn same_container(bytes: &[u8], limit: usize) -> bool {
    // When built for cargo-fuzz, miniz_oxide accepts any checksum.
    #[allow(unexpected_cfgs)]
    let any_checksum = cfg!(fuzzing);
    match (rems::decompress(bytes, limit), read_container(bytes, limit)) {
        (Ok(first), Ok(second)) => assert_eq!(first, second),
        (Ok(_), Err(refused)) if any_checksum && refused.why == "another checksum" => return false,
        (Err(_), Err(_)) => return false,
        (first, second) => panic!("the crate: {first:?}\nthe oracle: {second:?}"),
    }
    assert_eq!(FileFormat::detect(bytes), Some(FileFormat::Container));
    true
}

/// Asserts that the crate and the oracle read this name as the same type.
pub fn same_type(name: &str) {
    let ty = type_of(rems::Type::named(name.into()));
    assert_eq!(ty, Type::named(name.as_bytes()), "{name}");
}

/// Compares two results. Two errors are equal even if their reasons differ. Returns `true` if there
/// is no error.
pub fn same(first: Result<Vec<Object>>, second: super::Result<Vec<Object>>) -> bool {
    match (&first, &second) {
        (Ok(first), Ok(second)) => assert_eq!(first, second),
        (Err(_), Err(_)) => {}
        _ => panic!("the crate: {first:?}\nthe oracle: {second:?}"),
    }
    first.is_ok()
}

/// Reads a whole file with the crate, including every value.
pub fn tree_of<'a>(items: &mut impl ItemSource<'a>) -> Result<Vec<Object>> {
    let mut roots = Vec::new();
    while let Some(item) = items.next()? {
        let Item::Object(head) = item else { panic!("{item:?} is no root") };
        roots.push(object(items, head)?);
    }
    Ok(roots)
}

fn some<'a>(items: &mut impl ItemSource<'a>) -> Result<Item<'a>> {
    Ok(items.next()?.expect("all containers are closed"))
}

fn object<'a>(items: &mut impl ItemSource<'a>, head: rems::Object<'a>) -> Result<Object> {
    let mut properties = Vec::new();
    loop {
        let property = match some(items)? {
            Item::Property(property) => property,
            Item::End => break,
            item => panic!("{item:?} among properties"),
        };
        let (ty, name) = (type_of(property.ty), property.name.to_bytes().into_owned());
        let first = some(items)?;
        let value = value(items, first, &ty)?;
        properties.push(Property { ty, name, value });
    }
    let class = head.class.to_bytes().into_owned();
    Ok(Object { class, pointer: head.pointer, properties })
}

fn value<'a>(items: &mut impl ItemSource<'a>, first: Item<'a>, ty: &Type) -> Result<Value> {
    match first {
        Item::Null => Ok(Value::Null),
        Item::Pointer(number) => Ok(Value::Pointer(number)),
        Item::Object(head) => Ok(Value::Object(object(items, head)?)),
        Item::List(head) => {
            assert_eq!(type_of(head.ty), *ty, "a list is what the property says");
            Ok(Value::List(list(items, head)?))
        }
        Item::Value(value) => {
            let Type::Builtin(kind, dim) = ty else { panic!("{value:?} is no {ty:?}") };
            assert_eq!((value.kind().name(), value.dim()), (kind.name, *dim));
            leaf(value, kind)
        }
        other => panic!("{other:?} in place of a value"),
    }
}

fn list<'a>(items: &mut impl ItemSource<'a>, head: rems::List<'a>) -> Result<List> {
    let ty = type_of(head.ty);
    let inside = ty.inside();
    let mut elements = Vec::new();
    loop {
        match some(items)? {
            Item::End => return Ok(List { ty, len: head.len, elements }),
            first => elements.push(value(items, first, &inside)?),
        }
    }
}

fn leaf(value: rems::Value<'_>, kind: &'static Builtin) -> Result<Value> {
    match (kind.scalar, value.dim()) {
        (Scalar::Text, _) => Ok(Value::Text(value.text()?.to_bytes().into_owned())),
        (_, 0) => Ok(Value::Parts(parts(value, kind)?)),
        (_, _) => array(value.array()?, kind),
    }
}

fn array(array: rems::Array<'_>, kind: &'static Builtin) -> Result<Value> {
    let written = array.iter().written();
    let elements: Vec<_> = written.map(|element| leaf(element?, kind)).collect::<Result<_>>()?;
    let rest = array.iter().skip(elements.len()).take(2);
    for element in rest {
        let element = element?;
        assert!(element.is_omitted());
        assert_eq!(leaf(element, kind)?, kind.initial(array.dim()));
    }
    Ok(Value::Array(Array { len: array.len(), elements }))
}

fn parts(value: rems::Value<'_>, kind: &Builtin) -> Result<Vec<Part>> {
    let parts = match kind.scalar {
        Scalar::Bool => each(value.parts()?, Part::Bool),
        Scalar::I8 => each(value.parts()?, Part::I8),
        Scalar::Char => each(value.parts()?, Part::Char),
        Scalar::I16 => each(value.parts()?, Part::I16),
        Scalar::I32 | Scalar::Color => each(value.parts()?, Part::I32),
        Scalar::I64 => each(value.parts()?, Part::I64),
        Scalar::F32 => each(value.parts()?, |part: f32| Part::F32(part.to_bits())),
        Scalar::F64 => each(value.parts()?, |part: f64| Part::F64(part.to_bits())),
        Scalar::Text => panic!("text has no parts"),
    };
    assert_eq!(parts.len(), kind.parts());
    Ok(parts)
}

fn each<T: rems::Part>(parts: rems::Parts<T>, part: impl Fn(T) -> Part) -> Vec<Part> {
    parts.iter().map(|one| part(*one)).collect()
}

fn type_of(ty: rems::Type<'_>) -> Type {
    match ty {
        rems::Type::Kind(kind, dim) => {
            let builtin = Builtin::named(kind.name()).expect("a type of the description");
            assert_eq!(kind.parts(), builtin.parts());
            Type::Builtin(builtin, dim)
        }
        rems::Type::Class(class, dim) => Type::Class(class.to_bytes().into_owned(), dim),
        rems::Type::Mixed(dim) => Type::Mixed(dim),
        rems::Type::Object => Type::Unknown,
    }
}
