use crate::unreal::format::{ByteOrder, Value};

/// A number that archives of bytes and archives of bits can read and write: an integer of 8 to 64
/// bits, or a float of 32 or 64 bits.
pub trait Number: for<'a> Value<'a> + Default {
    /// Size in bytes.
    #[doc(hidden)]
    const SIZE: usize;

    /// Returns the bytes in the given order. The bytes after the first `SIZE` bytes are zeros.
    #[doc(hidden)]
    fn to_bytes(self, order: ByteOrder) -> [u8; 8];

    /// Creates a number from the first `SIZE` bytes.
    #[doc(hidden)]
    fn from_bytes(bytes: [u8; 8], order: ByteOrder) -> Self;
}

macro_rules! numbers {
    ($($N:ident)*) => {$(
        impl Number for $N {
            const SIZE: usize = size_of::<Self>();

            fn to_bytes(self, order: ByteOrder) -> [u8; 8] {
                let bytes = match order {
                    ByteOrder::Little => self.to_le_bytes(),
                    ByteOrder::Big => self.to_be_bytes(),
                };
                let mut padded = [0; 8];
                padded.iter_mut().zip(bytes).for_each(|(to, byte)| *to = byte);
                padded
            }

            fn from_bytes(padded: [u8; 8], order: ByteOrder) -> Self {
                let mut bytes = [0; size_of::<Self>()];
                bytes.iter_mut().zip(padded).for_each(|(to, byte)| *to = byte);
                match order {
                    ByteOrder::Little => Self::from_le_bytes(bytes),
                    ByteOrder::Big => Self::from_be_bytes(bytes),
                }
            }
        }
    )*};
}
numbers! { u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 }
