//! Compares a decoded value with the engine's result for the same bytes, in the engine's own JSON
//! notation. Details that the notation does not express are not compared. Changes that an engine
//! makes while decoding are applied to the value first.

use crate::support::godot::oracle::{
    Dialect, Kind, Real, TypeOf, Value, components, godot3_code_points, kinds, seen,
};
use crate::support::native_json::Json;

/// The class of the object by which an engine represents an object id.
const STAND_IN: &str = "EncodedObjectAsID";

/// Checks that an engine of this dialect prints `value` as `json`. An error describes the first
/// difference. Only Godot 3 and 4 have such a notation.
///
/// Some details are not compared, because the engine does not print them or this oracle does not
/// compute them:
/// - in Godot 4, the digits of a scalar float that the engine does not print, the sign of a zero,
///   and the payload of a NaN;
/// - the id of a RID, and the name and the object of a signal;
/// - in typed containers, the components of elements that the engine converts between rotations and
///   matrices of different types, from text to colours, or from arrays to packed arrays. Only their
///   type and the number of components are compared.
pub fn matches(value: &Value, json: &Json, dialect: Dialect) -> Result<(), String> {
    // The JSON does not state the precision of the engine's build, so both are tried.
    matches_build(value, json, dialect, false)
        .or_else(|_| matches_build(value, json, dialect, true))
}

/// Compares like [`matches`], for a known build of the engine. If `single` is `true`, the build
/// rounds each f64 real to f32.
pub fn matches_build(
    value: &Value,
    json: &Json,
    dialect: Dialect,
    single: bool,
) -> Result<(), String> {
    if dialect != Dialect::Godot3 && dialect != Dialect::Godot4 {
        return Err(format!("{dialect:?} has no engine with a JSON notation"));
    }
    Engine { dialect, single }.compare(value, json, "value")
}

type Checked = Result<(), String>;

/// The values that are not compared yet, each with its JSON and its location.
type Todo<'a> = Vec<(&'a Value, &'a Json, String)>;

struct Engine {
    dialect: Dialect,
    single: bool,
}

/// An element of a typed container, after its conversion to the declared type.
enum Fit<'a> {
    Kept(&'a Value),
    Made(Value),
    /// Any value of this type with this number of components.
    Shaped(Kind, usize),
}

impl Fit<'_> {
    fn value(&self) -> Option<&Value> {
        match self {
            Fit::Kept(value) => Some(value),
            Fit::Made(value) => Some(value),
            Fit::Shaped(..) => None,
        }
    }
}

/// Comparison of values of all types.
impl Engine {
    /// Compares a value with its JSON. Uses a list instead of recursion, because the call stack may
    /// be too small for values nested 1,024 deep.
    fn compare(&self, value: &Value, json: &Json, at: &str) -> Checked {
        let mut todo: Todo = vec![(value, json, at.to_owned())];
        while let Some((value, json, at)) = todo.pop() {
            let one = match value {
                Value::Array { element, items, .. } => {
                    self.array(element.as_ref(), items, json, &at, &mut todo)
                }
                Value::Dictionary { .. } => self.dictionary(value, json, &at, &mut todo),
                Value::Object { class, properties } => {
                    self.object(class, properties, json, &at, &mut todo)
                }
                _ => self.leaf(value, json),
            };
            one.map_err(|what| located(&at, &what))?;
        }
        Ok(())
    }

    fn leaf(&self, value: &Value, json: &Json) -> Checked {
        match value {
            Value::Nil | Value::ObjectNull | Value::ObjectId(0) => equal(json, &Json::Null),
            Value::Bool(truth) => equal(json, &Json::Bool(*truth)),
            Value::Int { value, .. } => string(json, &format!("i:{value}")),
            Value::Float(real) => self.float(json, *real),
            Value::String(text) => string(json, &format!("s:{}", self.text(text))),
            Value::StringName(text) => string(json, &format!("sn:{}", self.text(text))),
            Value::NodePath { .. } => string(json, &format!("np:{}", self.path_text(value))),
            Value::ObjectId(id) => self.stand_in(json, *id),
            Value::Rid(_) | Value::Callable | Value::Signal { .. } => {
                self.type_is(json, kind_of(value))
            }
            _ => self.with_args(value, json),
        }
    }

