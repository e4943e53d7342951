//! Arguments of calls as Rust types.

use gamewire::godot::multiplayer::godot4::{Packet, PacketWriter};
use gamewire::godot::multiplayer::{NodeRef, Run, ToVariants};
use gamewire::godot::{
    Dialect, FieldError, Fields, FromFields, PutFields, ToFields, VariantRef, Vector2,
};

#[derive(Debug, PartialEq)]
struct Hit {
    damage: f32,
    by: Option<i32>,
}

impl<'a> FromFields<'a> for Hit {
    fn from_fields<F: Fields<'a>>(fields: &mut F) -> Result<Self, FieldError> {
        Ok(Self { damage: fields.get("damage")?, by: fields.get("by")? })
    }
}

impl ToFields for Hit {
    fn to_fields<F: PutFields>(&self, fields: &mut F) -> Result<(), F::Error> {
        fields.put("damage", self.damage)?;
        match self.by {
            Some(by) => fields.put("by", by),
            None => fields.put("by", VariantRef::Nil),
        }
    }
}

/// Writes a call, and passes its arguments to `check`.
fn with_arguments(arguments: impl ToVariants, check: impl FnOnce(Run<'_>)) {
    let mut packet = Vec::new();
    let mut writer = PacketWriter::new(&mut packet, Dialect::Godot4);
    writer.call(NodeRef::Cached(1), 0, arguments).unwrap();
    let Ok(Packet::Call(call)) = Packet::parse(&packet) else { panic!() };
    check(call.arguments);
}

#[test]
fn arguments_are_converted() {
    let hit = || Hit { damage: 1.5, by: Some(7) };
    with_arguments((hit(), "sword", Vector2 { x: 1.0_f32, y: 2.0 }, 300), |run| {
        type Arguments<'a> = (Hit, &'a str, Vector2<f32>, Option<u16>);
        let expected = (hit(), "sword", Vector2 { x: 1.0, y: 2.0 }, Some(300));
        assert_eq!(run.parse::<Arguments<'_>>(), Ok(expected));
    });
    with_arguments((), |run| assert_eq!(run.parse::<()>(), Ok(())));
    with_arguments((&b"abc"[..],), |run| {
        assert_eq!(run.parse::<(Vec<u8>,)>(), Ok((b"abc".to_vec(),)));
    });
    with_arguments((Hit { damage: 2.0, by: None }, VariantRef::Nil), |run| {
        let (hit, none) = run.parse::<(Hit, Option<i64>)>().unwrap();
        assert_eq!((hit, none), (Hit { damage: 2.0, by: None }, None));
    });
}

#[test]
fn wrong_arguments_are_errors() {
    with_arguments((300, "x"), |run| {
        let message = |error: FieldError| error.to_string();
        assert_eq!(
            run.parse::<(u8, &str)>().map_err(message),
            Err("`#0`: cannot convert this Int to u8 at offset 4 (0x4)".to_owned())
        );
        assert!(run.parse::<(i64,)>().is_err(), "there are two arguments");
        assert!(run.parse::<(i64, &str, bool)>().is_err(), "there are two arguments");
        assert!(run.parse::<(i64, Hit)>().is_err());
    });
    let cut = Run::compact(b"\x02");
    assert!(cut.parse::<(i64,)>().is_err());
}

#[cfg(feature = "serde")]
#[test]
fn arguments_are_deserialized() {
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Order {
        item: String,
        count: u8,
    }
    let hit = Hit { damage: 1.5, by: Some(7) };
    with_arguments((hit, true, -5, "x", VariantRef::Nil), |run| {
        #[derive(Debug, PartialEq, serde::Deserialize)]
        struct Hit {
            damage: f64,
            by: u8,
        }
        type Arguments = (Hit, Option<bool>, f32, String, Option<u8>);
        let expected = (Hit { damage: 1.5, by: 7 }, Some(true), -5.0, "x".to_owned(), None);
        assert_eq!(run.deserialize::<Arguments>().unwrap(), expected);
        assert!(run.deserialize::<(Hit, bool)>().is_err(), "there are five arguments");
        assert!(run.deserialize::<(Order, bool, f32, String, Option<u8>)>().is_err());
    });
    with_arguments((&b"abc"[..],), |run| {
        assert_eq!(run.deserialize::<(Vec<u8>,)>().unwrap(), (b"abc".to_vec(),));
    });
    with_arguments((1, 2, 3), |run| {
        assert_eq!(run.deserialize::<Vec<u8>>().unwrap(), [1, 2, 3]);
        assert!(run.deserialize::<Vec<String>>().is_err());
    });
}
