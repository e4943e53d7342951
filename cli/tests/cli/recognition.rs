//! Tests commands on files of other programs. Each command says what such a file is, and `check`
//! refuses it.

use crate::command::{Ran, empty_folder, run, run_on, write_file};
use crate::support::godot::words::words;

/// Returns the bytes, followed by many bytes that are not a Godot value.
fn with_content(head: &[u8]) -> Vec<u8> {
    [head, &[0xA7; 300]].concat()
}

/// Returns a tar archive of one file.
fn tar() -> Vec<u8> {
    let mut bytes = b"save.bin".to_vec();
    bytes.resize(257, 0);
    with_content(&[&bytes[..], b"ustar\0"].concat())
}

fn windows_program() -> Vec<u8> {
    let mut bytes = b"MZ\x90\0".to_vec();
    bytes.resize(0x3C, 0);
    with_content(&[&bytes[..], &words(&[0x40]), b"PE\0\0"].concat())
}

/// Returns the names, contents and expected descriptions of files that are not Godot values.
fn neighbours() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let gzip = b"\x1F\x8B\x08\0\0\0\0\0\0\x03";
    let formatter = b"\0\x01\0\0\0\xFF\xFF\xFF\xFF\x01\0\0\0\0\0\0\0";
    vec![
        ("rsrc.scn", with_content(b"RSRC\0\0\0\0"), "a binary resource or scene of Godot"),
        (
            "rscc.res",
            with_content(b"RSCC\x02\0\0\0"),
            "a compressed binary resource or scene of Godot",
        ),
        ("en.translation", with_content(b"RSRC\0\0\0\0"), "a binary resource or scene of Godot"),
        ("game.pck", with_content(b"GDPC\x02\0\0\0"), "a pack of a Godot game"),
        ("project.binary", with_content(b"ECFG\x05\0\0\0"), "binary project settings of Godot"),
        ("player.gdc", with_content(b"GDSC\x64\0\0\0"), "a compiled script of Godot"),
        ("icon.ctex", with_content(b"GST2\x01\0\0\0"), "an imported texture of Godot"),
        ("theme.tres", b"[gd_resource type=\"Theme\"]\n".to_vec(), "a resource of Godot in text"),
        ("main.tscn", b"[gd_scene format=3]\n".to_vec(), "a scene of Godot in text"),
        ("save.ini", b"[player]\n\nname=Ada\n".to_vec(), "a configuration file in text"),
        (
            "Header.sav",
            with_content(b"\x02\0\0\0\x10\0\0\0GVAS\x03\0\0\0"),
            "a save of Unreal Engine after a header of the game",
        ),
        ("game.ucas", with_content(b"\x8C\x0C"), "the data of an IoStore container"),
        (
            "Zen.uasset",
            with_content(&words(&[0, 300, 1, 0])),
            "a package of Unreal Engine without its tag, probably a damaged package",
        ),
        ("game.usmap", with_content(b"\xC4\x30\x04\0\0\0\0\0"), "mappings of Unreal Engine"),
        ("a.zip", with_content(b"PK\x03\x04\x14\0\0\0"), "a ZIP archive"),
        ("a.zlib", with_content(b"\x78\x9C"), "data compressed by zlib"),
        ("a.lz4", with_content(b"\x04\x22\x4D\x18\x64\x40"), "data compressed by LZ4"),
        ("a.tar", tar(), "a tar archive"),
        ("a.db", with_content(b"SQLite format 3\0"), "an SQLite database"),
        ("a.png", with_content(b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"), "a PNG image"),
        ("a.elf", with_content(b"\x7FELF\x02\x01\x01\0"), "a program or library (ELF)"),
        ("a.exe", windows_program(), "a program or library of Windows"),
        ("a.wasm", with_content(b"\0asm\x01\0\0\0"), "a WebAssembly module"),
        ("unity.dat", with_content(formatter), "data of .NET's BinaryFormatter"),
        ("zeros.sav", vec![0; 64], "a file of nothing but zeros"),
        ("a.xml", b"<?xml version=\"1.0\"?>\n<save/>\n".to_vec(), "text in XML or HTML"),
        ("a.yaml", b"---\nhp: 5\n".to_vec(), "text in YAML"),
        // `packets` has messages of its own about these three.
        ("a.gz", with_content(gzip), "data compressed by gzip"),
        ("a.zst", with_content(b"\x28\xB5\x2F\xFD"), "data compressed by Zstandard"),
        ("a.xz", with_content(b"\xFD7zXZ\0"), "data compressed by xz"),
        // `encode` tries to read these two as values, and has messages of its own about them.
        ("a.json", b"{\"hp\": 5}\n".to_vec(), "text in JSON"),
        ("a.txt", b"Hello, world\n".to_vec(), "text"),
    ]
}

/// Checks that a run printed only an error that describes `file`, and a hint.
#[track_caller]
fn is_named(ran: &Ran, file: &str, description: &str) {
    let mut lines = ran.err.lines();
    let (error, hint) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    assert!(error.starts_with(&format!("error: {file}: this is {description}")), "{ran:?}");
    assert!(hint.starts_with("hint: ") && lines.next().is_none(), "{ran:?}");
    assert_eq!(ran.out, "", "{ran:?}");
}

#[test]
fn every_command_names_the_neighbours() {
    let folder = empty_folder("recognition/matrix");
    let value = write_file(&folder, "value.bin", &words(&[2, 5]));
    for (name, bytes, description) in neighbours() {
        let file = &*write_file(&folder, name, &bytes);
        for args in [
            &["show", file][..],
            &["json", file],
            &["text", file],
            &["get", "hp", file],
            &["set", "hp", "5", file],
            &["schema", file],
        ] {
            let ran = run(args);
            is_named(&ran, file, description);
            assert_eq!(ran.code, Some(1), "{args:?}");
            assert!(ran.err.contains(", not a Godot value\n"), "{ran:?}");
        }
        for args in [["diff", file, &value], ["diff", &value, file]] {
            let ran = run(&args);
            is_named(&ran, file, description);
            assert_eq!(ran.code, Some(2), "{args:?}");
        }

        let ran = run(&["check", file]);
        assert_eq!((ran.code, &*ran.err), (Some(1), ""), "{ran:?}");
        assert!(ran.out.starts_with("refused ") && ran.out.contains(description), "{ran:?}");
        assert!(ran.out.contains(", not a Godot value\n  hint: "), "{ran:?}");

        for args in [&["encode", file][..], &["encode", "--text", file]] {
            let ran = run(args);
            match name {
                "a.json" | "a.txt" => assert!(!ran.err.contains("this is"), "{ran:?}"),
                _ => {
                    is_named(&ran, file, description);
                    assert_eq!(ran.code, Some(1), "{args:?}");
                }
            }
        }
        let ran = run(&["unreal", "deps", file]);
        assert_eq!((ran.code, &*ran.out), (Some(1), ""), "{ran:?}");
        let error = format!("error: {file}: not a package: this is {description}");
        assert!(ran.err.starts_with(&error), "{ran:?}");
        let ran = run(&["packets", file]);
        assert_eq!((ran.code, &*ran.out), (Some(1), ""), "{ran:?}");
        match name {
            "a.gz" | "a.zst" | "a.xz" => {
                assert!(ran.err.contains("the capture is compressed; try "), "{ran:?}");
            }
            _ => is_named(&ran, file, description),
        }
    }
}

/// Returns a save of Palworld, compressed with zlib. Its first word is also the type id of
/// Transform2D.
fn palworld() -> Vec<u8> {
    with_content(&[&words(&[0x0000_000B, 300])[..], b"PlZ2\x78\x9C"].concat())
}

/// Returns files that are recognised as wrapped saves, but whose content is damaged or in an
/// unsupported form.
fn wrapped() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let blocks = [&words(&[0x9E2A_83C1, 0x2222_2222, 0x0002_0000, 0])[..], &[3]].concat();
    vec![
        ("Level.sav", palworld(), "a save of Palworld, compressed with zlib"),
        (
            "Xbox.sav",
            with_content(&[b"\x08\0\0\0\x08\0\0\0CNK0", &palworld()[..14]].concat()),
            "a save of Palworld, compressed with zlib",
        ),
        (
            "Level2.sav",
            with_content(&[&words(&[400, 300])[..], b"PlM1\x8C\x0A"].concat()),
            "a save of Palworld, compressed with Oodle",
        ),
        ("Blocks.sav", with_content(&blocks), "data of Unreal Engine, compressed in blocks"),
    ]
}