    fn with_args(&self, value: &Value, json: &Json) -> Checked {
        let args = self.args(json, kind_of(value))?;
        match value {
            Value::Reals(kind, reals) => self.reals(args, &script_order(*kind, reals)),
            Value::Ints(_, parts) | Value::Int32s(parts) => integers(args, parts),
            Value::Bytes(bytes) => integers(args, bytes),
            Value::Int64s(parts) => integers(args, parts),
            Value::Float32s(bits) => self.reals(args, &mapped(bits, |&bits| Real::F32(bits))),
            Value::Float64s(bits) => self.doubles(args, bits),
            Value::Strings(items) => self.strings(args, items),
            Value::RealArray(_, items) => self.reals(args, &items.concat()),
            _ => Err(format!("an engine shows no {:?}", kind_of(value))),
        }
    }

    fn strings(&self, args: &[Json], items: &[Vec<u8>]) -> Checked {
        same_count(args, items.len())?;
        for (json, item) in args.iter().zip(items) {
            string(json, &self.text(item))?;
        }
        Ok(())
    }
}

/// Comparison of type names and objects.
impl Engine {
    fn type_is(&self, json: &Json, kind: Kind) -> Checked {
        string(member(json, "type")?, type_name(kind, self.dialect == Dialect::Godot3))
    }

    fn args<'a>(&self, json: &'a Json, kind: Kind) -> Result<&'a [Json], String> {
        self.type_is(json, kind)?;
        list(member(json, "args")?)
    }

    /// Checks the JSON of an object id. Godot 4 prints the properties of the object that represents
    /// the id, and the log of Godot 3 contains only the id. Both print the id as a signed number.
    fn stand_in(&self, json: &Json, id: u64) -> Checked {
        string(member(json, "type")?, STAND_IN)?;
        let id = Json::String(format!("i:{}", id.cast_signed()));
        if self.dialect == Dialect::Godot3 {
            return equal(member(json, "args")?, &Json::Array(vec![id]));
        }
        let name = |name: &str| Json::String(name.to_owned());
        let props = vec![name("object_id"), id, name("script"), Json::Null];
        equal(member(json, "props")?, &Json::Array(props))
    }

    /// Compares an object. The engine prints the properties in the order of the packet, provided
    /// that the packet is from the same version of the engine.
    fn object<'a>(
        &self,
        class: &[u8],
        properties: &'a [(Vec<u8>, Value)],
        json: &'a Json,
        at: &str,
        todo: &mut Todo<'a>,
    ) -> Checked {
        string(member(json, "type")?, &self.text(class))?;
        let props = list(member(json, "props")?)?;
        same_count(props, 2 * properties.len())?;
        for (shown, (name, value)) in props.chunks_exact(2).zip(properties) {
            let name = self.text(name);
            string(&shown[0], &name)?;
            todo.push((value, &shown[1], format!("{at}.{name}")));
        }
        Ok(())
    }
}

/// Comparison of containers.
impl Engine {
    fn array<'a>(
        &self,
        element: Option<&TypeOf>,
        items: &'a [Value],
        json: &'a Json,
        at: &str,
        todo: &mut Todo<'a>,
    ) -> Checked {
        let args = match typed(element) {
            None => list(json)?,
            Some(_) => self.args(json, Kind::Array)?,
        };
        self.container_type(json, "elem_type", element)?;
        let items = self.items(element, items);
        same_count(args, items.len())?;
        for (i, (item, shown)) in items.into_iter().zip(args).enumerate() {
            self.fitted(item, shown, format!("{at}[{i}]"), todo)?;
        }
        Ok(())
    }

    fn dictionary<'a>(
        &self,
        dictionary: &'a Value,
        json: &'a Json,
        at: &str,
        todo: &mut Todo<'a>,
    ) -> Checked {
        let Value::Dictionary { key, value, .. } = dictionary else {
            return Ok(());
        };
        let args = self.args(json, Kind::Dictionary)?;
        self.container_type(json, "key_type", key.as_ref())?;
        self.container_type(json, "value_type", value.as_ref())?;
        let pairs = self.pairs(dictionary);
        same_count(args, 2 * pairs.len())?;
        for (i, ((key, value), shown)) in pairs.into_iter().zip(args.chunks(2)).enumerate() {
            self.fitted(key, &shown[0], format!("{at}.key{i}"), todo)?;
            todo.push((value, &shown[1], format!("{at}.value{i}")));
        }
        Ok(())
    }

    fn fitted<'a>(&self, fit: Fit<'a>, json: &'a Json, at: String, todo: &mut Todo<'a>) -> Checked {
        match fit {
            Fit::Kept(value) => todo.push((value, json, at)),
            // Converted values are leaves, or arrays of leaves.
            Fit::Made(value) => self.compare(&value, json, &at)?,
            Fit::Shaped(kind, numbers) => same_count(self.args(json, kind)?, numbers)?,
        }
        Ok(())
    }

    /// Compares the declared type of a container. If objects are not allowed, the engine replaces
    /// an object type with the class that represents object ids. If the type is a script, the
    /// engine prints the path of the script for an array. For a dictionary, it prints the class
    /// that the script extends. This class is not in the packet and is therefore not compared.
    fn container_type(&self, json: &Json, name: &str, of: Option<&TypeOf>) -> Checked {
        let shown = json.get(name);
        let Some(of) = typed(of) else {
            return match shown {
                None => Ok(()),
                Some(other) => Err(format!("{name} is {}, on an untyped side", brief(other))),
            };
        };
        let shown = member(json, name)?;
        let stand_in = shown.as_str() == Some(STAND_IN);
        match of {
            _ if element_kind(of) == Kind::Object && stand_in => Ok(()),
            TypeOf::Builtin(_) => string(shown, type_name(element_kind(of), false)),
            TypeOf::Script(_) if name != "elem_type" => Ok(()),
            TypeOf::Class(text) | TypeOf::Script(text) => string(shown, &self.text(text)),
        }
    }
}

