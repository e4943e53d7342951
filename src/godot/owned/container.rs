use super::Variant;
use crate::godot::read::strictness::rewrite;
use crate::godot::{Container, Dialect, Kind, Open, StrRef, Target, TypeRef};
use alloc::boxed::Box;
use alloc::vec::{self, Vec};

/// An owned Array, optionally with a declared element type.
///
/// ```
/// use gamewire::godot::{Array, Dialect, Kind, TypeRef, Variant};
///
/// let mut scores = Array::from_iter([3, 5]);
/// scores.items.push(7.into());
/// scores.set_element_type(TypeRef::Builtin(Kind::Int));
/// let packet = Variant::from(scores).to_bytes(Dialect::Godot4)?;
/// assert_eq!(packet.len(), 36);
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
///
/// The type implements `Drop`, so `items` cannot be moved out of it. Use `into_iter`, or
/// [`take`](core::mem::take) the vector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Array {
    /// The elements. They are not checked against the declared type.
    pub items: Vec<Variant>,
    stated: Option<Box<Stated>>,
    preserved_head: PreservedHead,
}

/// An owned Dictionary: a list of pairs, optionally with declared types.
///
/// [`pairs`](Self::pairs) may contain a key twice, as a packet may. [`get`](Self::get) then returns
/// the value of the last pair with this key, which is also the value that an engine keeps.
///
/// The type implements `Drop`, so `pairs` cannot be moved out of it. Use `into_iter`, or
/// [`take`](core::mem::take) the vector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dictionary {
    /// Keys and values. They are not checked against the declared types.
    pub pairs: Vec<(Variant, Variant)>,
    stated: Option<Box<Stated>>,
    preserved_head: PreservedHead,
}

/// An owned full object: a class and its properties.
///
/// The type implements `Drop`, so `properties` cannot be moved out of it. Use `into_iter`, or
/// [`take`](core::mem::take) the vector.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Object {
    class: Box<[u8]>,
    /// The properties, in the order in which an engine sets them. Each is a pair of a name, given
    /// as the bytes of its text, and a value.
    pub properties: Vec<(Vec<u8>, Variant)>,
    preserved_head: PreservedHead,
}

/// The bytes of a container that precede its items. They are stored only if an engine would write
/// different bytes, for example because of a negative count or meaningless header bits. They are
/// ignored when values are compared.
#[derive(Clone, Debug, Default)]
pub(super) struct PreservedHead(Option<Box<(Dialect, Vec<u8>)>>);

impl PartialEq for PreservedHead {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for PreservedHead {}

impl PreservedHead {
    pub(super) fn of(open: &Open<'_>) -> Self {
        let comparison = rewrite(open.head, open.dialect, false, |out| out.head(&open.container));
        let is_odd = comparison.other.is_some() || comparison.pad.is_some();
        Self(is_odd.then(|| Box::new((open.dialect, open.head.to_vec()))))
    }

    /// Returns the dialect of the preserved bytes, if any.
    pub(super) fn dialect(&self) -> Option<Dialect> {
        self.0.as_ref().map(|preserved_head| preserved_head.0)
    }

    /// Returns the preserved bytes if the container still has the same length and the target
    /// accepts them.
    pub(super) fn head(&self, container: &Container<'_>, target: Target) -> Option<&[u8]> {
        let (dialect, bytes) = &**self.0.as_ref()?;
        let was = Container::parse(bytes, *dialect)?;
        (target.copies(*dialect) && was.len() == container.len()).then_some(bytes)
    }
}

/// Attributes that few containers have: the "shared" bit and the declared types. An array uses only
/// the first of these types.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Stated {
    types: [Type; 2],
    shared: bool,
}

/// An owned [`TypeRef`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Type {
    #[default]
    Untyped,
    Builtin(Kind),
    Class(Box<[u8]>),
    Script(Box<[u8]>),
}

impl From<TypeRef<'_>> for Type {
    fn from(of: TypeRef<'_>) -> Self {
        match of {
            TypeRef::Untyped => Self::Untyped,
            TypeRef::Builtin(kind) => Self::Builtin(kind),
            TypeRef::Class(name) => Self::Class(name.as_bytes().into()),
            TypeRef::Script(path) => Self::Script(path.as_bytes().into()),
        }
    }
}

impl Type {
    fn get(&self) -> TypeRef<'_> {
        match self {
            Self::Untyped => TypeRef::Untyped,
            Self::Builtin(kind) => TypeRef::Builtin(*kind),
            Self::Class(name) => TypeRef::Class(StrRef::new(name)),
            Self::Script(path) => TypeRef::Script(StrRef::new(path)),
        }
    }
}

