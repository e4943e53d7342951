//! Numbers and checksums of remote methods, as Godot 4 computes them.
//!
//! A call contains the number of its method: the index of its name in the sorted list of all remote
//! methods of the script. A peer that announces a node sends the [`checksum`] of this list, so that
//! the receiver notices a script with different methods.

use crate::buffer::hex_digits;
use md5::{Digest, Md5};

/// Sorts names of methods as the engine does: by code points, which is also the order of the bytes
/// in UTF-8. The index of a name is then the number of its method.
///
/// ```
/// use gamewire::godot::multiplayer::methods;
///
/// let mut names = ["move", "chat", "Chat", "änder"];
/// methods::sort(&mut names);
/// assert_eq!(names, ["Chat", "chat", "move", "änder"]);
/// ```
pub fn sort<T: AsRef<str>>(names: &mut [T]) {
    names.sort_unstable_by(|a, b| a.as_ref().cmp(b.as_ref()));
}

/// Computes the checksum of sorted method names as the engine sends it: the MD5 of the names
/// without separators, in hexadecimal.
///
/// ```
/// use gamewire::godot::multiplayer::methods::checksum;
///
/// let names = ["blob", "chat", "move", "no_args", "raw", "small", "state"];
/// assert_eq!(checksum(names), *b"6856ef718eeb861d240a3bc016437256");
/// ```
pub fn checksum(names: impl IntoIterator<Item = impl AsRef<str>>) -> [u8; 32] {
    let mut md5 = Md5::new();
    names.into_iter().for_each(|name| md5.update(name.as_ref()));
    hex_digits(md5.finalize().into())
}
