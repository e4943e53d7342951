//! Types of properties: a name with parameters, which are types or names.

use super::context::PropertyContext;
use super::kind::PropertyKind;
use super::known_names::NameCode;
use super::refs::NameRef;
use crate::buffer::{Full, Sink};
use crate::unreal::format::{ErrorKind, FileCursor, Layout, NameText, Result, StrRef, Value, put};
use crate::unreal::mappings::{MappedEnum, MappedStruct, MappedType};
use core::fmt::{self, Display, Write};

/// The type of a property, or the part of the type that the tag states.
///
/// `Display` prints the type in the form `ArrayProperty(StructProperty(Vector))`.
#[derive(Clone, Copy, Debug)]
pub struct PropertyType<'p> {
    pub(crate) context: &'p PropertyContext<'p>,
    pub(crate) kind: PropertyKind,
    /// Code of the name of the struct or enum.
    pub(crate) code: NameCode,
    /// Name of the kind.
    kind_name: NameRef<'p>,
    of: Parameters<'p>,
}

#[derive(Clone, Copy, Debug)]
enum Parameters<'p> {
    /// No parameters, or none that the tag states.
    None,
    /// Name of a struct or an enum. For a byte without an enum, this is the name `None`.
    Name(NameRef<'p>),
    /// Names of the kinds of elements, or of keys and values.
    Words(NameRef<'p>, Option<NameRef<'p>>),
    /// For an array of structs: the name of the kind of the elements, and the name of the struct,
    /// which comes from the inner tag.
    Elements(NameRef<'p>, NameRef<'p>),
    /// Parameters in the format from 5:1012 on: `count` subtrees, with their nodes in pre-order.
    Tree { nodes: FileCursor<'p>, count: u32 },
    /// The type in the mappings.
    Mapped(MappedType<'p>),
}

/// Maximum number of nodes of a type. The types that engines write have far fewer.
pub(crate) const NODES: u32 = 256;

/// Maximum nesting depth of types.
pub(crate) const DEPTH: usize = 16;

impl<'p> PropertyType<'p> {
    #[inline(always)]
    pub(crate) fn new(
        context: &'p PropertyContext<'p>,
        word: NameRef<'p>,
        at: &FileCursor<'p>,
    ) -> Result<Self> {
        let kind = context.expect(word, at)?.word().kind();
        Ok(Self { context, kind, code: NameCode::UNKNOWN, kind_name: word, of: Parameters::None })
    }

    /// Creates a type from a type in the mappings.
    #[inline]
    pub(crate) fn mapped(context: &'p PropertyContext<'p>, of: MappedType<'p>) -> Self {
        Self::mapped_with(context, of, Self::mapped_code(of))
    }

    /// Returns the code for the name of the struct or enum in a type from the mappings.
    #[inline]
    pub(crate) fn mapped_code(of: MappedType<'p>) -> NameCode {
        match (PropertyKind::of_number(of.number()), of.name()) {
            (PropertyKind::Struct, Some(name)) => NameCode::of(&StrRef::utf8(name.bytes())),
            (PropertyKind::Enum, Some(_)) => NameCode::OTHER,
            _ => NameCode::UNKNOWN,
        }
    }

    /// Creates a type from a type in the mappings. `code` is the result of
    /// [`mapped_code`](Self::mapped_code).
    #[inline]
    pub(crate) fn mapped_with(
        context: &'p PropertyContext<'p>,
        of: MappedType<'p>,
        code: NameCode,
    ) -> Self {
        let kind = PropertyKind::of_number(of.number());
        let kind_name = NameRef::Text(StrRef::latin1(of.kind_name().as_bytes()));
        Self { context, kind, code, kind_name, of: Parameters::Mapped(of) }
    }

    /// Returns the type in the mappings, if this type was created from one.
    #[inline]
    pub(crate) fn in_mappings(&self) -> Option<MappedType<'p>> {
        match self.of {
            Parameters::Mapped(of) => Some(of),
            _ => None,
        }
    }

    /// Returns the struct that this type names, if the mappings have it.
    #[inline]
    pub(crate) fn structure(&self) -> Option<MappedStruct<'p>> {
        self.in_mappings()?.structure()
    }

    /// Returns the enum that this type names, if the mappings have it.
    pub(crate) fn enumeration(&self) -> Option<MappedEnum<'p>> {
        self.in_mappings()?.enumeration()
    }

    /// Returns an unknown type.
    #[inline(always)]
    pub(crate) const fn unknown(context: &'p PropertyContext<'p>) -> Self {
        let word = NameRef::Text(StrRef::NONE);
        let (kind, code) = (PropertyKind::Unknown, NameCode::UNKNOWN);
        Self { context, kind, code, kind_name: word, of: Parameters::None }
    }

    /// Sets the name of the struct or enum.
    #[inline(always)]
    pub(crate) fn name_it(&mut self, name: NameRef<'p>) {
        self.of = Parameters::Name(name);
        self.code = self.context.code(name);
    }

    /// Sets the names of the element kinds.
    #[inline(always)]
    pub(crate) fn fill(&mut self, first: NameRef<'p>, second: Option<NameRef<'p>>) {
        self.of = Parameters::Words(first, second);
    }

    /// Sets the struct type of an array.
    #[inline(always)]
    pub(crate) fn fill_with_structs(&mut self, name: NameRef<'p>) {
        if let Parameters::Words(word, _) = self.of {
            self.of = Parameters::Elements(word, name);
        }
    }

    /// Reads a type in the format of files from 5:1012 on: its node, then the nodes of its
    /// parameters.
    pub(crate) fn read_tree(
        from: &mut FileCursor<'p>,
        context: &'p PropertyContext<'p>,
    ) -> Result<Self> {
        let start = *from;
        let mut open = [0u32; DEPTH];
        let (mut depth, mut left) = (0usize, NODES);
        loop {
            let at = *from;
            let (_, count) = node(from, context)?;
            let fits = left.checked_sub(1).filter(|left| count <= *left);
            left = fits.ok_or_else(|| at.error(ErrorKind::TooDeep { limit: NODES }))?;
            if count > 0 {
                let limit = DEPTH as u32;
                let place = open.get_mut(depth);
                *place.ok_or_else(|| at.error(ErrorKind::TooDeep { limit }))? = count;
                depth = depth.wrapping_add(1);
                continue;
            }
            // After its last parameter, a node is complete. If it is the last parameter of its
            // parent, the parent is then complete, too.
            while let Some(count) = depth.checked_sub(1).and_then(|top| open.get_mut(top)) {
                *count = count.wrapping_sub(1);
                if *count > 0 {
                    break;
                }
                depth = depth.wrapping_sub(1);
            }
            if depth == 0 {
                return Self::of_node(start.until(from), context);
            }
        }
    }

    /// Returns the type whose root is the first node.
    fn of_node(mut nodes: FileCursor<'p>, context: &'p PropertyContext<'p>) -> Result<Self> {
        let at = nodes;
        let (word, count) = node(&mut nodes, context)?;
        let of = Parameters::Tree { nodes, count };
        let mut of = Self { of, ..Self::new(context, word, &at)? };
        if count > 0
            && matches!(of.kind, PropertyKind::Struct | PropertyKind::Enum | PropertyKind::Byte)
        {
            of.code = context.code(node(&mut nodes, context)?.0);
        }
        Ok(of)
    }

    /// Returns `true` if a name in the type is empty, is not valid UTF-16, or contains a
    /// parenthesis or a comma. The printed form of such a type cannot be parsed again.
    #[cfg(feature = "serde")]
    pub(crate) fn has_odd_names(&self) -> bool {
        let is_odd = |name: NameRef<'p>| {
            let odd = |text: NameText<'_>| match text.as_str() {
                Some(text) => text.is_empty() || text.contains(['(', ')', ',']),
                None => text.text().chars().any(|char| {
                    char.is_ok_and(|char| matches!(char, '(' | ')' | ',')) || char.is_err()
                }),
            };
            self.context.text(name).is_none_or(odd)
        };
        let parameters = match self.of {
            Parameters::None | Parameters::Mapped(_) => false,
            Parameters::Name(name) | Parameters::Words(name, None) => is_odd(name),
            Parameters::Words(first, Some(name)) | Parameters::Elements(first, name) => {
                is_odd(first) || is_odd(name)
            }
            Parameters::Tree { mut nodes, .. } => {
                core::iter::from_fn(|| node(&mut nodes, self.context).ok())
                    .any(|(name, _)| is_odd(name))
            }
        };
        parameters || is_odd(self.kind_name) || self.hides_name()
    }

    /// Returns `true` if the printed form of the type hides an unusual name. A byte without an enum
    /// usually has the enum name `None` below 5:1012, and no parameter from 5:1012 on. The printed
    /// form shows neither a different spelling of `None` nor such a parameter.
    #[cfg(feature = "serde")]
    fn hides_name(&self) -> bool {
        let is_byte = self.kind == PropertyKind::Byte;
        match self.of {
            Parameters::Name(name) if is_byte && self.code == NameCode::NONE => {
                self.context.text(name).and_then(|name| name.as_str()) != Some("None")
            }
            Parameters::Tree { mut nodes, .. } => {
                let mut is_of_byte = is_byte;
                core::iter::from_fn(|| node(&mut nodes, self.context).ok()).any(|(name, count)| {
                    let code = self.context.code(name);
                    let is_hidden = is_of_byte && code == NameCode::NONE;
                    is_of_byte = count > 0 && code.word().kind() == PropertyKind::Byte;
                    is_hidden
                })
            }
            _ => false,
        }
    }

    /// Returns the kind.
    pub const fn kind(&self) -> PropertyKind {
        self.kind
    }

    /// Returns the name of the kind, even if the library does not know the kind.
    pub fn kind_name(&self) -> NameText<'p> {
        self.context.text(self.kind_name).unwrap_or_default()
    }

    /// Returns the name of the struct or enum, if it is known.
    pub fn name(&self) -> Option<NameText<'p>> {
        self.context.text(self.name_ref()?)
    }

    /// Returns the name of the struct or enum as it is stored.
    pub(crate) fn name_ref(&self) -> Option<NameRef<'p>> {
        match (self.code, self.of) {
            (NameCode::UNKNOWN, _) => None,
            (NameCode::NONE, _) if self.kind == PropertyKind::Byte => None,
            (_, Parameters::Name(name)) => Some(name),
            (_, Parameters::Tree { mut nodes, .. }) => {
                node(&mut nodes, self.context).ok().map(|(name, _)| name)
            }
            (_, Parameters::Mapped(_)) => {
                self.in_mappings()?.name().map(|name| NameRef::Text(StrRef::utf8(name.bytes())))
            }
            _ => None,
        }
    }

    /// Returns the name of a struct. Returns `None` for other kinds.
    pub(crate) fn struct_name(&self) -> Option<NameRef<'p>> {
        self.name_ref().filter(|_| self.kind == PropertyKind::Struct)
    }

    /// Returns `true` for an array of structs with an inner tag.
    pub(crate) fn has_inner_tag(&self) -> bool {
        self.kind == PropertyKind::Array && self.inner().is_some_and(|inner| inner.shares_tag())
    }

    /// Returns `true` if an array with elements of this type has an inner tag.
    pub(crate) fn shares_tag(&self) -> bool {
        self.kind == PropertyKind::Struct && self.context.layout.arrays_have_inner_tags()
    }

    /// Returns the type of the elements, or of the keys of a map. From 5:1012 on, other types can
    /// also have a first parameter, such as the name of a struct. A name is returned as a type of
    /// an unknown kind.
    pub fn inner(&self) -> Option<Self> {
        self.parameter(0)
    }

    /// Returns the type of the values of a map. From 5:1012 on, other types can also have a second
    /// parameter, such as the underlying type of an enum.
    pub fn value(&self) -> Option<Self> {
        self.parameter(1)
    }

    /// Returns all parameters.
    #[cfg(feature = "alloc")]
    pub(crate) fn parameters(&self) -> impl Iterator<Item = Self> {
        (0..NODES).map_while(|index| self.parameter(index))
    }

    fn parameter(&self, index: u32) -> Option<Self> {
        let at = FileCursor::new(&[], 0);
        let word = |word| Self::new(self.context, word, &at).ok();
        match (self.of, index) {
            (Parameters::Words(first, _), 0) => word(first),
            (Parameters::Words(_, Some(second)), 1) => word(second),
            (Parameters::Elements(first, name), 0) => {
                let mut inner = word(first)?;
                inner.name_it(name);
                Some(inner)
            }
            (Parameters::Tree { nodes, count }, _) if index < count => {
                let mut at = nodes;
                for _ in 0..index {
                    Self::read_tree(&mut at, self.context).ok()?;
                }
                Self::of_node(at, self.context).ok()
            }
            (Parameters::Mapped(_), _) => {
                let of = self.in_mappings()?;
                let parameter = match (self.kind, index) {
                    (PropertyKind::Enum, _) => None,
                    (_, 0) => of.inner(),
                    (_, 1) => of.value(),
                    _ => None,
                };
                parameter.map(|of| Self::mapped(self.context, of))
            }
            _ => None,
        }
    }
}

