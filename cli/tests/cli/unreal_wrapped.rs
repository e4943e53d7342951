//! Tests commands on saves that a game has wrapped.

use crate::command::{empty_folder, root, run, run_on, shown, write_file};
use crate::support::unreal::wrapped::{WRAPPERS, wrap};
use serde_json::Value;
use std::fs;

const SAVE: &str = "corpus/unreal/gvas-ue4.27-Slot1.sav";

fn small(name: &str) -> String {
    format!("corpus/unreal-small/{name}.sav")
}

#[test]
fn wrapped_saves_are_read_like_plain_ones() {
    let save = fs::read(root(SAVE)).unwrap();
    for wrapper in WRAPPERS {
        let file = wrap(wrapper, &save);
        let get = ["get", "properties.u8_test", "-"];
        assert_eq!(shown(run_on(&get, &save)), shown(run_on(&get, &file)), "{wrapper}");
        let [plain, wrapped] = [&save, &file].map(|file| {
            serde_json::from_str::<Value>(&shown(run_on(&["json", "-"], file))).unwrap()
        });
        let mut without = wrapped.clone();
        assert!(without.as_object_mut().unwrap().remove("wrapper").is_some(), "{wrapper}");
        assert_eq!(plain, without, "{wrapper}");
    }
    let file = wrap("PlZ2", &save);
    let text = shown(run_on(&["show", "-"], &file));
    let (size, content) = (file.len(), save.len());
    let lines = format!(
        "  size              {size} bytes\n  decompressed      {content} bytes\n  \
         wrapping          a header of Palworld, zlib twice\n"
    );
    assert!(text.contains(&lines), "{text}");
    let text = shown(run_on(&["check", "-"], &file));
    assert!(text.starts_with(&format!("ok      <stdin>  {size} bytes  save 522")), "{text}");
    assert!(text.contains(", wrapped (a header of Palworld, zlib twice)\n"), "{text}");
    assert!(!shown(run_on(&["show", "-"], &save)).contains("wrapping"));
    for name in ["zlib", "palworld_PlZ1", "prefix_8", "magic_SAVE", "serialize_compressed"] {
        assert_eq!(shown(run(&["get", "properties.A", &small(name)])), "1\n", "{name}");
    }
}

/// Checks that the unchanged document of a wrapped save is converted back to the same file, and
/// that `encode` and `set` put the same wrapper around changed content.
#[test]
fn wrapped_saves_are_edited() {
    let folder = empty_folder("unreal_wrapped_edits");
    let save = fs::read(root(SAVE)).unwrap();
    let get = |file: &str| shown(run(&["get", "properties.u8_test", file]));
    let old = shown(run_on(&["get", "properties.u8_test", "-"], &save));
    for wrapper in WRAPPERS {
        let file = wrap(wrapper, &save);
        let original = &*write_file(&folder, "original.sav", &file);
        let written = folder.join("written.sav");
        let written = written.to_str().unwrap();
        let json = shown(run(&["json", original]));
        let encode = ["encode", "--as", "unreal", "-o", written, "-"];
        assert_eq!(shown(run_on(&encode, json.as_bytes())), "", "{wrapper}");
        assert!(fs::read(written).unwrap() == file, "{wrapper}");

        let mut document: Value = serde_json::from_str(&json).unwrap();
        let properties = document["properties"].as_array_mut().unwrap();
        let changed = properties.iter_mut().find(|entry| entry["name"] == "u8_test").unwrap();
        changed["value"] = 7.into();
        assert_eq!(shown(run_on(&encode, document.to_string().as_bytes())), "", "{wrapper}");
        assert_eq!(get(written), "7\n", "{wrapper}");

        assert_eq!(shown(run(&["set", "properties.u8_test", "9", original, "-o", written])), "");
        assert_eq!(get(written), "9\n", "{wrapper}");
        let wrapping =
            |file| shown(run(&["check", file])).split_once(", wrapped").unwrap().1.to_owned();
        assert_eq!(wrapping(written), wrapping(original), "{wrapper}");
        let ran = run(&["diff", original, written]);
        let expected = format!("~ properties.u8_test: {} → 9\n", old.trim_end());
        assert_eq!((ran.code, &*ran.out), (Some(1), &*expected), "{wrapper}: {}", ran.err);
    }
}

