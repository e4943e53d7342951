//! Structs with native serialization. Most of them are sequences of numbers.

use crate::unreal::format::{FileCursor, Guid, Layout, Result};
use crate::unreal::format::{ue4, ue5};
use NativeForm::{Fields, Instanced, Names, Scalar, SoftPath};
use NativePart::{Byte, Channel, Double, Float, Group, Int, Int64, Real, UInt, UInt64};

/// The native serialization of a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NativeStruct {
    /// Name of the struct, without the prefix `F`.
    pub name: &'static str,
    pub(crate) form: NativeForm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NativeForm {
    /// A sequence of fields.
    Fields(&'static [NativeField]),
    /// A single value.
    Scalar(NativePart),
    /// A soft reference.
    SoftPath,
    /// A list of names.
    Names,
    /// A reference to a struct, a size and a list of properties.
    Instanced,
}

/// A field of a struct with native serialization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NativeField {
    /// Name under which `serde` serializes the field.
    pub name: &'static str,
    pub(crate) part: NativePart,
}

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NativePart {
    /// `f32`, or `f64` from 5:1004 on.
    Real,
    Float,
    Double,
    Int,
    UInt,
    Int64,
    UInt64,
    Byte,
    Guid,
    /// A byte of a `u32`, which is stored in the byte order of the file. The number is the shift of
    /// the byte within the `u32`, in bits.
    Channel(u32),
    Group(&'static [NativeField]),
}

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NativeValue<'p> {
    /// A single-precision number.
    Float(f32),
    /// A double-precision number.
    Double(f64),
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    UInt(u64),
    /// A bool, which can be written to a field of one byte. Reading such a field returns
    /// [`UInt`](Self::UInt).
    Bool(bool),
    /// A GUID.
    Guid(Guid),
    /// A group of fields.
    Group(NativeFields<'p>),
}

/// An iterator over the fields of a struct.
#[derive(Clone, Copy, Debug)]
pub struct NativeFields<'p> {
    pub(crate) from: FileCursor<'p>,
    pub(crate) fields: &'static [NativeField],
    pub(crate) layout: &'p Layout,
}

impl<'p> NativeFields<'p> {
    /// Returns the bytes of the remaining fields.
    pub fn bytes(&self) -> &'p [u8] {
        self.from.rest()
    }
}

impl PartialEq for NativeFields<'_> {
    fn eq(&self, other: &Self) -> bool {
        Iterator::eq(*self, *other)
    }
}

impl<'p> Iterator for NativeFields<'p> {
    type Item = (&'static str, NativeValue<'p>);

    fn next(&mut self) -> Option<Self::Item> {
        let (field, rest) = self.fields.split_first()?;
        self.fields = rest;
        // All channels of a word are read from the same offset.
        let word = self.from;
        let value = field.part.read(&mut self.from, self.layout).ok()?;
        if let (NativePart::Channel(_), Some(NativeField { part: NativePart::Channel(_), .. })) =
            (field.part, rest.first())
        {
            self.from = word;
        }
        Some((field.name, value))
    }
}

impl NativePart {
    pub(crate) fn size(self, layout: &Layout) -> u64 {
        match self {
            Self::Byte => 1,
            Self::Real if !layout.has_ue5(ue5::LARGE_WORLD_COORDINATES) => 4,
            Self::Float | Self::Int | Self::UInt | Self::Channel(_) => 4,
            Self::Real | Self::Double | Self::Int64 | Self::UInt64 => 8,
            Self::Guid => 16,
            Self::Group(fields) => size(fields, layout),
        }
    }