/// Conversion of elements in typed containers.
impl Engine {
    fn items<'a>(&self, element: Option<&TypeOf>, items: &'a [Value]) -> Vec<Fit<'a>> {
        let fits = items.iter().filter_map(|item| self.fit(item, element));
        fits.collect()
    }

    /// Returns the pairs of a dictionary as the engine stores them. Keys are converted, values are
    /// not. Pairs with equal keys become one pair, with the key and position of the first and the
    /// value of the last.
    fn pairs<'a>(&self, dictionary: &'a Value) -> Vec<(Fit<'a>, &'a Value)> {
        let Value::Dictionary { key, pairs, .. } = dictionary else {
            return Vec::new();
        };
        let mut merged: Vec<(Fit, &Value)> = Vec::new();
        for (new, value) in pairs {
            let Some(new) = self.fit(new, key.as_ref()) else {
                continue;
            };
            let same = |old: &&mut (Fit, &Value)| self.same_fit(&old.0, &new);
            match merged.iter_mut().find(same) {
                Some(old) => old.1 = value,
                None => merged.push((new, value)),
            }
        }
        merged
    }

    /// Converts an element to the declared type. Returns `None` if the engine cannot convert the
    /// element and therefore drops it.
    fn fit<'a>(&self, value: &'a Value, of: Option<&TypeOf>) -> Option<Fit<'a>> {
        let kind = kind_of(value);
        let target = typed(of).map_or(kind, element_kind);
        if kind == target || (kind == Kind::Nil && target == Kind::Object) {
            return Some(Fit::Kept(value));
        }
        shaped(value, target).or_else(|| self.converted(value, target).map(Fit::Made))
    }

    fn converted(&self, value: &Value, target: Kind) -> Option<Value> {
        match target {
            Kind::Bool => to_bool(value),
            Kind::Int => to_int(value),
            Kind::Float => to_float(value),
            Kind::String => match value {
                Value::StringName(text) => Some(Value::String(text.clone())),
                Value::NodePath { .. } => Some(Value::String(self.path_text(value).into_bytes())),
                _ => None,
            },
            Kind::StringName => match value {
                Value::String(text) => Some(Value::StringName(text.clone())),
                _ => None,
            },
            Kind::NodePath => match value {
                Value::String(text) => Some(parse_path(&self.text(text))),
                _ => None,
            },
            Kind::Color => to_colour(value),
            Kind::Rid => {
                let object = matches!(kind_of(value), Kind::Nil | Kind::Object);
                object.then_some(Value::Rid(None))
            }
            Kind::Array => to_array(value),
            _ => to_vector(value, target),
        }
    }
}

/// Returns the declared type of elements, keys or values. If the container declares the type Nil,
/// they are untyped, and the result is `None`.
fn typed(of: Option<&TypeOf>) -> Option<&TypeOf> {
    of.filter(|of| **of != TypeOf::Builtin(0))
}

fn element_kind(of: &TypeOf) -> Kind {
    match of {
        TypeOf::Builtin(id) => kinds(Dialect::Godot4)[*id as usize],
        TypeOf::Class(_) | TypeOf::Script(_) => Kind::Object,
    }
}

