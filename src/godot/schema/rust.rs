//! Generates Rust types from a schema. With the feature `serde`, packets can be deserialized into
//! these types.

mod item;
mod names;
mod types;

use super::facts::Facts;
use super::shape::{Fields, Items, Shape};
use crate::godot::Kind;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use item::Item;
use names::{At, Names};
use types::{MAP, VARIANT};

impl Shape {
    /// Generates the source code of Rust types, in the style of `rustfmt`. `from_bytes` can decode
    /// the packets of the schema into these types. The type of a whole packet is called `name`.
    ///
    /// Records become structs, tuples become tuple structs, lists become `Vec`s, and maps become
    /// `BTreeMap`s. Texts and bytes are borrowed. Values that are sometimes null or absent become
    /// an `Option`. Ints mixed with floats become `f64` if it can represent all the ints, and
    /// Strings mixed with StringNames become `&str`. Values of other mixed kinds, and maps whose
    /// keys fit no ordered type, become a [`VariantRef`](crate::godot::VariantRef).
    ///
    /// ```
    /// use gamewire::godot::schema::Schema;
    /// use gamewire::godot::{Dialect, Reader, Variant};
    ///
    /// let player: Variant = r#"{"hp": 100, "maxHP": 150}"#.parse().unwrap();
    /// let packet = player.to_bytes(Dialect::Godot4)?;
    /// let mut schema = Schema::new();
    /// schema.add(Reader::new(&packet, Dialect::Godot4).read_encoded()?)?;
    /// assert_eq!(schema.shape().to_rust("Player"), "\
    /// // Made by gamewire from 1 packet.
    ///
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Clone, Debug, Deserialize, Serialize)]
    /// pub struct Player {
    ///     // 100
    ///     pub hp: i32,
    ///     // 150
    ///     #[serde(rename = \"maxHP\")]
    ///     pub max_hp: i32,
    /// }
    /// ");
    /// # Ok::<(), gamewire::godot::Error>(())
    /// ```
    #[allow(clippy::disallowed_methods, reason = "at the front")]
    pub fn to_rust(&self, name: &str) -> String {
        let mut code = Code { names: Names::of_types(name), items: Vec::new() };
        let root = At { parent: "", name };
        let ty = code.value(self, root);
        if code.items.iter().all(|item| item.name != name) {
            code.items.insert(0, item::alias(name, ty));
        }
        code.print(self.seen)
    }
}

/// The generated code so far.
struct Code {
    names: Names,
    /// Definitions of types. A type precedes the types that it contains.
    items: Vec<Item>,
}

impl Code {
    /// Returns the type of the values at a location.
    fn value(&mut self, shape: &Shape, at: At<'_>) -> String {
        let ty = self.solid(shape, at);
        if is_nullable(shape) && ty != VARIANT { optional(ty) } else { ty }
    }

    /// Returns the type of the values other than null.
    fn solid(&mut self, shape: &Shape, at: At<'_>) -> String {
        if shape.cut {
            return VARIANT.into();
        }
        let solid: Vec<_> = shape.solid().collect();
        match *solid {
            [facts] => self.one_kind(facts, at),
            [a, b] => types::of_two(a, b).unwrap_or(VARIANT).into(),
            _ => VARIANT.into(),
        }
    }

    fn one_kind(&mut self, facts: &Facts, at: At<'_>) -> String {
        match &facts.items {
            // The values are object ids and full objects.
            Items::Fields(_) if facts.wide > 0 => VARIANT.into(),
            Items::Fields(fields) => self.record(fields, facts.opened(), at),
            Items::Places(places) => self.tuple(places, at),
            Items::Elements(any) => format!("Vec<{}>", self.value(any, at.item())),
            Items::Values(any) => match types::key(facts.keys()) {
                Some(key) => format!("{MAP}<{key}, {}>", self.value(any, at.item())),
                None => VARIANT.into(),
            },
            Items::None => types::of(facts).unwrap_or_else(|| VARIANT.into()),
        }
    }

    fn record(&mut self, fields: &Fields, records: u64, at: At<'_>) -> String {
        let (place, parent) = self.reserve(at);
        let mut names = Names::default();
        let fields = fields.iter().map(|(key, field)| {
            let shape = &field.shape;
            let ty = self.value(shape, At { parent: &parent, name: key });
            let is_optional = shape.seen < records;
            item::Field {
                name: names.field(key),
                key,
                is_absent: is_optional && !is_nullable(shape),
                is_optional,
                note: item::note(shape, records),
                ty: if is_optional { optional(ty) } else { ty },
            }
        });
        let fields = fields.collect();
        self.define(place, item::record(parent, fields))
    }

    fn tuple(&mut self, places: &[Shape], at: At<'_>) -> String {
        let (place, parent) = self.reserve(at);
        let places = places.iter().enumerate();
        let types = places.map(|(index, shape)| {
            self.value(shape, At { parent: &parent, name: &index.to_string() })
        });
        let types = types.collect();
        self.define(place, item::tuple(parent, types))
    }

    /// Reserves a position among the items and returns it with the type's name.
    fn reserve(&mut self, at: At<'_>) -> (usize, String) {
        self.items.push(Item::default());
        (self.items.len().saturating_sub(1), self.names.ty(at))
    }

    /// Stores `item` and returns the type that it defines.
    fn define(&mut self, place: usize, item: Item) -> String {
        let ty = format!("{}{}", item.name, item.lifetime());
        if let Some(reserved) = self.items.get_mut(place) {
            *reserved = item;
        }
        ty
    }

    fn print(&self, packets: u64) -> String {
        let packets = if packets == 1 { "1 packet".into() } else { format!("{packets} packets") };
        let mut text = format!("// Made by gamewire from {packets}.\n\n");
        let uses = [
            ("use gamewire::godot;\n", "godot::"),
            ("use serde::{Deserialize, Serialize};\n", item::STRUCT),
            ("use std::collections::BTreeMap;\n", types::MAP),
        ];
        let has = |part| self.items.iter().any(|item| item.uses(part));
        let uses = uses.iter().filter(|(_, part)| has(part)).map(|(line, _)| *line);
        text.extend(uses);
        for item in &self.items {
            text.push('\n');
            text.push_str(&item.text);
        }
        text
    }
}

/// Returns `true` if some of the values are null.
fn is_nullable(shape: &Shape) -> bool {
    shape.facts.iter().any(|facts| facts.kind == Kind::Nil)
}

fn optional(ty: String) -> String {
    if ty.starts_with("Option<") { ty } else { format!("Option<{ty}>") }
}
