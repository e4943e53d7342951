//! Tries other encodings of structs after the usual one has failed. A struct can be stored in the
//! encoding of another version, and not all containers name the types of their structs: arrays do
//! so from 4:500 on, sets and maps from 5:1012 on.

use super::containers::Elements;
use super::decode::Decode;
use super::native::NativeValue;
use super::tag::Tag;
use super::value::{OpaqueReason, PropertyValue};
use crate::unreal::format::{Guid, ue4};
use crate::unreal::properties::types::{
    KnownName, NameCode, NativeStruct, PropertyKind, PropertyType,
};
use core::fmt::{self, Display};

/// How structs are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reading(pub(super) u8);

impl Reading {
    /// In the encoding that follows from the struct's name, the versions, and the flags of the tag.
    pub const USUAL: Self = Self(0);
    /// As properties instead of the native form, or the other way round.
    pub const OTHER: Self = Self(1);
    /// In the second native form.
    pub const SECOND: Self = Self(2);
    /// The number of the reading as the first of [`GUESSES`].
    const FIRST_GUESS: u8 = 3;

    /// Returns the struct that this reading guesses for structs without a name, or `None` if this
    /// reading is not a guess.
    pub fn guess(self) -> Option<&'static NativeStruct> {
        KnownName::named(self.name()?).known()
    }

    /// Returns the name of the struct that this reading guesses for structs without a name, or
    /// `None` if this reading is not a guess.
    pub fn name(self) -> Option<&'static str> {
        let index = self.0.checked_sub(Self::FIRST_GUESS)?;
        GUESSES.get(usize::from(index)).map(|(name, _)| *name)
    }

    /// Returns the readings that guess the type of a struct.
    fn guesses() -> impl Iterator<Item = (Self, Fits)> {
        (Self::FIRST_GUESS..).zip(GUESSES).map(|(number, (_, fits))| (Self(number), *fits))
    }
}

/// A function that decides whether all values of a container can be of a certain type.
type Fits = for<'p> fn(&mut dyn Iterator<Item = PropertyValue<'p>>) -> bool;

/// The types that are tried for structs without a name, with functions that check the contents. No
/// other common type of the same size has such contents.
const GUESSES: &[(&str, Fits)] = &[
    ("Guid", |values| are_guids(values)),
    ("FloatRange", |values| are_float_ranges(values)),
    ("IntPoint", |values| are_small(values, 2)),
    ("IntVector", |values| are_small(values, 3)),
    ("DateTime", |values| are_dates(values)),
];

type Values<'v, 'p> = &'v mut dyn Iterator<Item = PropertyValue<'p>>;

/// Returns `true` if each value looks random or is 0, and not all are 0. A value with two or more
/// small words does not look random. Also returns `false` if all words of all values are usual
/// floats, or if all are less than 2^28 in magnitude, since the values may be another struct, such
/// as a `LinearColor` or an `Int64Vector2`.
fn are_guids(values: Values<'_, '_>) -> bool {
    let (mut floats, mut ints, mut any) = (true, true, false);
    let at_least = |word: u32, least| word.cast_signed().unsigned_abs() >= least;
    for value in values {
        let PropertyValue::Guid(Guid(words)) = value else { return false };
        floats &= words.into_iter().all(|word| is_usual(f32::from_bits(word)));
        ints &= !words.into_iter().any(|word| at_least(word, 0x1000_0000));
        match words.into_iter().filter(|word| at_least(*word, 0x1_0000)).count() {
            0 if words == [0; 4] => {}
            3.. => any = true,
            _ => return false,
        }
    }
    any && !floats && !ints
}

/// Returns `true` if the number is one that games use: 0, or neither tiny nor huge.
fn is_usual(number: f32) -> bool {
    number == 0.0 || (1e-6..1e9).contains(&number.abs())
}

/// Returns `true` if all values are ranges with known kinds of bounds and usual numbers, and not
/// all numbers are 0.
fn are_float_ranges(values: Values<'_, '_>) -> bool {
    let mut any = false;
    for value in values {
        let PropertyValue::Native(_, bounds) = value else { return false };
        for (_, bound) in bounds {
            let NativeValue::Group(fields) = bound else { return false };
            for (_, field) in fields {
                match field {
                    NativeValue::UInt(0..=2) => {}
                    NativeValue::Float(number) if is_usual(number) => any |= number != 0.0,
                    _ => return false,
                }
            }
        }
    }
    any
}

