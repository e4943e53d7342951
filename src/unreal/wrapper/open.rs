//! Decodes one layer.

use super::detect::{Form, Found, guess_method};
use super::layer::{Body, Containers, Header, Layer};
use super::zlib::{Deflate, allocate, inflate};
use crate::unreal::compression::{Codec, Compressed, CompressedPackage, ContainerVersion, Method};
use crate::unreal::format::{CodecError, Error, ErrorKind, Result, Versions};
use alloc::vec::Vec;
use core::mem::take;

/// Upper bound of the ratio between the decompressed size and the size of an Oodle stream. A block
/// of 262144 bytes needs at least 6 bytes.
const MAX_OODLE_RATIO: u64 = 1 << 16;

/// Decodes a layer that was recognised. Returns the layer and the data inside it.
pub(super) fn open(
    bytes: &[u8],
    found: Found,
    limit: usize,
    codec: impl Codec,
) -> Result<(Layer, Vec<u8>)> {
    let data = Data { bytes: bytes.get(found.start..).unwrap_or_default(), found: &found, limit };
    let (body, content, len) = match found.form {
        Form::Stored => data.stored()?,
        Form::Zlib => data.zlib()?,
        Form::ZlibTwice => data.zlib_twice()?,
        Form::Oodle => data.oodle(codec)?,
        Form::Containers => data.containers(codec)?,
    };
    let rest = data.bytes.get(len..).unwrap_or_default().to_vec();
    Ok((Layer { header: found.header, body, rest }, content))
}

/// Decompresses a compressed package. Returns the layer and the package inside it, or `None` for
/// any other file.
pub(super) fn open_package(
    file: &[u8],
    supplied: Option<Versions>,
    limit: usize,
    codec: impl Codec,
) -> Result<Option<(Layer, Vec<u8>)>> {
    let Some(package) = CompressedPackage::open(file, supplied)? else { return Ok(None) };
    let content = package.decompress(limit, codec)?;
    let format = package.format()?;
    let body = Body::Package {
        flags: format.flags,
        chunk_size: format.chunk_size,
        containers: Containers::of(format.container, None),
        versions: supplied.map(|versions| [versions.ue4, versions.ue5]),
    };
    Ok(Some((Layer { header: Header::None, body, rest: Vec::new() }, content)))
}

/// The data after a header.
struct Data<'a> {
    bytes: &'a [u8],
    found: &'a Found,
    limit: usize,
}

/// The form of the encoded data, the decoded data, and the length of the encoded data in bytes.
type Opened = (Body, Vec<u8>, usize);