#[test]
fn every_command_names_wrapped_saves() {
    let folder = empty_folder("recognition/wrapped");
    for (name, bytes, description) in wrapped() {
        let file = &*write_file(&folder, name, &bytes);
        for args in [
            &["show", file][..],
            &["check", file],
            &["json", file],
            &["get", "hp", file],
            &["set", "hp", "5", file],
            &["unreal", "deps", file],
            &["unreal", "unwrap", file],
        ] {
            let ran = run(args);
            assert_eq!((ran.code, &*ran.out), (Some(1), ""), "{ran:?}");
            let error = format!("error: {file}: this is {description}: offset ");
            assert!(ran.err.starts_with(&error) && ran.err.lines().count() == 1, "{ran:?}");
        }
        for args in [&["text", file][..], &["schema", file]] {
            let ran = run(args);
            is_named(&ran, file, description);
            assert_eq!(ran.code, Some(1), "{args:?}");
        }
    }
}

#[test]
fn commands_name_the_files_that_other_commands_read() {
    let folder = empty_folder("recognition/ours");
    let value = write_file(&folder, "value.bin", &words(&[2, 5]));
    let capture = "corpus/captures/udp.pcap";
    let package = &*write_file(&folder, "a.uasset", &words(&[0x9E2A_83C1, 0xFFFF_FFF8]));
    let save = &*write_file(&folder, "a.sav", &[b"GVAS", &words(&[3, 522])[..]].concat());
    let rems = &*write_file(&folder, "a.json", br#"[{"class": "Prefab", "i:*ptr": 1}]"#);
    for (file, description, reader) in [
        (capture, "a capture of network traffic", "`gamewire packets`"),
        (package, "a package of Unreal Engine", "`gamewire show`, "),
        (save, "a save of Unreal Engine", "`gamewire show`, "),
        (rems, "a save of Rem's Engine", "`gamewire show`, "),
    ] {
        for args in [
            &["text", file][..],
            &["set", "hp", "5", file],
            &["schema", file],
            &["encode", file],
            &["packets", file],
            &["diff", file, &value],
        ] {
            let is_unreal = file == package || file == save;
            let reads = match args[0] {
                "packets" => file == capture,
                "diff" => file == rems || is_unreal,
                "set" => is_unreal,
                _ => false,
            };
            if reads {
                continue;
            }
            let ran = run(args);
            is_named(&ran, file, description);
            assert!(ran.err.contains(reader), "{ran:?}");
        }
    }

    let ran = run(&["diff", rems, package]);
    assert_eq!(ran.code, Some(2));
    let error =
        format!("error: {package}: this is not a save of Rem's Engine, unlike the other file");
    assert!(ran.err.starts_with(&error), "{ran:?}");
    assert!(ran.err.contains("\nhint: this is a package of Unreal Engine: "), "{ran:?}");

    let ran = run(&["encode", &value]);
    is_named(&ran, &value, "binary data, not text with values");
    assert!(ran.err.contains("`gamewire json` prints"), "{ran:?}");
}

/// Checks that `--as` reads a file as values even if its bytes are recognised as a different
/// format.
#[test]
fn a_named_format_is_not_questioned() {
    let folder = empty_folder("recognition/named");
    let file = &*write_file(&folder, "a.gz", &with_content(b"\x1F\x8B\x08\0\0\0\0\0\0\x03"));
    let ran = run(&["check", "--as", "godot4", file]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.starts_with("ok ") && ran.out.contains("  warning: 302 bytes after the value"));
    assert!(ran.out.contains("  hint: this is data compressed by gzip: "), "{ran:?}");
    let ran = run(&["show", "--as", "godot4", file]);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(0), 1));
    assert!(ran.err.starts_with(&format!("warning: {file}: 302 bytes after the value")), "{ran:?}");
}

