//! Mappings that are expensive to read, and exports with expensive properties without tags.

use super::{Shape, shape};
use gamewire::unreal::mappings::{EnumBuf, MappedTypeBuf, MappingsBuf, PropertyBuf, StructBuf};

/// Returns the mappings with which the exports are read. Their class `Thing` contains nested
/// structs.
pub fn mappings() -> Vec<u8> {
    let mut all = MappingsBuf::new(4);
    let of = |name| MappedTypeBuf::Struct(name);
    let plain = |name: &'static str, number| PropertyBuf::new(name, MappedTypeBuf::Plain(number));
    let array = |of| MappedTypeBuf::Array(Box::new(of));
    let entries = (0..1000).map(|n| (format!("E{n}").into(), n * 3)).collect();
    all.enums.push(EnumBuf { name: "Kind".into(), entries, ..EnumBuf::default() });
    let mut nested = StructBuf::new("Nested").with(plain("Number", 2));
    nested = nested.with(PropertyBuf::new("All", array(of("Nested".into()))));
    nested = nested.with(PropertyBuf::new("One", of("Nested".into())));
    all.structs.push(nested);
    // A struct with many slots, and a chain of classes without properties between it and `Thing`.
    let mut wide = StructBuf::new("Base");
    for n in 0..2000 {
        wide.properties.push(PropertyBuf::new(format!("P{n}"), MappedTypeBuf::Plain(1)));
    }
    all.structs.push(wide);
    let mut last = "Base".to_string();
    for n in 0..100 {
        let name = format!("Class{n}");
        all.structs.push(StructBuf::new(name.clone()).under(last));
        last = name;
    }
    let kind = || MappedTypeBuf::Enum("Kind".into(), 2);
    let thing = StructBuf::new("Thing")
        .under(last)
        .with(PropertyBuf::new("Nested", array(of("Nested".into()))))
        .with(PropertyBuf::new("Far", array(of("Base".into()))))
        .with(PropertyBuf::new("Kinds", kind()))
        .with(PropertyBuf::new("Texts", array(MappedTypeBuf::Plain(10))));
    all.structs.push(thing);
    all.write()
}

fn count(bytes: &mut Vec<u8>, count: usize) {
    bytes.extend((count as u32).to_le_bytes());
}

/// Returns the header of a list that has a value in this slot only.
fn one(slot: u16) -> [u8; 2] {
    (slot | 1 << 9 | 0x100).to_le_bytes()
}

/// Returns shapes of exports of the class `Thing`.
pub fn exports() -> Vec<Shape> {
    vec![
        shape("empty structs", |size| {
            let mut bytes = one(0).to_vec();
            count(&mut bytes, size / 2);
            (0..size / 2).for_each(|_| bytes.extend(0x103u16.to_le_bytes()));
            bytes
        }),
        shape("structs in structs", |size| {
            let mut bytes = one(0).to_vec();
            count(&mut bytes, size / 80);
            for _ in 0..size / 80 {
                (0..38).for_each(|_| bytes.extend(one(2)));
                bytes.extend(0x103u16.to_le_bytes());
            }
            bytes
        }),
        shape("arrays in arrays", |size| {
            let mut bytes = one(0).to_vec();
            count(&mut bytes, size / 128);
            for _ in 0..size / 128 {
                for _ in 0..20 {
                    bytes.extend(one(1));
                    count(&mut bytes, 1);
                }
                bytes.extend(0x103u16.to_le_bytes());
            }
            bytes
        }),
        shape("slots that are far apart", |size| {
            let mut bytes = one(1).to_vec();
            count(&mut bytes, size / 34);
            for _ in 0..size / 34 {
                (0..15).for_each(|_| bytes.extend(127u16.to_le_bytes()));
                bytes.extend(one(9));
                bytes.push(1);
            }
            bytes
        }),
        shape("values that are marked as zero", |size| {
            let mut bytes = one(1).to_vec();
            count(&mut bytes, size / 256);
            for _ in 0..size / 256 {
                (0..13).for_each(|_| bytes.extend((127u16 << 9 | 0x80).to_le_bytes()));
                bytes.extend(0x100u16.to_le_bytes());
                bytes.extend([0xFF; 52 * 4]);
            }
            bytes
        }),
        shape("empty fragments", |size| {
            let mut bytes = vec![0; size & !1];
            bytes.extend(0x100u16.to_le_bytes());
            bytes
        }),
        shape("texts", |size| {
            let mut bytes = one(3).to_vec();
            count(&mut bytes, size / 4);
            bytes.resize(bytes.len() + size / 4 * 4, 0);
            bytes
        }),
    ]
}