fn state(types: [TypeRef<'_>; 2], shared: bool) -> Option<Box<Stated>> {
    let stated = Stated { types: types.map(Type::from), shared };
    (stated != Stated::default()).then(|| Box::new(stated))
}

fn stated(stated: &Option<Box<Stated>>) -> ([TypeRef<'_>; 2], bool) {
    match stated {
        None => ([TypeRef::Untyped; 2], false),
        Some(stated) => {
            let [first, second] = &stated.types;
            ([first.get(), second.get()], stated.shared)
        }
    }
}

/// Converts a length to a count. A length above `u32::MAX` becomes `u32::MAX`. The writer rejects a
/// length that does not fit in a count.
fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

impl Array {
    /// Creates an empty array without a declared type.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn open(
        len: usize,
        element: TypeRef<'_>,
        shared: bool,
        preserved_head: PreservedHead,
    ) -> Self {
        let stated = state([element, TypeRef::Untyped], shared);
        Self { items: Vec::with_capacity(len), stated, preserved_head }
    }

    /// Returns the declared element type.
    pub fn element_type(&self) -> TypeRef<'_> {
        let ([element, _], _) = stated(&self.stated);
        element
    }

    /// Declares the element type (Godot 4.3 and later).
    pub fn set_element_type(&mut self, element: TypeRef<'_>) {
        self.stated = state([element, TypeRef::Untyped], self.is_shared());
        self.preserved_head = PreservedHead::default();
    }

    /// Returns bit 31 of the count, which Godot 2 sets on containers in shared mode.
    pub fn is_shared(&self) -> bool {
        stated(&self.stated).1
    }

    /// Returns a copy without the items, but with capacity for the same number of items.
    pub(super) fn without_items(&self) -> Self {
        Self {
            items: Vec::with_capacity(self.items.len()),
            stated: self.stated.clone(),
            preserved_head: self.preserved_head.clone(),
        }
    }

    /// Compares everything except the items.
    pub(super) fn has_same_head(&self, other: &Self) -> bool {
        self.stated == other.stated
    }

    pub(super) fn preserved_head(&self) -> &PreservedHead {
        &self.preserved_head
    }

    pub(super) fn container(&self) -> Container<'_> {
        let ([element, _], shared) = stated(&self.stated);
        Container::Array { len: count(self.items.len()), element, shared }
    }
}

impl Dictionary {
    /// Creates an empty dictionary without declared types.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn open(
        len: usize,
        types: [TypeRef<'_>; 2],
        shared: bool,
        preserved_head: PreservedHead,
    ) -> Self {
        Self { pairs: Vec::with_capacity(len), stated: state(types, shared), preserved_head }
    }

    /// Returns the declared key type.
    pub fn key_type(&self) -> TypeRef<'_> {
        let ([key, _], _) = stated(&self.stated);
        key
    }

    /// Returns the declared value type.
    pub fn value_type(&self) -> TypeRef<'_> {
        let ([_, value], _) = stated(&self.stated);
        value
    }

    /// Declares the types of keys and values (Godot 4.4 and later).
    pub fn set_types(&mut self, key: TypeRef<'_>, value: TypeRef<'_>) {
        self.stated = state([key, value], self.is_shared());
        self.preserved_head = PreservedHead::default();
    }

    /// Returns bit 31 of the count, which Godot 2 sets on containers in shared mode.
    pub fn is_shared(&self) -> bool {
        stated(&self.stated).1
    }

    /// Returns the value of the last String or StringName key that equals `key`, which is also the
    /// value that an engine keeps.
    pub fn get(&self, key: &str) -> Option<&Variant> {
        self.pairs.iter().rev().find(|(found, _)| is_text(found, key)).map(|(_, value)| value)
    }

    /// Returns a mutable reference to the value that [`get`](Self::get) returns.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Variant> {
        self.pairs.iter_mut().rev().find(|(found, _)| is_text(found, key)).map(|(_, value)| value)
    }

    /// Returns the value of a key of any type. A String and a StringName with the same text are the
    /// same key.
    pub fn get_by(&self, key: &Variant) -> Option<&Variant> {
        self.pairs.iter().rev().find(|(found, _)| is_same_key(found, key)).map(|(_, value)| value)
    }

    /// Replaces the value of a key and returns the old value. If there is no such key, appends the
    /// pair. Each call searches all pairs, so build a large dictionary from an iterator instead.
    pub fn insert(
        &mut self,
        key: impl Into<Variant>,
        value: impl Into<Variant>,
    ) -> Option<Variant> {
        let (key, value) = (key.into(), value.into());
        match self.pairs.iter_mut().rev().find(|(found, _)| is_same_key(found, &key)) {
            Some((_, there)) => Some(core::mem::replace(there, value)),
            None => {
                self.pairs.push((key, value));
                None
            }
        }
    }

    /// Removes the pair of the last String or StringName key equal to `key` and returns its value.
    #[allow(clippy::disallowed_methods, reason = "a pair was found there")]
    pub fn remove(&mut self, key: &str) -> Option<Variant> {
        let place = self.pairs.iter().rposition(|(found, _)| is_text(found, key))?;
        let (_, value) = self.pairs.remove(place);
        Some(value)
    }

    /// Returns a copy without the items, but with capacity for the same number of items.
    pub(super) fn without_items(&self) -> Self {
        Self {
            pairs: Vec::with_capacity(self.pairs.len()),
            stated: self.stated.clone(),
            preserved_head: self.preserved_head.clone(),
        }
    }

    /// Compares everything except the items.
    pub(super) fn has_same_head(&self, other: &Self) -> bool {
        self.stated == other.stated
    }

    pub(super) fn preserved_head(&self) -> &PreservedHead {
        &self.preserved_head
    }

    pub(super) fn container(&self) -> Container<'_> {
        let ([key, value], shared) = stated(&self.stated);
        Container::Dictionary { len: count(self.pairs.len()), key, value, shared }
    }
}

