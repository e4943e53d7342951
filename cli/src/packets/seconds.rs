//! Times in seconds.

use std::fmt;

/// A time in nanoseconds. It is printed in seconds with 9 decimal places, of which the last three
/// are left out if all three are zero.
pub struct Seconds(pub i64);

impl Seconds {
    pub fn write(&self, out: &mut impl fmt::Write) -> fmt::Result {
        let nanoseconds = self.0.unsigned_abs();
        let (seconds, rest) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000);
        // The 1 before the decimal places keeps their leading zeros. It is not printed.
        let rest = u32::try_from(rest).unwrap_or_default(); // less than a second
        let places = match rest % 1000 {
            0 => (rest / 1000).saturating_add(1_000_000),
            _ => rest.saturating_add(1_000_000_000),
        };
        if self.0 < 0 {
            out.write_char('-')?;
        }
        out.write_str(itoa::Buffer::new().format(seconds))?;
        out.write_char('.')?;
        out.write_str(itoa::Buffer::new().format(places).get(1..).unwrap_or_default())
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nanoseconds_are_printed_only_if_they_are_known() {
        for (nanoseconds, text) in [
            (0, "0.000000"),
            (1_000, "0.000001"),
            (-1, "-0.000000001"),
            (1_795_227_797_704_590_000, "1795227797.704590"),
            (1_795_227_797_000_000_020, "1795227797.000000020"),
            (i64::MAX, "9223372036.854775807"),
            (i64::MIN, "-9223372036.854775808"),
        ] {
            assert_eq!(Seconds(nanoseconds).to_string(), text);
        }
    }
}