/// Returns `true` if all fields of all values are small signed numbers, and each of the `count`
/// fields is not 0 in at least one value.
fn are_small(values: Values<'_, '_>, count: u32) -> bool {
    let mut seen = 0u32;
    for value in values {
        let PropertyValue::Native(_, fields) = value else { return false };
        for (bit, (_, field)) in (0..).zip(fields) {
            match field {
                NativeValue::Int(0) => {}
                NativeValue::Int(-0x10_0000..0x10_0000) => seen |= 1u32.wrapping_shl(bit),
                _ => return false,
            }
        }
    }
    seen.count_ones() == count
}

/// Returns `true` if all values are times in the years 1970 to 2200.
fn are_dates(values: Values<'_, '_>) -> bool {
    /// Ticks of 100 ns in a year.
    const YEAR: i64 = 315_569_520_000_000;
    for value in values {
        let PropertyValue::Int(ticks) = value else { return false };
        if !(YEAR * 1969..YEAR * 2200).contains(&ticks) {
            return false;
        }
    }
    true
}

type Read<'r, 'p> =
    &'r mut dyn FnMut(&Decode<'p>, &mut PropertyValue<'p>) -> Result<(), OpaqueReason>;

/// Reads a struct after the usual reading has failed for `reason`.
#[cold]
#[inline(never)]
pub(crate) fn of_struct<'p>(
    decode: Decode<'p>,
    code: NameCode,
    reason: OpaqueReason,
    read: Read<'_, 'p>,
    to: &mut PropertyValue<'p>,
) -> Result<(), OpaqueReason> {
    for reading in [Reading::SECOND, Reading::OTHER] {
        if decode.offers(code, reading)
            && read(&Decode { readings: [reading; 2], ..decode }, to).is_ok()
        {
            return Ok(());
        }
    }
    Err(reason)
}

/// Reads a container after the usual reading has failed for `reason`. Takes the first reading that
/// ends exactly at the end of the value. Takes a guess of types only if no other guess fits.
#[cold]
#[inline(never)]
pub(crate) fn of_container<'p>(
    decode: Decode<'p>,
    of: &PropertyType<'p>,
    reason: OpaqueReason,
    read: Read<'_, 'p>,
    to: &mut PropertyValue<'p>,
) -> Result<(), OpaqueReason> {
    // The library's hint for a property name of the engine may not fit, since a game can use the
    // same name.
    let decode = match decode.hint {
        Some(hint) if hint.is_known() => {
            let decode = Decode { hint: None, ..decode };
            if read(&decode, to).is_ok() {
                return Ok(());
            }
            decode
        }
        _ => decode,
    };
    let kind = of.kind();
    let is_map = kind == PropertyKind::Map;
    let counted = is_map || kind == PropertyKind::Set;
    let is_unnamed_array =
        kind == PropertyKind::Array && !decode.context.layout.has_ue4(ue4::INNER_ARRAY_TAG_INFO);
    let sides = if is_map { [of.inner(), of.value()] } else { [None, of.inner()] };
    let offers = |side: usize, reading| {
        use super::decode::ValuePosition::{Element, Key};
        let of = sides.get(side).copied().flatten();
        let decode = decode.at(if side == 0 { Key } else { Element });
        // The flag of an optional's tag does not apply to the struct in the optional.
        let native = decode.native.filter(|_| kind != PropertyKind::Optional);
        let decode = Decode { native, ..decode };
        of.is_some_and(|of| {
            of.kind() == PropertyKind::Struct && {
                reading == Reading::USUAL || decode.offers(of.code, reading)
            }
        })
    };
    let known = [Reading::USUAL, Reading::SECOND, Reading::OTHER];
    // Sets and maps can store enums as names. The tag does not state whether they do, so the values
    // are first read as bytes, then as names.
    for bytes_are_names in [false, true] {
        let decode = Decode { bytes_are_names, ..decode };
        if bytes_are_names && !counted {
            break;
        }
        for key in known {
            for value in known {
                let readings = [key, value];
                let tried = readings
                    .into_iter()
                    .enumerate()
                    .all(|(side, reading)| reading == Reading::USUAL || offers(side, reading));
                let is_first = readings == [Reading::USUAL; 2] && !bytes_are_names;
                if tried && !is_first && read(&Decode { readings, ..decode }, to).is_ok() {
                    return Ok(());
                }
            }
        }
        if (counted || is_unnamed_array) && guessed(decode, &offers, read, to) {
            return Ok(());
        }
    }
    Err(reason)
}

