//! The position of a level in its world.

use crate::buffer::{Full, Sink};
use crate::unreal::format::custom_versions::fortnite_main;
use crate::unreal::format::{FileCursor, Layout, List, Result, StrRef, Value, records};
use crate::unreal::format::{ue4, ue5};

records! { <'a> (this, layout)
    /// The position of a level in its world.
    struct WorldTileInfo<'a> {
        /// Position. It has a third coordinate from version 1 of `FFortniteMainBranchObjectVersion`
        /// on.
        position: TilePosition;
        /// Bounds of the level.
        bounds: TileBounds;
        /// Layer of the level.
        layer: WorldTileLayer<'a>;
        /// `true` to hide the level in the tile view.
        hide_in_tile_view: bool, if layout.has_ue4(ue4::WORLD_LEVEL_INFO_UPDATED);
        /// Parent tile.
        parent_tile: StrRef<'a>;
        /// Levels of detail.
        lods: List<'a, WorldTileLod>, if layout.has_ue4(ue4::WORLD_LEVEL_INFO_LOD_LIST);
        /// Z-order.
        z_order: i32, if layout.has_ue4(ue4::WORLD_LEVEL_INFO_ZORDER);
    }

    /// A layer of a world.
    struct WorldTileLayer<'a> {
        /// Name of the layer.
        name: StrRef<'a>;
        /// Unused.
        reserved: i32;
        /// Unused.
        reserved_point: TilePoint;
        /// Distance within which tiles are loaded.
        streaming_distance: i32, if layout.has_ue4(ue4::WORLD_LEVEL_INFO_UPDATED);
        /// `true` if the streaming distance is used.
        distance_streaming_enabled: bool, if layout.has_ue4(ue4::WORLD_LAYER_ENABLE_DISTANCE_STREAMING);
    }

    /// A point with integer coordinates.
    struct TilePoint {
        /// X coordinate.
        x: i32;
        /// Y coordinate.
        y: i32;
    }

    /// A position with integer coordinates.
    struct TilePosition {
        /// X coordinate.
        x: i32;
        /// Y coordinate.
        y: i32;
        /// Z coordinate.
        z: i32, if layout.custom.fortnite_main >= fortnite_main::WORLD_COMPOSITION_TILE_3D_OFFSET;
    }

    /// The bounds of a tile: `f32` coordinates, or `f64` coordinates from 5:1004 on.
    struct TileBounds {
        /// Minimum of each coordinate.
        min: [TileReal; 3];
        /// Maximum of each coordinate.
        max: [TileReal; 3];
        /// 1 if the bounds are valid.
        valid: u8;
    }

    /// A level of detail of a tile.
    struct WorldTileLod {
        /// Distance from which this level of detail is used.
        relative_streaming_distance: i32;
        /// Unused.
        reserved_0: f32;
        /// Unused.
        reserved_1: f32;
        /// Unused.
        reserved_2: i32;
        /// Unused.
        reserved_3: i32;
    }
}

/// A coordinate: `f32`, or `f64` from 5:1004 on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TileReal(pub f64);

impl<'a> Value<'a> for TileReal {
    const LEAST: u64 = 4;

    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        match layout.has_ue5(ue5::LARGE_WORLD_COORDINATES) {
            true => from.read(layout).map(Self),
            false => from.read::<f32>(layout).map(|real| Self(widened(real))),
        }
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        match layout.has_ue5(ue5::LARGE_WORLD_COORDINATES) {
            true => self.0.write(to, layout),
            false => narrowed(self.0).write(to, layout),
        }
    }
}

/// Widens a number. Keeps the bits of a NaN, which a normal conversion could change.
fn widened(real: f32) -> f64 {
    let bits = u64::from(real.to_bits());
    match real.is_nan() {
        true => f64::from_bits((bits >> 31 << 63) | (0x7FF << 52) | ((bits & 0x7F_FFFF) << 29)),
        false => real.into(),
    }
}

/// Narrows a number. For a result of [`widened`], returns the original number.
fn narrowed(real: f64) -> f32 {
    let bits = real.to_bits();
    let kept = (bits >> 63 << 31) | (0xFF << 23) | (bits >> 29 & 0x7F_FFFF);
    match real.is_nan() && bits >> 29 & 0x7F_FFFF != 0 {
        true => f32::from_bits(kept as u32),
        false => real as f32,
    }
}

impl<'a> Value<'a> for [TileReal; 3] {
    const LEAST: u64 = 12;

    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        Ok([from.read(layout)?, from.read(layout)?, from.read(layout)?])
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.iter().try_for_each(|real| real.write(to, layout))
    }
}
