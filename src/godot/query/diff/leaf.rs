//! Compares two values, unless both are containers of the same kind.

use super::super::path::{Found, Segment};
use super::{Middle, What};
use crate::godot::types::components::{Element, Elements, SubValues};
use crate::godot::types::parts::Part;
use crate::godot::{Encoded, NodePathRef, ObjectRef, VariantRef};
use alloc::vec::Vec;
use core::convert::Infallible;

/// Reports the differences between two values with different bytes. Compares packed arrays element
/// by element.
pub(super) fn compare<'a, E>(
    was: Encoded<'a>,
    is: Encoded<'a>,
    mut report: impl FnMut(Option<Segment<'a>>, What<'a>) -> Result<(), E>,
) -> Result<(), E> {
    let [old, new] = [Found::whole(was), Found::whole(is)];
    let (a, b) = (old.value(), new.value());
    let mut any_reported = false;
    match (a.sub_values(), b.sub_values()) {
        (SubValues::Elements(before), SubValues::Elements(after)) if a.kind() == b.kind() => {
            if !is_same_head(&a, &b) {
                return report(None, What::Changed { old, new });
            }
            elements(before, after, was.header() == is.header(), |segment, what| {
                any_reported = true;
                report(Some(segment), what)
            })?;
        }
        _ if !have_same_meaning(&a, &b) => return report(None, What::Changed { old, new }),
        _ => {}
    }
    // If the elements have different widths, the headers of the arrays differ. In this case, the
    // encoding of the whole array is reported.
    let header = was.header() != is.header();
    if was.dialect() == is.dialect() && (header || !any_reported) {
        report(None, What::Form { old: was.as_bytes(), new: is.as_bytes() })?;
    }
    Ok(())
}

/// Returns `true` if the bytes before the pixels of two images are equal.
fn is_same_head(a: &VariantRef<'_>, b: &VariantRef<'_>) -> bool {
    match (a, b) {
        (VariantRef::Image(a), VariantRef::Image(b)) => a.head == b.head,
        _ => true,
    }
}

/// Returns `true` if two values have the same meaning.
fn have_same_meaning(a: &VariantRef<'_>, b: &VariantRef<'_>) -> bool {
    match (a, b) {
        // These are containers of different kinds, or containers nested too deeply for the tree.
        (VariantRef::Array(_) | VariantRef::Dictionary(_), _) => false,
        (VariantRef::Object(ObjectRef::Id(a)), VariantRef::Object(ObjectRef::Id(b))) => a == b,
        _ if a.is_nil() || b.is_nil() => a.is_nil() && b.is_nil(),
        (VariantRef::Object(_), _) => false,
        _ => a.kind() == b.kind() && have_same_parts(a, b),
    }
}

fn have_same_parts(a: &VariantRef<'_>, b: &VariantRef<'_>) -> bool {
    let [a, b] = [a, b].map(|value| {
        let mut parts = Vec::new();
        let result = value.parts(&mut |part: Part<'_>| {
            parts.push(part);
            Ok::<(), Infallible>(())
        });
        let Ok(()) = result;
        parts
    });
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| is_same_part(a, b))
}

/// Compares two parts. NaN equals NaN, and 0.0 differs from -0.0.
fn is_same_part(a: &Part<'_>, b: &Part<'_>) -> bool {
    match (a, b) {
        (Part::Bool(a), Part::Bool(b)) => a == b,
        (Part::Int(a), Part::Int(b)) => a == b,
        (Part::Id(a), Part::Id(b)) => a == b,
        (Part::Real(a), Part::Real(b)) => (a.is_nan() && b.is_nan()) || a.to_bits() == b.to_bits(),
        (Part::Text(a), Part::Text(b)) => a == b,
        (Part::Path(a), Part::Path(b)) => visible_bytes(*a).eq(visible_bytes(*b)),
        _ => false,
    }
}

/// Returns the bytes of a path that a script sees.
fn visible_bytes<'a>(path: NodePathRef<'a>) -> impl Iterator<Item = u8> + use<'a> {
    path.pieces().flat_map(|piece| piece.visible().iter().copied())
}

/// Compares the elements of packed arrays. `same_form` is `true` if both arrays have the same
/// header. Elements are then equal only if their bytes are equal.
fn elements<'a, E>(
    before: Elements<'a>,
    after: Elements<'a>,
    same_form: bool,
    mut report: impl FnMut(Segment<'a>, What<'a>) -> Result<(), E>,
) -> Result<(), E> {
    let is_equal = |a: &Element<'_>, b: &Element<'_>| match same_form {
        true => a.bytes == b.bytes,
        false => have_same_meaning(&a.value, &b.value),
    };
    let start = before.clone().zip(after.clone()).take_while(|(a, b)| is_equal(a, b)).count();
    let [before, after]: [Vec<_>; 2] = [before, after].map(|all| all.skip(start).collect());
    let middle = Middle::of(before.len(), after.len(), |old, new| {
        before.get(old).zip(after.get(new)).is_some_and(|(old, new)| is_equal(old, new))
    });
    for index in middle.indices() {
        let old = middle.of_old(index).and_then(|index| before.get(index));
        let new = middle.of_new(index).and_then(|index| after.get(index));
        let segment = Segment::Index(start.saturating_add(index) as u64);
        let found = |element: &Element<'a>| Found::part(element.value, element.bytes);
        match (old, new) {
            (Some(old), Some(new)) if is_equal(old, new) => {}
            (Some(old), Some(new)) if have_same_meaning(&old.value, &new.value) => {
                report(segment, What::Form { old: old.bytes, new: new.bytes })?;
            }
            (Some(old), Some(new)) => {
                report(segment, What::Changed { old: found(old), new: found(new) })?;
            }
            (Some(old), None) => report(segment, What::Removed(found(old)))?,
            (None, Some(new)) => report(segment, What::Added(found(new)))?,
            (None, None) => {}
        }
    }
    Ok(())
}
