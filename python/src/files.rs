//! Recognises files, and opens the compressed and encrypted files of Godot.

use crate::error::{kind_name, raise};
use crate::input::bytes_of;
use gamewire::compression::Compression;
use gamewire::godot::file::{self, Compressed, Container, Encrypted, Encryption, Key};
use gamewire::godot::find::Endian;
use gamewire::recognise::{Format, Sample, recognise};
use gamewire::unreal::wrapper::{Options, is_wrapped};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Maximum size of the content of a compressed file: 1 GiB.
const LIMIT: usize = 1 << 30;

/// The format of a file: the name of its variant of [`Format`], and a phrase. For values of Godot,
/// also the dialect, `true` if the lengths are big-endian (`None` if there are no lengths), and
/// `true` if only this guess fits.
type Recognised = (String, &'static str, Option<(&'static str, Option<bool>, bool)>);

/// Recognises a file by its name and by its content. `head` is the whole file, or only its first
/// bytes if `tail` has its last bytes. In a whole file, also finds a save that follows unknown
/// bytes, as the command line does.
#[pyfunction]
#[pyo3(name = "recognise", signature = (name, head, tail = None))]
fn recognise_file(name: &str, head: &[u8], tail: Option<&[u8]>) -> Option<Recognised> {
    let sample = match tail {
        Some(tail) => Sample::ends(name, head, tail),
        None => Sample::whole(name, head),
    };
    let has_prefix = || {
        let mut options = Options::default();
        options.prefixes = true;
        let is_wrapped = tail.is_none() && is_wrapped(head, &options);
        is_wrapped.then_some(Format::UnrealWrappedSave)
    };
    let format = recognise(&sample).or_else(has_prefix)?;
    let guess = match format {
        Format::GodotValues(guess) => {
            let framing = guess.framing.map(|endian| endian == Endian::Big);
            Some((guess.dialect.name(), framing, guess.is_unique))
        }
        _ => None,
    };
    Some((kind_name(&format), format.name(), guess))
}

/// Returns a key, if it has 32 bytes.
fn key_of(key: &[u8]) -> Option<[u8; 32]> {
    key.try_into().ok()
}

/// A compressed or encrypted file of Godot. `content` has the decompressed or decrypted bytes.
#[pyclass(frozen, module = "gamewire._gamewire")]
struct GodotContainer {
    form: Form,
    #[pyo3(get)]
    content: Py<PyBytes>,
}

#[derive(Clone, Copy)]
enum Form {
    Compressed(Compression),
    EncryptedGodot3(Key),
    EncryptedGodot4(Key),
}

fn failed(py: Python<'_>, error: &file::Error) -> PyErr {
    let kind = kind_name(error.kind());
    raise(py, &error.to_string(), kind, Some(error.offset()), None)
}

#[pymethods]
impl GodotContainer {
    #[new]
    #[pyo3(signature = (data, password = None, key = None))]
    fn open(
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        password: Option<&str>,
        key: Option<&[u8]>,
    ) -> PyResult<Self> {
        let data = bytes_of(data)?;
        let bytes = data.as_bytes();
        let (content, form) = if Container::recognise(bytes) == Some(Container::Encrypted) {
            let key = match (key.and_then(key_of), password) {
                (Some(key), _) => Key::from_bytes(key),
                (None, Some(password)) => Key::from_password(password),
                (None, None) => {
                    let message = "the file is encrypted: a password or a key is needed";
                    return Err(raise(py, message, "NeedsKey".into(), None, None));
                }
            };
            let opened = py.detach(|| {
                let encrypted = Encrypted::open(bytes)?;
                let form = match encrypted.encryption() {
                    Encryption::Godot3 => Form::EncryptedGodot3(key),
                    Encryption::Godot4 { .. } => Form::EncryptedGodot4(key),
                };
                encrypted.decrypt(&key).map(|content| (content, form))
            });
            opened.map_err(|error| failed(py, &error))?
        } else {
            let opened = py.detach(|| {
                let compressed = Compressed::open(bytes)?;
                let form = Form::Compressed(compressed.compression());
                compressed.decompress(LIMIT).map(|content| (content, form))
            });
            opened.map_err(|error| failed(py, &error))?
        };
        Ok(Self { form, content: PyBytes::new(py, &content).unbind() })
    }

    /// Compresses or encrypts other content in the same way as the file. An encrypted file of Godot
    /// 4 gets a new initialization vector, as in the engine.
    fn pack<'py>(&self, py: Python<'py>, content: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let packed = py.detach(|| match self.form {
            Form::Compressed(compression) => {
                file::compress(content, compression).map_err(Failure::File)
            }
            Form::EncryptedGodot3(key) => Ok(file::encrypt(content, &key, Encryption::Godot3)),
            Form::EncryptedGodot4(key) => {
                let encryption = Encryption::random().map_err(|_| Failure::NoRandomBytes)?;
                Ok(file::encrypt(content, &key, encryption))
            }
        });
        match packed {
            Ok(packed) => Ok(PyBytes::new(py, &packed)),
            Err(Failure::File(error)) => Err(failed(py, &error)),
            Err(Failure::NoRandomBytes) => {
                Err(pyo3::exceptions::PyOSError::new_err("the system provides no random bytes"))
            }
        }
    }

    /// The name of the compression, or `encrypted`. An encrypted file of Godot 3 is
    /// `encrypted-godot3`.
    #[getter]
    fn form(&self) -> String {
        match self.form {
            Form::Compressed(compression) => format!("{compression:?}").to_lowercase(),
            Form::EncryptedGodot3(_) => "encrypted-godot3".into(),
            Form::EncryptedGodot4(_) => "encrypted".into(),
        }
    }
}

enum Failure {
    File(file::Error),
    NoRandomBytes,
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<GodotContainer>()?;
    module.add_function(wrap_pyfunction!(recognise_file, module)?)
}
