//! Diagnoses method checksums that differ between a server and a client. The tests generate the
//! scripts of both sides, and change a script of one side.

use super::wire::{Wire, confirm_path, simplify_path};
use super::{check_checksum, summary};
use crate::support::random::Random;
use gamewire::traffic::diagnosis::{Diagnosis, Methods, Problem};
use gamewire::traffic::methods::{MethodNames, Scripts, checksum};
use std::collections::BTreeSet;

/// The scripts of a project, each with its base script and its methods. The first is `base.gd`, and
/// the second is `node.gd`. All scripts but the first may extend `base.gd`.
#[derive(Clone)]
struct Project {
    scripts: Vec<(String, Option<&'static str>, BTreeSet<String>)>,
}

impl Project {
    fn new(random: &mut Random) -> Self {
        let extends = [None, Some("base.gd")][random.below(2)];
        let mut scripts = vec![
            ("base.gd".to_owned(), None, method_names(random)),
            ("node.gd".to_owned(), extends, method_names(random)),
        ];
        for number in 0..random.below(4) {
            // Some of these scripts have the same methods as `node.gd`.
            let methods = match random.below(3) {
                0 => scripts[1].2.clone(),
                _ => method_names(random),
            };
            scripts.push((format!("other{number}.gd"), extends, methods));
        }
        Self { scripts }
    }

    /// Returns the methods of `node.gd`, including those that it inherits.
    fn node(&self) -> BTreeSet<String> {
        let [base, node, ..] = &self.scripts[..] else { unreachable!() };
        let inherited = base.2.iter().filter(|_| node.1.is_some());
        node.2.iter().chain(inherited).cloned().collect()
    }

    /// Adds, removes or renames a method of `node.gd`.
    fn mutate(&mut self, random: &mut Random) {
        let kind = random.below(3);
        let known = self.node();
        let methods = &mut self.scripts[1].2;
        if kind > 0 {
            let removed = methods.iter().nth(random.below(methods.len())).unwrap().clone();
            methods.remove(&removed);
        }
        if kind != 1 {
            let names = std::iter::repeat_with(|| name(random));
            let new = names.take(1000).find(|name| !known.contains(name));
            methods.insert(new.expect("a name that is not known"));
        }
    }

    fn scripts(&self, random: &mut Random) -> Scripts {
        let mut scripts = Scripts::default();
        for (name, base, methods) in &self.scripts {
            let mut text = format!("extends {:?}\n", base.unwrap_or("Node"));
            for method in methods {
                let annotation = random.one_of(&[
                    "@rpc ",
                    "@rpc(\"any_peer\", \"reliable\")\n",
                    "@rpc(\n\t\"any_peer\",\n)\n",
                    "@rpc @warning_ignore(\"unused\") ",
                ]);
                text += &format!("{annotation}func {method}(a, b = 1):\n\tpass\n");
                text += "func local(): pass\n";
            }
            scripts.add(name, &text);
        }
        scripts
    }
}

fn method_names(random: &mut Random) -> BTreeSet<String> {
    (0..1 + random.below(12)).map(|_| name(random)).collect()
}

fn name(random: &mut Random) -> String {
    let len = 1 + random.below(12);
    (0..len).map(|_| random.one_of(&['a', 'b', 'c', 'd', '_', 'ä'])).collect()
}

/// Returns the diagnoses of a connection in which the server announces a node and the client
/// refuses the checksum of its methods. If `client` is given, the client also announces the node,
/// and the server refuses the client's checksum.
fn connection(
    names: &MethodNames,
    server: &BTreeSet<String>,
    client: Option<&BTreeSet<String>>,
) -> Vec<Diagnosis> {
    let mut wire = Wire::new(names);
    wire.packet(false, &simplify_path(&checksum(server), 7, "Main/Door"));
    wire.packet(true, &confirm_path(false, 7));
    if let Some(client) = client {
        wire.packet(true, &simplify_path(&checksum(client), 3, "Main/Door"));
        wire.packet(false, &confirm_path(false, 3));
    }
    wire.finish()
}

/// The methods of a node on the server and on the client, and the scripts of both sides.
struct Case {
    server: BTreeSet<String>,
    client: BTreeSet<String>,
    scripts: [Scripts; 2],
}

impl Case {
    fn new(random: &mut Random) -> Self {
        let server = Project::new(random);
        let mut client = server.clone();
        client.mutate(random);
        let (mut server, mut client) = (server, client);
        if random.below(2) == 0 {
            std::mem::swap(&mut server, &mut client);
        }
        let scripts = [&server, &client].map(|project| project.scripts(random));
        Self { server: server.node(), client: client.node(), scripts }
    }

