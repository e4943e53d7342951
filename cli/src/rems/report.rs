//! Reports malformed values on standard error.

use super::File;
use crate::ui::report;
use crate::ui::text::Count;
use gamewire::rems::json::Malformed;

/// Reports malformed values: the first few with their offset and reason, and the number of the
/// others.
pub fn malformed(name: &str, file: &File, malformed: &Malformed) {
    for error in malformed.errors() {
        report::error(name, file.refusal(*error));
    }
    if malformed.more() > 0 {
        report::error(
            name,
            format_args!("and {}", Count(malformed.more(), "more malformed value")),
        );
    }
}
