//! Tests the bounds of the commands on Godot values.

use crate::measure::{
    Command, Files, Input, OUTPUT, SMALL_INPUT, check, command, file, files, input, pick,
};
use crate::support::hostile::godot::{
    ARRAY, DICTIONARY, INT, NIL, all, array_of, dictionary_of, string, text, words,
};
use crate::support::hostile::godot_texts::{configs, json_texts, texts};
use crate::support::hostile::{self, Shape, shape};
use gamewire::compression::Compression;
use gamewire::godot::file::{Encryption, Key, compress, encrypt};

/// Header bits of a dictionary whose values have a declared class.
const VALUES_OF_CLASS: u32 = 2 << 18;

/// Returns shapes of input that are expensive only for a program that prints the input.
fn printed() -> Vec<Shape> {
    vec![
        shape("a long text of control characters", |size| string(&vec![0x1b; size])),
        shape("types with long names", |size| {
            // For each dictionary, the program prints the class name of its values, cut to 80
            // characters.
            let head = words(&[DICTIONARY | VALUES_OF_CLASS]);
            array_of(&[head, text(&[b'A'; 200]), words(&[0])].concat(), size)
        }),
        shape("values back to back", |size| words(&[INT, 5]).repeat(size / 8)),
    ]
}

fn shapes(names: &[&str]) -> Vec<Shape> {
    let mut shapes = all();
    shapes.extend(printed());
    pick(shapes, names)
}

fn inputs(names: &[&str]) -> Vec<Input> {
    files("input", shapes(names))
}

#[test]
fn show() {
    let commands = [command("show input", 2), command("show --full --hex --all input", 2)];
    let inputs = inputs(&[
        "deep in keys",
        "empty objects",
        "packed bytes",
        "arrays that claim all the rest",
        "a long text of control characters",
        "types with long names",
        "values back to back",
    ]);
    check("godot::show", &commands, &inputs, SMALL_INPUT);
}

#[test]
fn check_values() {
    let commands = [command("check input", 2), command("check --strict --objects input", 2)];
    let inputs =
        inputs(&["the same key again", "packed texts, empty", "arrays that claim all the rest"]);
    check("godot::check_values", &commands, &inputs, SMALL_INPUT);
}

#[test]
fn print() {
    let commands = [
        command("json input", 2),
        command("json --exact input", 2),
        command("text input", 30).at_most(80_000.0),
    ];
    let inputs = inputs(&[
        "comb of dictionaries",
        "a long text of control characters",
        "long keys that are nearly the same",
        "a NodePath of empty names",
    ]);
    check("godot::print", &commands, &inputs, SMALL_INPUT);
}

#[test]
fn get_and_set() {
    let commands = [
        command("get --json 0 --also 1 input", 30),
        command("get no_such_name input", 30),
        command("set 0 5 input", 30),
    ];
    let inputs = inputs(&["deep arrays", "ascending keys", "an object of nameless properties"]);
    check("godot::get_and_set", &commands, &inputs, SMALL_INPUT);
}

/// Returns an input of two files, `old` and `new`. `make` gets the size of a file, and `true` for
/// the new one.
fn pair(name: &'static str, make: impl Fn(usize, bool) -> Vec<u8> + 'static) -> Input {
    input(name, move |size| {
        vec![("old".into(), make(size / 2, false)), ("new".into(), make(size / 2, true))]
    })
}

#[test]
fn diff() {
    let commands = [command("diff old new", 50), command("diff --json old new", 50)];
    let equal = shapes(&["long keys that are nearly the same"]);
    let mut inputs: Vec<_> = equal
        .into_iter()
        .map(|Shape { name, make }| pair(name, move |size, _| make(size)))
        .collect();
    let ints = |size, value| array_of(&words(&[INT, value]), size);
    inputs.extend([
        pair("every element has changed", move |size, is_new| ints(size, is_new.into())),
        pair("keys in the other order", |size, is_new| {
            let count = size / 12;
            let key = |n| if is_new { count - n % count } else { n };
            dictionary_of(size, |n| words(&[INT, key(n) as u32, NIL]))
        }),
        pair("other keys", |size, is_new| {
            let base = if is_new { 1 << 20 } else { 0 };
            dictionary_of(size, |n| words(&[INT, base + n as u32, NIL]))
        }),
        pair("deep arrays that differ inside", |size, is_new| {
            let depth = (size / 8).min(1000);
            [words(&[ARRAY, 1]).repeat(depth), words(&[INT, is_new.into()])].concat()
        }),
        pair("differences below a long key", |size, is_new| {
            // Each change is printed with its path, which begins with the long key.
            let value = array_of(&words(&[INT, is_new.into()]), size / 2);
            [words(&[DICTIONARY, 1]), string(&vec![b'k'; size / 2]), value].concat()
        }),
    ]);
    check("godot::diff", &commands[..1], &inputs, SMALL_INPUT);
    inputs.retain(|input| {
        ["every element has changed", "differences below a long key"].contains(&input.name)
    });
    check("godot::diff_json", &commands[1..], &inputs, SMALL_INPUT);
}

