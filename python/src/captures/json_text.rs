//! Text messages that are JSON.

use serde::de::IgnoredAny;

/// Returns the JSON without white space between its tokens. Returns `None` if the text is not JSON.
/// Its depth is not limited.
pub(super) fn compact(text: &str) -> Option<String> {
    serde_json::from_str::<IgnoredAny>(text).ok()?;
    let (mut in_string, mut escaped) = (false, false);
    let kept = text.chars().filter(|char| {
        let is_kept = in_string || !matches!(char, ' ' | '\t' | '\r' | '\n');
        in_string ^= *char == '"' && !escaped;
        escaped = in_string && *char == '\\' && !escaped;
        is_kept
    });
    Some(kept.collect())
}
