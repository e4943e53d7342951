//! Laws of structs that list their fields: reading the fields in order and by name gives the same
//! result, and a written struct can be read again.

use gamewire::godot::{
    ArrayRef, Dialect, FieldError, Fields, FromFields, I32, PutFields, Reader, StrRef, ToFields,
    VariantRef, Vector2, Vector3, Writer,
};
use std::fmt::Debug;

/// The struct of the game state in `corpus/bench`.
#[derive(Debug)]
pub struct Player<'a> {
    pub name: &'a str,
    pub hp: i64,
    pub pos: Vector3<f32>,
    pub vel: Vector3<f64>,
    pub aim: Vector2<f32>,
    pub ammo: u8,
    pub alive: bool,
    pub yaw: f64,
}

impl<'a> FromFields<'a> for Player<'a> {
    fn from_fields<F: Fields<'a>>(fields: &mut F) -> Result<Self, FieldError> {
        Ok(Self {
            name: fields.get("name")?,
            hp: fields.get("hp")?,
            pos: fields.get("pos")?,
            vel: fields.get("vel")?,
            aim: fields.get("aim")?,
            ammo: fields.get("ammo")?,
            alive: fields.get("alive")?,
            yaw: fields.get("yaw")?,
        })
    }
}

impl ToFields for Player<'_> {
    fn to_fields<F: PutFields>(&self, fields: &mut F) -> Result<(), F::Error> {
        fields.put("name", self.name)?;
        fields.put("hp", self.hp)?;
        fields.put("pos", self.pos)?;
        fields.put("vel", self.vel)?;
        fields.put("aim", self.aim)?;
        fields.put("ammo", self.ammo)?;
        fields.put("alive", self.alive)?;
        fields.put("yaw", self.yaw)
    }
}

/// A struct with optional fields of any type, some of which contain structs.
#[derive(Debug)]
pub struct Loose<'a> {
    pub p0: Option<Player<'a>>,
    pub a: Option<f32>,
    pub b: Option<VariantRef<'a>>,
    pub c: Option<&'a [I32]>,
    pub d: Option<StrRef<'a>>,
    pub e: Option<Box<Loose<'a>>>,
    pub f: Option<ArrayRef<'a>>,
}

impl<'a> FromFields<'a> for Loose<'a> {
    fn from_fields<F: Fields<'a>>(fields: &mut F) -> Result<Self, FieldError> {
        Ok(Self {
            p0: fields.get("p0")?,
            a: fields.get("a")?,
            b: fields.get("b")?,
            c: fields.get("c")?,
            d: fields.get("d")?,
            e: fields.get::<Option<Loose<'_>>>("e")?.map(Box::new),
            f: fields.get("f")?,
        })
    }
}

impl ToFields for Loose<'_> {
    fn to_fields<F: PutFields>(&self, fields: &mut F) -> Result<(), F::Error> {
        if let Some(p0) = &self.p0 {
            fields.put("p0", p0)?;
        }
        if let Some(a) = self.a {
            fields.put("a", a)?;
        }
        if let Some(b) = self.b {
            fields.put("b", b)?;
        }
        if let Some(c) = self.c {
            fields.put("c", c)?;
        }
        if let Some(d) = self.d {
            fields.put("d", d)?;
        }
        if let Some(e) = &self.e {
            fields.put("e", &**e)?;
        }
        match self.f {
            Some(f) => fields.put("f", VariantRef::Array(f)),
            None => Ok(()),
        }
    }
}

/// The names of the fields of `Player` and `Loose`, in order.
pub const FIELDS: [&[&str]; 2] = [
    &["name", "hp", "pos", "vel", "aim", "ammo", "alive", "yaw"],
    &["p0", "a", "b", "c", "d", "e", "f"],
];

pub fn fields_as(data: &[u8], dialect: Dialect) {
    takes::<Player<'_>>(data, dialect);
    takes::<Loose<'_>>(data, dialect);
}

fn takes<'a, T: FromFields<'a> + ToFields + Debug>(data: &'a [u8], dialect: Dialect) {
    let mut reader = Reader::new(data, dialect);
    let read = reader.read_fields::<T>();
    // If the caller supplies a stack, the reader does not first try to read the fields in order.
    let mut stack = [0; 1024];
    let mut by_name = Reader::new(data, dialect).with_stack(&mut stack);
    let again = by_name.read_fields::<T>();
    assert_eq!(format!("{read:?}"), format!("{again:?}"));
    assert_eq!((reader.offset(), reader.range()), (by_name.offset(), by_name.range()));
    match read {
        Ok(value) => {
            assert_eq!(Reader::new(data, dialect).skip(), Ok(()));
            let mut packet = Vec::new();
            // The write fails if the dialect lacks the type of a field.
            if Writer::new(&mut packet, dialect).put(&value).is_ok() {
                returns(&value, &packet, dialect);
            }
        }
        Err(error) => {
            assert!(error.offset() <= data.len() as u64, "{error}");
            if let Err(broken) = Reader::new(data, dialect).skip() {
                assert_eq!(error, broken.into());
            }
        }
    }
}

/// Checks that a written value reads back unchanged. Values are compared by their `Debug` output,
/// so all NaNs are equal.
fn returns<T: ToFields + Debug>(value: &T, packet: &[u8], dialect: Dialect) {
    let value = format!("{value:?}");
    let kept = Reader::new(packet, dialect).read().unwrap().as_dictionary().unwrap();
    let again = if value.starts_with("Player") {
        format!("{:?}", kept.read_fields::<Player<'_>>().unwrap())
    } else {
        format!("{:?}", kept.read_fields::<Loose<'_>>().unwrap())
    };
    assert_eq!(again, value);
}
