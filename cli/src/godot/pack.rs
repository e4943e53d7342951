//! `gamewire unpack` and `gamewire pack`.

use crate::args::{KeyArgs, Pack, PackForm, Unpack};
use crate::content::{self, PackedForm};
use crate::ui::conversion::write_changed;
use crate::ui::input::Stop;
use gamewire::compression::Compression;
use std::io::{self, Write};

/// Writes the content of a compressed or encrypted file.
pub fn unpack(args: &Unpack, out: &mut impl Write) -> io::Result<bool> {
    write_changed(&args.file, args.output.as_deref(), out, |_, file| {
        let content = content::open(file, args.key).map_err(Stop::Input)?;
        match content.form.container() {
            Some(_) => Ok(content.bytes),
            None => Err(Stop::input("this is not a compressed or encrypted file of Godot")),
        }
    })
}

/// Compresses or encrypts a file.
pub fn pack(args: &Pack, out: &mut impl Write) -> io::Result<bool> {
    write_changed(&args.file, args.output.as_deref(), out, |_, content| {
        form(args.to, args.key).and_then(|form| form.pack(&content)).map_err(Stop::Input)
    })
}

fn form(form: PackForm, key: KeyArgs) -> Result<PackedForm, String> {
    let key = || {
        key.get().ok_or(
            "an encrypted file needs a password (--password-file, --password or \
             GAMEWIRE_PASSWORD) or a key (--key)",
        )
    };
    Ok(match form {
        PackForm::Fastlz => PackedForm::Compressed(Compression::FastLz),
        PackForm::Deflate => PackedForm::Compressed(Compression::Deflate),
        PackForm::Zstd => PackedForm::Compressed(Compression::Zstd),
        PackForm::Gzip => PackedForm::Compressed(Compression::Gzip),
        PackForm::Encrypted => PackedForm::EncryptedGodot4(key()?),
        PackForm::EncryptedGodot3 => PackedForm::EncryptedGodot3(key()?),
    })
}
