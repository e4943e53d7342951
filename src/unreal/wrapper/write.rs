//! Encodes one layer.

use super::detect::Form;
use super::layer::{Body, Containers, Header, Layer};
use crate::unreal::compression::{Encoder, Method, PackageFormat};
use crate::unreal::format::{CodecError, Error, ErrorKind, Result};
use alloc::borrow::Cow;
use alloc::vec::Vec;

impl Layer {
    /// Puts the layer around data.
    pub(super) fn write(&self, data: &[u8], mut encoder: impl Encoder) -> Result<Vec<u8>> {
        let (form, body, stored_size) = self.body(data, &mut encoder)?;
        let header = self.header.write(form, data.len() as u64, stored_size);
        let too_large = |size: u64| Error::new(ErrorKind::FieldTooSmall(size.cast_signed()), 0);
        let header = header.map_err(too_large)?;
        let magic: &[u8] = match &self.header {
            Header::Magic(magic) => magic,
            _ => &[],
        };
        Ok([&*header, magic, &body, &self.rest].concat())
    }

    /// Returns the form of the encoded data, the encoded data, and the compressed size for the
    /// header.
    fn body<'d>(
        &self,
        data: &'d [u8],
        encoder: &mut impl Encoder,
    ) -> Result<(Form, Cow<'d, [u8]>, u64)> {
        let mut to = Vec::new();
        let form = match &self.body {
            Body::Stored => {
                let data = match self.header {
                    Header::Magic(_) => data.get(4..).unwrap_or_default(),
                    _ => data,
                };
                return Ok((Form::Stored, data.into(), data.len() as u64));
            }
            Body::Zlib(deflate) => {
                deflate.compress(data, &mut to);
                Form::Zlib
            }
            Body::ZlibTwice { inner, outer } => {
                let mut once = Vec::new();
                inner.compress(data, &mut once);
                outer.compress(&once, &mut to);
                return Ok((Form::ZlibTwice, to.into(), once.len() as u64));
            }
            Body::Oodle => {
                let unsupported = |cause: CodecError| Error::new(ErrorKind::Codec(cause), 0);
                encoder(Method::Oodle, data, &mut to).map_err(unsupported)?;
                Form::Oodle
            }
            Body::Containers(containers) => {
                containers.write(data, encoder, &mut to)?;
                Form::Containers
            }
            Body::Package { flags, chunk_size, containers, .. } => {
                let mut name = None;
                let container = containers.format(&mut name);
                let format = PackageFormat { flags: *flags, chunk_size: *chunk_size, container };
                let versions = self.body.versions();
                to = format.write(data, versions, containers.encoder(encoder))?;
                Form::Containers
            }
        };
        let size = to.len() as u64;
        Ok((form, to.into(), size))
    }
}

impl Containers {
    #[allow(clippy::disallowed_methods, reason = "the size of a part is not 0")]
    fn write(&self, data: &[u8], encoder: &mut impl Encoder, to: &mut Vec<u8>) -> Result<()> {
        let mut name = None;
        let format = self.format(&mut name);
        let mut encoder = self.encoder(encoder);
        let part = self.part.and_then(|part| usize::try_from(part).ok()).unwrap_or_default();
        if part == 0 || data.is_empty() {
            return format.write(data, &mut encoder, to);
        }
        data.chunks(part).try_for_each(|part| format.write(part, &mut encoder, to))
    }

    /// Returns an encoder that uses `self.deflate` for zlib, and `other` for all other methods.
    fn encoder(&self, other: &mut impl Encoder) -> impl Encoder {
        move |method: Method<'_>, from: &[u8], to: &mut Vec<u8>| match method {
            Method::Zlib => {
                self.deflate.compress(from, to);
                Ok(())
            }
            _ => other(method, from, to),
        }
    }
}
