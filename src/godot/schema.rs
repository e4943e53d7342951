//! Schemas: what many packets have in common.
//!
//! A [`Schema`] is shown packets, one after the other, and keeps for each place in them what
//! stood there: the kinds of values and how often, ranges of numbers, lengths, a few texts.
//! It is as large as what the packets look like, however many there are, and the order in which
//! they come makes no difference.
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
//! On the wire all of these are dictionaries and arrays. Which are meant is decided when all
//! packets were seen, by rules that are the same whatever the order:
//!
//! * A dictionary is a **record**, whose keys are the names of fields, if all its keys are
//!   text, no key is longer than 256 bytes or comes twice in one dictionary, and there are no
//!   more than 256 different ones in all packets. The properties of a full object are a record
//!   by the same rule.
//! * Such a dictionary is a **map** nevertheless if its values are alike and its keys are
//!   numbered, that is, different in their digits only (`p0`, `p1`), or vary: there are eight
//!   or more, and on average a dictionary has less than half of them. All other dictionaries
//!   are maps, and so are those that were always empty.
//! * An array is a **tuple** if it has the same length each time, of 2 to 16, and its elements
//!   are not alike. Otherwise it is a list.
//!
//! Values are alike if they are of the same kinds, null set aside. Ints are like floats, as a
//! script converts them without asking, and Strings like StringNames.
//!
//! # Limits
//!
//! Below 64 levels nothing is told apart, and of more than 32,768 kinds of values in
//! different places the later ones are left out: [`Shape::is_cut`]. (Only then does it matter
//! which came first.)

mod details;
mod facts;
mod rows;
mod rust;
mod settle;
mod shape;
mod span;
mod watch;

pub use facts::Facts;
pub use rows::Row;
pub use shape::{Field, Fields, Items, Shape};
pub use span::{Span, Texts};

use super::{Encoded, Leaf, Reader, Result, Role};
use shape::Room;
use watch::Watcher;

/// How many containers inside each other are looked into.
const DEPTH: usize = 64;
/// How many kinds of values in different places are kept.
const FACTS: usize = 1 << 15;
/// How many different keys a record may have.
const KEYS: usize = 256;
/// How long such a key may be.
const KEY_LEN: usize = 256;
/// How many elements a tuple may have.
const PLACES: usize = 16;

/// What many packets have in common; see the [module](self).
#[derive(Clone, Debug)]
pub struct Schema {
    root: Shape,
    room: Room,
}

impl Default for Schema {
    fn default() -> Self {
        Self::new()
    }
}

impl Schema {
    /// Of no packets.
    pub fn new() -> Self {
        Self { root: Shape::default(), room: Room::new(FACTS) }
    }

    /// Adds a packet's value.
    ///
    /// # Errors
    /// Where it is deeper than 1024 levels, read with a stack for that. What comes before
    /// that place was added.
    pub fn add(&mut self, value: Encoded<'_>) -> Result<()> {
        let mut watcher = Watcher::new(&mut self.root, &mut self.room);
        if value.is_compact() {
            let (offset, role) = (0, Role::Element);
            watcher.see(&Leaf { value: value.decode(), encoded: value, offset, role });
            return Ok(());
        }
        let walked = Reader::new(value.as_bytes(), value.dialect()).visit_dyn(&mut watcher);
        watcher.finish();
        walked
    }

    /// How many packets were added.
    pub fn packets(&self) -> u64 {
        self.root.seen()
    }

    /// What was seen: of dictionaries whether they are records or maps, of arrays whether they
    /// are tuples or lists.
    pub fn shape(&self) -> Shape {
        let mut shape = self.root.clone();
        settle::settle(&mut shape);
        shape
    }
}
