//! Captured traffic: the function `packets` and the classes that it returns.
//!
//! * `source` is a file, or an object of Python with the method `read`.
//! * `capture` reads blocks of it without the global interpreter lock.
//! * `names` reads the names of methods.
//! * `owned` copies what a record borrows, for the class of one packet in `packet`.
//! * `json_text` checks the JSON of text messages, and removes its white space.
//! * `columns` fills the columns of a table, and `table` passes them on to other libraries.
//! * `packets` has the class `Packets`, which iterates over the packets or makes a table of them.

mod capture;
mod columns;
mod json_text;
mod names;
mod owned;
mod packet;
mod packets;
mod source;
mod table;

use pyo3::prelude::*;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<packet::Packet>()?;
    module.add_class::<packet::NodeState>()?;
    module.add_class::<table::Batch>()?;
    packets::add_to(module)
}