    /// Returns the names of the methods that only the server has, and of those that only the client
    /// has.
    fn difference(&self) -> [Vec<&str>; 2] {
        let Self { server, client, .. } = self;
        [server.difference(client), client.difference(server)]
            .map(|names| names.map(String::as_str).collect())
    }
}

/// If the scripts of both sides are known, the diagnosis names exactly the methods that differ, for
/// each of 100 changed scripts. It makes no difference whether one side or both sides announce
/// their checksum.
#[test]
fn changed_scripts_name_the_difference() {
    let mut random = Random::new(29);
    let mut explained = 0;
    while explained < 100 {
        let case = Case::new(&mut random);
        if checksum(&case.server) == checksum(&case.client) {
            continue; // the changed method is also inherited
        }
        let mut names = MethodNames::default();
        let order = random.below(2);
        for index in [order, 1 - order] {
            names.add_scripts(&case.scripts[index]).unwrap();
        }
        for client in [Some(&case.client), None] {
            let found = connection(&names, &case.server, client);
            assert_eq!(summary(&found), [("rpc_checksum", "Main/Door", 1)]);
            let [only_server, only_client] = case.difference();
            check_checksum(&found[0], &only_server, &only_client);
        }
        explained += 1;
    }
}

/// If only the server's scripts are known, a method that the client lacks is found with the help of
/// the client's checksum. The name of a method that only the client has is usually not known, and
/// no wrong name is reported.
#[test]
fn scripts_of_one_side_explain_a_removed_method() {
    let mut random = Random::new(9);
    let mut removed = 0;
    for _ in 0..200 {
        let case = Case::new(&mut random);
        let [only_server, only_client] = case.difference();
        if only_server.is_empty() && only_client.is_empty() {
            continue;
        }
        let mut names = MethodNames::default();
        names.add_scripts(&case.scripts[0]).unwrap();
        let found = connection(&names, &case.server, Some(&case.client));
        let Problem::Checksum { difference } = &found[0].problem else { panic!() };
        if only_client.is_empty() {
            check_checksum(&found[0], &only_server, &[]);
            assert_ne!(difference.receiver, Methods::Unknown);
            removed += 1;
        } else if difference.is_known() {
            check_checksum(&found[0], &only_server, &only_client);
        }
        // Without any names, the difference is not known.
        let found = connection(&MethodNames::default(), &case.server, None);
        check_checksum(&found[0], &[], &[]);
    }
    assert!(removed > 40, "{removed}");
}

/// The announcements of both sides prove that the checksums differ, even if no answer was captured.
#[test]
fn announcements_are_enough() {
    let names = MethodNames::default();
    let mut wire = Wire::new(&names);
    wire.packet(false, &simplify_path(&checksum(["a"]), 1, "A"));
    wire.packet(true, &simplify_path(&checksum(["b"]), 1, "A"));
    wire.packet(false, &simplify_path(&checksum(["a"]), 2, "B"));
    wire.packet(true, &simplify_path(&checksum(["a"]), 2, "B"));
    assert_eq!(summary(&wire.finish()), [("rpc_checksum", "A", 1)]);
}

/// The CONFIRM_PATH packets of Godot 4.0 to 4.2 contain the path instead of its number.
#[test]
fn confirmed_by_path() {
    let names = MethodNames::default();
    for (answer, expected) in [
        (&b"\x02\x01Main/Door\0"[..], &[][..]),
        (b"\x02\x00Main/Door\0", &[("rpc_checksum", "Main/Door", 1)]),
        (b"\x02\x01Main/Other\0", &[("unconfirmed_path", "Main/Door", 1)]),
    ] {
        let mut wire = Wire::new(&names);
        wire.packet(false, &simplify_path(&checksum(["a"]), 1, "Main/Door"));
        wire.packet(true, answer);
        wire.time += 2000;
        wire.packet(true, b"\x03r");
        assert_eq!(summary(&wire.finish()), expected);
    }
}

/// A path is reported as never confirmed only if the receiver had enough time to confirm it.
#[test]
fn confirmation_takes_time() {
    let names = MethodNames::default();
    for (milliseconds, expected) in [(900, 0), (1100, 1)] {
        let mut wire = Wire::new(&names);
        wire.packet(false, &simplify_path(&checksum(["a"]), 1, "Main/Door"));
        wire.time += milliseconds;
        wire.packet(true, b"\x03r");
        assert_eq!(wire.finish().len(), expected, "{milliseconds}");
    }
    // A clock that is set back does not give the receiver any time.
    let mut wire = Wire::new(&names);
    wire.time += 5000;
    wire.packet(true, b"\x03r");
    wire.time -= 5000;
    wire.packet(false, &simplify_path(&checksum(["a"]), 1, "Main/Door"));
    assert_eq!(wire.finish(), []);
}
