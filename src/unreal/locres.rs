//! Localized texts (`.locres`): the translations of a game into one language, versions 0 to 3.
//!
//! ```text
//! 16 bytes magic, u8 version       from version 1 on
//! i64 offset of the strings        from version 1 on; -1 if there are none
//! u32 number of entries            from version 2 on
//! u32 number of namespaces; for each
//!   key of the namespace, u32 number of entries; for each
//!     key, u32 hash of the source text
//!     string (version 0), or i32 index of a string
//! u32 number of strings; for each the string, and i32 number of uses from version 2 on
//! ```
//!
//! A key is a string. From version 2 on, its hash (`u32`) precedes it. In version 2, the hash is a
//! CRC-32. In version 3, it is computed from the `CityHash64` of the UTF-16 units.
//!
//! [`Locres`] is a view of such a file. Reading it does not allocate.

mod records;
mod verify;
mod view;

pub use records::{LocalizedString, TextKey};
pub use view::{Locres, Namespace, Namespaces, Text, Texts};
