//! Tests that all commands open compressed and encrypted files of Godot, and write them back.

use crate::command::{Ran, empty_folder, gamewire, output_on, root, run, shown, write_file};
use std::fs;

const FOLDER: &str = "corpus/godot-files/4.6.3";
const PASSWORD: &str = "hunter2";
const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const COMPRESSED: [&str; 4] = [
    "compressed_fastlz.dat",
    "compressed_deflate.dat",
    "compressed_zstd.dat",
    "compressed_gzip.dat",
];

fn corpus(name: &str) -> String {
    format!("{FOLDER}/{name}")
}

fn read(name: &str) -> Vec<u8> {
    fs::read(root(FOLDER).join(name)).unwrap()
}

/// Runs a command on a file of frames, and gives it the password.
fn frames(args: &[&str], file: &str) -> Ran {
    let (command, args) = args.split_first().unwrap();
    let frames = ["--as", "godot4-frames", "--password", PASSWORD];
    run(&[&[*command][..], &frames, args, &[file]].concat())
}

fn refused(ran: Ran, message: &str) {
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{ran:?}");
    assert!(ran.err.contains(message), "{ran:?}");
}

#[test]
fn all_commands_open_containers() {
    let plain = corpus("plain.dat");
    for args in [&["show"][..], &["json"], &["text"], &["get", "name"], &["schema"]] {
        let expected = frames(args, &plain).out;
        assert!(expected.contains("Ada"), "{args:?}");
        for name in COMPRESSED.into_iter().chain(["encrypted_pass.dat"]) {
            assert_eq!(frames(args, &corpus(name)).out, expected, "{args:?} {name}");
        }
    }
    for name in COMPRESSED.into_iter().chain(["encrypted_pass.dat"]) {
        let checked = shown(frames(&["check"], &corpus(name)));
        let size = read(name).len();
        assert!(checked.starts_with("ok "), "{checked}");
        assert!(checked.contains(&format!("{name}  {size} bytes  6 frames")), "{checked}");
        shown(frames(&["diff", &plain], &corpus(name)));
    }
}

#[test]
fn containers_of_godot_3() {
    let read = |name: &str| {
        let file = format!("corpus/godot-files/3.6.2/{name}");
        run(&["json", "--as", "godot3-frames", "--password", PASSWORD, &file])
    };
    let plain = shown(read("g3_plain.dat"));
    for mode in ["fastlz", "deflate", "zstd", "gzip"] {
        assert_eq!(shown(read(&format!("g3_compressed_{mode}.dat"))), plain);
    }
    assert_eq!(shown(read("g3_encrypted_pass.dat")), plain);
}

#[test]
fn keys() {
    let folder = empty_folder("containers/keys");
    let args = |name: &str, options: &[&str]| {
        let file = corpus(name);
        let args = [&["json", "--as", "godot4-frames"][..], options, &[&file]].concat();
        gamewire().args(args).env_remove("GAMEWIRE_PASSWORD").output().unwrap().into()
    };
    let plain = shown(args("plain.dat", &[]));
    assert_eq!(shown(args("encrypted_pass.dat", &["--password", PASSWORD])), plain);
    assert_eq!(shown(args("encrypted_key.dat", &["--key", KEY])), plain);
    for content in ["hunter2", "hunter2\n", "hunter2\r\n"] {
        let file = write_file(&folder, "password.txt", content.as_bytes());
        assert_eq!(shown(args("encrypted_pass.dat", &["--password-file", &file])), plain);
    }
    let mut command = gamewire();
    command.args(["json", "--as", "godot4-frames", &corpus("encrypted_pass.dat")]);
    let ran: Ran = command.env("GAMEWIRE_PASSWORD", PASSWORD).output().unwrap().into();
    assert_eq!(shown(ran), plain);

    refused(args("encrypted_pass.dat", &[]), "this file is encrypted: give its password");
    for wrong in [["--password", "hunter3"], ["--key", KEY]] {
        let ran = args("encrypted_pass.dat", &wrong);
        refused(ran, "the key does not fit (the content's MD5 differs)");
    }
    for wrong in [&["--key", "00"][..], &["--password-file", "missing"], &["--key", &KEY[1..]]] {
        assert_eq!(args("encrypted_key.dat", wrong).code, Some(2), "{wrong:?}");
    }
    assert_eq!(args("encrypted_key.dat", &["--key", KEY, "--password", "a"]).code, Some(2));
}

/// Checks that `set` can change a value in a compressed or encrypted file, and that the result is
/// compressed or encrypted in the same way.
#[test]
fn set_writes_containers_back() {
    let folder = empty_folder("containers/set");
    for name in COMPRESSED.into_iter().chain(["encrypted_pass.dat"]) {
        let copy = folder.join(name);
        let copy = copy.to_str().unwrap();
        let set = ["set", "--as", "godot4-frames", "--password", PASSWORD, "--frame", "0"];
        let file = corpus(name);
        shown(run(&[&set[..], &["name", "\"Bob\"", &file, "-o", copy]].concat()));
        assert_eq!(fs::read(copy).unwrap()[..4], read(name)[..4], "{name}");
        let before = frames(&["json"], &file).out;
        assert_eq!(frames(&["json"], copy).out, before.replace("s:Ada", "s:Bob"), "{name}");

        shown(run(&[&set[..], &["--in-place", "name", "\"Ada\"", copy]].concat()));
        assert_eq!(frames(&["json"], copy).out, before, "{name}");
        if name.contains("encrypted") {
            // The content is the same as before, but the initialization vector is new.
            assert_eq!(fs::read(copy).unwrap()[..28], read(name)[..28]);
            assert_ne!(fs::read(copy).unwrap()[28..44], read(name)[28..44]);
        }
    }
}