/// Checks that a file that consists of values is read as values, even if its bytes or its name look
/// like a different format.
#[test]
fn values_that_fill_a_file_are_not_questioned() {
    let string = |text: &[u8]| [&words(&[4, text.len() as u32])[..], text].concat();
    let int = words(&[2, 5]);
    for (name, packet) in [
        ("text", string(b"PlZ1\x78\x01\x01\x02")),
        ("text", string(b"GVAS\x03\0\0\0")),
        ("two.ucas", [&int[..], &int].concat()),
        ("int.uasset", int),
        ("nil", words(&[0])),
    ] {
        let folder = empty_folder("recognition/values");
        let file = &*write_file(&folder, name, &packet);
        for args in
            [&["check", file][..], &["json", file], &["text", file], &["show", "--all", file]]
        {
            let ran = run(args);
            assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{ran:?}");
        }
    }
}

/// Checks that `check` refuses a value followed by many bytes that are not values, unless `--as` is
/// given.
#[test]
fn many_bytes_after_a_value_are_refused() {
    let check = |packet: &[u8]| run_on(&["check", "-"], packet);
    let int = words(&[2, 5]);
    let long = [&words(&[4, 20])[..], &[b'a'; 20]].concat();
    for (value, rest, is_accepted) in
        [(&int, 0, true), (&int, 8, true), (&int, 9, false), (&long, 16, true), (&long, 17, false)]
    {
        let packet = [&value[..], &vec![0xA7; rest]].concat();
        let ran = check(&packet);
        assert_eq!(ran.code, Some(i32::from(!is_accepted)), "{rest}: {ran:?}");
        let forced = run_on(&["check", "--as", "godot4", "-"], &packet);
        assert_eq!(forced.code, Some(0), "{rest}: {forced:?}");
        let shown = run_on(&["show", "-"], &packet);
        assert_eq!(shown.code, Some(0), "{rest}: {shown:?}");
        assert_eq!(shown.err.contains("hint: these are probably not Godot values"), !is_accepted);
    }
    let ran = check(&[&int[..], &[0xA7; 40]].concat());
    assert_eq!(
        ran.out,
        "refused <stdin>  48 bytes  int, then 40 bytes that are not a value, at offset 8 (0x8)\n  \
         hint: these are probably not Godot values (--as godot4 reads them as values all the same), \
         and `gamewire find` finds none in them\n"
    );
    // Further values and zeros may follow the first value.
    let ran = check(&[&int[..], &long, &int, &[0xA7; 4]].concat());
    assert!(
        ran.code == Some(0) && ran.out.contains("  warning: 40 bytes after the value"),
        "{ran:?}"
    );
    assert_eq!(check(&[&int[..], &[0; 100]].concat()).code, Some(0));
    // Bytes after a value do not count as a further value if no engine writes their header.
    let numbers = words(&[2, 5, 0x3C00_0000, 0x3D00_0000, 0x3E00_0000, 0x3F00_0000, 0x4000_0000]);
    let ran = check(&numbers);
    assert!(ran.code == Some(1) && ran.out.contains("int, then 20 bytes"), "{ran:?}");
    // For frames of values, the hint is a different one.
    let frames = [&words(&[12])[..], &words(&[2, 5]), &words(&[0])].concat().repeat(4);
    let ran = check(&frames);
    assert!(!ran.out.contains("probably"), "{ran:?}");
}

/// Checks the hint for a file that is not a value and is not recognised as any other format.
#[test]
fn no_value_at_all() {
    let bytes = words(&[0x4711_4763; 20]);
    let hint = "hint: these are probably not Godot values";
    for args in [&["show", "-"][..], &["json", "-"], &["set", "hp", "5", "-"], &["schema", "-"]] {
        let ran = run_on(args, &bytes);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.err.contains(hint), "{ran:?}");
    }
    assert!(run_on(&["check", "-"], &bytes).out.contains(hint));
    // There is no such hint for a truncated packet.
    let ran = run_on(&["show", "-"], &[4, 0, 0, 0, 200, 0, 0, 0, 65]);
    assert!(ran.code == Some(1) && !ran.err.contains("hint"), "{ran:?}");
}