    pub(crate) fn read<'p>(
        self,
        from: &mut FileCursor<'p>,
        layout: &'p Layout,
    ) -> Result<NativeValue<'p>> {
        Ok(match self {
            Self::Real if layout.has_ue5(ue5::LARGE_WORLD_COORDINATES) => {
                NativeValue::Double(from.read(layout)?)
            }
            Self::Real | Self::Float => NativeValue::Float(from.read(layout)?),
            Self::Double => NativeValue::Double(from.read(layout)?),
            Self::Int => NativeValue::Int(from.read::<i32>(layout)?.into()),
            Self::UInt => NativeValue::UInt(from.read::<u32>(layout)?.into()),
            Self::Int64 => NativeValue::Int(from.read(layout)?),
            Self::UInt64 => NativeValue::UInt(from.read(layout)?),
            Self::Byte => NativeValue::UInt(from.read::<u8>(layout)?.into()),

            Self::Guid => NativeValue::Guid(from.read(layout)?),
            Self::Channel(shift) => {
                let word: u32 = from.read(layout)?;
                NativeValue::UInt((word.checked_shr(shift).unwrap_or_default() & 0xFF).into())
            }
            Self::Group(fields) => {
                let from = from.window(size(fields, layout))?;
                NativeValue::Group(NativeFields { from, fields, layout })
            }
        })
    }
}

/// Returns the size of the fields in bytes. The depth of the recursion is the nesting depth of the
/// groups in [`NATIVES`].
pub(crate) fn size(fields: &[NativeField], layout: &Layout) -> u64 {
    let mut size = 0u64;
    let mut rest = fields;
    while let Some((field, after)) = rest.split_first() {
        rest = after;
        size = size.saturating_add(match (field.part, rest.first()) {
            // Channels of one word are counted once.
            (NativePart::Channel(_), Some(NativeField { part: NativePart::Channel(_), .. })) => 0,
            (part, _) => part.size(layout),
        });
    }
    size
}

impl NativeStruct {
    /// Returns `true` if the struct has native serialization in this layout.
    pub(crate) fn is_in(&self, layout: &Layout) -> bool {
        match self.name {
            "RichCurveKey" => layout.has_ue4(ue4::SERIALIZE_RICH_CURVE_KEY),
            "Vector_NetQuantize"
            | "Vector_NetQuantize10"
            | "Vector_NetQuantize100"
            | "Vector_NetQuantizeNormal" => !layout.unversioned_properties,
            _ => true,
        }
    }
}

macro_rules! natives {
    ($($Name:ident $form:expr;)*) => {
        pub(crate) const NATIVES: &[NativeStruct] = &[$( NativeStruct { name: stringify!($Name), form: $form }, )*];
    };
}

macro_rules! fields {
    ($($name:ident: $part:expr),*) => {
        &[$( NativeField { name: stringify!($name), part: $part }, )*]
    };
}

const REAL2: &[NativeField] = fields![x: Real, y: Real];
const REAL3: &[NativeField] = fields![x: Real, y: Real, z: Real];
const REAL4: &[NativeField] = fields![x: Real, y: Real, z: Real, w: Real];
const FLOAT2: &[NativeField] = fields![x: Float, y: Float];
const FLOAT3: &[NativeField] = fields![x: Float, y: Float, z: Float];
const FLOAT4: &[NativeField] = fields![x: Float, y: Float, z: Float, w: Float];
const DOUBLE3: &[NativeField] = fields![x: Double, y: Double, z: Double];
const DOUBLE4: &[NativeField] = fields![x: Double, y: Double, z: Double, w: Double];