#[test]
fn set_restores_base64_around_a_container() {
    let file = data_encoding::BASE64.encode(&read("compressed_zstd.dat"));
    let args = ["set", "--base64", "--as", "godot4-frames", "--frame", "0", "name", "\"Bob\"", "-"];
    let changed = output_on(&args, file.as_bytes());
    let changed = data_encoding::BASE64.decode(&changed.stdout).unwrap();
    assert!(changed.starts_with(b"GCPF"));
}

/// Checks that `encode -o` keeps the form of a file that already exists.
#[test]
fn encode_writes_containers_back() {
    let folder = empty_folder("containers/encode");
    for name in COMPRESSED.into_iter().chain(["encrypted_pass.dat"]) {
        let target = write_file(&folder, name, &read(name));
        let encode = ["encode", "--as", "godot4-frames", "--password", PASSWORD, "-o", &target];
        let ran: Ran = output_on(&encode, b"\"s:new\"\n").into();
        shown(ran);
        assert_eq!(fs::read(&target).unwrap()[..4], read(name)[..4]);
        assert_eq!(shown(frames(&["json"], &target)), "\"s:new\"\n");
        let before = fs::read(&target).unwrap();
        let ran: Ran = output_on(&encode, b"{\n").into();
        assert_eq!(ran.code, Some(1));
        assert_eq!(fs::read(&target).unwrap(), before);
    }
    let target = write_file(&folder, "secret.dat", &read("encrypted_pass.dat"));
    let ran: Ran = output_on(&["encode", "--password", "wrong", "-o", &target], b"true").into();
    refused(ran, "the key does not fit");
    assert_eq!(fs::read(&target).unwrap(), read("encrypted_pass.dat"));
}

/// Checks that an encrypted configuration file is read and changed like a plain one.
#[test]
fn encrypted_configuration_files() {
    let folder = empty_folder("containers/config");
    let copy = write_file(&folder, "config.cfg", &read("config_encrypted.cfg"));
    let password = ["--password", PASSWORD];
    let json = |file: &str| shown(run(&[&["json", file][..], &password].concat()));
    assert_eq!(json(&copy), json(&corpus("config.cfg")));
    let set = ["set", "--in-place", "player/name", "\"Bob\"", &copy];
    shown(run(&[&set[..], &password].concat()));
    let before = json(&corpus("config.cfg"));
    assert_eq!(json(&copy), before.replace("s:Ada", "s:Bob"));
    assert!(fs::read(&copy).unwrap().starts_with(b"GDEC"));
}

#[test]
fn pack_and_unpack() {
    let folder = empty_folder("containers/pack");
    let plain = corpus("plain.dat");
    for form in ["fastlz", "deflate", "zstd", "gzip", "encrypted", "encrypted-godot3"] {
        let packed = folder.join(form);
        let packed = packed.to_str().unwrap();
        shown(run(&["pack", "--to", form, "--password", PASSWORD, &plain, "-o", packed]));
        assert_ne!(fs::read(packed).unwrap(), read("plain.dat"));
        let unpacked = gamewire().args(["unpack", "--password", PASSWORD, packed]).output();
        assert_eq!(unpacked.unwrap().stdout, read("plain.dat"), "{form}");
    }
    assert_eq!(fs::read(folder.join("fastlz")).unwrap(), read("compressed_fastlz.dat"));
    let unpacked = folder.join("unpacked");
    let unpacked = unpacked.to_str().unwrap();
    shown(run(&["unpack", &corpus("compressed_gzip.dat"), "-o", unpacked]));
    assert_eq!(fs::read(unpacked).unwrap(), read("plain.dat"));

    refused(run(&["unpack", &plain]), "this is not a compressed or encrypted file of Godot");
    refused(run(&["unpack", "missing.dat"]), "No such file");
    refused(run(&["pack", "--to", "encrypted", &plain]), "an encrypted file needs a password");
    assert_eq!(run(&["pack", &plain]).code, Some(2));
}

#[test]
fn damaged_containers_are_errors() {
    let folder = empty_folder("containers/damaged");
    let file = read("compressed_zstd.dat");
    for (name, damaged, message) in [
        ("cut.dat", file[..100].to_vec(), "the input ends"),
        ("header.dat", file[..10].to_vec(), "the input ends"),
        ("mode.dat", [b"GCPF", &[9][..], &file[5..]].concat(), "unknown compression 9 at offset 4"),
        ("secret.dat", b"GDEC\x01\0\0\0".to_vec(), "shorter than the encrypted content"),
        ("brotli.dat", read("compressed_brotli.dat"), "brotli"),
    ] {
        let path = write_file(&folder, name, &damaged);
        for command in ["show", "json", "check", "text", "unpack"] {
            refused(run(&[command, "--password", PASSWORD, &path]), message);
        }
    }
    // A command that does not open containers refuses them, and names the command that does.
    let advice = "`gamewire unpack` writes its content";
    refused(run(&["packets", &corpus("compressed_zstd.dat")]), advice);
    refused(run(&["encode", &corpus("encrypted_pass.dat")]), advice);
}
