//! Laws of localized texts in arbitrary bytes: both ways to find strings agree, and the number of
//! texts is limited by the size of the file.

use super::accessors::show;
use gamewire::unreal::{Locres, StrRef};

/// Reads localized texts.
pub fn unreal_locres(data: &[u8]) {
    let locres = match Locres::open(data) {
        Ok(locres) => locres,
        Err(error) => return show(error),
    };
    let indexed = locres.clone().with_string_index();
    let mut count = 0;
    for (namespace, same) in locres.namespaces().zip(indexed.namespaces()) {
        let (Ok(namespace), Ok(same)) = (namespace, same) else { continue };
        show(namespace.key.text);
        let mut others = same.texts();
        for text in namespace.texts() {
            count += 1;
            let other = others.next().unwrap();
            match (text, other) {
                (Ok(text), Ok(other)) => {
                    assert_eq!(text, other);
                    show(text.text);
                    find(&locres, namespace.key.text, text.key.text);
                }
                (Err(error), Err(_)) => show(error),
                (text, other) => panic!("{text:?} {other:?}"),
            }
        }
        assert!(others.next().is_none());
    }
    assert!(count <= data.len() / 12);
    let mut problems = 0;
    let ok = locres.verify(|error| {
        problems += 1;
        show(error);
    });
    assert_eq!(ok, problems == 0);
    assert!(problems <= data.len() / 4 + 4);
}

fn find(locres: &Locres<'_>, namespace: StrRef<'_>, key: StrRef<'_>) {
    let (namespace, key) = (namespace.to_string(), key.to_string());
    if !namespace.contains('\u{FFFD}') && !key.contains('\u{FFFD}') && locres.namespace_count() == 1
    {
        assert!(locres.find(&namespace, &key).is_some());
    }
}
