//! An independent oracle for files of Rem's Engine, written from the description of the format. It
//! converts texts, binary streams of every era and their containers to the same type of tree. It is
//! simple rather than fast: it copies, allocates and recurses.

mod binary;
mod binary_types;
mod binary_values;
mod compare;
mod container;
mod escapes;
mod inflate;
mod numbers;
mod text;
mod text_values;
mod tree;
mod types;

pub use binary::read_binary;
pub use binary_types::Time;
#[cfg(feature = "rems-container")]
pub use compare::same_container;
pub use compare::{same_binary, same_text, same_type, tree_of};
pub use container::{read_container, sealed};
pub use text::{Options, read_text};
pub use tree::{Array, List, Object, Part, Property, Value};
pub use types::{ALIASES, BUILTINS, Builtin, Scalar, Shape, Type};

/// Maximum nesting depth of objects and lists.
pub const DEPTH: usize = 256;

/// The offset and the reason of an error, for debugging a disagreement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Refused {
    pub at: usize,
    pub why: &'static str,
}

pub type Result<T, E = Refused> = std::result::Result<T, E>;
