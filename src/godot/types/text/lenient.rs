//! UTF-8 as Godot 3 accepts it.

/// Splits off the first sequence of 1 to 6 bytes. Returns its lead byte, its other bytes, and the
/// rest of the text.
fn sequence(text: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&lead, tail) = text.split_first()?;
    let more = match lead {
        0x00..=0x7F => 0,
        0xC2..=0xDF => 1,
        0xE0..=0xEF => 2,
        0xF0..=0xF7 => 3,
        0xF8..=0xFB => 4,
        0xFC..=0xFD => 5,
        // Continuation bytes, two-byte overlongs (C0, C1), FE and FF.
        _ => return None,
    };
    let (more, after) = tail.split_at_checked(more)?;
    Some((lead, more, after))
}

/// Calls `each` with pieces of lenient text, converted as in Godot 3 when it writes the text again:
/// a surrogate pair becomes one character, and a lone surrogate becomes a space. Values past
/// U+10FFFF become U+FFFD.
#[cold]
pub(super) fn show_lenient<E>(
    mut rest: &[u8],
    each: &mut impl FnMut(&str) -> core::result::Result<(), E>,
) -> core::result::Result<(), E> {
    while let Some((point, after)) = code_point(rest) {
        rest = after;
        let point = match point {
            0xD800..=0xDBFF => match code_point(rest) {
                Some((low @ 0xDC00..=0xDFFF, after)) => {
                    rest = after;
                    0x1_0000_u32.wrapping_add((point & 0x3FF) << 10 | (low & 0x3FF))
                }
                _ => 0x20,
            },
            0xDC00..=0xDFFF => 0x20,
            point => point,
        };
        match char::from_u32(point) {
            Some(character) => each(character.encode_utf8(&mut [0; 4]))?,
            None => each("\u{FFFD}")?,
        }
    }
    Ok(())
}

fn code_point(text: &[u8]) -> Option<(u32, &[u8])> {
    let (lead, more, after) = sequence(text)?;
    let lead = match more.len() {
        0 => lead,
        len => lead & 0x3F_u8.checked_shr(len as u32).unwrap_or(0),
    };
    let point =
        more.iter().fold(u32::from(lead), |point, byte| point << 6 | u32::from(byte & 0x3F));
    Some((point, after))
}

/// Returns `true` if Godot 3.1 to 3.6 (Linux) accept these bytes as UTF-8.
///
/// They accept sequences of up to six bytes, surrogates, values past U+10FFFF, and most overlong
/// forms; see [`is_rejected_overlong`].
pub(super) fn is_lenient(mut rest: &[u8]) -> bool {
    while !rest.is_empty() {
        let Some((lead, more, after)) = sequence(rest) else { return false };
        if !more.iter().all(|byte| byte & 0xC0 == 0x80) || is_rejected_overlong(lead, more) {
            return false;
        }
        rest = after;
    }
    true
}

/// Returns `true` if the engine rejects this sequence of `len` bytes as overlong. The engine
/// decides this at the third byte. It rejects the sequence if two conditions hold: the payload bits
/// of the first and of the second byte are 0, and the third byte without its top bit is less than 2
/// to the power of `7 - len`.
fn is_rejected_overlong(lead: u8, more: &[u8]) -> bool {
    let len = (more.len() as u32).saturating_add(1);
    let lead_bits = lead & 0x7F_u8.checked_shr(len).unwrap_or(0);
    match more {
        [second, third, ..] => {
            lead_bits == 0
                && second & 0x3F == 0
                && (third & 0x7F).checked_shr(7_u32.saturating_sub(len)).unwrap_or(0) == 0
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the verdicts of Godot 3.6.2 (Linux).
    #[test]
    fn overlong_forms() {
        for (bytes, is_accepted) in [
            (&b"\xC0\x80"[..], false),
            (b"\xC1\x81", false),
            (b"\xC2\x80", true),
            (b"\xE0\x80\x80", false),
            (b"\xE0\x80\xBF", true),
            (b"\xE0\x80\x87", false),
            (b"\xE0\x81\x80", true),
            (b"\xE1\x80\x80", true),
            (b"\xF0\x80\x87\x80", false),
            (b"\xF0\x80\x88\x80", true),
            (b"\xF0\x81\x80\x80", true),
            (b"\xF1\x80\x80\x80", true),
            (b"\xF8\x80\x83\x80\x80", false),
            (b"\xF8\x80\x84\x80\x80", true),
            (b"\xFC\x80\x81\x80\x80\x80", false),
            (b"\xFC\x80\x82\x80\x80\x80", true),
            (b"\xFD\x80\x80\x80\x80\x80", true),
            (b"\xFE\x80\x80\x80\x80\x80\x80", false),
            (b"\xE1\x80\xC0", false),
            (b"\xE1\x80", false),
        ] {
            assert_eq!(is_lenient(bytes), is_accepted, "{bytes:x?}");
        }
    }
}
