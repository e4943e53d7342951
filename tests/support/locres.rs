//! A writer of localized texts, made from the description of the format.

use super::strings::string;

/// A text, after its key.
pub type Entry<'a> = (&'a str, &'a str);

/// CRC-32, one bit at a time, of the units of a text, each extended to 32 bits.
pub fn crc(text: &str) -> u32 {
    let bytes = text.encode_utf16().flat_map(|unit| u32::from(unit).to_le_bytes());
    !bytes.fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 }
        })
    })
}

/// Writes localized texts. `hash` computes the hash of a key in version 3.
pub fn write(version: u8, namespaces: &[(&str, &[Entry<'_>])], hash: fn(&str) -> u32) -> Vec<u8> {
    let key = |key: &str| match version {
        0 | 1 => string(key),
        2 => [&crc(key).to_le_bytes()[..], &string(key)].concat(),
        _ => [&hash(key).to_le_bytes()[..], &string(key)].concat(),
    };
    let mut strings: Vec<(&str, u32)> = Vec::new();
    let mut body = (namespaces.len() as u32).to_le_bytes().to_vec();
    let mut count = 0u32;
    for (namespace, entries) in namespaces {
        body.extend(key(namespace));
        body.extend((entries.len() as u32).to_le_bytes());
        for (entry, text) in *entries {
            count += 1;
            body.extend(key(entry));
            body.extend(crc(entry).to_le_bytes());
            if version == 0 {
                body.extend(string(text));
                continue;
            }
            let place = strings.iter().position(|(known, _)| known == text);
            let place = place.unwrap_or_else(|| {
                strings.push((text, 0));
                strings.len() - 1
            });
            strings[place].1 += 1;
            body.extend((place as u32).to_le_bytes());
        }
    }
    if version == 0 {
        return body;
    }
    let mut head = Vec::new();
    for word in [0x7574_140Eu32, 0xFC03_4A67, 0x9D90_154A, 0x1B7F_37C3] {
        head.extend(word.to_le_bytes());
    }
    head.push(version);
    let counted = if version >= 2 { count.to_le_bytes().to_vec() } else { Vec::new() };
    let offset = head.len() + 8 + counted.len() + body.len();
    head.extend((offset as u64).to_le_bytes());
    let mut table = (strings.len() as u32).to_le_bytes().to_vec();
    for (text, uses) in strings {
        table.extend(string(text));
        if version >= 2 {
            table.extend(uses.to_le_bytes());
        }
    }
    [head, counted, body, table].concat()
}
