use crate::godot::table::layouts::{Color, F32, F64, I32, I64, Vector2, Vector3, Vector4};
use bytemuck::Pod;
use zerocopy::{Immutable, IntoBytes};

/// Conversion of packed arrays to native slices without a copy.
///
/// The conversion requires a little-endian machine and an aligned array. Within a value, the
/// elements of an array begin at a multiple of 4 bytes, but the value itself can start at any
/// address.
///
/// ```
/// use gamewire::godot::{AsNative, Dialect, Reader, VariantRef};
///
/// let packet = b"\x1e\0\0\0\x02\0\0\0\x01\0\0\0\xff\xff\xff\xff"; // PackedInt32Array [1, -1]
/// let VariantRef::PackedInt32Array(ints) = Reader::new(packet, Dialect::Godot4).read()? else {
///     unreachable!()
/// };
/// match ints.as_native() {
///     Some(native) => assert_eq!(native, [1_i32, -1]),
///     None => assert_eq!(ints[1].get(), -1), // element by element, at any address
/// }
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
pub trait AsNative {
    /// The native element: a number, or an array of components.
    type Native: Pod;

    /// Returns the same memory as native elements, or `None` if the slice is not aligned or the
    /// machine is big-endian.
    fn as_native(&self) -> Option<&[Self::Native]>;
}

fn cast<W: IntoBytes + Immutable, N: Pod>(wire: &[W]) -> Option<&[N]> {
    if cfg!(target_endian = "big") {
        return None;
    }
    bytemuck::try_cast_slice(wire.as_bytes()).ok()
}

macro_rules! native {
    ($($Wire:ty => $Native:ty;)*) => {$(
        impl AsNative for [$Wire] {
            type Native = $Native;

            fn as_native(&self) -> Option<&[$Native]> {
                cast(self)
            }
        }
    )*};
}

native! {
    I32 => i32;
    I64 => i64;
    F32 => f32;
    F64 => f64;
    Vector2<F32> => [f32; 2];
    Vector2<F64> => [f64; 2];
    Vector3<F32> => [f32; 3];
    Vector3<F64> => [f64; 3];
    Vector4<F32> => [f32; 4];
    Vector4<F64> => [f64; 4];
    Color<F32> => [f32; 4];
    Color<F64> => [f64; 4];
}

#[cfg(test)]
mod tests {
    use super::AsNative;
    use crate::godot::table::layouts::{F32, Vector2};
    use zerocopy::FromBytes;

    /// Casts eight floats at each of eight addresses. Only aligned slices are accepted.
    #[test]
    fn only_aligned_slices_are_cast() {
        let bytes = [0_u8; 48];
        let mut cast = 0;
        for at in 0..8 {
            let slice = <[Vector2<F32>]>::ref_from_bytes(&bytes[at..at + 32]).unwrap();
            let aligned = slice.as_ptr().addr().is_multiple_of(align_of::<f32>());
            assert_eq!(slice.as_native().is_some(), aligned && cfg!(target_endian = "little"));
            cast += usize::from(slice.as_native().is_some_and(|native| native.len() == 4));
        }
        assert!(cast == 2 || cfg!(target_endian = "big"));
    }
}