impl<'p> PropertyType<'p> {
    /// Writes the name of the kind or, from 5:1012 on, all nodes of the type.
    pub(crate) fn write_word<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.kind_name.write(to, layout)?;
        match self.of {
            Parameters::Tree { nodes, count } => {
                count.write(to, layout)?;
                if layout.normalizes {
                    return self.write_nodes(nodes, to, layout);
                }
                put(to, nodes.rest())
            }
            _ => Ok(()),
        }
    }

    /// Writes the nodes one by one.
    #[cold]
    fn write_nodes<S: Sink>(
        &self,
        mut nodes: FileCursor<'p>,
        to: &mut S,
        layout: &Layout,
    ) -> Result<(), Full> {
        while let (false, Ok((name, count))) = (nodes.is_empty(), node(&mut nodes, self.context)) {
            name.write(to, layout)?;
            count.write(to, layout)?;
        }
        Ok(())
    }

    /// Writes the names of the parameters in a tag below 5:1012.
    pub(crate) fn write_parameters<S: Sink>(
        &self,
        to: &mut S,
        layout: &Layout,
    ) -> Result<(), Full> {
        match self.of {
            Parameters::None | Parameters::Tree { .. } | Parameters::Mapped(_) => Ok(()),
            Parameters::Name(name) => name.write(to, layout),
            Parameters::Words(first, None) | Parameters::Elements(first, _) => {
                first.write(to, layout)
            }
            Parameters::Words(first, Some(second)) => {
                first.write(to, layout)?;
                second.write(to, layout)
            }
        }
    }
}

