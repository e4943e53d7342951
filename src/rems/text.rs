//! Text files: JSON whose keys contain types, with some deviations from the JSON syntax.

mod close;
mod common_form;
mod count;
pub(crate) mod digits;
mod lanes;
pub(crate) mod number;
mod options;
pub(crate) mod scan;

pub(crate) use common_form::Key;
pub(crate) use count::{array_len, non_negative, reference};
pub use options::TextOptions;
pub(crate) use scan::Scan;
