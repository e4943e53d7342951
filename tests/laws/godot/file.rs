//! Laws of compressed and encrypted files.

use gamewire::compression::Compression;
use gamewire::godot::file::{
    Compressed, Encrypted, Encryption, Error, ErrorKind, Key, compress, encrypt,
};

/// Maximum length of the content of a file that is opened.
const LIMIT: usize = 1 << 20;

/// Returns the key of the corpus, which consists of the bytes 0 to 31.
pub fn key() -> Key {
    Key::from_bytes(std::array::from_fn(|index| index as u8))
}

/// Opens the bytes as a container, and as the content of a container. Asserts that the content is
/// the same whether it is read into a new vector, into a buffer or block by block. Also writes
/// content to a file and reads it back.
pub fn godot_file(data: &[u8]) {
    for signature in ["", "GCPF", "GDEC"] {
        let file = [signature.as_bytes(), data].concat();
        let _ = godot_compressed(&file);
        let _ = godot_encrypted(&file, key());
    }
    if let [mode, content @ ..] = data {
        godot_file_round_trip(content, *mode);
    }
}

/// Reads a compressed file in every way. Returns the content.
pub fn godot_compressed(file: &[u8]) -> Result<Vec<u8>, Error> {
    let compressed = Compressed::open(file).inspect_err(|error| in_file(file, error))?;
    let whole = compressed.decompress(LIMIT).inspect_err(|error| in_file(file, error));
    let len = compressed.len() as usize;
    if len > LIMIT {
        let kind = ErrorKind::TooLarge { len: len as u64, limit: LIMIT as u64 };
        assert_eq!(*whole.as_ref().unwrap_err().kind(), kind);
        return whole;
    }
    let mut memory = vec![0; len];
    let into = compressed.decompress_into(&mut memory).map(<[u8]>::to_vec);
    assert_eq!(into, whole);
    let (mut blocks, mut reader) = (Vec::new(), compressed.reader());
    let by_block = loop {
        match reader.next_block() {
            Ok([]) => break Ok(()),
            Ok(block) => blocks.extend_from_slice(block),
            Err(error) => break Err(error),
        }
    };
    match &whole {
        Ok(content) => assert!(by_block == Ok(()) && blocks == *content && content.len() == len),
        Err(error) => assert_eq!(by_block, Err(*error)),
    }
    assert_eq!(reader.next_block(), Ok(&[][..]));
    if len > 0 {
        let limit = len - 1;
        let kind = ErrorKind::TooLarge { len: len as u64, limit: limit as u64 };
        assert_eq!(*compressed.decompress(limit).unwrap_err().kind(), kind);
    }
    whole
}

/// Reads an encrypted file in every way. Returns the content.
pub fn godot_encrypted(file: &[u8], key: Key) -> Result<Vec<u8>, Error> {
    let encrypted = Encrypted::open(file).inspect_err(|error| in_file(file, error))?;
    let whole = encrypted.decrypt(&key).inspect_err(|error| in_file(file, error));
    let mut memory = vec![0; file.len()];
    let into = encrypted.decrypt_into(&key, &mut memory);
    assert_eq!(into.map(<[u8]>::to_vec), whole);
    let reader = encrypted.reader(&key);
    let (Ok(mut reader), Ok(content)) = (reader, &whole) else {
        assert!(whole.is_err() && encrypted.reader(&key).is_err());
        return whole;
    };
    let mut blocks = Vec::new();
    loop {
        match reader.next_block().unwrap() {
            [] => break,
            block => blocks.extend_from_slice(block),
        }
    }
    assert_eq!(blocks, *content);
    whole
}

/// Writes content in the form that `form` selects, and reads it back.
pub fn godot_file_round_trip(content: &[u8], form: u8) {
    let compressions =
        [Compression::FastLz, Compression::Deflate, Compression::Zstd, Compression::Gzip];
    if let Some(compression) = compressions.get(usize::from(form % 6)) {
        let file = compress(content, *compression).unwrap();
        assert_eq!(godot_compressed(&file).unwrap(), content);
        return;
    }
    let encryption = match form % 6 {
        4 => Encryption::Godot3,
        _ => Encryption::Godot4 { iv: [form; 16] },
    };
    let file = encrypt(content, &key(), encryption);
    assert_eq!(Encrypted::open(&file).unwrap().encryption(), encryption);
    assert_eq!(godot_encrypted(&file, key()), Ok(content.to_vec()));
}

fn in_file(file: &[u8], error: &Error) {
    assert!(error.offset() <= file.len() as u64, "{error}");
}
