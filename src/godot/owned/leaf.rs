use crate::godot::read::compact_form::WireForm;
use crate::godot::{Dialect, Encoded, Kind, Result, ToVariant, VariantRef, Writer};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

/// A value without items, stored as its wire bytes. Up to 22 bytes are stored without an
/// allocation. This is enough for any number, and for a Color or a Vector4 of `f32`.
///
/// ```
/// use gamewire::godot::{Variant, VariantRef};
///
/// let Variant::Leaf(leaf) = Variant::from(5) else { unreachable!() };
/// assert!(matches!(leaf.get(), VariantRef::Int(5)));
/// assert_eq!(leaf.encoded().as_bytes(), [2, 0, 0, 0, 5, 0, 0, 0]);
/// ```
#[derive(Clone)]
pub struct LeafBuf {
    bytes: Bytes,
    dialect: Dialect,
}

const SHORT: usize = 22;

#[derive(Clone)]
enum Bytes {
    /// Length and bytes.
    Short(u8, [u8; SHORT]),
    Long(Box<[u8]>),
}

impl LeafBuf {
    /// Null.
    pub const NIL: Self = Self { bytes: Bytes::Short(4, [0; SHORT]), dialect: Dialect::Godot4 };

    /// Stores `encoded`, which must not be a container.
    pub(super) fn new(encoded: Encoded<'_>) -> Self {
        match encoded.form() {
            WireForm::Full => Self::of_bytes(encoded.as_bytes(), encoded.dialect()),
            // These two forms occur only in multiplayer packets, so the value is stored in its full
            // form.
            WireForm::Compact | WireForm::Raw => Self::of(encoded),
        }
    }

    /// Stores a value of a type that Godot 4 has and that is not a container. Stores null if the
    /// value takes 2 GiB or more, which is too long for any engine.
    pub(super) fn of(value: impl ToVariant) -> Self {
        let mut bytes = Vec::new();
        match Writer::new(&mut bytes, Dialect::Godot4).put(value) {
            Ok(()) => Self::of_bytes(&bytes, Dialect::Godot4),
            Err(_) => Self::NIL,
        }
    }

    #[allow(clippy::disallowed_methods, reason = "the place is as long as the bytes")]
    fn of_bytes(bytes: &[u8], dialect: Dialect) -> Self {
        let mut short = [0; SHORT];
        let bytes = match (short.get_mut(..bytes.len()), u8::try_from(bytes.len())) {
            (Some(place), Ok(len)) => {
                place.copy_from_slice(bytes);
                Bytes::Short(len, short)
            }
            _ => Bytes::Long(bytes.into()),
        };
        Self { bytes, dialect }
    }

    /// Returns the bytes with their dialect.
    pub fn encoded(&self) -> Encoded<'_> {
        let bytes = match &self.bytes {
            Bytes::Short(len, bytes) => bytes.get(..usize::from(*len)).unwrap_or_default(),
            Bytes::Long(bytes) => bytes,
        };
        Encoded::trusted(bytes, self.dialect)
    }

    /// Returns the value.
    pub fn get(&self) -> VariantRef<'_> {
        self.encoded().decode()
    }

    /// Returns `true` for a 64-bit number.
    fn is_wide(&self) -> bool {
        let encoded = self.encoded();
        matches!(encoded.kind(), Kind::Int | Kind::Float) && encoded.is_wide()
    }

    /// Encodes the value as the dialect's engine would.
    fn rewritten(&self, dialect: Dialect) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        Writer::new(&mut bytes, dialect).put(self.get())?;
        Ok(bytes)
    }
}

/// Compares type, width and value. Ignores padding and unused bits of the header.
impl PartialEq for LeafBuf {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (self.encoded(), other.encoded());
        if a == b || a.kind() != b.kind() || self.is_wide() != other.is_wide() {
            return a == b;
        }
        match (self.rewritten(self.dialect), other.rewritten(self.dialect)) {
            (Ok(a), Ok(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for LeafBuf {}

impl fmt::Debug for LeafBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}