impl<'a> Data<'a> {
    fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.offset())
    }

    fn offset(&self) -> u64 {
        self.found.start as u64
    }

    /// Returns the first `size` bytes of the data, or all bytes if `size` is `None`.
    fn take(&self, size: Option<u64>) -> Result<&'a [u8]> {
        let Some(size) = size else { return Ok(self.bytes) };
        let taken = usize::try_from(size).ok().and_then(|size| self.bytes.get(..size));
        taken.ok_or_else(|| {
            let missing = size.saturating_sub(self.bytes.len() as u64);
            let missing = u32::try_from(missing).unwrap_or(u32::MAX);
            Error::new(ErrorKind::UnexpectedEnd { missing }, self.end())
        })
    }

    fn end(&self) -> u64 {
        self.offset().saturating_add(self.bytes.len() as u64)
    }

    fn stored(&self) -> Result<Opened> {
        let data = self.take(self.found.size)?;
        let magic: &[u8] = match self.found.header {
            Header::Magic(_) => b"GVAS",
            _ => &[],
        };
        let size = data.len().saturating_add(magic.len()) as u64;
        if size > self.limit as u64 {
            return Err(self.error(ErrorKind::TooLarge { size, limit: self.limit as u64 }));
        }
        Ok((Body::Stored, [magic, data].concat(), data.len()))
    }

    fn zlib(&self) -> Result<Opened> {
        let stream = self.take(self.found.stored_size)?;
        let (content, len) = inflate(stream, self.found.size, self.limit, self.offset())?;
        Ok((Body::Zlib(Deflate::default()), content, len))
    }

    fn zlib_twice(&self) -> Result<Opened> {
        let (inner, len) = inflate(self.bytes, self.found.stored_size, self.limit, self.offset())?;
        // An error in the inner stream gets the offset of the outer stream, because an offset in
        // the inner stream is not an offset in the file.
        let (content, inner_len) = inflate(&inner, self.found.size, self.limit, self.offset())
            .map_err(|error| self.error(*error.kind()))?;
        if inner_len < inner.len() {
            let (declared, found) = (inner.len() as u64, inner_len as u64);
            return Err(self.error(ErrorKind::SizesDiffer { declared, found }));
        }
        let deflate = Deflate::default();
        Ok((Body::ZlibTwice { inner: deflate, outer: deflate }, content, len))
    }

    fn oodle(&self, mut codec: impl Codec) -> Result<Opened> {
        let stream = self.take(self.found.stored_size)?;
        let size = self.found.size.unwrap_or_default();
        // If the codec does not support Oodle, do not allocate memory.
        if codec(Method::Oodle, &[], &mut []) == Err(CodecError::Unsupported) {
            return Err(self.error(ErrorKind::Codec(CodecError::Unsupported)));
        }
        let most = (stream.len() as u64).saturating_mul(MAX_OODLE_RATIO);
        let mut content = allocate(size, most, self.limit, self.offset())?;
        match codec(Method::Oodle, stream, &mut content) {
            Ok(made) if made as u64 == size => Ok((Body::Oodle, content, stream.len())),
            Ok(made) => {
                let (declared, found) = (size, made as u64);
                Err(self.error(ErrorKind::SizesDiffer { declared, found }))
            }
            Err(cause) => Err(self.error(ErrorKind::Codec(cause))),
        }
    }

    /// Decodes one container, or several in a row. Opens each container twice: first to add up the
    /// sizes, so that the memory for all of the content is allocated in one step, and then to
    /// decompress it. No list of the containers is therefore needed.
    fn containers(&self, mut codec: impl Codec) -> Result<Opened> {
        let method = self.method()?;
        let (mut size, mut stored) = (0u64, 0u64);
        let (mut format, mut part) = (None, None);
        let mut all = self.containers_of(method);
        while let Some(container) = all.next().transpose()? {
            match format {
                None => format = Some((container.format(), container.size())),
                Some((_, first)) => part = Some(first),
            }
            size = size.saturating_add(container.size());
            stored = stored.saturating_add(container.stored_size());
        }
        let Some((format, _)) = format else {
            return Err(self.error(ErrorKind::UnexpectedEnd { missing: 1 }));
        };
        if let Some(declared) = self.found.size.filter(|declared| *declared != size) {
            return Err(self.error(ErrorKind::SizesDiffer { declared, found: size }));
        }
        let most = stored.saturating_mul(MAX_OODLE_RATIO);
        let mut content = allocate(size, most, self.limit, self.offset())?;
        let mut free = &mut content[..];
        for container in self.containers_of(method) {
            let container = container?;
            let len = usize::try_from(container.size()).unwrap_or(usize::MAX);
            let Some((place, behind)) = take(&mut free).split_at_mut_checked(len) else { break };
            container.decompress_into(place, &mut codec)?;
            free = behind;
        }
        let body = Body::Containers(Containers::of(format, part));
        Ok((body, content, usize::try_from(stored).unwrap_or(usize::MAX)))
    }

    /// Returns the method for containers that do not store it, judging by the first block.
    fn method(&self) -> Result<Method<'static>> {
        let first = Compressed::open_at(self.bytes, self.offset(), Method::Oodle)?;
        let says_method = first.format().version == ContainerVersion::Two;
        match first.blocks().next() {
            Some(block) if !says_method => guess_method(block.bytes)
                .ok_or_else(|| self.error(ErrorKind::Codec(CodecError::Unsupported))),
            _ => Ok(Method::Zlib),
        }
    }

    /// Returns the first container, and all containers with the same tag that follow it without a
    /// gap.
    fn containers_of(
        &self,
        method: Method<'static>,
    ) -> impl Iterator<Item = Result<Compressed<'a>>> + use<'a> {
        let (bytes, base) = (self.bytes, self.offset());
        let tag = bytes.get(..8).unwrap_or_default();
        let mut at = 0usize;
        core::iter::from_fn(move || {
            let rest = bytes.get(at..).filter(|rest| !tag.is_empty() && rest.starts_with(tag))?;
            let opened = Compressed::open_at(rest, base.saturating_add(at as u64), method);
            at = match &opened {
                Ok(one) => {
                    at.saturating_add(usize::try_from(one.stored_size()).unwrap_or(usize::MAX))
                }
                Err(_) => bytes.len(),
            };
            Some(opened)
        })
    }
}

/// Returns the first block of a container or compressed package: its content and its compressed
/// bytes. `content` is the content of the whole `file`.
pub(super) fn first_block<'a>(
    file: &'a [u8],
    content: &'a [u8],
    versions: Option<Versions>,
) -> Option<(&'a [u8], &'a [u8])> {
    let packed = CompressedPackage::open(file, versions).ok().flatten();
    let (container, start) = match packed {
        Some(package) => {
            let chunk = package.chunks().next()?;
            (package.open_chunk(&chunk).ok()?, usize::try_from(chunk.uncompressed_offset).ok()?)
        }
        None => (Compressed::open(file, Method::Zlib).ok()?, 0),
    };
    let block = container.blocks().next()?;
    let size = usize::try_from(block.size).ok()?;
    Some((content.get(start..)?.get(..size)?, block.bytes))
}