/// Returns the type and the number of components for conversions whose result this oracle does not
/// compute, and `None` for all others.
fn shaped<'a>(value: &Value, target: Kind) -> Option<Fit<'a>> {
    let pair = (kind_of(value), target);
    let known = matches!(
        pair,
        (Kind::String, Kind::Color)
            | (Kind::Quaternion, Kind::Basis | Kind::Transform3D)
            | (Kind::Basis, Kind::Quaternion | Kind::Transform3D)
            | (Kind::Transform2D | Kind::Projection, Kind::Transform3D)
            | (Kind::Transform3D, Kind::Transform2D | Kind::Projection)
    );
    if known {
        return Some(Fit::Shaped(target, components(target)));
    }
    match value {
        Value::Array { items, .. } if is_packed(target) => {
            let each = components(target).max(1);
            Some(Fit::Shaped(target, items.len() * each))
        }
        _ => None,
    }
}

fn to_bool(value: &Value) -> Option<Value> {
    match value {
        Value::Int { value, .. } => Some(Value::Bool(*value != 0)),
        Value::Float(real) => Some(Value::Bool(number(*real) != 0.0)),
        _ => None,
    }
}

/// Converts a bool or a float to an integer. NaN and floats out of range become the lowest `i64`.
fn to_int(value: &Value) -> Option<Value> {
    let value = match value {
        Value::Bool(truth) => i64::from(*truth),
        Value::Float(real) => {
            let number = number(*real).trunc();
            let fits = number >= -(2f64.powi(63)) && number < 2f64.powi(63);
            if fits { number as i64 } else { i64::MIN }
        }
        _ => return None,
    };
    Some(Value::Int { value, wide: true })
}

fn to_float(value: &Value) -> Option<Value> {
    let number = match value {
        Value::Bool(truth) => f64::from(u8::from(*truth)),
        Value::Int { value, .. } => *value as f64,
        _ => return None,
    };
    Some(Value::Float(Real::F64(number.to_bits())))
}

/// Converts an integer of the form 0xRRGGBBAA to a colour.
fn to_colour(value: &Value) -> Option<Value> {
    let Value::Int { value, .. } = value else {
        return None;
    };
    let channels = (*value as u32).to_be_bytes();
    let channels = mapped(&channels, |&byte| Real::F32((f32::from(byte) / 255.0).to_bits()));
    Some(Value::Reals(Kind::Color, channels))
}

/// Converts a vector or a rectangle to the corresponding type with integer components, or back.
fn to_vector(value: &Value, target: Kind) -> Option<Value> {
    if integer_namesake(target) == Some(kind_of(value)) {
        let Value::Ints(_, parts) = value else {
            return None;
        };
        let reals = mapped(parts, |&part| Real::F64(f64::from(part).to_bits()));
        return Some(Value::Reals(target, reals));
    }
    match value {
        Value::Reals(kind, reals) if integer_namesake(*kind) == Some(target) => {
            let parts = mapped(reals, |&real| truncated(number(real)));
            Some(Value::Ints(target, parts))
        }
        _ => None,
    }
}

fn integer_namesake(kind: Kind) -> Option<Kind> {
    match kind {
        Kind::Vector2 => Some(Kind::Vector2i),
        Kind::Vector3 => Some(Kind::Vector3i),
        Kind::Vector4 => Some(Kind::Vector4i),
        Kind::Rect2 => Some(Kind::Rect2i),
        _ => None,
    }
}

fn truncated(number: f64) -> i32 {
    let number = number.trunc();
    let fits = number >= f64::from(i32::MIN) && number <= f64::from(i32::MAX);
    if fits { number as i32 } else { i32::MIN }
}

/// Converts a packed array to an array of its elements.
fn to_array(value: &Value) -> Option<Value> {
    let int = |value| Value::Int { value, wide: true };
    let items = match value {
        Value::Bytes(bytes) => mapped(bytes, |&byte| int(i64::from(byte))),
        Value::Int32s(parts) => mapped(parts, |&part| int(i64::from(part))),
        Value::Int64s(parts) => mapped(parts, |&part| int(part)),
        Value::Float32s(parts) => mapped(parts, |&bits| Value::Float(Real::F32(bits))),
        Value::Float64s(parts) => mapped(parts, |&bits| Value::Float(Real::F64(bits))),
        Value::Strings(items) => mapped(items, |item| Value::String(item.clone())),
        Value::RealArray(kind, items) => {
            mapped(items, |item| Value::Reals(element_of(*kind), item.clone()))
        }
        _ => return None,
    };
    Some(Value::Array { shared: false, element: None, items })
}

