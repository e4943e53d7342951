//! The type ids in the binary streams of every era.

use super::types::{Builtin, Type};

/// The era of the engine that wrote a stream.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub enum Time {
    December2020,
    August2021,
    October2021,
    March2022,
    October2024,
}

/// The meaning of a type id.
#[derive(Clone, Debug, PartialEq)]
pub enum Id {
    Null,
    Object,
    Pointer,
    /// Objects of several classes, with the nesting depth of the lists.
    Mixed(u8),
    OneClass,
    Roots,
    Value(&'static Builtin, u8),
}

/// A name, and three type ids: for a single value, for an array, and for an array of arrays. The id
/// 0 means that there is no such type.
type Row = (&'static str, [u8; 3]);

/// Primitive types, whose ids are the same in all streams with numeric ids.
const PRIMITIVES: [(&str, u8); 9] = [
    ("b", 7),
    ("B", 10),
    ("c", 13),
    ("s", 16),
    ("i", 19),
    ("l", 22),
    ("f", 25),
    ("d", 28),
    ("S", 31),
];

/// Ids since 12 October 2021.
const VECTORS: [(&str, u8); 11] = [
    ("v2", 34),
    ("v3", 37),
    ("v4", 40),
    ("v2d", 43),
    ("v3d", 46),
    ("v4d", 49),
    ("q4", 52),
    ("q4d", 55),
    ("v2i", 58),
    ("v3i", 61),
    ("v4i", 64),
];

/// Ids since 25 March 2022.
const OTHERS: [(&str, u8); 15] = [
    ("mat2", 67),
    ("mat3x2", 70),
    ("mat3", 76),
    ("mat4x3", 79),
    ("mat4", 82),
    ("mat2d", 85),
    ("mat3x2d", 88),
    ("mat3d", 94),
    ("mat4x3d", 97),
    ("mat4d", 100),
    ("AABBf", 103),
    ("AABBd", 106),
    ("p4", 109),
    ("p4d", 112),
    ("R", 115),
];

/// Ids from 12 October 2021 to 25 March 2022.
const OTHERS_2021: [(&str, u8); 9] = [
    ("mat3", 67),
    ("mat4x3", 70),
    ("mat4", 73),
    ("mat3d", 76),
    ("mat4x3d", 79),
    ("mat4d", 82),
    ("AABBf", 85),
    ("AABBd", 88),
    ("R", 91),
];

/// Ids from August to 12 October 2021. This era has no arrays of arrays.
const VECTORS_AUGUST_2021: [Row; 12] = [
    ("v2", [34, 42, 0]),
    ("v3", [35, 43, 0]),
    ("v4", [36, 44, 0]),
    ("v2d", [37, 45, 0]),
    ("v3d", [38, 46, 0]),
    ("v4d", [39, 47, 0]),
    ("q4", [40, 48, 0]),
    ("q4d", [41, 49, 0]),
    ("v2i", [50, 0, 0]),
    ("v3i", [51, 0, 0]),
    ("v4i", [52, 0, 0]),
    ("R", [53, 54, 0]),
];

/// Ids until August 2021, which are letters.
const LETTERS: [Row; 15] = [
    ("b", [b'z', b'Z', 0]),
    ("B", [b'b', b'B', 0]),
    ("c", [b'c', b'C', 0]),
    ("s", [b's', b'S', 0]),
    ("i", [b'i', b'I', 0]),
    ("l", [b'l', b'L', 0]),
    ("f", [b'f', b'F', b'F' + 128]),
    ("d", [b'd', b'D', b'D' + 128]),
    ("S", [b'q', b'Q', 0]),
    ("v2", [b'2', b'2' + 128, 0]),
    ("v3", [b'3', b'3' + 128, 0]),
    ("v4", [b'4', b'4' + 128, 0]),
    ("v2d", [b'5', b'5' + 128, 0]),
    ("v3d", [b'6', b'6' + 128, 0]),
    ("v4d", [b'7', b'7' + 128, 0]),
];

/// Returns rows in which the id of an array is one higher than the id of a single value, and the id
/// of an array of arrays is two higher.
fn rows(firsts: &[(&'static str, u8)]) -> Vec<Row> {
    firsts.iter().map(|(name, id)| (*name, [*id, id + 1, id + 2])).collect()
}

fn values(time: Time) -> Vec<Row> {
    match time {
        Time::December2020 => LETTERS.to_vec(),
        // In both eras of 2021, engines write a letter as the id of a single i16.
        Time::August2021 => {
            [rows(&PRIMITIVES), VECTORS_AUGUST_2021.to_vec(), vec![("s", [b's', 0, 0])]].concat()
        }
        Time::October2021 => {
            let numbers = [&PRIMITIVES[..], &VECTORS, &OTHERS_2021].concat();
            [rows(&numbers), vec![("s", [b's', 0, 0])]].concat()
        }
        Time::March2022 | Time::October2024 => rows(&[&PRIMITIVES[..], &VECTORS, &OTHERS].concat()),
    }
}

impl Id {
    pub fn of(id: u8, time: Time) -> Option<Self> {
        // Streams from December 2020 have no lists of lists of objects.
        let letters = [Some(0), Some(b'o'), Some(b'O'), None, Some(b'#'), Some(b'&'), Some(b'*')];
        let number = match time {
            Time::December2020 => letters.iter().position(|letter| *letter == Some(id)),
            _ => Some(id.into()),
        };
        let structure = match number {
            Some(0) => Some(Id::Null),
            Some(1) => Some(Id::Object),
            Some(2) => Some(Id::Mixed(1)),
            Some(3) => Some(Id::Mixed(2)),
            Some(4) => Some(Id::OneClass),
            Some(5) => Some(Id::Roots),
            Some(6) => Some(Id::Pointer),
            _ => None,
        };
        structure.or_else(|| {
            values(time).into_iter().find_map(|(name, ids)| {
                let dim = ids.iter().position(|one| *one == id)?;
                Some(Id::Value(Builtin::named(name)?, dim as u8))
            })
        })
    }
}