/// Reads a node: a name and its number of parameters.
fn node<'p>(
    from: &mut FileCursor<'p>,
    context: &PropertyContext<'p>,
) -> Result<(NameRef<'p>, u32)> {
    let word = from.read(&context.layout)?;
    Ok((word, from.count(4, &context.layout)?))
}

impl Display for PropertyType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |name| self.context.text(name).unwrap_or_default();
        if let Some(of) = self.in_mappings() {
            return of.fmt(f);
        }
        self.kind_name().fmt(f)?;
        match self.of {
            Parameters::None | Parameters::Mapped(_) => Ok(()),
            Parameters::Name(_) => match self.name_ref() {
                Some(name) => write!(f, "({})", text(name)),
                None => Ok(()),
            },
            Parameters::Words(first, None) => write!(f, "({})", text(first)),
            Parameters::Words(first, Some(second)) => {
                write!(f, "({},{})", text(first), text(second))
            }
            Parameters::Elements(first, name) => write!(f, "({}({}))", text(first), text(name)),
            Parameters::Tree { nodes, count } => print(f, nodes, count, self.context),
        }
    }
}

/// Prints the nested parameters with a loop instead of recursion.
fn print(
    f: &mut fmt::Formatter<'_>,
    nodes: FileCursor<'_>,
    count: u32,
    context: &PropertyContext<'_>,
) -> fmt::Result {
    // Remaining parameters on each level; `read_tree` has checked the depth.
    let mut open = [0u32; DEPTH];
    let (mut depth, mut at, mut left) = (0usize, nodes, count);
    if left > 0 {
        f.write_char('(')?;
    }
    while left > 0 {
        let (word, count) = node(&mut at, context).map_err(|_| fmt::Error)?;
        context.text(word).unwrap_or_default().fmt(f)?;
        left = left.wrapping_sub(1);
        if count > 0 {
            *open.get_mut(depth).ok_or(fmt::Error)? = left;
            depth = depth.wrapping_add(1);
            left = count;
            f.write_char('(')?;
            continue;
        }
        while left == 0 {
            f.write_char(')')?;
            let Some(above) = depth.checked_sub(1).and_then(|top| open.get(top)) else {
                return Ok(());
            };
            left = *above;
            depth = depth.wrapping_sub(1);
        }
        f.write_char(',')?;
    }
    Ok(())
}