fn element_of(kind: Kind) -> Kind {
    match kind {
        Kind::PackedVector2Array => Kind::Vector2,
        Kind::PackedVector3Array => Kind::Vector3,
        Kind::PackedVector4Array => Kind::Vector4,
        _ => Kind::Color,
    }
}

/// Parses a path. Empty parts are dropped.
fn parse_path(text: &str) -> Value {
    let (names, subnames) = text.split_once(':').unwrap_or((text, ""));
    let parts = |text: &str, by: char| {
        let parts = text.split(by).filter(|part| !part.is_empty());
        parts.map(|part| part.as_bytes().to_vec()).collect()
    };
    Value::NodePath {
        absolute: text.starts_with('/'),
        names: parts(names, '/'),
        subnames: parts(subnames, ':'),
        property: None,
    }
}

/// Comparison of keys.
impl Engine {
    fn same_fit(&self, one: &Fit, other: &Fit) -> bool {
        match (one.value(), other.value()) {
            (Some(one), Some(other)) => self.same_key(one, other),
            _ => false,
        }
    }

    /// Returns `true` if the engine treats two keys as equal. Type and value must be equal, with
    /// some exceptions. A String is equal to a StringName with the same text, 0.0 to -0.0, and NaN
    /// to itself. The declared types of arrays are not compared. Objects and object ids other than
    /// null are not equal to any key, and in Godot 3, neither are dictionaries.
    fn same_key(&self, one: &Value, other: &Value) -> bool {
        use Value::*;
        match (one, other) {
            (Nil, Nil) | (Callable, Callable) => true,
            (ObjectNull | ObjectId(0), ObjectNull | ObjectId(0)) => true,
            (Object { .. } | ObjectId(_), _) => false,
            (Int { value: a, .. }, Int { value: b, .. }) => a == b,
            (Float(a), Float(b)) => same_number(number(*a), number(*b)),
            (String(a) | StringName(a), String(b) | StringName(b)) => self.text(a) == self.text(b),
            (NodePath { .. }, NodePath { .. }) => self.same_path(one, other),
            (Reals(k, a), Reals(l, b)) => k == l && self.same_reals(a, b),
            (RealArray(k, a), RealArray(l, b)) => {
                k == l && self.same_reals(&a.concat(), &b.concat())
            }
            (Float32s(a), Float32s(b)) => {
                let reals = |bits: &[u32]| mapped(bits, |&bits| Real::F32(bits));
                self.same_reals(&reals(a), &reals(b))
            }
            (Float64s(a), Float64s(b)) => {
                let same =
                    |(a, b): (&u64, &u64)| same_number(f64::from_bits(*a), f64::from_bits(*b));
                a.len() == b.len() && a.iter().zip(b).all(same)
            }
            (Strings(a), Strings(b)) => {
                mapped(a, |item| self.text(item)) == mapped(b, |item| self.text(item))
            }
            (Array { .. }, Array { .. }) => self.same_array(one, other),
            (Dictionary { .. }, Dictionary { .. }) => self.same_dictionary(one, other),
            _ => one == other,
        }
    }

    fn same_array(&self, one: &Value, other: &Value) -> bool {
        let (one, other) = (self.own_items(one), self.own_items(other));
        let mut both = one.iter().zip(&other);
        one.len() == other.len() && both.all(|(a, b)| self.same_fit(a, b))
    }

    fn own_items<'a>(&self, array: &'a Value) -> Vec<Fit<'a>> {
        match array {
            Value::Array { element, items, .. } => self.items(element.as_ref(), items),
            _ => Vec::new(),
        }
    }

    fn same_dictionary(&self, one: &Value, other: &Value) -> bool {
        let (one, other) = (self.pairs(one), self.pairs(other));
        let mut both = one.iter().zip(&other);
        self.dialect == Dialect::Godot4
            && one.len() == other.len()
            && both.all(|(a, b)| self.same_fit(&a.0, &b.0) && self.same_key(a.1, b.1))
    }

    fn same_path(&self, one: &Value, other: &Value) -> bool {
        let parts = |path: &Value| match path {
            Value::NodePath { absolute, names, subnames, .. } => {
                Some((*absolute, self.texts(names), self.texts(subnames)))
            }
            _ => None,
        };
        parts(one) == parts(other)
    }

    fn same_reals(&self, one: &[Real], other: &[Real]) -> bool {
        let numbers =
            |(a, b): (&Real, &Real)| same_number(number(self.stored(*a)), number(self.stored(*b)));
        one.len() == other.len() && one.iter().zip(other).all(numbers)
    }
}