/// Reads a container with guessed types of structs. Returns `true` if exactly one guess fits.
fn guessed<'p>(
    decode: Decode<'p>,
    offers: &dyn Fn(usize, Reading) -> bool,
    read: Read<'_, 'p>,
    to: &mut PropertyValue<'p>,
) -> bool {
    let usual = || core::iter::once((Reading::USUAL, None));
    let all = || usual().chain(Reading::guesses().map(|(reading, fits)| (reading, Some(fits))));
    let (mut found, mut count) = (*to, 0u32);
    for (key, key_fits) in all() {
        for (value, value_fits) in all() {
            let is_guess = key_fits.is_some() || value_fits.is_some();
            if !is_guess
                || key_fits.is_some() && !offers(0, key)
                || value_fits.is_some() && !offers(1, value)
            {
                continue;
            }
            let decode = Decode { readings: [key, value], ..decode };
            if read(&decode, to).is_ok() && fit(to, [key_fits, value_fits]) {
                (found, count) = (*to, count.saturating_add(1));
            }
        }
    }
    *to = found;
    count == 1
}

/// Returns `true` if the keys and values of a container can be of the guessed types.
fn fit(container: &PropertyValue<'_>, fits: [Option<Fits>; 2]) -> bool {
    let [key_fits, value_fits] = fits;
    match *container {
        PropertyValue::Array(mut elements) => value_fits.is_none_or(|fits| fits(&mut elements)),
        PropertyValue::Set(set) => {
            value_fits.is_none_or(|fits| fits(&mut set.removed().chain(set.values())))
        }
        PropertyValue::Map(map) => {
            let keys = || map.removed().chain(map.entries().map(|(key, _)| key));
            key_fits.is_none_or(|fits| fits(&mut keys()))
                && value_fits.is_none_or(|fits| fits(&mut map.entries().map(|(_, value)| value)))
        }
        _ => false,
    }
}

/// The type of a container whose structs the file does not name. Their names were inferred from the
/// size and contents of the values.
///
/// `Display` prints the type in the form `MapProperty(StructProperty(Guid),IntProperty)`.
#[derive(Clone, Copy, Debug)]
pub struct InferredType<'p> {
    of: PropertyType<'p>,
    /// Inferred name of the struct of the keys, if the container is a map.
    pub key: Option<&'static str>,
    /// Inferred name of the struct of the elements or values.
    pub value: Option<&'static str>,
}

impl<'p> InferredType<'p> {
    /// Returns the inferred types of a value, or `None` if none was inferred.
    pub(crate) fn of_value(of: PropertyType<'p>, value: &PropertyValue<'p>) -> Option<Self> {
        let readings = |elements: Elements<'p>| elements.decode().readings;
        let [key, value] = match value {
            PropertyValue::Array(elements) => readings(*elements),
            PropertyValue::Set(set) => readings(set.values()),
            PropertyValue::Map(map) => readings(map.removed()),
            _ => return None,
        }
        .map(Reading::name);
        (key.is_some() || value.is_some()).then_some(Self { of, key, value })
    }
}

impl<'p> Tag<'p> {
    /// Returns the type of an array, set or map with the inferred names of its structs. Returns
    /// `None` if no name was inferred. A name is inferred only where the tag does not name the
    /// struct: in sets and maps below 5:1012, and in arrays below 4:500. It must fit all elements,
    /// and no other type that is tried may fit.
    ///
    /// ```
    /// use gamewire::unreal::Save;
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal-small/guid_int_map.sav")?;
    /// let save = Save::open(file)?;
    /// let inferred = save.properties().next().unwrap()?.inferred().unwrap();
    /// assert_eq!(inferred.to_string(), "MapProperty(StructProperty(Guid),IntProperty)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inferred(&self) -> Option<InferredType<'p>> {
        match self.kind() {
            PropertyKind::Array | PropertyKind::Set | PropertyKind::Map => {
                InferredType::of_value(self.of(), &self.value())
            }
            _ => None,
        }
    }
}

impl Display for InferredType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side =
            |f: &mut fmt::Formatter<'_>, of: Option<PropertyType<'_>>, name: Option<&str>| {
                of.map_or(Ok(()), |of| match name {
                    Some(name) => write!(f, "{}({name})", of.kind_name()),
                    None => of.fmt(f),
                })
            };
        write!(f, "{}(", self.of.kind_name())?;
        if self.of.kind() == PropertyKind::Map {
            side(f, self.of.inner(), self.key)?;
            f.write_str(",")?;
            side(f, self.of.value(), self.value)?;
        } else {
            side(f, self.of.inner(), self.value)?;
        }
        f.write_str(")")
    }
}
