//! Schemas: the common structure of many packets.
//!
//! A [`Schema`] collects statistics on the packets that are added to it. For each location in them,
//! it stores the kinds of values and their frequency, the ranges of numbers and lengths, and a few
//! strings. Its size depends on the structure of the packets, not on their number. The order of the
//! packets makes no difference.
//!
//! ```
//! use gamewire::godot::schema::Schema;
//! use gamewire::godot::{Dialect, Reader, Variant};
//!
//! let mut schema = Schema::new();
//! for text in [r#"{"hp": 100, "name": "Ada"}"#, r#"{"hp": 93, "name": "Bob"}"#] {
//!     let packet = text.parse::<Variant>().unwrap().to_bytes(Dialect::Godot4)?;
//!     schema.add(Reader::new(&packet, Dialect::Godot4).read_encoded()?)?;
//! }
//! let shape = schema.shape();
//! let rows = shape.rows();
//! assert_eq!(rows[1].path, "hp");
//! assert_eq!(rows[1].shape.facts()[0].to_string(), "93 to 100");
//! assert_eq!(rows[2].shape.facts()[0].to_string(), r#"3 bytes: "Ada", "Bob""#);
//! # Ok::<(), gamewire::godot::Error>(())
//! ```
//!
//! # Records and maps, lists and tuples
//!
//! A packet does not state whether a dictionary is a record or a map, or whether an array is a list
//! or a tuple. A schema decides this after all packets have been added, by rules that do not depend
//! on the order of the packets:
//!
//! * A dictionary is a **record** if its keys can be the names of fields. All keys must be text of
//!   at most 256 bytes, no key may occur twice in one dictionary, and all packets together may
//!   contain at most 256 different keys. The same rule applies to the properties of a full object.
//! * A dictionary that meets these conditions is nevertheless a **map** if its values are alike and
//!   its keys either differ only in their digits (`p0`, `p1`) or vary. Keys vary if all packets
//!   together contain eight or more, and a dictionary has on average fewer than half of them.
//!   Dictionaries that do not meet the conditions are maps, too, as are those that were always
//!   empty.
//! * An array is a **tuple** if it always has the same length, from 2 to 16, and its elements are
//!   not alike. Otherwise it is a list.
//!
//! Values are alike if they are of the same kinds, ignoring null. Ints are treated as floats and
//! Strings as StringNames, since scripts convert them implicitly.
//!
//! # Limits
//!
//! Values nested deeper than 64 levels are ignored. Only the first 32,768 fields and kinds of
//! values at different locations are kept. [`Shape::is_cut`] returns `true` where something was
//! left out. The order of the packets matters only if the second limit is exceeded.

mod classify;
mod details;
mod facts;
mod rows;
mod rust;
mod shape;
mod span;
mod visitor;

pub use facts::Facts;
pub use rows::Row;
pub use shape::{Field, Fields, Items, Shape};
pub use span::{Span, Texts};

use super::{Encoded, Leaf, Reader, Result, Role};
use shape::Budget;
use visitor::SchemaVisitor;

/// Maximum depth of nested containers whose items are added to a schema.
const DEPTH: usize = 64;
/// Maximum size of a schema. The size is the number of fields, plus the number of kinds of values
/// at each location, summed over all locations.
const FACTS: usize = 1 << 15;
/// Maximum number of different keys of a record.
const KEYS: usize = 256;
/// Maximum length of a record's key in bytes.
const KEY_LEN: usize = 256;
/// Maximum number of elements of a tuple.
const PLACES: usize = 16;

/// The common structure of many packets; see the [module](self).
#[derive(Clone, Debug)]
pub struct Schema {
    root: Shape,
    budget: Budget,
}

impl Default for Schema {
    fn default() -> Self {
        Self::new()
    }
}

impl Schema {
    /// Creates an empty schema.
    pub fn new() -> Self {
        Self { root: Shape::default(), budget: Budget::new(FACTS) }
    }

    /// Adds a packet's value.
    ///
    /// # Errors
    /// Returns an error if the value is deeper than 1024 levels. Only a reader with a
    /// caller-provided stack accepts such a value. The part of the value that precedes the error
    /// remains in the schema.
    pub fn add(&mut self, value: Encoded<'_>) -> Result<()> {
        let mut visitor = SchemaVisitor::new(&mut self.root, &mut self.budget);
        if value.is_compact() {
            let (offset, role) = (0, Role::Element);
            visitor.add_leaf(&Leaf { value: value.decode(), encoded: value, offset, role });
            return Ok(());
        }
        let walked = Reader::new(value.as_bytes(), value.dialect()).visit_dyn(&mut visitor);
        visitor.finish();
        walked
    }

    /// Returns the number of packets added.
    pub fn packets(&self) -> u64 {
        self.root.seen()
    }

    /// Returns the structure, which distinguishes records from maps and tuples from lists.
    pub fn shape(&self) -> Shape {
        let mut shape = self.root.clone();
        classify::classify(&mut shape);
        shape
    }
}