natives! {
    Box Fields(fields![min: Group(REAL3), max: Group(REAL3), valid: Byte]);
    Box2D Fields(fields![min: Group(REAL2), max: Group(REAL2), valid: Byte]);
    Box2f Fields(fields![min: Group(FLOAT2), max: Group(FLOAT2), valid: Byte]);
    Box3d Fields(fields![min: Group(DOUBLE3), max: Group(DOUBLE3), valid: Byte]);
    Box3f Fields(fields![min: Group(FLOAT3), max: Group(FLOAT3), valid: Byte]);
    Color Fields(fields![r: Channel(16), g: Channel(8), b: Channel(0), a: Channel(24)]);
    DateTime Scalar(Int64);
    DeprecateSlateVector2D Fields(FLOAT2);
    FrameNumber Scalar(Int);
    GameplayTagContainer Names;
    Guid Scalar(NativePart::Guid);
    InstancedStruct Instanced;
    Int64Vector Fields(fields![x: Int64, y: Int64, z: Int64]);
    Int64Vector2 Fields(fields![x: Int64, y: Int64]);
    Int64Vector4 Fields(fields![x: Int64, y: Int64, z: Int64, w: Int64]);
    IntPoint Fields(fields![x: Int, y: Int]);
    IntVector Fields(fields![x: Int, y: Int, z: Int]);
    IntVector2 Fields(fields![x: Int, y: Int]);
    IntVector4 Fields(fields![x: Int, y: Int, z: Int, w: Int]);
    LinearColor Fields(fields![r: Float, g: Float, b: Float, a: Float]);
    Matrix Fields(fields![x: Group(REAL4), y: Group(REAL4), z: Group(REAL4), w: Group(REAL4)]);
    MovieSceneFrameRange Fields(fields![
        lower: Group(fields![kind: Byte, frame: Int]), upper: Group(fields![kind: Byte, frame: Int])
    ]);
    MovieSceneSequenceID Scalar(UInt);
    NavAgentSelector Scalar(UInt);
    Plane Fields(REAL4);
    Plane4d Fields(DOUBLE4);
    Plane4f Fields(FLOAT4);
    Quat Fields(REAL4);
    Quat4d Fields(DOUBLE4);
    Quat4f Fields(FLOAT4);
    RichCurveKey Fields(fields![
        interp_mode: Byte, tangent_mode: Byte, tangent_weight_mode: Byte, time: Float,
        value: Float, arrive_tangent: Float, arrive_tangent_weight: Float, leave_tangent: Float,
        leave_tangent_weight: Float
    ]);
    Rotator Fields(fields![pitch: Real, yaw: Real, roll: Real]);
    Rotator3d Fields(fields![pitch: Double, yaw: Double, roll: Double]);
    Rotator3f Fields(fields![pitch: Float, yaw: Float, roll: Float]);
    SimpleCurveKey Fields(fields![time: Float, value: Float]);
    SoftClassPath SoftPath;
    SoftObjectPath SoftPath;
    Sphere Fields(fields![center: Group(REAL3), radius: Real]);
    Sphere3d Fields(fields![center: Group(DOUBLE3), radius: Double]);
    Sphere3f Fields(fields![center: Group(FLOAT3), radius: Float]);
    StringAssetReference SoftPath;
    StringClassReference SoftPath;
    Timespan Scalar(Int64);
    TwoVectors Fields(fields![v1: Group(REAL3), v2: Group(REAL3)]);
    Uint64Vector Fields(fields![x: UInt64, y: UInt64, z: UInt64]);
    Uint64Vector2 Fields(fields![x: UInt64, y: UInt64]);
    Uint64Vector4 Fields(fields![x: UInt64, y: UInt64, z: UInt64, w: UInt64]);
    UintVector Fields(fields![x: UInt, y: UInt, z: UInt]);
    UintVector2 Fields(fields![x: UInt, y: UInt]);
    UintVector4 Fields(fields![x: UInt, y: UInt, z: UInt, w: UInt]);
    Vector Fields(REAL3);
    Vector2D Fields(REAL2);
    Vector2f Fields(FLOAT2);
    Vector3d Fields(DOUBLE3);
    Vector3f Fields(FLOAT3);
    Vector4 Fields(REAL4);
    Vector4d Fields(DOUBLE4);
    Vector4f Fields(FLOAT4);
    Vector_NetQuantize Fields(REAL3);
    Vector_NetQuantize10 Fields(REAL3);
    Vector_NetQuantize100 Fields(REAL3);
    Vector_NetQuantizeNormal Fields(REAL3);
}
