//! Arguments that select the part of a file that contains Godot values.

use clap::Args;

/// The part of a file that contains values, and the byte order of frames.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Part {
    /// Read frames whose lengths are big-endian, as scripts write them with big_endian = true
    ///
    /// Reads frames even if FORMAT does not end in -frames. Without this option, such a file is
    /// recognised if its frames fit only in this byte order.
    #[arg(long)]
    pub big_endian: bool,

    /// Start at this offset, after other data; 0x marks a hexadecimal number
    ///
    /// Offsets in the output still count from the start of the file.
    #[arg(long, value_name = "N", value_parser = offset, default_value = "0")]
    #[arg(hide_default_value = true)]
    pub skip: u64,

    /// Stop after this many values or frames, before other data
    #[arg(long, value_name = "N")]
    pub count: Option<u64>,
}

impl Part {
    /// Returns `true` if the command line selects a part of the file or the byte order.
    pub fn is_given(self) -> bool {
        self.big_endian || self.skip > 0 || self.count.is_some()
    }
}

/// Parses an offset, in decimal or, after `0x`, in hexadecimal.
fn offset(text: &str) -> Result<u64, String> {
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (digits, radix) = hexadecimal.map_or((text, 10), |digits| (digits, 16));
    let is_number = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u64::from_str_radix(digits, radix).ok().filter(|_| is_number);
    number.ok_or_else(|| "an offset is a number of bytes, such as 28 or 0x1C".into())
}

#[cfg(test)]
mod tests {
    use super::offset;

    #[test]
    fn offsets() {
        for (text, number) in [("0", 0), ("28", 28), ("0x1C", 28), ("0X1c", 28)] {
            assert_eq!(offset(text), Ok(number), "{text}");
        }
        for text in ["", "0x", "-1", "+1", "1C", "0x+1", "1 K", "99999999999999999999"] {
            assert!(offset(text).is_err(), "{text}");
        }
    }
}
