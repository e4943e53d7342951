//! Objects like those in scenes of Rem's Engine: transforms with children, keyframes and samples.

use gamewire::rems::{ItemSink, Kind, KindValue, Type, WriteError};

/// A group of ten objects, as a program stores it in memory.
pub struct Root {
    id: u32,
    name: String,
    visible: bool,
    slot: i32,
    seed: i64,
    offset: f64,
    position: [f32; 3],
    rotation: [f32; 4],
    color: i32,
    samples: [f32; 32],
    /// Some of these arrays end in zeros. The text format omits these zeros.
    indices: [i32; 48],
    frames: [Frame; 8],
    parent: u32,
}

struct Frame {
    time: f64,
    value: [f32; 3],
    mode: i32,
}

pub fn roots(objects: u32) -> Vec<Root> {
    (0..objects / 10).map(Root::new).collect()
}

/// Returns a number with 24 significant bits, which has up to 19 decimal digits.
fn wave(n: u32) -> f64 {
    f64::from(n.wrapping_mul(0x9E37_79B9) >> 8) / 65536.0 - 128.0
}

fn waves<const N: usize>(from: u32) -> [f32; N] {
    core::array::from_fn(|n| wave(from + n as u32) as f32)
}

impl Root {
    fn new(root: u32) -> Self {
        let id = root * 10 + 1;
        let index = |n| if n < 40 { id as i32 + 3 * n as i32 } else { 0 };
        let frame = |n| {
            let id = id + 1 + n as u32;
            Frame { time: wave(id), value: waves(id + 1), mode: id as i32 % 3 }
        };
        Self {
            id,
            name: format!("Node {root} of the scene"),
            visible: !root.is_multiple_of(3),
            slot: root as i32 - 2000,
            seed: i64::from(root).pow(4),
            offset: wave(id),
            position: waves(id + 1),
            rotation: waves(id + 4),
            color: (0xFF00_0000 | id) as i32,
            samples: waves(id * 32),
            indices: core::array::from_fn(index),
            frames: core::array::from_fn(frame),
            parent: (root / 7) * 10 + 1,
        }
    }

    fn write(&self, to: &mut impl ItemSink) -> Result<(), WriteError> {
        to.object("Transform", Some(self.id))?;
        to.put("name", &*self.name)?;
        to.put("visible", self.visible)?;
        to.put("timelineSlot", self.slot)?;
        to.put("seed", self.seed)?;
        to.put("timeOffset", self.offset)?;
        to.put("position", self.position)?;
        to.put("rotation", KindValue::one(Kind::Quat, &self.rotation))?;
        to.put("color", KindValue::one(Kind::Color, &[self.color]))?;
        to.put("samples", &self.samples[..])?;
        to.put("indices", &self.indices[..])?;
        to.property(Type::Class("Keyframe".into(), 1), "vs")?;
        to.list(self.frames.len() as u32)?;
        for (frame, id) in self.frames.iter().zip(self.id + 1..) {
            to.object("Keyframe", Some(id))?;
            to.put("time", frame.time)?;
            to.put("value", frame.value)?;
            to.put("mode", frame.mode)?;
            to.end()?;
        }
        to.end()?;
        to.property(Type::Class("SMap".into(), 0), "notes")?;
        to.object("SMap", Some(self.id + 9))?;
        to.put("notice", "#thisIsJSON")?;
        to.put("author", "somebody \"else\"")?;
        to.property(Type::Class("Transform".into(), 0), "parent")?;
        to.pointer(self.parent)?;
        to.end()?;
        to.end()
    }
}

pub fn write(roots: &[Root], to: &mut impl ItemSink) -> Result<(), WriteError> {
    roots.iter().try_for_each(|root| root.write(to))
}
