//! An independent oracle for Godot's JSON notation, written from its description. It converts
//! values to JSON, and removes from our JSON the members that an engine would not print. It does
//! not recurse, because values may be nested 1,024 deep.

use crate::support::godot::oracle::{
    Dialect, Kind, Real, TypeOf, Value, godot3_code_points, kinds, seen,
};
use crate::support::native_json::Json;

/// Converts a value to JSON without the changes that an engine makes. Typed containers keep their
/// elements, dictionaries keep all of their pairs, and numbers keep all digits and their sign.
pub fn show(value: &Value, dialect: Dialect) -> Json {
    let notation = Notation { dialect };
    let mut todo = vec![Step::Show(value)];
    let mut done = Vec::new();
    while let Some(step) = todo.pop() {
        match step {
            Step::Show(value) => notation.start(value, &mut todo, &mut done),
            Step::Name(name) => done.push(Json::String(notation.text(name))),
            Step::Close(value, items) => {
                let items = done.split_off(done.len() - items);
                done.push(notation.container(value, items));
            }
        }
    }
    done.pop().unwrap()
}

enum Step<'a> {
    Show(&'a Value),
    Name(&'a [u8]),
    /// The end of a container. Its items are the last ones in `done`, and the number is their
    /// count.
    Close(&'a Value, usize),
}

struct Notation {
    dialect: Dialect,
}

/// Conversion of containers.
impl Notation {
    fn start<'a>(&self, value: &'a Value, todo: &mut Vec<Step<'a>>, done: &mut Vec<Json>) {
        let at = todo.len();
        match value {
            Value::Array { items, .. } => todo.extend(items.iter().map(Step::Show)),
            Value::Dictionary { pairs, .. } => {
                todo.extend(pairs.iter().flat_map(|(k, v)| [Step::Show(k), Step::Show(v)]));
            }
            Value::Object { properties, .. } => {
                todo.extend(properties.iter().flat_map(|(n, v)| [Step::Name(n), Step::Show(v)]));
            }
            leaf => return done.push(self.leaf(leaf)),
        }
        // The list is processed from its end: the first item is pushed last.
        todo.push(Step::Close(value, todo.len() - at));
        todo[at..].reverse();
    }

    fn container(&self, value: &Value, items: Vec<Json>) -> Json {
        let list = Json::Array(items);
        match value {
            Value::Array { element, .. } => match self.type_of(element.as_ref()) {
                Some(of) => form("Array", [("elem_type", of), ("args", list)]),
                None => list,
            },
            Value::Dictionary { key, value, .. } => {
                let key = self.type_of(key.as_ref()).map(|of| ("key_type", of));
                let value = self.type_of(value.as_ref()).map(|of| ("value_type", of));
                form("Dictionary", key.into_iter().chain(value).chain([("args", list)]))
            }
            Value::Object { class, .. } => form(&self.text(class), [("props", list)]),
            _ => unreachable!("a leaf is not closed"),
        }
    }

    /// Returns the name of a declared type. The type id of Nil means that no type is declared.
    fn type_of(&self, of: Option<&TypeOf>) -> Option<Json> {
        let name = match of? {
            TypeOf::Builtin(0) => return None,
            TypeOf::Builtin(id) => GODOT4_NAMES[*id as usize].to_owned(),
            TypeOf::Class(text) | TypeOf::Script(text) => self.text(text),
        };
        Some(Json::String(name))
    }
}

/// Conversion of leaves.
impl Notation {
    fn leaf(&self, value: &Value) -> Json {
        match value {
            Value::Nil | Value::ObjectNull | Value::ObjectId(0) => Json::Null,
            Value::Bool(truth) => Json::Bool(*truth),
            Value::Int { value, .. } => Json::String(format!("i:{value}")),
            Value::Float(real) => Json::String(format!("f:{}", float(number_of(*real)))),
            Value::String(text) => Json::String(format!("s:{}", self.text(text))),
            Value::StringName(text) => Json::String(format!("sn:{}", self.text(text))),
            Value::NodePath { .. } => Json::String(format!("np:{}", self.path(value))),
            Value::OldNodePath(path) => Json::String(format!("np:{}", self.text(path))),
            Value::ObjectId(id) => stand_in(*id),
            Value::Rid(_) => form("RID", []),
            Value::Callable => form("Callable", []),
            Value::Signal { .. } => form("Signal", []),
            other => {
                let (kind, args) = self.args(other);
                form(type_name(kind, self.dialect), [("args", Json::Array(args))])
            }
        }
    }

    fn args(&self, value: &Value) -> (Kind, Vec<Json>) {
        match value {
            Value::Reals(kind, reals) => (*kind, reals_of(&by_axes(*kind, reals))),
            Value::Ints(kind, parts) => (*kind, ints(parts)),
            Value::Bytes(bytes) => (Kind::PackedByteArray, ints(bytes)),
            Value::Int32s(parts) => (Kind::PackedInt32Array, ints(parts)),
            Value::Int64s(parts) => (Kind::PackedInt64Array, ints(parts)),
            Value::Float32s(bits) => {
                let reals: Vec<_> = bits.iter().map(|bits| Real::F32(*bits)).collect();
                (Kind::PackedFloat32Array, reals_of(&reals))
            }
            Value::Float64s(bits) => {
                let reals: Vec<_> = bits.iter().map(|bits| Real::F64(*bits)).collect();
                (Kind::PackedFloat64Array, reals_of(&reals))
            }
            Value::RealArray(kind, items) => (*kind, reals_of(&items.concat())),
            Value::Strings(items) => {
                let texts = items.iter().map(|item| Json::String(self.text(item)));
                (Kind::PackedStringArray, texts.collect())
            }
            Value::Image { format, mipmaps, width, height, data } => {
                let mut args = ints(&[format, mipmaps, width, height]);
                args.extend(ints(data));
                (Kind::Image, args)
            }
            Value::InputEvent { kind, device, body, .. } => {
                let mut args = ints(&[kind, device]);
                args.extend(event_fields(*kind, body));
                (Kind::InputEvent, args)
            }
            other => unreachable!("no args: {other:?}"),
        }
    }
}

/// Converts the fields of an input event. All are integers, except the last field of a joystick
/// motion, which is a real number.
fn event_fields(event: u32, body: &[u8]) -> Vec<Json> {
    let words = body.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word));
    let field = |(i, word)| match (event, i) {
        (4, 1) => real(Real::F32(word)),
        _ => int(word),
    };
    words.enumerate().map(field).collect()
}

