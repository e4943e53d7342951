//! Tables in Parquet files, written with the crate `parquet`.
//!
//! | module | contents |
//! |---|---|
//! | [`field`] | the name and type of a column, and how it is stored |
//! | `column` | the values of a column that are not written yet |
//! | `file` | a file: its schema, its groups of rows, its metadata |

mod column;
mod field;
mod file;

pub use column::{Column, Names, NumberLists, Numbers, Text, TextLists};
pub use field::Field;
pub use file::{GROUP_SIZE, Rows, Writer, write_table};