#[test]
fn saves_are_unwrapped_and_wrapped_again() {
    let folder = empty_folder("unreal_wrapped");
    let save = fs::read(root(SAVE)).unwrap();
    let mut changed = save.clone();
    let last = changed.len() - 6;
    changed[last] ^= 1;
    for wrapper in WRAPPERS {
        let file = wrap(wrapper, &save);
        let original = &*write_file(&folder, "original.sav", &file);
        let (content, written) = (folder.join("content"), folder.join("written"));
        let (content, written) = (content.to_str().unwrap(), written.to_str().unwrap());
        let ran = run(&["unreal", "unwrap", original, "-o", content]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.err.starts_with(&format!("note: {original}: unwrapped ")), "{ran:?}");
        assert!(fs::read(content).unwrap() == save, "{wrapper}");
        let ran = run(&["unreal", "wrap", content, "--like", original, "-o", written]);
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{ran:?}");
        assert!(fs::read(written).unwrap() == file, "{wrapper}");
        fs::write(content, &changed).unwrap();
        let ran = run(&["unreal", "wrap", content, "--like", original, "-o", written]);
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{ran:?}");
        let ran = run(&["unreal", "unwrap", written, "-o", content]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(fs::read(content).unwrap() == changed, "{wrapper}");
    }
    let plain = &*write_file(&folder, "plain.sav", &save);
    let written = folder.join("written");
    let written = written.to_str().unwrap();
    for (form, wrapping) in [
        ("zlib", "zlib"),
        ("palworld", "a header of Palworld, zlib"),
        ("palworld-twice", "a header of Palworld, zlib twice"),
        ("blocks", "blocks of zlib"),
        ("blocks-new", "blocks of zlib"),
    ] {
        let ran = run(&["unreal", "wrap", plain, "--to", form, "-o", written]);
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{ran:?}");
        let ran = run(&["unreal", "unwrap", written, "-o", plain]);
        assert_eq!(ran.err, format!("note: {written}: unwrapped {wrapping}\n"));
        assert!(fs::read(plain).unwrap() == save);
    }
    // A header that gamewire does not know.
    let prefixed = &*small("prefix_8");
    let ran = run(&["unreal", "wrap", plain, "--like", prefixed, "-o", written]);
    let warning = "the bytes before the save are copied: if they contain a size or a checksum, it \
                   is wrong now";
    assert_eq!((ran.code, ran.err), (Some(0), format!("warning: {prefixed}: {warning}\n")));
    assert!(fs::read(written).unwrap()[8..] == save);
}

#[test]
fn errors_name_the_wrapper_and_the_reason() {
    let save = fs::read(root(&small("palworld_PlZ1"))).unwrap();
    let palworld = "this is a save of Palworld, compressed with";
    let cut = &save[..90];
    let damaged = [&save[..60], &[0xA5; 20], &save[80..]].concat();
    let mut long = save.clone();
    long[3] = 0x7F;
    let oodle = [&[200, 0, 0, 0, 100, 0, 0, 0][..], b"PlM1\x8C\x0A", &[7; 98]].concat();
    let words = [&b"\x82\xF2\x98\x4F\x92\x77\x47\x1A"[..], &[7; 80]].concat();
    for (file, message) in [
        (
            cut,
            format!(
                "{palworld} zlib: offset 90 (0x5a): unexpected end of data (bytes missing: 25)"
            ),
        ),
        (&damaged[..], format!("{palworld} zlib: offset ")),
        (&long, format!("{palworld} zlib: offset 12 (0xc): invalid size ")),
        (
            &oodle,
            format!(
                "{palworld} Oodle: offset 12 (0xc): the compression method is not supported \
                 (gamewire decompresses zlib, LZ4, Zstandard and Brotli, but not gzip, LZO or Oodle)"
            ),
        ),
        (&words, "this is an encrypted save of Goat Simulator 3, which cannot be unwrapped".into()),
    ] {
        for args in [
            &["show", "-"][..],
            &["json", "-"],
            &["get", "properties.A", "-"],
            &["check", "-"],
            &["unreal", "unwrap", "-"],
        ] {
            let ran = run_on(args, file);
            assert_eq!((ran.code, &*ran.out), (Some(1), ""), "{ran:?}");
            assert!(ran.err.starts_with(&format!("error: <stdin>: {message}")), "{ran:?}");
        }
    }
    let plain = run(&["unreal", "unwrap", SAVE]);
    let error = format!(
        "error: {SAVE}: this is a save or package without a wrapper: there is nothing to unwrap\n"
    );
    assert_eq!((plain.code, plain.err), (Some(1), error));
    let mut noise = 1u32;
    let noise: Vec<u8> = (0..60_000)
        .map(|_| {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (noise >> 24) as u8
        })
        .collect();
    let ran = run_on(&["unreal", "unwrap", "-"], &noise);
    assert!(ran.err.ends_with("was recognised; it looks compressed or encrypted\n"), "{ran:?}");
    let ran = run_on(&["unreal", "unwrap", "-"], &[7; 100]);
    assert!(ran.err.ends_with("no wrapper of a save or package was recognised\n"), "{ran:?}");
    // The content is neither a save nor a package.
    let list = wrap("container 1", &[7; 500]);
    let ran = run_on(&["show", "-"], &list);
    assert!(ran.err.contains("the data in it (blocks of zlib) are neither a save nor"), "{ran:?}");
    assert_eq!(run_on(&["unreal", "unwrap", "-"], &list).code, Some(0));
    let ran = run(&["unreal", "wrap", SAVE, "--like", SAVE]);
    assert!(ran.err.contains(": this is a save or package without a wrapper"), "{ran:?}");
    let ran = run(&["unreal", "wrap", SAVE]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}