/// Returns the JSON of an object id. The engine prints ids as signed numbers.
fn stand_in(id: u64) -> Json {
    let id = format!("i:{}", id.cast_signed());
    let props = ["object_id", &id].map(|text| Json::String(text.to_owned()));
    form("EncodedObjectAsID", [("props", Json::Array(props.into()))])
}

fn form<'a>(name: &str, members: impl IntoIterator<Item = (&'a str, Json)>) -> Json {
    let members = members.into_iter().map(|(name, value)| (name.to_owned(), value));
    let name = ("type".to_owned(), Json::String(name.to_owned()));
    Json::Object([name].into_iter().chain(members).collect())
}

/// Returns the number as an `f64`.
fn number_of(real: Real) -> f64 {
    match real {
        Real::F32(bits) => f64::from(f32::from_bits(bits)),
        Real::F64(bits) => f64::from_bits(bits),
    }
}

fn float(number: f64) -> String {
    if number.is_nan() { "nan".to_owned() } else { format!("{number:?}") }
}

fn real(real: Real) -> Json {
    let number = number_of(real);
    if number.is_nan() {
        return Json::String("nan".to_owned());
    }
    let text = format!("{number:?}").replace("inf", "1e99999");
    Json::Number(number, text)
}

fn reals_of(reals: &[Real]) -> Vec<Json> {
    reals.iter().copied().map(real).collect()
}

fn int(int: impl ToString) -> Json {
    let text = int.to_string();
    Json::Number(text.parse().unwrap(), text)
}

fn ints<T: ToString>(parts: &[T]) -> Vec<Json> {
    parts.iter().map(|part| int(part.to_string())).collect()
}

/// Converts the components of a `Basis` or `Transform3D` from rows, as on the wire, to axes, which
/// are the columns.
fn by_axes(kind: Kind, reals: &[Real]) -> Vec<Real> {
    let mut reals = reals.to_vec();
    if matches!(kind, Kind::Basis | Kind::Transform3D) {
        for (one, other) in [(1, 3), (2, 6), (5, 7)] {
            reals.swap(one, other);
        }
    }
    reals
}

/// Conversion of text and paths.
impl Notation {
    /// Decodes text as a script sees it. Godot 3 accepts more than UTF-8; invalid text becomes the
    /// replacement character.
    fn text(&self, text: &[u8]) -> String {
        match godot3_code_points(text).filter(|_| self.dialect == Dialect::Godot3) {
            Some(points) => godot3_text(&points),
            None => String::from_utf8_lossy(seen(text)).into_owned(),
        }
    }

