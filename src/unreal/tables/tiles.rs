//! Where a level is in its world.

use crate::buffer::{Full, Sink};
use crate::unreal::format::custom_versions::fortnite_main;
use crate::unreal::format::{FileCursor, Layout, List, Result, StrRef, Value, records};
use crate::unreal::format::{ue4, ue5};

records! { <'a> (this, layout)
    /// Where a level is in its world.
    struct WorldTileInfo<'a> {
        /// In tiles; the third from version 1 of `FFortniteMainBranchObjectVersion` on.
        position: TilePosition;
        /// What it takes up.
        bounds: TileBounds;
        /// The layer it is on.
        layer: WorldTileLayer<'a>;
        /// Whether to leave it out in the tile view.
        hide_in_tile_view: bool, if layout.has_ue4(ue4::WORLD_LEVEL_INFO_UPDATED);
        /// The tile it is placed by.
        parent_tile: StrRef<'a>;
        /// Simpler forms of it.
        lods: List<'a, WorldTileLod>, if layout.has_ue4(ue4::WORLD_LEVEL_INFO_LOD_LIST);
        /// Order in depth.
        z_order: i32, if layout.has_ue4(ue4::WORLD_LEVEL_INFO_ZORDER);
    }

    /// A layer of a world.
    struct WorldTileLayer<'a> {
        /// Its name.
        name: StrRef<'a>;
        /// Not used by engines.
        reserved: i32;
        /// Not used by engines.
        reserved_point: TilePoint;
        /// From how far tiles are loaded.
        streaming_distance: i32, if layout.has_ue4(ue4::WORLD_LEVEL_INFO_UPDATED);
        /// Whether the distance counts.
        distance_streaming_enabled: bool, if layout.has_ue4(ue4::WORLD_LAYER_ENABLE_DISTANCE_STREAMING);
    }

    /// In tiles.
    struct TilePoint {
        /// To the right.
        x: i32;
        /// Down.
        y: i32;
    }

    /// In tiles, or in centimetres.
    struct TilePosition {
        /// To the right.
        x: i32;
        /// Down.
        y: i32;
        /// Up.
        z: i32, if layout.custom.fortnite_main >= fortnite_main::WORLD_COMPOSITION_TILE_3D_OFFSET;
    }

    /// From where to where a tile goes, in doubles from 5:1004.
    struct TileBounds {
        /// The least of each coordinate.
        min: [TileReal; 3];
        /// The greatest.
        max: [TileReal; 3];
        /// 1 if there are any.
        valid: u8;
    }

    /// A simpler form of a tile.
    struct WorldTileLod {
        /// From where on it is used.
        relative_streaming_distance: i32;
        /// Not used by engines.
        reserved_0: f32;
        /// Not used by engines.
        reserved_1: f32;
        /// Not used by engines.
        reserved_2: i32;
        /// Not used by engines.
        reserved_3: i32;
    }
}

/// A coordinate: `f32`, from 5:1004 on `f64`.
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

/// The same number. What is none keeps its bits, which a processor would change.
fn widened(real: f32) -> f64 {
    let bits = u64::from(real.to_bits());
    match real.is_nan() {
        true => f64::from_bits((bits >> 31 << 63) | (0x7FF << 52) | ((bits & 0x7F_FFFF) << 29)),
        false => real.into(),
    }
}

/// The other way round.
// Where it was an `f32`.
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
