//! `gamewire unpack` and `gamewire pack`.

use crate::args::{KeyArgs, Pack, PackForm, Unpack};
use crate::content::{self, PackedForm};
use crate::ui::input::{self, Input, Stop};
use crate::ui::{file_output, report};
use gamewire::compression::Compression;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// Writes the content of a compressed or encrypted file.
pub fn unpack(args: &Unpack, out: &mut impl Write) -> io::Result<bool> {
    write_changed(&args.file, args.output.as_deref(), out, |file| {
        let content = content::open(file, args.key)?;
        match content.form.container() {
            Some(_) => Ok(content.bytes),
            None => Err("this is not a compressed or encrypted file of Godot".into()),
        }
    })
}

/// Compresses or encrypts a file.
pub fn pack(args: &Pack, out: &mut impl Write) -> io::Result<bool> {
    write_changed(&args.file, args.output.as_deref(), out, |content| {
        form(args.to, args.key)?.pack(&content)
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

/// Reads a file, converts it with `change`, and writes the result to another file or to standard
/// output.
fn write_changed<W: Write>(
    file: &Path,
    output: Option<&Path>,
    out: &mut W,
    change: impl Fn(Vec<u8>) -> Result<Vec<u8>, String>,
) -> io::Result<bool> {
    let output = output.map(Input::new).filter(|output| !output.is_stdin());
    if output.is_none() && io::stdout().is_terminal() {
        report::binary_on_terminal();
        return Ok(false);
    }
    let input = Input::new(file);
    let changed = input.load().and_then(|bytes| change(bytes).map_err(Stop::Input));
    match (changed, output) {
        (Ok(changed), Some(output)) => Ok(file_output::write_or_report(output, &changed)),
        (Ok(changed), None) => out.write_all(&changed).map(|()| true),
        (Err(stop), _) => input::report_stop(input, Err(stop), out),
    }
}