/// Returns shapes of mappings files.
pub fn files() -> Vec<Shape> {
    vec![
        shape("names", |size| {
            let mut all = MappingsBuf::new(4);
            let entries = (0..size / 28).map(|n| (format!("Name{n:07}").into(), 0)).collect();
            all.enums.push(EnumBuf { name: "Kind".into(), entries, ..EnumBuf::default() });
            all.write()
        }),
        shape("structs with the same name", |size| {
            let mut all = MappingsBuf::new(4);
            (0..size / 12).for_each(|_| all.structs.push(StructBuf::new("Same").under("Same")));
            all.write()
        }),
        shape("names that differ at their ends", |size| {
            let mut all = MappingsBuf::new(4);
            for n in 0..size / 110 {
                let name = format!("{}{n:05}", "n".repeat(90));
                all.structs.push(StructBuf::new(name));
            }
            all.write()
        }),
        shape("properties in reverse order", |size| {
            let mut all = MappingsBuf::new(4);
            let mut of = StructBuf::new("A");
            for n in 0..size / 20 {
                of.properties.push(PropertyBuf::new(format!("P{n}"), MappedTypeBuf::Plain(1)));
            }
            let properties = of.properties.len();
            all.structs.push(of);
            let mut bytes = all.write();
            let start = bytes.len() - properties * 8;
            for (n, property) in bytes[start..].chunks_mut(8).enumerate() {
                let slot = (properties - n - 1) as u16;
                property[..2].copy_from_slice(&slot.to_le_bytes());
            }
            bytes
        }),
        shape("types in types", |size| {
            let mut all = MappingsBuf::new(4);
            let mut of = StructBuf::new("A");
            for _ in 0..size / 24 {
                let array = |of| MappedTypeBuf::Array(Box::new(of));
                let nested = (0..16).fold(MappedTypeBuf::Plain(2), |of, _| array(of));
                of.properties.push(PropertyBuf::new("P", nested));
            }
            all.structs.push(of);
            all.write()
        }),
    ]
}

/// Returns the names in packages that declare structs and enums. Two of the names are as long as
/// engines allow.
pub fn names() -> Vec<String> {
    let mut names: Vec<_> = ["None", "UserDefinedStruct", "Own", "IntProperty", "ArrayProperty"]
        .map(String::from)
        .to_vec();
    names.push("N".repeat(1023));
    names.extend(["UserDefinedEnum", "Package"].map(String::from));
    names.push(format!("/Game/{}", "N".repeat(1017)));
    names
}

/// Returns the names of the packages that [`declarations`] describes. The last one is too long.
pub fn declared_names() -> Vec<String> {
    let mut names = names();
    names.extend(["StructProperty".into(), "Ñ".repeat(1 << 14)]);
    names
}

/// Returns mappings with `UserDefinedStruct` and `UserDefinedEnum`, the classes of the structs and
/// enums that packages declare.
pub fn classes() -> Vec<u8> {
    let mut all = MappingsBuf::new(4);
    all.structs.push(StructBuf::new("ScriptStruct"));
    all.structs.push(StructBuf::new("UserDefinedStruct").under("ScriptStruct"));
    all.structs.push(StructBuf::new("Enum"));
    all.structs.push(StructBuf::new("UserDefinedEnum").under("Enum"));
    all.write()
}

/// Returns shapes of exports that have the class `UserDefinedStruct` or `UserDefinedEnum`. The
/// packages must have the names that [`declared_names`] returns. Their second import has the last of
/// these names.
pub fn declarations() -> Vec<Shape> {
    const LONG: u8 = 5;
    let name = |index: u8, to: &mut Vec<u8>| to.extend([index, 0, 0, 0, 0, 0, 0, 0]);
    // Writes a property, but not the data that only properties of its kind have.
    let field = move |kind, to: &mut Vec<u8>| {
        name(kind, to);
        name(LONG, to);
        to.extend([0, 0, 0, 0, 1, 0, 0, 0]);
        to.extend([0; 14]);
        name(0, to);
        to.push(0);
    };
    // An empty list of properties, no GUID, no super struct, no functions.
    let head = |fields: usize| {
        let mut bytes = vec![0, 1];
        bytes.extend([0; 12]);
        count(&mut bytes, fields);
        bytes
    };
    vec![
        shape("properties with long names", move |size| {
            let mut bytes = head(size / 47);
            (0..size / 47).for_each(|_| field(3, &mut bytes));
            bytes
        }),
        shape("arrays of structs whose name is too long", move |size| {
            let fields = size / (47 + 51);
            let mut bytes = head(fields);
            for _ in 0..fields {
                field(4, &mut bytes);
                field(9, &mut bytes);
                bytes.extend((-2i32).to_le_bytes());
            }
            bytes
        }),
        shape("arrays in arrays", move |size| {
            let fields = size / (47 * 8);
            let mut bytes = head(fields);
            for _ in 0..fields {
                (0..7).for_each(|_| field(4, &mut bytes));
                field(3, &mut bytes);
            }
            bytes
        }),
        shape("entries with long names", move |size| {
            let mut bytes = vec![0, 1, 0, 0, 0, 0];
            let entries = (size / 16).min(0xFFFF);
            count(&mut bytes, entries);
            for _ in 0..entries {
                name(LONG, &mut bytes);
                bytes.extend([0; 8]);
            }
            bytes.resize(size.max(bytes.len()), 0);
            bytes
        }),
        shape("no end of arrays", move |size| {
            let mut bytes = head(1);
            (0..size / 47).for_each(|_| field(4, &mut bytes));
            bytes
        }),
    ]
}