    /// Prints a path as `/names/with:subnames`. Godot 4 omits a single empty subname, and older
    /// engines print it. The property of a Godot 2 path is printed as one more subname.
    fn path(&self, path: &Value) -> String {
        let Value::NodePath { absolute, names, subnames, property } = path else {
            return String::new();
        };
        let texts = |texts: &[Vec<u8>]| texts.iter().map(|text| self.text(text)).collect();
        let (names, mut subnames): (Vec<String>, Vec<String>) = (texts(names), texts(subnames));
        subnames.extend(property.iter().map(|text| self.text(text)));
        let modern = !matches!(self.dialect, Dialect::Godot2 | Dialect::Godot3);
        if modern && subnames.join(":").is_empty() {
            subnames.clear();
        }
        let root = if *absolute { "/" } else { "" };
        let subnames: String = subnames.iter().map(|name| format!(":{name}")).collect();
        format!("{root}{}{subnames}", names.join("/"))
    }
}

/// Converts code points to text. A surrogate pair becomes one character, an unpaired surrogate
/// becomes a space, and a code point beyond Unicode becomes U+FFFD.
fn godot3_text(points: &[u32]) -> String {
    let mut points = points.iter().copied().peekable();
    let mut text = String::new();
    while let Some(point) = points.next() {
        let is_low = |next: &u32| (0xDC00..0xE000).contains(next);
        let point = match point {
            0xD800..0xDC00 => match points.next_if(is_low) {
                Some(low) => 0x10000 + ((point - 0xD800) << 10 | (low - 0xDC00)),
                None => 0x20,
            },
            0xDC00..0xE000 => 0x20,
            other => other,
        };
        text.push(char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    text
}

/// Returns the name of a type in the engine of the dialect. The manual uses Godot 4's names.
fn type_name(kind: Kind, dialect: Dialect) -> &'static str {
    let older = match dialect {
        Dialect::Godot2 => GODOT2_NAMES.as_slice(),
        Dialect::Godot3 => &GODOT3_NAMES,
        _ => &[],
    };
    let own = older.iter().find(|(of, _)| *of == kind).map(|(_, name)| *name);
    let place = kinds(Dialect::Godot4).iter().position(|of| *of == kind);
    own.or_else(|| place.map(|place| GODOT4_NAMES[place])).unwrap()
}

/// The type names of Godot 4. The index of a name is the id of the type.
const GODOT4_NAMES: [&str; 39] = [
    "Nil",
    "bool",
    "int",
    "float",
    "String",
    "Vector2",
    "Vector2i",
    "Rect2",
    "Rect2i",
    "Vector3",
    "Vector3i",
    "Transform2D",
    "Vector4",
    "Vector4i",
    "Plane",
    "Quaternion",
    "AABB",
    "Basis",
    "Transform3D",
    "Projection",
    "Color",
    "StringName",
    "NodePath",
    "RID",
    "Object",
    "Callable",
    "Signal",
    "Dictionary",
    "Array",
    "PackedByteArray",
    "PackedInt32Array",
    "PackedInt64Array",
    "PackedFloat32Array",
    "PackedFloat64Array",
    "PackedStringArray",
    "PackedVector2Array",
    "PackedVector3Array",
    "PackedColorArray",
    "PackedVector4Array",
];

/// The type names of Godot 3 that differ from those of Godot 4.
const GODOT3_NAMES: [(Kind, &str); 9] = [
    (Kind::Quaternion, "Quat"),
    (Kind::Transform3D, "Transform"),
    (Kind::PackedByteArray, "PoolByteArray"),
    (Kind::PackedInt32Array, "PoolIntArray"),
    (Kind::PackedFloat32Array, "PoolRealArray"),
    (Kind::PackedStringArray, "PoolStringArray"),
    (Kind::PackedVector2Array, "PoolVector2Array"),
    (Kind::PackedVector3Array, "PoolVector3Array"),
    (Kind::PackedColorArray, "PoolColorArray"),
];

/// The type names of Godot 2 that differ from those of Godot 4, and the types that only Godot 2
/// has.
const GODOT2_NAMES: [(Kind, &str); 13] = [
    (Kind::Transform2D, "Matrix32"),
    (Kind::Quaternion, "Quat"),
    (Kind::Basis, "Matrix3"),
    (Kind::Transform3D, "Transform"),
    (Kind::Image, "Image"),
    (Kind::InputEvent, "InputEvent"),
    (Kind::PackedByteArray, "RawArray"),
    (Kind::PackedInt32Array, "IntArray"),
    (Kind::PackedFloat32Array, "RealArray"),
    (Kind::PackedStringArray, "StringArray"),
    (Kind::PackedVector2Array, "Vector2Array"),
    (Kind::PackedVector3Array, "Vector3Array"),
    (Kind::PackedColorArray, "ColorArray"),
];

/// Converts our JSON to the engine's form. Removes the members that only our JSON has, and replaces
/// an object by its content where the engine prints the content alone.
pub fn strip(json: Json) -> Json {
    let mut todo = vec![Undo::Strip(json)];
    let mut done = Vec::new();
    while let Some(step) = todo.pop() {
        match step {
            Undo::Strip(Json::Array(items)) => {
                todo.push(Undo::List(items.len()));
                todo.extend(items.into_iter().rev().map(Undo::Strip));
            }
            Undo::Strip(Json::Object(members)) => {
                let (names, values): (Vec<_>, Vec<_>) = members.into_iter().unzip();
                todo.push(Undo::Object(names));
                todo.extend(values.into_iter().rev().map(Undo::Strip));
            }
            Undo::Strip(leaf) => done.push(leaf),
            Undo::List(len) => {
                let items = done.split_off(done.len() - len);
                done.push(Json::Array(items));
            }
            Undo::Object(names) => {
                let values = done.split_off(done.len() - names.len());
                done.push(stripped(names.into_iter().zip(values).collect()));
            }
        }
    }
    done.pop().unwrap()
}

enum Undo {
    Strip(Json),
    List(usize),
    Object(Vec<String>),
}

/// Converts one object whose members are already converted.
fn stripped(mut members: Vec<(String, Json)>) -> Json {
    let name = members.iter().find(|(member, _)| member == "type");
    let Some(name) = name.and_then(|(_, name)| name.as_str()).map(str::to_owned) else {
        return property_name(members);
    };
    members.retain(|(member, _)| !is_added(&name, member));
    let names: Vec<&str> = members.iter().map(|(member, _)| member.as_str()).collect();
    match (&*name, &*names) {
        ("Object", ["type"]) => Json::Null,
        ("Array", ["type", "args"]) => members.remove(1).1,
        (
            "Nil" | "bool" | "int" | "float" | "String" | "StringName" | "NodePath",
            ["type", "args"],
        ) => only(members.remove(1).1),
        _ => Json::Object(members),
    }
}

/// Returns the only item of a list, null for an empty list, and any other value unchanged.
fn only(list: Json) -> Json {
    match list {
        Json::Array(mut items) if items.len() == 1 => items.remove(0),
        Json::Array(items) if items.is_empty() => Json::Null, // nil has no parts
        other => other,
    }
}

fn is_added(name: &str, member: &str) -> bool {
    match member {
        "wide" | "shared" | "head" | "wire" => true,
        "id" => name == "RID",
        "name" | "object" => name == "Signal",
        _ => false,
    }
}

/// Replaces the object `{"name":"…","wire":"HEX"}` with its name.
fn property_name(mut members: Vec<(String, Json)>) -> Json {
    let names: Vec<&str> = members.iter().map(|(member, _)| member.as_str()).collect();
    match *names {
        ["name", "wire"] => members.remove(0).1,
        _ => Json::Object(members),
    }
}

/// Checks that two JSON values have the same meaning. Floats are compared by their bits, integers
/// by their digits, strings exactly, and members in any order. An error describes the first
/// difference.
pub fn same(one: &Json, other: &Json) -> Result<(), String> {
    let mut todo = vec![(one, other)];
    while let Some((one, other)) = todo.pop() {
        let alike = match (one, other) {
            (Json::Array(ones), Json::Array(others)) => {
                todo.extend(ones.iter().zip(others));
                ones.len() == others.len()
            }
            (Json::Object(ones), Json::Object(others)) => {
                let pairs = ones.iter().map(|(name, value)| Some((value, other.get(name)?)));
                let pairs: Option<Vec<_>> = pairs.collect();
                let found = pairs.is_some();
                todo.extend(pairs.into_iter().flatten());
                found && ones.len() == others.len()
            }
            (Json::Number(a, raw_a), Json::Number(b, raw_b)) => {
                let is_int = |raw: &str| !raw.contains(['.', 'e', 'E']);
                let by_bits = !is_int(raw_a) && !is_int(raw_b);
                raw_a == raw_b || (by_bits && a.to_bits() == b.to_bits())
            }
            _ => one == other,
        };
        if !alike {
            return Err(format!("{} is not {}", brief(one), brief(other)));
        }
    }
    Ok(())
}

/// Returns a short description of a JSON value. Printing a deeply nested value would overflow the
/// stack.
fn brief(json: &Json) -> String {
    match json {
        Json::Array(items) => format!("a list of {}", items.len()),
        Json::Object(members) => {
            let names: Vec<_> = members.iter().map(|(name, _)| name.as_str()).collect();
            format!("{:?} of {names:?}", json.get("type").and_then(Json::as_str))
        }
        leaf => format!("{leaf:?}"),
    }
}
