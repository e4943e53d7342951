//! The payloads of Image and InputEvent, which only Godot 2 has.

use super::components::SubValues;
use super::packed::bytes;
#[cfg(feature = "alloc")]
use super::parts::{BuildResult, PartSource};
use super::parts::{Part, PartResult};
use crate::buffer::{Cursor, Sink};
#[cfg(feature = "alloc")]
use crate::godot::Error;
use crate::godot::table::dialect::Rules;
use crate::godot::table::layouts::U32;
use crate::godot::table::payload::{Header, Payload};
use crate::godot::write::encoder::Encoder;
use crate::godot::{Kind, Result};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// A Godot 2 image: the format and size, then the pixels.
///
/// | offset | size | field |
/// |---|---|---|
/// | 4 | 4 | format: 0 grey, 1 intensity, 2 grey + alpha, 3 RGB, 4 RGBA … 22 custom |
/// | 8 | 4 | mipmaps |
/// | 12 | 4 | width |
/// | 16 | 4 | height |
/// | 20 | 4 | n, the size of the pixels in bytes |
/// | 24 | n | pixels, then a pad |
///
/// ```
/// use gamewire::godot::{Dialect, Reader, VariantRef};
///
/// // One grey pixel: format 0, no mipmaps, 1 × 1.
/// let packet =
///     [15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0x80, 0, 0, 0];
/// let VariantRef::Image(image) = Reader::new(&packet, Dialect::Godot2).read()? else {
///     unreachable!()
/// };
/// assert_eq!((image.head.width.get(), image.pixels), (1, &[0x80][..]));
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Image<'a> {
    /// Format and size.
    pub head: &'a ImageHead,
    /// The pixels, in the layout of the format.
    pub pixels: &'a [u8],
}

/// The fields before the pixels of an [`Image`].
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
)]
#[repr(C)]
pub struct ImageHead {
    /// The format of the pixels: 0 grey, 1 intensity, 2 grey + alpha, 3 RGB, 4 RGBA, 5 indexed, 6
    /// indexed + alpha, 7 YUV 4:2:2, 8 YUV 4:4:4, 9–13 BC1–BC5, 14–17 PVRTC, 18 ETC, 19–21 ATC,
    /// 22 custom.
    pub format: U32,
    /// Number of mipmaps after the image itself.
    pub mipmaps: U32,
    /// Width in pixels.
    pub width: U32,
    /// Height in pixels.
    pub height: U32,
}

impl<'a> Payload<'a> for Image<'a> {
    fn read(at: &mut Cursor<'a>, _: Header, _: &'static Rules) -> Result<Self> {
        Ok(Self { head: at.read()?, pixels: bytes(at)? })
    }

    fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
        let header = out.header(kind, 0)?;
        out.reserve(out.text_len(self.pixels.len())?.saturating_add(20))?;
        out.put(&header);
        out.put(self.head.as_bytes());
        out.text(self.pixels);
        Ok(())
    }

    /// Calls `to` with the format, the number of mipmaps, the width, the height and each byte of
    /// the pixels.
    fn parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> PartResult<E>) -> PartResult<E> {
        let ImageHead { format, mipmaps, width, height } = *self.head;
        for word in [format, mipmaps, width, height] {
            to(Part::Int(word.get().into()))?;
        }
        self.pixels.parts(to)
    }

    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, E: From<Error>>(
        kind: Kind,
        from: &mut PartSource<'_, 't, E>,
        out: &mut Encoder<'_, S>,
    ) -> BuildResult<E> {
        let head = ImageHead {
            format: U32::new(from.int()?),
            mipmaps: U32::new(from.int()?),
            width: U32::new(from.int()?),
            height: U32::new(from.int()?),
        };
        let pixels = from.all(|from| from.int::<u8>())?;
        Ok(Image { head: &head, pixels: &pixels }.encode(kind, out)?)
    }

    fn sub_values(&self) -> SubValues<'a> {
        self.pixels.sub_values()
    }
}

/// A Godot 2 input event.
///
/// | offset | size | field |
/// |---|---|---|
/// | 4 | 4 | type; see [`EventType`] |
/// | 8 | 4 | device |
/// | 12 | 4 | size of the payload, which starts at offset 4; the engine writes it but ignores it on reading |
/// | 16 | 0–8 | body, whose layout depends on the type |
///
/// ```
/// use gamewire::godot::{Dialect, EventType, Reader, VariantRef};
///
/// let packet = [19, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0];
/// let VariantRef::InputEvent(event) = Reader::new(&packet, Dialect::Godot2).read()? else {
///     unreachable!()
/// };
/// assert_eq!(event.decode(), EventType::MouseButton(1));
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct InputEvent<'a> {
    head: &'a EventHead,
    body: &'a [u8],
}

