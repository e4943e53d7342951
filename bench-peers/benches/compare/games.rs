//! Messages of kinds of games that are not in the corpus. This module generates the same messages in
//! each run. They show whether a gain on the messages of the corpus is a gain in general.

use gamewire::godot::{Dialect, Error, Items, Vector3, Writer};

type Result = std::result::Result<(), Error>;
type To<'w, 'b> = Items<'w, &'b mut Vec<u8>>;

/// Number of items in the inventory.
const ITEMS: usize = 200;
/// Number of ticks in the chunk of a replay, and of units whose positions each tick has.
const TICKS: usize = 120;
const UNITS: usize = 12;
/// Number of quests in the log.
const QUESTS: usize = 40;

/// Encodes an inventory of an online role-playing game: an array of small dictionaries with IDs,
/// counts, texts, an array of tags, and either an enchantment in a dictionary or null.
pub fn inventory() -> Vec<u8> {
    packet(|to, numbers| {
        let mut items = to.array(ITEMS)?;
        for slot in 0..ITEMS {
            item(slot, items.dictionary(8)?, numbers)?;
        }
        items.finish()
    })
}

fn item(slot: usize, mut to: To<'_, '_>, numbers: &mut Numbers) -> Result {
    const NAMES: [&str; 6] =
        ["iron_sword", "healing_potion", "leather_boots", "arrow", "amulet_of_the_tides", "torch"];
    const TAGS: [&str; 5] = ["weapon", "quest", "bound", "tradeable", "rare"];
    to.entry("slot", slot as i64)?;
    to.entry("id", 4_000_000_000 + numbers.below(1 << 30) as i64)?;
    to.entry("item", NAMES[numbers.below(NAMES.len())])?;
    to.entry("count", 1 + numbers.below(99) as i64)?;
    to.entry("durability", numbers.below(1000) as f64 / 1000.0)?;
    to.entry("equipped", numbers.below(8) == 0)?;
    to.put("tags")?;
    let count = numbers.below(4);
    let mut tags = to.array(count)?;
    for _ in 0..count {
        tags.put(TAGS[numbers.below(TAGS.len())])?;
    }
    tags.finish()?;
    to.put("enchantment")?;
    if numbers.below(3) == 0 {
        let mut enchantment = to.dictionary(3)?;
        enchantment.entry("name", "of embers")?;
        enchantment.entry("level", 1 + numbers.below(5) as i64)?;
        enchantment.entry("seconds_left", numbers.below(3600) as f64)?;
        enchantment.finish()?;
    } else {
        to.put(())?;
    }
    to.finish()
}

/// Encodes two seconds of a recorded match of a strategy game: for each tick, packed arrays of
/// inputs and of positions, and in a few ticks also a text.
pub fn replay() -> Vec<u8> {
    packet(|to, numbers| {
        let mut to = to.dictionary(4)?;
        to.entry("match", "2f1e6b1c-arena-07")?;
        to.entry("first_tick", 18_000)?;
        to.entry("players", &["Ann", "Bo", "Chidi", "Dai"][..])?;
        to.put("ticks")?;
        let mut ticks = to.array(TICKS)?;
        for at in 0..TICKS {
            tick(at, ticks.dictionary(5)?, numbers)?;
        }
        ticks.finish()?;
        to.finish()
    })
}

fn tick(at: usize, mut to: To<'_, '_>, numbers: &mut Numbers) -> Result {
    let inputs: Vec<i32> = (0..16).map(|_| numbers.below(256) as i32).collect();
    let positions: Vec<Vector3<f32>> = (0..UNITS)
        .map(|unit| Vector3 {
            x: 64.0 + unit as f32 + numbers.below(1000) as f32 / 1000.0,
            y: 0.25,
            z: -32.0 + at as f32 / 8.0,
        })
        .collect();
    to.entry("tick", 18_000 + at as i64)?;
    to.entry("inputs", &inputs[..])?;
    to.entry("positions", &positions[..])?;
    to.entry("checksum", numbers.next() as i64)?;
    let events = ["unit 3 attacks", "bridge destroyed"];
    match numbers.below(10) {
        event @ (0 | 1) => to.entry("event", events[event])?,
        _ => to.entry("event", ())?,
    }
    to.finish()
}

/// Encodes settings and a quest log: long texts, many of them not ASCII, and dictionaries that may
/// be absent (null) inside of dictionaries.
pub fn quests() -> Vec<u8> {
    packet(|to, numbers| {
        let mut to = to.dictionary(4)?;
        to.entry("language", "ja")?;
        to.entry("player", "Zoë Müller-Łukasiewicz")?;
        to.entry("completed", 17)?;
        to.put("quests")?;
        let mut quests = to.array(QUESTS)?;
        for number in 0..QUESTS {
            quest(number, quests.dictionary(6)?, numbers)?;
        }
        quests.finish()?;
        to.finish()
    })
}

const SENTENCES: [&str; 5] = [
    "古い灯台の下で鍵を見つけて、日が沈む前に村へ戻ってください。",
    "The miller's daughter has not been seen since the harvest festival.",
    "Найдите трёх свидетелей и узнайте, кто открыл северные ворота.",
    "Überquere die Brücke, bevor der Fluss über die Ufer tritt – sonst führt kein Weg zurück.",
    "Lleva la carta al capitán; no la abras, aunque te lo pida él mismo.",
];

fn quest(number: usize, mut to: To<'_, '_>, numbers: &mut Numbers) -> Result {
    to.entry("id", number as i64)?;
    to.entry("title", SENTENCES[numbers.below(SENTENCES.len())])?;
    let sentences = 2 + numbers.below(8);
    let text: Vec<&str> =
        (0..sentences).map(|_| SENTENCES[numbers.below(SENTENCES.len())]).collect();
    to.entry("text", &*text.join(" "))?;
    to.entry("tracked", numbers.below(4) == 0)?;
    to.put("reward")?;
    if numbers.below(2) == 0 {
        let mut reward = to.dictionary(3)?;
        reward.entry("gold", numbers.below(500) as i64)?;
        reward.entry("item", "amulet_of_the_tides")?;
        reward.put("bonus")?;
        if numbers.below(2) == 0 {
            let mut bonus = reward.dictionary(1)?;
            bonus.entry("reputation", numbers.below(100) as f64 / 8.0)?;
            bonus.finish()?;
        } else {
            reward.put(())?;
        }
        reward.finish()?;
    } else {
        to.put(())?;
    }
    to.entry("hint", SENTENCES[numbers.below(SENTENCES.len())])?;
    to.finish()
}

fn packet(write: impl FnOnce(&mut Writer<&mut Vec<u8>>, &mut Numbers) -> Result) -> Vec<u8> {
    let mut packet = Vec::new();
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    write(&mut Writer::new(&mut packet, Dialect::Godot4), &mut numbers).unwrap();
    packet
}

/// The random number generator xorshift64*.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() >> 33) as usize % end
    }
}