fn same_number(one: f64, other: f64) -> bool {
    one == other || (one.is_nan() && other.is_nan())
}

/// Conversion of text and paths.
impl Engine {
    fn text(&self, text: &[u8]) -> String {
        if self.dialect == Dialect::Godot3 {
            let points = godot3_code_points(text).unwrap_or_default();
            return String::from_utf8_lossy(&godot3_utf8(&points)).into_owned();
        }
        String::from_utf8_lossy(seen(text)).into_owned()
    }

    fn texts(&self, texts: &[Vec<u8>]) -> Vec<String> {
        mapped(texts, |text| self.text(text))
    }

    /// Prints a path as `/names/with:subnames`. Godot 3 prints an absolute path without names and
    /// subnames as an empty text. Godot 4 omits a single empty subname.
    fn path_text(&self, path: &Value) -> String {
        let Value::NodePath { absolute, names, subnames, .. } = path else {
            return String::new();
        };
        let godot3 = self.dialect == Dialect::Godot3;
        if godot3 && names.is_empty() && subnames.is_empty() {
            return String::new();
        }
        let root = if *absolute { "/" } else { "" };
        let text = format!("{root}{}", self.texts(names).join("/"));
        match self.texts(subnames).join(":") {
            none if none.is_empty() && (!godot3 || subnames.is_empty()) => text,
            subnames => format!("{text}:{subnames}"),
        }
    }
}

/// Encodes code points as Godot 3 does. A surrogate pair becomes one character, and half a pair
/// becomes a space. Any other code point takes up to six bytes.
fn godot3_utf8(points: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut points = points.iter().copied().peekable();
    while let Some(point) = points.next() {
        let is_low = |next: &u32| (0xDC00..0xE000).contains(next);
        let whole = match point {
            0xD800..0xDC00 => points
                .next_if(is_low)
                .map_or(0x20, |low| 0x10000 + ((point - 0xD800) << 10 | (low - 0xDC00))),
            0xDC00..0xE000 => 0x20,
            _ => point,
        };
        push_utf8(&mut bytes, whole);
    }
    bytes
}

fn push_utf8(bytes: &mut Vec<u8>, point: u32) {
    let (first, more) = match point {
        0..0x80 => (0, 0),
        0x80..0x800 => (0xC0, 1),
        0x800..0x1_0000 => (0xE0, 2),
        0x1_0000..0x20_0000 => (0xF0, 3),
        0x20_0000..0x400_0000 => (0xF8, 4),
        _ => (0xFC, 5),
    };
    bytes.push(first | (point >> (6 * more)) as u8);
    for i in (0..more).rev() {
        bytes.push(0x80 | (point >> (6 * i) & 0x3F) as u8);
    }
}

/// Comparison of real numbers.
impl Engine {
    /// Compares a scalar float. The log of Godot 3 contains the bytes of an f64, and Godot 4 prints
    /// decimals.
    fn float(&self, json: &Json, real: Real) -> Checked {
        if self.dialect == Dialect::Godot3 {
            return string(json, &hex_float(real));
        }
        let shown = json.as_str().and_then(|text| text.strip_prefix("f:"));
        let number = number(real);
        match shown {
            Some(shown) if unsigned_zero(shown) == unsigned_zero(&decimal(number)) => Ok(()),
            _ => differ(json, &format!("f:{}", decimal(number))),
        }
    }

    fn reals(&self, args: &[Json], reals: &[Real]) -> Checked {
        same_count(args, reals.len())?;
        for (json, real) in args.iter().zip(reals) {
            self.real(json, self.stored(*real))?;
        }
        Ok(())
    }

    /// Compares a packed array of doubles, which no build of the engine rounds.
    fn doubles(&self, args: &[Json], bits: &[u64]) -> Checked {
        same_count(args, bits.len())?;
        for (json, bits) in args.iter().zip(bits) {
            self.real(json, Real::F64(*bits))?;
        }
        Ok(())
    }

    /// Compares a component or an element. Godot 4 prints the exact number, but null for NaN.
    fn real(&self, json: &Json, real: Real) -> Checked {
        if self.dialect == Dialect::Godot3 {
            return string(json, &hex_float(real));
        }
        let number = number(real);
        match json {
            Json::Null if number.is_nan() => Ok(()),
            Json::Number(shown, _) if *shown == number => Ok(()),
            _ => differ(json, &format!("{number:?}")),
        }
    }

