//! Generated mappings and exports of every type of property.

use crate::support::unreal::unversioned::{CLASS, Made, without_places};
use gamewire::unreal::tables::{Export, Serial};
use gamewire::unreal::{Mappings, Package, PropertyWriter};

/// Generated exports are read as they were made, and written with the same bytes.
#[test]
fn values_are_those_that_were_made() {
    for seed in 0..1500 {
        let made = Made::new(seed);
        let mappings = Mappings::open(&made.mappings).unwrap();
        let package = Package::open_as(&made.header, Some(&made.export), Some(made.versions));
        let package = package.unwrap().with_mappings(&mappings);
        let serial = Serial { size: made.export.len() as i64, offset: made.header.len() as i64 };
        let export = Export { class: CLASS, serial, ..Export::default() };
        let object = package.properties(&export).unwrap().unwrap();
        let found = without_places(&serde_json::to_value(object.iter()).unwrap());
        if found != made.properties {
            for (found, wanted) in
                found.as_array().unwrap().iter().zip(made.properties.as_array().unwrap())
            {
                assert_eq!(found, wanted, "seed {seed} {:?}", made.versions);
            }
            panic!(
                "seed {seed}: {} {}",
                found.as_array().unwrap().len(),
                made.properties.as_array().unwrap().len()
            );
        }
        let tail = object.tail().unwrap();
        assert_eq!((tail.guid, tail.native), (None, &b"tail"[..]));
        assert_eq!(tail.offset as usize - made.header.len(), made.size);

        let (mut copied, mut written) = (Vec::new(), Vec::new());
        let mut copy = PropertyWriter::new(&mut copied, &object.iter());
        let mut write = PropertyWriter::new(&mut written, &object.iter());
        for tag in object {
            let tag = tag.unwrap();
            copy.copy(&tag).unwrap();
            if tag.slot().unwrap().is_zero || write.value(&tag.head(), &tag.value()).is_err() {
                write.copy(&tag).unwrap();
            }
        }
        copy.finish().unwrap();
        write.finish().unwrap();
        let prefix = if (1010..=1012).contains(&made.versions.ue5) { 4 } else { 0 };
        assert_eq!(copied, made.export[prefix..made.size]);
        assert_eq!(written, copied);
    }
}