#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct EventHead {
    event: U32,
    device: U32,
    size: U32,
}

/// The decoded content of an [`InputEvent`]. The description of each variant begins with the number
/// that stands for it on the wire.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum EventType {
    /// 1: a key.
    Key {
        /// A combination of the bits 25 (shift), 26 (alt), 27 (meta) and 28 (control).
        modifiers: u32,
        /// Code of the key.
        scancode: u32,
    },
    /// 3: a mouse button.
    MouseButton(u32),
    /// 4: the movement of a joystick axis.
    JoystickMotion {
        /// Number of the axis.
        axis: u32,
        /// Position of the axis, −1 to 1.
        value: f32,
    },
    /// 5: a joystick button.
    JoystickButton(u32),
    /// 6: a finger on the screen.
    ScreenTouch(u32),
    /// Any other type, which has no body: 0 none, 2 mouse motion, 7 screen drag, 8 action.
    Other(u32),
}

impl<'a> InputEvent<'a> {
    /// Returns the number of the type.
    pub fn event(&self) -> u32 {
        self.head.event.get()
    }

    /// Returns the number of the device.
    pub fn device(&self) -> u32 {
        self.head.device.get()
    }

    /// Returns the size field. Engines write 12 plus the size of the body.
    pub fn size(&self) -> u32 {
        self.head.size.get()
    }

    /// Returns the undecoded body.
    pub fn body(&self) -> &'a [u8] {
        self.body
    }

    /// Decodes the type and the body.
    pub fn decode(&self) -> EventType {
        let word = |at: usize| {
            let rest = self.body.get(at..).unwrap_or_default();
            U32::read_from_prefix(rest).map_or(0, |(word, _)| word.get())
        };
        match self.event() {
            1 => EventType::Key { modifiers: word(0), scancode: word(4) },
            3 => EventType::MouseButton(word(0)),
            4 => EventType::JoystickMotion { axis: word(0), value: f32::from_bits(word(4)) },
            5 => EventType::JoystickButton(word(0)),
            6 => EventType::ScreenTouch(word(0)),
            other => EventType::Other(other),
        }
    }
}

/// Position of the only `f32` in the body of any event: the type of the event, and the index of the
/// word in its body.
const AXIS_VALUE: (u32, usize) = (4, 1);

/// Returns the size of the body of an event type.
const fn body_len(event: u32) -> u32 {
    match event {
        1 | 4 => size_of::<[U32; 2]>() as u32,
        3 | 5 | 6 => size_of::<U32>() as u32,
        _ => 0,
    }
}

impl<'a> Payload<'a> for InputEvent<'a> {
    fn read(at: &mut Cursor<'a>, _: Header, _: &'static Rules) -> Result<Self> {
        let head: &EventHead = at.read()?;
        Ok(Self { head, body: at.slice(body_len(head.event.get()))? })
    }

    /// Writes the size that the engine would compute, not the one that was read.
    fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
        let header = out.header(kind, 0)?;
        let size = body_len(self.event()).saturating_add(size_of::<EventHead>() as u32);
        out.reserve(self.body.len().saturating_add(16))?;
        out.put(&header);
        out.put(EventHead { size: U32::new(size), ..*self.head }.as_bytes());
        out.put(self.body);
        Ok(())
    }

    /// Calls `to` with the type, the device and the fields of [`EventType`].
    fn parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> PartResult<E>) -> PartResult<E> {
        to(Part::Int(self.event().into()))?;
        to(Part::Int(self.device().into()))?;
        let (words, _) = <[U32]>::ref_from_prefix(self.body).unwrap_or_default();
        words.iter().enumerate().try_for_each(|(index, word)| match (self.event(), index) {
            AXIS_VALUE => to(Part::Real(f32::from_bits(word.get()).into())),
            _ => to(Part::Int(word.get().into())),
        })
    }

    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, E: From<Error>>(
        kind: Kind,
        from: &mut PartSource<'_, 't, E>,
        out: &mut Encoder<'_, S>,
    ) -> BuildResult<E> {
        let event = from.int::<u32>()?;
        let device = from.int::<u32>()?;
        let head = EventHead { event: event.into(), device: device.into(), size: 0.into() };
        let mut body = [U32::ZERO; 2];
        let body = body.get_mut(..body_len(event) as usize >> 2).unwrap_or_default();
        for (index, word) in body.iter_mut().enumerate() {
            *word = match (event, index) {
                // Rounds to the nearest `f32`.
                AXIS_VALUE => U32::new((from.real()? as f32).to_bits()),
                _ => U32::new(from.int()?),
            };
        }
        Ok(InputEvent { head: &head, body: body.as_bytes() }.encode(kind, out)?)
    }
}
