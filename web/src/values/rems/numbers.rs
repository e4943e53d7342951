//! The numbers of binary values, which are big-endian.

use gamewire::rems::{Kind, Scalar};

/// Returns the text of a value: one number, or several in brackets.
pub fn text(kind: Kind, bytes: &[u8]) -> String {
    let size = kind.scalar().size().max(1);
    let parts: Vec<_> = bytes.chunks(size).map(|part| scalar(kind.scalar(), part)).collect();
    match parts.len() {
        1 => parts.concat(),
        _ => format!("[{}]", parts.join(", ")),
    }
}

fn scalar(scalar: Scalar, part: &[u8]) -> String {
    let mut wide = [0; 8];
    let start = 8 - part.len().min(8);
    wide[start..].copy_from_slice(part.get(..8 - start).unwrap_or_default());
    let unsigned = u64::from_be_bytes(wide);
    match scalar {
        Scalar::Bool => (unsigned != 0).to_string(),
        Scalar::I8 => (unsigned as i8).to_string(),
        Scalar::I16 => (unsigned as i16).to_string(),
        Scalar::I32 => (unsigned as i32).to_string(),
        Scalar::I64 => (unsigned as i64).to_string(),
        Scalar::F32 => f32::from_bits(unsigned as u32).to_string(),
        Scalar::F64 => f64::from_bits(unsigned).to_string(),
        Scalar::Char => match char::from_u32(unsigned as u32) {
            Some(char) if !char.is_control() => format!("\"{char}\""),
            _ => unsigned.to_string(),
        },
        Scalar::Text => String::new(),
    }
}

/// Returns the bytes of a value.
pub fn encode(kind: Kind, text: &str) -> Result<Vec<u8>, String> {
    let trimmed = text.trim();
    let inside = trimmed.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let mut bytes = Vec::new();
    let mut count = 0;
    for part in inside.unwrap_or(trimmed).split(',') {
        bytes.extend(encode_scalar(kind.scalar(), part.trim())?);
        count += 1;
    }
    match (count, kind.parts()) {
        (found, expected) if found == expected => Ok(bytes),
        (_, expected) => Err(format!("{expected} numbers are needed, in brackets")),
    }
}

fn encode_scalar(scalar: Scalar, part: &str) -> Result<Vec<u8>, &'static str> {
    const RANGE: &str = "this must be a whole number that fits the type";
    const NUMBER: &str = "this must be a number";
    Ok(match scalar {
        Scalar::Bool => match part {
            "true" => vec![1],
            "false" => vec![0],
            _ => return Err("the value must be true or false"),
        },
        Scalar::I8 => part.parse::<i8>().map_err(|_| RANGE)?.to_be_bytes().to_vec(),
        Scalar::I16 => part.parse::<i16>().map_err(|_| RANGE)?.to_be_bytes().to_vec(),
        Scalar::I32 => part.parse::<i32>().map_err(|_| RANGE)?.to_be_bytes().to_vec(),
        Scalar::I64 => part.parse::<i64>().map_err(|_| RANGE)?.to_be_bytes().to_vec(),
        Scalar::F32 => part.parse::<f32>().map_err(|_| NUMBER)?.to_be_bytes().to_vec(),
        Scalar::F64 => part.parse::<f64>().map_err(|_| NUMBER)?.to_be_bytes().to_vec(),
        Scalar::Char => {
            let quoted = part.strip_prefix('"').and_then(|part| part.strip_suffix('"'));
            let mut units = quoted.unwrap_or_default().encode_utf16();
            let unit = match (units.next(), units.next()) {
                (Some(unit), None) => unit,
                _ => part.parse::<u16>().map_err(|_| "this must be a character in quotes")?,
            };
            unit.to_be_bytes().to_vec()
        }
        Scalar::Text => part.as_bytes().to_vec(),
    })
}
