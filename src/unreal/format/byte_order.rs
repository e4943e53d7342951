/// The byte order of all numbers of a package, which its tag determines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// Little-endian: the tag is `C1 83 2A 9E`. Nearly all files are little-endian.
    #[default]
    Little,
    /// Big-endian: the tag is `9E 2A 83 C1`.
    Big,
}