    fn stored(&self, real: Real) -> Real {
        match real {
            Real::F64(bits) if self.single => Real::F32((f64::from_bits(bits) as f32).to_bits()),
            other => other,
        }
    }
}

fn number(real: Real) -> f64 {
    match real {
        Real::F32(bits) => f64::from(f32::from_bits(bits)),
        Real::F64(bits) => f64::from_bits(bits),
    }
}

/// Returns `x:` and the bytes of the number as an f64, in hex. An f32 NaN becomes a quiet NaN with
/// the same payload.
fn hex_float(real: Real) -> String {
    let bits = match real {
        Real::F64(bits) => bits,
        Real::F32(bits) if f32::from_bits(bits).is_nan() => {
            let sign = u64::from(bits >> 31) << 63;
            let payload = u64::from(bits & 0x007F_FFFF) << 29;
            sign | 0x7FF8 << 48 | payload
        }
        Real::F32(_) => number(real).to_bits(),
    };
    format!("x:{:016x}", bits.swap_bytes())
}

/// Prints a scalar float as Godot 4 does. A number with one digit before the point has 14 decimals,
/// and each further digit before the point takes the place of one decimal. Trailing zeros are
/// removed, but one digit after the point is kept.
fn decimal(number: f64) -> String {
    if number.is_nan() {
        return "nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let power = if number.abs() > 10.0 { number.abs().log10().floor() as usize } else { 0 };
    let text = format!("{number:.*}", 14_usize.saturating_sub(power));
    if !text.contains('.') {
        return format!("{text}.0");
    }
    let text = text.trim_end_matches('0');
    match text.strip_suffix('.') {
        Some(whole) => format!("{whole}.0"),
        None => text.to_owned(),
    }
}

fn unsigned_zero(text: &str) -> &str {
    if text == "-0.0" { "0.0" } else { text }
}

/// Converts components from the order on the wire to the order in a script. A `Basis` or
/// `Transform3D` has rows on the wire, and columns in a script.
fn script_order(kind: Kind, reals: &[Real]) -> Vec<Real> {
    if kind != Kind::Basis && kind != Kind::Transform3D {
        return reals.to_vec();
    }
    let mut ordered = Vec::new();
    for column in 0..3 {
        for row in 0..3 {
            ordered.push(reals[3 * row + column]);
        }
    }
    ordered.extend_from_slice(&reals[9..]);
    ordered
}

fn is_packed(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::PackedByteArray
            | Kind::PackedInt32Array
            | Kind::PackedInt64Array
            | Kind::PackedFloat32Array
            | Kind::PackedFloat64Array
            | Kind::PackedStringArray
            | Kind::PackedVector2Array
            | Kind::PackedVector3Array
            | Kind::PackedColorArray
            | Kind::PackedVector4Array
    )
}

fn kind_of(value: &Value) -> Kind {
    match value {
        Value::Nil => Kind::Nil,
        Value::Bool(_) => Kind::Bool,
        Value::Int { .. } => Kind::Int,
        Value::Float(_) => Kind::Float,
        Value::String(_) => Kind::String,
        Value::StringName(_) => Kind::StringName,
        Value::Reals(kind, _) | Value::Ints(kind, _) | Value::RealArray(kind, _) => *kind,
        Value::NodePath { .. } | Value::OldNodePath(_) => Kind::NodePath,
        Value::Rid(_) => Kind::Rid,
        Value::ObjectNull | Value::ObjectId(_) | Value::Object { .. } => Kind::Object,
        Value::Callable => Kind::Callable,
        Value::Signal { .. } => Kind::Signal,
        Value::Array { .. } => Kind::Array,
        Value::Dictionary { .. } => Kind::Dictionary,
        Value::Bytes(_) => Kind::PackedByteArray,
        Value::Int32s(_) => Kind::PackedInt32Array,
        Value::Int64s(_) => Kind::PackedInt64Array,
        Value::Float32s(_) => Kind::PackedFloat32Array,
        Value::Float64s(_) => Kind::PackedFloat64Array,
        Value::Strings(_) => Kind::PackedStringArray,
        Value::Image { .. } => Kind::Image,
        Value::InputEvent { .. } => Kind::InputEvent,
    }
}

