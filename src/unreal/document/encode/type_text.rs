//! Reads types from their text: `MapProperty(NameProperty,StructProperty(Item))`.

use super::node::Fault;
use crate::unreal::properties::PropertyTypeBuf;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Maximum number of types in a text. The writer of tags has a lower limit.
const MOST: usize = 1024;

/// Parses the text of a type. The text contains no spaces, and the names in it contain no
/// parentheses or commas.
pub fn parse(text: &str) -> Result<PropertyTypeBuf, Fault> {
    let fault = || Fault::from(format!("`{text}` is not a type"));
    let mut open: Vec<PropertyTypeBuf> = Vec::new();
    let (mut last, mut rest, mut count) = (None, text, 0usize);
    loop {
        let end = rest.find(['(', ')', ',']).unwrap_or(rest.len());
        let (name, after) = rest.split_at_checked(end).ok_or_else(fault)?;
        count = count.saturating_add(1);
        match (name, &last) {
            ("", Some(_)) => {}
            ("", None) => return Err(fault()),
            (_, Some(_)) => return Err(fault()),
            (name, None) => last = Some(PropertyTypeBuf::new(String::from(name))),
        }
        if count > MOST {
            return Err(fault());
        }
        let mut chars = after.chars();
        let separator = chars.next();
        rest = chars.as_str();
        let done = last.take().ok_or_else(fault)?;
        match separator {
            None if open.is_empty() => return Ok(done),
            None => return Err(fault()),
            Some('(') => open.push(done),
            Some(other) => {
                let outer = open.pop().ok_or_else(fault)?.with(done);
                match other {
                    ')' => last = Some(outer),
                    _ => open.push(outer),
                }
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in tests")]
mod tests {
    use super::parse;
    use alloc::string::ToString;

    #[test]
    fn types() {
        for text in [
            "IntProperty",
            "StructProperty(Vector)",
            "MapProperty(NameProperty,StructProperty(Item(/Script/Game)))",
            "EnumProperty(EMode(/Script/Game),ByteProperty)",
            "ArrayProperty(StructProperty(A(B(C),D),E))",
        ] {
            assert_eq!(parse(text).unwrap().to_string(), text);
        }
        for text in ["", "(", "A(", "A)", "A,B", "A()", "A(B", "A(B))", "A(B)C", "A(,B)", "A(B,)"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
