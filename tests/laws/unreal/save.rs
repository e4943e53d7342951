//! Laws for arbitrary bytes that are read as a save: all accessors work, and a save is written as
//! the bytes that were read.

use super::COMPARED;
use super::Files;
use super::accessors::{Look, show};
use super::properties::list_as;
use super::visit::visit_as;
use crate::support::unreal::compare;
use gamewire::unreal::{PropertyWriter, Save};

pub fn unreal_save(data: &[u8]) {
    if data.len() <= COMPARED {
        compare::save(data).unwrap();
    }
    let save = match Save::open(data) {
        Ok(save) => save,
        Err(error) => {
            show(error);
            return assert!(error.offset() <= data.len() as u64);
        }
    };
    assert!(Save::is_save(data));
    let (mut look, len) = (Look::default(), data.len() as u64);
    look.item(&(save.versions(), save.header(), save.class()));
    look.assert_linear(len);
    let custom = save.custom_versions();
    assert_eq!(custom.iter().filter(Result::is_ok).count(), custom.len());

    let properties = save.properties();
    let mut look = Look::default();
    look.list(properties);
    look.assert_linear(len - properties.offset());
    list_as(properties, Files { header: data, exports: None });
    visit_as(properties);

    let mut written = Vec::new();
    save.write_header(&mut written).unwrap();
    assert_eq!(written, data[..properties.offset() as usize], "the header is written as read");
    if let Ok((end, trailer)) = save.trailer() {
        let mut writer = PropertyWriter::new(&mut written, &properties);
        for tag in properties {
            writer.copy(&tag.unwrap()).unwrap();
        }
        writer.finish().unwrap();
        assert_eq!(written.len() as u64, end);
        written.extend_from_slice(trailer);
        assert_eq!(written, data, "the save is written as read");
    }
    #[cfg(feature = "serde")]
    super::unreal_document(data);
}