/// Returns one value for every 8 bytes of `size`. `value` makes a value from its number.
fn many(size: usize, value: impl Fn(u32) -> Vec<u8>) -> Vec<Vec<u8>> {
    (0..size as u32 / 8).map(value).collect()
}

#[test]
fn schema() {
    let commands = [
        command("schema input", 60).and_memory(1 << 20),
        command("schema --json input", 60).and_memory(1 << 20),
        command("schema --rust input", 60).and_memory(1 << 20),
    ];
    let inputs = inputs(&["deep dictionaries", "different texts", "values back to back"]);
    // If there are only a few different keys, the schema lists them. This costs more than treating
    // many keys as data.
    check("godot::schema", &commands, &inputs, 4 * SMALL_INPUT);
}

fn hex_line(packet: &[u8]) -> String {
    packet.iter().map(|byte| format!("{byte:02x}")).collect::<String>() + "\n"
}

#[test]
fn lines() {
    let commands = [
        command("json --lines input", 3),
        command("check --lines input", 3),
        command("schema --lines input", 60),
    ];
    let lines = |name, line: fn(u32) -> Vec<u8>| {
        input(name, move |size| {
            let lines: String =
                many(size / 2, line).iter().map(|packet| hex_line(packet)).collect();
            vec![("input".into(), lines.into_bytes())]
        })
    };
    let one_line = |bytes: Vec<u8>| hex_line(&bytes).into_bytes();
    let mut inputs = vec![
        lines("a value in each line", |n| words(&[INT, n])),
        lines("a malformed value in each line", |n| words(&[ARRAY, n + 1])),
        input("lines that are not hexadecimal", |size| {
            vec![("input".into(), b"?\n".repeat(size / 2))]
        }),
    ];
    let long = shapes(&["ascending keys"]);
    inputs.extend(long.into_iter().map(|Shape { name, make }| {
        file("input", Shape { name, make: Box::new(move |size| make(size / 2)) }, one_line)
    }));
    check("godot::lines", &commands, &inputs, SMALL_INPUT);
}

#[test]
fn frames() {
    const COMMANDS: [Command; 5] = [
        command("show --as godot4-frames input", 2),
        command("json --as godot4-frames input", 2),
        command("check --as godot4-frames input", 2).and_memory(OUTPUT),
        command("get --as godot4-frames '' input", 20),
        command("diff --as godot4-frames input input", 20),
    ];
    let framed = |name, frame: fn(u32) -> Vec<u8>| {
        input(name, move |size| {
            let frames = many(size, |n| {
                let frame = frame(n);
                [words(&[frame.len() as u32]), frame].concat()
            });
            vec![("input".into(), frames.concat())]
        })
    };
    let inputs = [
        framed("a value in each frame", |n| words(&[INT, n])),
        framed("empty frames", |_| Vec::new()),
    ];
    check("godot::frames", &COMMANDS, &inputs, SMALL_INPUT);
}

#[test]
fn encode() {
    let inputs = pick(
        texts().into_iter().chain(json_texts()).collect(),
        &[
            "dictionaries in keys",
            "objects in objects",
            "args again and again",
            "packed ints",
            "a NodePath",
        ],
    );
    let mut inputs = files("input", inputs);
    inputs.push(input("a value in each line", |size| {
        vec![("input".into(), b"true\n".repeat(size / 5))]
    }));
    check("godot::encode", &[command("encode input", 40)], &inputs, SMALL_INPUT);
}

#[test]
fn encode_text() {
    let commands = [command("encode --text input", 150)];
    let inputs = pick(
        texts(),
        &["a text of escapes", "the same key again", "different texts", "deep in keys"],
    );
    let mut inputs = files("input", inputs);
    inputs
        .push(input("values back to back", |size| vec![("input".into(), b"1 ".repeat(size / 2))]));
    check("godot::encode_text", &commands, &inputs, SMALL_INPUT);
}

