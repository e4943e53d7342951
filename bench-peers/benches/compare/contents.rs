//! The contents that are compared.

use crate::eye::Census;
use crate::formats::gamewire;
use crate::games;
use crate::value::Value;
use ::gamewire::godot::{Dialect, Items, Writer};

pub struct Content {
    pub name: &'static str,
    pub packet: &'static [u8],
    pub value: Value,
    /// Counts and sums of the leaves, which every traversal must reproduce.
    pub census: Census,
    /// A key of the outermost dictionary, and the number that stands for its value: an int itself,
    /// or the number of items in an array.
    pub key: Option<(&'static str, i64)>,
}

impl Content {
    fn new(name: &'static str, packet: &'static [u8], key: Option<(&'static str, i64)>) -> Self {
        let census = gamewire::traverse(packet);
        Self { name, packet, value: Value::of(packet), census, key }
    }
}

/// Name of the message that also exists as structs.
pub const STATE: &str = "state_simple";
/// Name of the snapshot of 500 players.
pub const WORLD: &str = "world";
/// Name of the array of 262,144 floats.
pub const FLOATS: &str = "f32_1m";

pub fn all() -> Vec<Content> {
    macro_rules! corpus {
        ($path:literal) => {
            include_bytes!(concat!("../../../corpus/", $path)).as_slice()
        };
    }
    vec![
        Content::new(STATE, corpus!("bench/state_simple.bin"), Some(("ping_ms", 43))),
        Content::new(WORLD, corpus!("godot4/game_state_500.bin"), Some(("events", 4))),
        Content::new("ints10k", corpus!("bench/ints10k.bin"), None),
        Content::new("str10k", corpus!("bench/str10k.bin"), None),
        Content::new("pstr10k", corpus!("bench/pstr10k.bin"), None),
        Content::new(FLOATS, corpus!("bench/f32_1m.bin"), None),
        Content::new("deep100", deep(50).leak(), None),
        Content::new("inventory", games::inventory().leak(), None),
        Content::new("replay", games::replay().leak(), Some(("first_tick", 18_000))),
        Content::new("quests", games::quests().leak(), Some(("completed", 17))),
    ]
}

/// Encodes dictionaries and arrays that are nested alternately, `levels` of each.
fn deep(levels: i64) -> Vec<u8> {
    fn fill(level: i64, mut dictionary: Items<'_, &mut Vec<u8>>) {
        dictionary.entry("level", level).unwrap();
        dictionary.put("inner").unwrap();
        let mut array = dictionary.array(2).unwrap();
        array.put(0.5).unwrap();
        match level {
            1 => array.put("the innermost").unwrap(),
            _ => fill(level - 1, array.dictionary(2).unwrap()),
        }
        array.finish().unwrap();
        dictionary.finish().unwrap();
    }
    let mut packet = Vec::new();
    let mut writer = Writer::new(&mut packet, Dialect::Godot4);
    fill(levels, writer.dictionary(2).unwrap());
    packet
}
