//! Fast paths for [plain](crate::unreal::format::Layout::is_plain) files. They only read tags and
//! values of usual forms. All others, and all errors, are left to the general decoders,
//! [`TagHead::read`](super::tag::TagHead::read) and [`Tag::value`](super::tag::Tag::value).

mod array;
mod leaf;
mod site;
mod tag;
mod visit;

pub(super) use tag::{Item, PlainTag, item, pass};
