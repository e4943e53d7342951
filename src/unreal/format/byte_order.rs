/// The order of the bytes of numbers: of all in a package, which its tag tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// The tag is `C1 83 2A 9E`; nearly all files.
    #[default]
    Little,
    /// The tag is `9E 2A 83 C1`: made for machines that are big-endian.
    Big,
}