/// Returns the name of a type in Godot 3 if `godot3` is `true`, and in Godot 4 otherwise.
fn type_name(kind: Kind, godot3: bool) -> &'static str {
    match kind {
        Kind::Quaternion if godot3 => "Quat",
        Kind::Transform3D if godot3 => "Transform",
        Kind::PackedByteArray if godot3 => "PoolByteArray",
        Kind::PackedInt32Array if godot3 => "PoolIntArray",
        Kind::PackedFloat32Array if godot3 => "PoolRealArray",
        Kind::PackedStringArray if godot3 => "PoolStringArray",
        Kind::PackedVector2Array if godot3 => "PoolVector2Array",
        Kind::PackedVector3Array if godot3 => "PoolVector3Array",
        Kind::PackedColorArray if godot3 => "PoolColorArray",
        Kind::Nil => "Nil",
        Kind::Bool => "bool",
        Kind::Int => "int",
        Kind::Float => "float",
        Kind::String => "String",
        Kind::Vector2 => "Vector2",
        Kind::Vector2i => "Vector2i",
        Kind::Rect2 => "Rect2",
        Kind::Rect2i => "Rect2i",
        Kind::Vector3 => "Vector3",
        Kind::Vector3i => "Vector3i",
        Kind::Transform2D => "Transform2D",
        Kind::Vector4 => "Vector4",
        Kind::Vector4i => "Vector4i",
        Kind::Plane => "Plane",
        Kind::Quaternion => "Quaternion",
        Kind::Aabb => "AABB",
        Kind::Basis => "Basis",
        Kind::Transform3D => "Transform3D",
        Kind::Projection => "Projection",
        Kind::Color => "Color",
        Kind::StringName => "StringName",
        Kind::NodePath => "NodePath",
        Kind::Rid => "RID",
        Kind::Object => "Object",
        Kind::Callable => "Callable",
        Kind::Signal => "Signal",
        Kind::Dictionary => "Dictionary",
        Kind::Array => "Array",
        Kind::PackedByteArray => "PackedByteArray",
        Kind::PackedInt32Array => "PackedInt32Array",
        Kind::PackedInt64Array => "PackedInt64Array",
        Kind::PackedFloat32Array => "PackedFloat32Array",
        Kind::PackedFloat64Array => "PackedFloat64Array",
        Kind::PackedStringArray => "PackedStringArray",
        Kind::PackedVector2Array => "PackedVector2Array",
        Kind::PackedVector3Array => "PackedVector3Array",
        Kind::PackedColorArray => "PackedColorArray",
        Kind::PackedVector4Array => "PackedVector4Array",
        Kind::Image => "Image",
        Kind::InputEvent => "InputEvent",
    }
}

fn integers<T: ToString>(args: &[Json], parts: &[T]) -> Checked {
    same_count(args, parts.len())?;
    for (json, part) in args.iter().zip(parts) {
        let part = part.to_string();
        match json {
            Json::Number(_, raw) if *raw == part => {}
            _ => return differ(json, &part),
        }
    }
    Ok(())
}

fn mapped<'a, T, U>(items: &'a [T], map: impl Fn(&'a T) -> U) -> Vec<U> {
    items.iter().map(map).collect()
}

fn member<'a>(json: &'a Json, name: &str) -> Result<&'a Json, String> {
    json.get(name).ok_or_else(|| format!("no member {name:?} in {}", brief(json)))
}

fn list(json: &Json) -> Result<&[Json], String> {
    json.as_array().ok_or_else(|| format!("no list: {}", brief(json)))
}

fn same_count(args: &[Json], wire: usize) -> Checked {
    if args.len() == wire {
        return Ok(());
    }
    Err(format!("{} items shown, {wire} decoded", args.len()))
}

fn string(json: &Json, wanted: &str) -> Checked {
    if json.as_str() == Some(wanted) {
        return Ok(());
    }
    differ(json, wanted)
}

fn equal(json: &Json, wanted: &Json) -> Checked {
    if json == wanted {
        return Ok(());
    }
    differ(json, &brief(wanted))
}

fn differ(json: &Json, decoded: &str) -> Checked {
    Err(format!("shown {}, decoded {decoded}", brief(json)))
}

fn located(at: &str, what: &str) -> String {
    format!("{at}: {what}")
}

/// Returns a short description of a JSON value, for error messages.
fn brief(json: &Json) -> String {
    match json {
        Json::Array(items) => format!("a list of {}", items.len()),
        Json::Object(_) => match json.get("type").and_then(Json::as_str) {
            Some(name) => format!("a {name}"),
            None => "an object".to_owned(),
        },
        leaf => format!("{leaf:?}"),
    }
}