fn is_same_key(a: &Variant, b: &Variant) -> bool {
    match (a.as_str(), b.as_str()) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    }
}

fn is_text(key: &Variant, text: &str) -> bool {
    key.as_str().is_some_and(|key| key == text)
}

impl Object {
    /// Creates an object of the native class `class`, without properties. An object whose class is
    /// empty cannot be written.
    pub fn new(class: &str) -> Self {
        Self::open(0, class.into(), PreservedHead::default())
    }

    pub(super) fn open(len: usize, class: StrRef<'_>, preserved_head: PreservedHead) -> Self {
        let class = class.as_bytes().into();
        Self { class, properties: Vec::with_capacity(len), preserved_head }
    }

    /// Returns the native class.
    pub fn class(&self) -> StrRef<'_> {
        StrRef::new(&self.class)
    }

    /// Returns the value of the last property with this name. Engines set the properties in order,
    /// so the last one wins.
    pub fn get(&self, property: &str) -> Option<&Variant> {
        let is_named = |name: &[u8]| StrRef::new(name) == property;
        self.properties.iter().rev().find(|(name, _)| is_named(name)).map(|(_, value)| value)
    }

    /// Returns a mutable reference to the value that [`get`](Self::get) returns.
    pub fn get_mut(&mut self, property: &str) -> Option<&mut Variant> {
        let is_named = |name: &[u8]| StrRef::new(name) == property;
        self.properties.iter_mut().rev().find(|(name, _)| is_named(name)).map(|(_, value)| value)
    }

    /// Returns a copy without the items, but with capacity for the same number of items.
    pub(super) fn without_items(&self) -> Self {
        Self {
            properties: Vec::with_capacity(self.properties.len()),
            class: self.class.clone(),
            preserved_head: self.preserved_head.clone(),
        }
    }

    /// Compares everything except the items.
    pub(super) fn has_same_head(&self, other: &Self) -> bool {
        self.class == other.class
    }

    pub(super) fn preserved_head(&self) -> &PreservedHead {
        &self.preserved_head
    }

    pub(super) fn container(&self) -> Container<'_> {
        let len = count(self.properties.len());
        Container::Object { class: self.class(), len }
    }
}

impl<V: Into<Variant>> FromIterator<V> for Array {
    fn from_iter<I: IntoIterator<Item = V>>(items: I) -> Self {
        Self {
            items: items.into_iter().map(Into::into).collect(),
            stated: None,
            preserved_head: PreservedHead::default(),
        }
    }
}

impl<K: Into<Variant>, V: Into<Variant>> FromIterator<(K, V)> for Dictionary {
    /// Appends all pairs without searching for duplicate keys.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        let pairs = pairs.into_iter().map(|(key, value)| (key.into(), value.into()));
        Self { pairs: pairs.collect(), stated: None, preserved_head: PreservedHead::default() }
    }
}

impl IntoIterator for Array {
    type Item = Variant;
    type IntoIter = vec::IntoIter<Variant>;

    fn into_iter(mut self) -> Self::IntoIter {
        core::mem::take(&mut self.items).into_iter()
    }
}

impl IntoIterator for Dictionary {
    type Item = (Variant, Variant);
    type IntoIter = vec::IntoIter<(Variant, Variant)>;

    fn into_iter(mut self) -> Self::IntoIter {
        core::mem::take(&mut self.pairs).into_iter()
    }
}

impl IntoIterator for Object {
    type Item = (Vec<u8>, Variant);
    type IntoIter = vec::IntoIter<(Vec<u8>, Variant)>;

    fn into_iter(mut self) -> Self::IntoIter {
        core::mem::take(&mut self.properties).into_iter()
    }
}
