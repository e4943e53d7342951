//! Checks that the packet generator, on which fuzzing relies, generates every kind of value.

use crate::support::random::Random;
use arbitrary::{Arbitrary, Unstructured};
use gamewire::godot::{
    ArbitraryPacket, Container, Dialect, Error, Kind, Leaf, Open, Property, Reader, TypeRef,
    Variant, Visitor,
};
use std::collections::BTreeSet;

const COUNT: usize = 30_000;

fn seeds() -> impl Iterator<Item = Vec<u8>> {
    let mut random = Random::new(11);
    (0..COUNT).map(move |_| (0..600).map(|_| random.next() as u8).collect())
}

fn packet(seed: &[u8]) -> ArbitraryPacket {
    ArbitraryPacket::arbitrary(&mut Unstructured::new(seed)).unwrap()
}

/// The kinds, lengths and types of all values in the generated packets of a dialect.
#[derive(Default)]
struct Seen {
    kinds: BTreeSet<(&'static str, String)>,
    lengths: BTreeSet<(&'static str, u32)>,
    types: BTreeSet<(&'static str, &'static str)>,
    builtin: BTreeSet<String>,
    shared: BTreeSet<(&'static str, bool)>,
    depth: usize,
    deepest: usize,
    names: usize,
}

impl Seen {
    fn of_type(&mut self, position: &'static str, of: TypeRef<'_>) {
        self.types.insert(match of {
            TypeRef::Untyped => (position, "untyped"),
            TypeRef::Builtin(kind) => {
                self.builtin.insert(format!("{kind:?}"));
                (position, "builtin")
            }
            TypeRef::Class(name) => {
                (position, if name == "EncodedObjectAsID" { "class" } else { "" })
            }
            TypeRef::Script(path) => (position, if path == "res://a.gd" { "script" } else { "" }),
        });
    }
}

impl<'a> Visitor<'a> for Seen {
    type Error = Error;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Error> {
        let wide = if leaf.encoded.as_bytes()[2] & 1 != 0 { "wide" } else { "narrow" };
        self.kinds.insert((wide, format!("{:?}", leaf.encoded.kind())));
        Ok(())
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Error> {
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        let (name, len) = match open.container {
            Container::Array { len, element, shared } => {
                self.of_type("element", element);
                self.shared.insert(("array", shared));
                ("array", len)
            }
            Container::Dictionary { len, key, value, shared } => {
                self.of_type("key", key);
                self.of_type("value", value);
                self.shared.insert(("dictionary", shared));
                ("dictionary", len)
            }
            Container::Object { class, len } => (if class == "Node" { "object" } else { "" }, len),
        };
        self.lengths.insert((name, len));
        Ok(())
    }

    fn property(&mut self, property: Property<'a>) -> Result<(), Error> {
        self.names += usize::from(property.name == "p");
        Ok(())
    }

    fn close(&mut self, _: Kind) -> Result<(), Error> {
        self.depth -= 1;
        Ok(())
    }
}

fn seen(dialect: Dialect) -> Seen {
    let mut seen = Seen::default();
    for packet in seeds().map(|seed| packet(&seed)).filter(|packet| packet.dialect == dialect) {
        let mut reader = Reader::new(&packet.bytes, dialect);
        reader.visit(&mut seen).unwrap();
        reader.finish().unwrap();
    }
    seen
}

#[test]
#[ignore = "slow"]
fn packets_of_every_kind_are_generated() {
    for dialect in Dialect::ALL.iter().copied() {
        let seen = seen(dialect);
        let kinds = || Kind::ALL.iter().filter(|kind| dialect.id(**kind).is_some());
        for kind in kinds().filter(|kind| !matches!(kind, Kind::Array | Kind::Dictionary)) {
            assert!(seen.kinds.contains(&("narrow", format!("{kind:?}"))), "{dialect:?} {kind:?}");
        }
        let wide: Vec<_> = seen.kinds.iter().filter(|(wide, _)| *wide == "wide").collect();
        assert_eq!(wide.is_empty(), dialect == Dialect::Godot2, "{dialect:?} {wide:?}");
        assert!(seen.deepest >= 3, "{dialect:?} {}", seen.deepest);
        let objects = if dialect == Dialect::Godot2 { &[][..] } else { &["object"] };
        for container in ["array", "dictionary"].iter().chain(objects) {
            assert!((0..=4).all(|len| seen.lengths.contains(&(container, len))), "{dialect:?}");
        }
        assert_eq!(seen.names > 0, !objects.is_empty());
        for container in ["array", "dictionary"] {
            let shared = [false, true].map(|shared| seen.shared.contains(&(container, shared)));
            let has_bit = !matches!(dialect, Dialect::Godot3 | Dialect::Godot4);
            assert_eq!(shared, [true, has_bit], "{dialect:?} {container}");
        }
        let typed = ["builtin", "class", "script"].map(|of| {
            ["element", "key", "value"].iter().all(|position| seen.types.contains(&(position, of)))
        });
        assert_eq!(typed, [dialect == Dialect::Godot4; 3]);
        if dialect == Dialect::Godot4 {
            assert!(seen.builtin.len() > 20, "{:?}", seen.builtin);
        }
    }
}

/// Payloads contain small counts, counts with the top bit set, text, and random words.
#[test]
fn generated_payloads_contain_unusual_words() {
    let mut words = BTreeSet::<[u8; 4]>::new();
    for seed in seeds() {
        words.extend(packet(&seed).bytes.as_chunks::<4>().0);
    }
    let counts = (0..=6).map(|count| [count, 0, 0, 0]);
    let marked = (0..=3).map(|count| [count, 0, 0, 0x80]);
    let mut known = counts.chain(marked).chain([*b"abcd", *b"ab\0\0"]);
    assert!(known.all(|word| words.contains(&word)));
    assert!(words.iter().filter(|word| word[3] > 0x80 && word[1] > 0).count() > COUNT / 10);
}

/// Words with the top bit set also occur where they are not counts, such as in a Color.
#[test]
fn marked_words_are_generated_in_payloads() {
    let is_marked = |seed: Vec<u8>| {
        let ArbitraryPacket { dialect, bytes } = packet(&seed);
        let value = Reader::new(&bytes, dialect).read_encoded().unwrap();
        let (words, _) = bytes.as_chunks::<4>();
        value.kind() == Kind::Color && words[2..].contains(&[1, 0, 0, 0x80])
    };
    assert!(seeds().any(is_marked));
}

/// A `Variant` generated from a seed equals the value of the packet generated from this seed.
#[test]
fn generated_variant_equals_the_generated_packet() {
    for seed in seeds().take(1000) {
        let ArbitraryPacket { dialect, bytes } = packet(&seed);
        let decoded = Reader::new(&bytes, dialect).read_encoded().unwrap().to_variant();
        let made = Variant::arbitrary(&mut Unstructured::new(&seed));
        assert_eq!(format!("{:?}", made.ok()), format!("{:?}", decoded.ok()));
    }
}