#[test]
fn folders() {
    let commands = [
        command("check .", 20).and_memory(OUTPUT),
        command("unreal deps .", 20).and_memory(OUTPUT),
    ];
    // Each file counts as 64 bytes, since its entry in the folder takes about as many.
    let in_folders = |name, path: fn(usize) -> String| {
        input(name, move |size| -> Files {
            (0..size / 64).map(|n| (path(n), vec![0; 64])).collect()
        })
    };
    let inputs = [
        in_folders("many files", |n| format!("{n}.uasset")),
        in_folders("deep folders", |n| "a/".repeat(n % 60) + &format!("{n}.uasset")),
    ];
    check("godot::folders", &commands, &inputs, SMALL_INPUT);
}

/// Returns inputs that are configuration files.
fn config_inputs(names: &[&str]) -> Vec<Input> {
    files("input", pick(configs(), names))
}

#[test]
fn config() {
    let commands = [
        command("show input", 180),
        command("check --strict input", 180),
        command("json input", 180),
        command("get no_such_name input", 180),
        command("get a/a input", 180),
        command("set a 5 input", 180),
    ];
    let mut inputs = config_inputs(&[
        "the same key in a file",
        "different keys in a file",
        "different sections",
        "a long value",
    ]);
    inputs.push(input("entries of a long section", |size| {
        let head = format!("[{}]\n", "a".repeat(size / 2));
        vec![("input".into(), hostile::many(size, &head, |n| format!("{n:x}=1\n"), ""))]
    }));
    check("godot::config", &commands, &inputs, SMALL_INPUT);
}

#[test]
fn config_diff() {
    let commands = [command("diff old new", 180), command("diff --json old new", 180)];
    let inputs = [
        pair("every key is new", |size, is_new| {
            let base = if is_new { 1 << 20 } else { 0 };
            hostile::many(size, "[a]\n", |n| format!("{:x}=1\n", base + n), "")
        }),
        pair("the same keys in a long section", |size, _| {
            let head = format!("[{}]\n", "a".repeat(size / 2));
            hostile::many(size, &head, |n| format!("{n:x}=1\n"), "")
        }),
        pair("a value that has changed", |size, is_new| {
            hostile::many(size, "a=[", |_| format!("{},", u8::from(is_new)), "1]")
        }),
    ];
    check("godot::config_diff", &commands, &inputs, SMALL_INPUT);
}

#[test]
fn find() {
    let commands = [command("find --all input", 2), command("find --json input", 2)];
    let mut inputs = inputs(&["empty objects", "values back to back", "different texts"]);
    inputs.push(input("arrays that break off", |size| {
        vec![("input".into(), words(&[ARRAY, size as u32 / 256]).repeat(size / 8))]
    }));
    check("godot::find", &commands, &inputs, SMALL_INPUT);
}

#[test]
fn pack_and_unpack() {
    let commands = [
        command("pack --to fastlz input", 6),
        command("pack --to deflate input", 6).and_memory(1 << 20),
        command("pack --to gzip input", 6).and_memory(1 << 20),
        command("pack --to zstd input", 6).and_memory(6 << 20),
        command("pack --to encrypted --password a input", 6),
        command("pack --to encrypted-godot3 --password a input", 6),
    ];
    check("godot::pack", &commands, &inputs(&["packed bytes"]), 16 * SMALL_INPUT);

    let commands = [command("unpack --password a input", 24).and_memory(2 << 20)];
    let packed = |name, pack: fn(&[u8]) -> Vec<u8>| {
        input(name, move |size| {
            let content: Vec<_> = (0..size).map(|at| ((at / 8 * 40_503) >> 4) as u8).collect();
            vec![("input".into(), pack(&content))]
        })
    };
    let inputs = [
        packed("FastLZ", |content| compress(content, Compression::FastLz).unwrap()),
        packed("deflate", |content| compress(content, Compression::Deflate).unwrap()),
        packed("Zstandard", |content| compress(content, Compression::Zstd).unwrap()),
        packed("encrypted", |content| {
            encrypt(content, &Key::from_password("a"), Encryption::Godot3)
        }),
    ];
    check("godot::unpack", &commands, &inputs, 16 * SMALL_INPUT);
}
