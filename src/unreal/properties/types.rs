//! The type of a property: one word with parameters, which are types or names.

use super::context::{Context, NameRef};
use super::kind::Kind;
use crate::base::{Full, Sink};
use crate::unreal::layout::Layout;
use crate::unreal::names::NameText;
use crate::unreal::wire::{Input, Value, put};
use crate::unreal::{ErrorKind, Result};
use core::fmt::{self, Display, Write};

/// The type of a property, as far as its tag says.
///
/// `Display` prints it: `ArrayProperty(StructProperty(Vector))`.
#[derive(Clone, Copy, Debug)]
pub struct Type<'p> {
    pub(super) context: &'p Context<'p>,
    pub(super) kind: Kind,
    /// The word for the kind.
    word: NameRef<'p>,
    of: Parameters<'p>,
}

#[derive(Clone, Copy, Debug)]
enum Parameters<'p> {
    /// None, or none that the tag tells.
    None,
    /// Of a struct or an enum.
    Name(NameRef<'p>),
    /// `None`, for a byte without an enum.
    NoName(NameRef<'p>),
    /// Words for the kinds of elements, or of keys and values.
    Words(NameRef<'p>, Option<NameRef<'p>>),
    /// An array of structs that a tag of its own names.
    Elements(NameRef<'p>, NameRef<'p>),
    /// From 5:1012: nodes in pre-order, so many subtrees.
    Tree { nodes: Input<'p>, count: u32 },
}

/// Nodes of a type; nothing that an engine has comes near.
const NODES: u32 = 256;

/// Types inside each other.
const DEPTH: usize = 16;

impl<'p> Type<'p> {
    pub(super) fn new(context: &'p Context<'p>, word: NameRef<'p>, at: &Input<'p>) -> Result<Self> {
        let text = context.expect(word, at)?;
        let kind = text.as_str().map_or(Kind::Unknown, Kind::of);
        Ok(Self { context, kind, word, of: Parameters::None })
    }

    /// The same with the name of its struct or enum. `None` stands for no enum.
    pub(super) fn named(self, name: NameRef<'p>) -> Self {
        match self.context.text(name) {
            Some(text) if self.kind != Kind::Struct && text == *"None" => {
                Self { of: Parameters::NoName(name), ..self }
            }
            _ => Self { of: Parameters::Name(name), ..self },
        }
    }

    pub(super) fn of_words(self, first: NameRef<'p>, second: Option<NameRef<'p>>) -> Self {
        Self { of: Parameters::Words(first, second), ..self }
    }

    /// The same array, of structs of that name.
    pub(super) fn of_structs(self, name: NameRef<'p>) -> Self {
        match self.of {
            Parameters::Words(word, _) => Self { of: Parameters::Elements(word, name), ..self },
            _ => self,
        }
    }

    /// A type from 5:1012: its node, and those of its parameters, which `from` moves past.
    pub(super) fn read_tree(from: &mut Input<'p>, context: &'p Context<'p>) -> Result<Self> {
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
    fn of_node(mut nodes: Input<'p>, context: &'p Context<'p>) -> Result<Self> {
        let at = nodes;
        let (word, count) = node(&mut nodes, context)?;
        Ok(Self { of: Parameters::Tree { nodes, count }, ..Self::new(context, word, &at)? })
    }

    /// What it is.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The word for the kind, known or not.
    pub fn word(&self) -> NameText<'p> {
        self.context.text(self.word).unwrap_or_default()
    }

    /// The name of the struct or enum that it is, where that is known.
    pub fn name(&self) -> Option<NameText<'p>> {
        match self.of {
            Parameters::Name(name) => self.context.text(name),
            Parameters::Tree { .. }
                if matches!(self.kind, Kind::Struct | Kind::Enum | Kind::Byte) =>
            {
                self.parameter(0).map(|name| name.word())
            }
            _ => None,
        }
    }

    /// The name that a tag below 5:1012 gives a struct or enum.
    pub(super) const fn own_name(&self) -> Option<NameRef<'p>> {
        match self.of {
            Parameters::Name(name) => Some(name),
            _ => None,
        }
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
    pub(super) fn parameters(&self) -> impl Iterator<Item = Self> {
        (0..NODES).map_while(|index| self.parameter(index))
    }

    fn parameter(&self, index: u32) -> Option<Self> {
        let at = Input::new(&[], 0);
        let word = |word| Self::new(self.context, word, &at).ok();
        match (self.of, index) {
            (Parameters::Words(first, _), 0) => word(first),
            (Parameters::Words(_, Some(second)), 1) => word(second),
            (Parameters::Elements(first, name), 0) => Some(word(first)?.named(name)),
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

impl Type<'_> {
    /// The word for the kind; from 5:1012 all nodes.
    pub(super) fn write_word<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.word.write(to, layout)?;
        match self.of {
            Parameters::Tree { nodes, count } => {
                count.write(to, layout)?;
                put(to, nodes.rest())
            }
            _ => Ok(()),
        }
    }

    /// What follows the array index below 5:1012.
    pub(super) fn write_parameters<S: Sink>(
        &self,
        to: &mut S,
        layout: &Layout,
    ) -> Result<(), Full> {
        match self.of {
            Parameters::None | Parameters::Tree { .. } => Ok(()),
            Parameters::Name(name) | Parameters::NoName(name) => name.write(to, layout),
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
fn node<'p>(from: &mut Input<'p>, context: &Context<'p>) -> Result<(NameRef<'p>, u32)> {
    let word = from.read(&context.layout)?;
    Ok((word, from.count(4, &context.layout)?))
}

impl Display for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |name| self.context.text(name).unwrap_or_default();
        self.word().fmt(f)?;
        match self.of {
            Parameters::None | Parameters::NoName(_) => Ok(()),
            Parameters::Name(name) => write!(f, "({})", text(name)),
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
    nodes: Input<'_>,
    count: u32,
    context: &Context<'_>,
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
