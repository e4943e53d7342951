/// Longest distance of a level 1 reference.
pub(super) const NEAR_1: usize = 8192;
/// Longest distance of a level 2 reference without extra bytes.
pub(super) const NEAR_2: usize = 8191;
