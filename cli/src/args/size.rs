//! Sizes in bytes, such as `64M`.

use std::fmt;
use std::str::FromStr;

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub u64);

/// The suffixes of sizes, each with the number of bytes that it stands for.
const UNITS: [(&str, u64); 3] = [("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)];

impl FromStr for Size {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unit =
            UNITS.into_iter().find_map(|(name, unit)| Some((text.strip_suffix(name)?, unit)));
        let (number, unit) = unit.unwrap_or((text, 1));
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let number = number.parse::<u64>().ok().filter(|_| is_number);
        let bytes = number.and_then(|number| number.checked_mul(unit)).filter(|bytes| *bytes > 0);
        bytes.map(Self).ok_or("a size is a number of bytes, or of K, M or G, such as 64M")
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = UNITS.into_iter().find(|(_, unit)| self.0.is_multiple_of(*unit));
        let (name, unit) = unit.unwrap_or(("", 1));
        write!(f, "{}{name}", self.0.checked_div(unit).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in [("1", 1), ("64M", 64 << 20), ("2G", 2 << 30), ("1025K", 1025 << 10)] {
            assert_eq!(text.parse(), Ok(Size(bytes)));
            assert_eq!(Size(bytes).to_string(), text);
        }
        for text in ["", "M", "0", "-1", "+1", "1.5M", "1 M", "99999999999G", "1T"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }
}
