//! A struct with fields, and packets that contain it.

use gamewire::godot::{
    Dialect, Dictionary, FieldError, Fields, FromFields, PutFields, ToFields, ToVariant, Variant,
    Vector3, Writer,
};

#[derive(Debug, PartialEq)]
pub struct Unit<'a> {
    pub name: &'a str,
    pub hp: u8,
    pub speed: f32,
    pub at: Vector3<f32>,
    pub leader: Option<&'a str>,
}

impl<'a> FromFields<'a> for Unit<'a> {
    fn from_fields<F: Fields<'a>>(fields: &mut F) -> Result<Self, FieldError> {
        Ok(Self {
            name: fields.get("name")?,
            hp: fields.get("hp")?,
            speed: fields.get("speed")?,
            at: fields.get("at")?,
            leader: fields.get("leader")?,
        })
    }
}

impl ToFields for Unit<'_> {
    fn to_fields<F: PutFields>(&self, fields: &mut F) -> Result<(), F::Error> {
        fields.put("name", self.name)?;
        fields.put("hp", self.hp)?;
        fields.put("speed", self.speed)?;
        fields.put("at", self.at)?;
        match self.leader {
            Some(leader) => fields.put("leader", leader),
            None => Ok(()),
        }
    }
}

pub const UNIT: Unit<'_> = Unit {
    name: "Zoë",
    hp: 255,
    speed: 1.5,
    at: Vector3 { x: 1.0, y: -2.0, z: 0.25 },
    leader: Some("Ada"),
};

/// Returns the fields of [`UNIT`] as pairs.
pub fn pairs() -> Vec<(&'static str, Variant)> {
    let at = Variant::from(UNIT.at);
    let (name, leader) = (UNIT.name.into(), Variant::from("Ada"));
    let (hp, speed) = (Variant::from(UNIT.hp), Variant::from(UNIT.speed));
    vec![("name", name), ("hp", hp), ("speed", speed), ("at", at), ("leader", leader)]
}

pub fn packet(pairs: &[(&str, Variant)], dialect: Dialect) -> Vec<u8> {
    let dictionary: Dictionary =
        pairs.iter().map(|(key, value)| (Variant::from(*key), value.clone())).collect();
    put(&Variant::from(dictionary), dialect)
}

pub fn put<V: ToVariant>(value: V, dialect: Dialect) -> Vec<u8> {
    let mut packet = Vec::new();
    Writer::new(&mut packet, dialect).put(value).unwrap();
    packet
}
