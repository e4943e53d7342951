//! Tests the bounds of the commands on saves of Rem's Engine.

use crate::measure::{Input, SMALL_INPUT, check, command, file, files, input, pick};
use crate::support::hostile::Shape;
use crate::support::hostile::rems::{shapes, to_binary};
use gamewire::rems::{MAX_CONVERTED, compress};

const SHAPES: &[&str] =
    &["different names", "empty rows", "lists that claim much", "the same number again"];

fn texts() -> Vec<Input> {
    files("input", pick(shapes(), SHAPES))
}

/// Returns binary saves. A binary save contains each class and each name only once, so it can be
/// much shorter than the text that it is made from.
fn binaries() -> Vec<Input> {
    let names = ["deep lists"];
    let mut inputs: Vec<_> = pick(shapes(), &names)
        .into_iter()
        .map(|shape| file("input", shape, |text| to_binary(&text).unwrap()))
        .collect();
    inputs.push(input("one long class again and again", |size| {
        let class = "c".repeat(size / 4);
        let objects = vec![format!(r#"{{"class":"{class}"}}"#); size / 32];
        let text = format!("[{}]", objects.join(","));
        vec![("input".into(), to_binary(text.as_bytes()).unwrap())]
    }));
    inputs.push(input("one long name again and again", |size| {
        let name = "n".repeat(size / 4);
        let objects = vec![format!(r#"{{"class":"A","i:{name}":1}}"#); size / 32];
        let text = format!("[{}]", objects.join(","));
        vec![("input".into(), to_binary(text.as_bytes()).unwrap())]
    }));
    inputs
}

#[test]
fn show_texts() {
    let commands = [command("show --full input", 30), command("check input", 30)];
    check("rems::show_texts", &commands, &texts(), SMALL_INPUT);
}

#[test]
fn print_texts() {
    let commands = [command("json input", 30), command("get [0].no_such_name input", 60)];
    check("rems::print_texts", &commands, &texts(), SMALL_INPUT);
}

#[test]
fn binary_saves() {
    let commands = [
        command("show input", 100),
        command("check input", 100),
        // A name is printed for each reference to it, and each line is indented by its depth.
        command("json input", 100).at_most(400_000.0),
        command("get [0].no_such_name input", 100),
    ];
    check("rems::binary_saves", &commands, &binaries(), SMALL_INPUT);
}

#[test]
fn diff() {
    let commands = [command("diff old new", 100)];
    let names = ["different names", "deep lists"];
    let equal = pick(shapes(), &names).into_iter().map(|Shape { name, make }| {
        input(name, move |size| {
            vec![("old".into(), make(size / 2)), ("new".into(), make(size / 2))]
        })
    });
    let list = |size: usize, object: &dyn Fn(usize) -> String| {
        let objects: Vec<_> = (0..size / 30).map(object).collect();
        format!("[{}]", objects.join(",")).into_bytes()
    };
    let object = |value| move |n: usize| format!(r#"{{"class":"A{n}","i:x":{value}}}"#);
    let others = [
        input("every value has changed", move |size| {
            let sides = [("old", 1), ("new", 2)];
            sides.map(|(name, value)| (name.into(), list(size / 2, &object(value)))).into()
        }),
        input("objects in the other order", move |size| {
            let count = size / 60;
            let new = list(size / 2 + 30, &move |n| object(1)(count - n.min(count)));
            vec![("old".into(), list(size / 2, &object(1))), ("new".into(), new)]
        }),
    ];
    let inputs: Vec<_> = equal.chain(others).collect();
    check("rems::diff", &commands, &inputs, SMALL_INPUT);
}

#[test]
fn convert() {
    let commands = [
        command("rems convert --force --to text-2021 input -", 80),
        command("rems convert --force --to container input -", 80).and_memory(1 << 20),
        command("rems convert --force --to json input -", 80),
    ];
    let names = ["different names", "numbered from the end", "deep objects"];
    let inputs = files("input", pick(shapes(), &names));
    check("rems::convert", &commands, &inputs, SMALL_INPUT);
}

#[test]
fn convert_to_older_and_newer() {
    // A binary save contains each name once. For each reference to a name, a conversion to binary
    // looks the name up, and a conversion to text writes the name.
    let commands = [
        command("rems convert --force --to text-2026 input -", 80)
            .and_memory(MAX_CONVERTED as u64)
            .at_most(400_000.0),
        command("rems convert --force --to binary-2021 input -", 80).at_most(400_000.0),
    ];
    check("rems::convert_to_older_and_newer", &commands, &binaries(), SMALL_INPUT);
}

#[test]
fn containers() {
    // A container is decompressed up to a limit of 1 GiB.
    let commands = [command("check input", 60 * 200)];
    let objects = pick(shapes(), &["objects"]).into_iter();
    let inputs: Vec<_> = objects
        .map(|shape| file("input", shape, |text| compress(&to_binary(&text).unwrap(), 9)))
        .collect();
    check("rems::containers", &commands, &inputs, 16 * SMALL_INPUT);
}
