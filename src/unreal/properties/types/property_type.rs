//! The type of a property: one word with parameters, which are types or names.

use super::context::PropertyContext;
use super::kind::PropertyKind;
use super::known_names::NameCode;
use super::refs::NameRef;
use crate::buffer::{Full, Sink};
use crate::unreal::format::{ErrorKind, FileCursor, Layout, NameText, Result, StrRef, Value, put};
use core::fmt::{self, Display, Write};

/// The type of a property, as far as its tag says.
///
/// `Display` prints it: `ArrayProperty(StructProperty(Vector))`.
#[derive(Clone, Copy, Debug)]
pub struct PropertyType<'p> {
    pub(crate) context: &'p PropertyContext<'p>,
    pub(crate) kind: PropertyKind,
    /// What the name of its struct or enum means.
    pub(crate) code: NameCode,
    /// The word for the kind.
    kind_name: NameRef<'p>,
    of: Parameters<'p>,
}

#[derive(Clone, Copy, Debug)]
enum Parameters<'p> {
    /// None, or none that the tag tells.
    None,
    /// Of a struct or an enum; of a byte without an enum `None`.
    Name(NameRef<'p>),
    /// Words for the kinds of elements, or of keys and values.
    Words(NameRef<'p>, Option<NameRef<'p>>),
    /// An array of structs that a tag of its own names.
    Elements(NameRef<'p>, NameRef<'p>),
    /// From 5:1012: nodes in pre-order, so many subtrees.
    Tree { nodes: FileCursor<'p>, count: u32 },
}

/// Nodes of a type; nothing that an engine has comes near.
pub(crate) const NODES: u32 = 256;

/// Types inside each other.
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

    /// One of which nothing is known.
    #[inline(always)]
    pub(crate) const fn unknown(context: &'p PropertyContext<'p>) -> Self {
        let word = NameRef::Text(StrRef::NONE);
        let (kind, code) = (PropertyKind::Unknown, NameCode::UNKNOWN);
        Self { context, kind, code, kind_name: word, of: Parameters::None }
    }

    /// Gives it the name of its struct or enum.
    #[inline(always)]
    pub(crate) fn name_it(&mut self, name: NameRef<'p>) {
        self.of = Parameters::Name(name);
        self.code = self.context.code(name);
    }

    /// Says what is in it.
    #[inline(always)]
    pub(crate) fn fill(&mut self, first: NameRef<'p>, second: Option<NameRef<'p>>) {
        self.of = Parameters::Words(first, second);
    }

    /// Says of which structs an array is.
    #[inline(always)]
    pub(crate) fn fill_with_structs(&mut self, name: NameRef<'p>) {
        if let Parameters::Words(word, _) = self.of {
            self.of = Parameters::Elements(word, name);
        }
    }

    /// A type from 5:1012: its node, and those of its parameters, which `from` moves past.
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
            // The last parameter ends what it is of, and so on.
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

    /// The type whose node is the first of these.
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

    /// What it is.
    pub const fn kind(&self) -> PropertyKind {
        self.kind
    }

    /// The word for the kind, known or not.
    pub fn kind_name(&self) -> NameText<'p> {
        self.context.text(self.kind_name).unwrap_or_default()
    }

    /// The name of the struct or enum that it is, where that is known.
    pub fn name(&self) -> Option<NameText<'p>> {
        self.context.text(self.name_ref()?)
    }

    /// The same as the file has it.
    pub(crate) fn name_ref(&self) -> Option<NameRef<'p>> {
        match (self.code, self.of) {
            (NameCode::UNKNOWN, _) => None,
            (NameCode::NONE, _) if self.kind == PropertyKind::Byte => None,
            (_, Parameters::Name(name)) => Some(name),
            (_, Parameters::Tree { mut nodes, .. }) => {
                node(&mut nodes, self.context).ok().map(|(name, _)| name)
            }
            _ => None,
        }
    }

    /// The same of a struct alone: what a tag of another kind names is no struct.
    pub(crate) fn struct_name(&self) -> Option<NameRef<'p>> {
        self.name_ref().filter(|_| self.kind == PropertyKind::Struct)
    }

    /// Whether it is an array of structs that have a tag together.
    pub(crate) fn has_inner_tag(&self) -> bool {
        self.kind == PropertyKind::Array && self.inner().is_some_and(|inner| inner.shares_tag())
    }

    /// Whether the elements of an array of these have a tag together.
    pub(crate) fn shares_tag(&self) -> bool {
        self.kind == PropertyKind::Struct && self.context.layout.arrays_have_inner_tags()
    }

    /// The type of its elements; of a map, of its keys.
    pub fn inner(&self) -> Option<Self> {
        self.parameter(0)
    }

    /// The type of a map's values.
    pub fn value(&self) -> Option<Self> {
        self.parameter(1)
    }

    /// All types in it.
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
            _ => None,
        }
    }
}

impl PropertyType<'_> {
    /// The word for the kind; from 5:1012 all nodes.
    pub(crate) fn write_word<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.kind_name.write(to, layout)?;
        match self.of {
            Parameters::Tree { nodes, count } => {
                count.write(to, layout)?;
                put(to, nodes.rest())
            }
            _ => Ok(()),
        }
    }

    /// What follows the array index below 5:1012.
    pub(crate) fn write_parameters<S: Sink>(
        &self,
        to: &mut S,
        layout: &Layout,
    ) -> Result<(), Full> {
        match self.of {
            Parameters::None | Parameters::Tree { .. } => Ok(()),
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

/// A word of a type and how many parameters follow.
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
        self.kind_name().fmt(f)?;
        match self.of {
            Parameters::None => Ok(()),
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

/// Prints so many parameters, with theirs.
fn print(
    f: &mut fmt::Formatter<'_>,
    nodes: FileCursor<'_>,
    count: u32,
    context: &PropertyContext<'_>,
) -> fmt::Result {
    // How many are still to come on each level; `read_tree` has counted the levels.
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
