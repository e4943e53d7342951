//! `gamewire text`.

use super::file_values;
use crate::args::Text;
use crate::content;
use crate::ui::input;
use crate::ui::output::print_line;
use std::io::{self, Write};

/// Prints all values of all files. Returns `false` after an error.
pub fn run(args: &Text, out: &mut impl Write) -> io::Result<bool> {
    input::for_each(&args.files, out, |input, out| {
        let content = content::load(input, args.source)?;
        file_values::each(input, &content.bytes, args.source, out, |value, out| {
            print_line(value, out)
        })
    })
}
