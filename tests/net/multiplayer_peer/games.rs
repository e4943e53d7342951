//! The games of the captures, as declarations.

use gamewire::godot::multiplayer::peer::{Node, Peer, Property, Rpc, Scene, Spawner, Synchronizer};

/// Declares the game of a capture on its server.
pub fn declare(capture: &str, server: &mut Peer) {
    match capture {
        "enet" | "enet_rle" | "ws" | "relay" => first(server),
        "good" => diagnosis(server),
        _ => second(server),
    }
}

/// The game of the folder `captures`.
fn first(server: &mut Peer) {
    let any = |name: &str| Rpc::new(name).any_peer();
    let main = ["blob", "chat", "no_args", "raw", "small"].into_iter().map(any);
    let main = main.fold(Node::new("/root/Main"), Node::rpc);
    let main = main.rpc(any("move").unreliable().channel(1));
    let main = main.rpc(any("state").unreliable_ordered().channel(2));
    let main = server.add_node(main).unwrap();
    let sync = Synchronizer::new("Sync");
    let sync = sync.property(Property::always("position"));
    let sync = sync.property(Property::on_change("rotation"));
    server.add_synchronizer(main, &sync).unwrap();
    let mob = Synchronizer::new("Sync").property(Property::always("position").spawn());
    let spawner = Spawner::new("/root/Main/Spawner", "/root/Main/World");
    server.add_spawner(spawner.scene(Scene::new().synchronizer(mob))).unwrap();
}

/// The game of the folder `captures-2`, in `project/main.gd` there.
fn second(server: &mut Peer) {
    let any = |name: &str| Rpc::new(name).any_peer();
    let main = Node::new("/root/Main")
        .rpc(any("chat"))
        .rpc(any("move").unreliable().channel(1))
        .rpc(any("state").unreliable_ordered().channel(2))
        .rpc(any("typed").channel(5))
        .rpc(any("obj"))
        .rpc(any("blob"))
        .rpc(any("odd"))
        .rpc(any("many").channel(7));
    server.add_node(main).unwrap();
    let sync = Synchronizer::new("Sync")
        .property(Property::always("position").spawn())
        .property(Property::on_change("hp").spawn())
        .property(Property::on_change("inv").spawn())
        .property(Property::never("title"));
    let weapon = Synchronizer::new("Weapon/WSync")
        .of_inner_node()
        .property(Property::on_change("rotation").spawn());
    let player = Scene::new()
        .rpc(any("hit"))
        .rpc(Rpc::new("aim").unreliable_ordered().channel(3))
        .synchronizer(sync)
        .synchronizer(weapon);
    let spawner = Spawner::new("/root/Main/Spawner", "/root/Main/World");
    server.add_spawner(spawner.custom(player)).unwrap();
}

/// The game of the folder `captures-diagnosis`, in `project/main.gd` there.
fn diagnosis(server: &mut Peer) {
    let door = Node::new("/root/Main/Door")
        .rpc(Rpc::new("close"))
        .rpc(Rpc::new("knock").any_peer())
        .rpc(Rpc::new("open"))
        .rpc(Rpc::new("scatter").any_peer().unreliable())
        .rpc(Rpc::new("swing").unreliable_ordered().channel(2))
        .rpc(Rpc::new("zap"));
    server.add_node(door).unwrap();
    // `add_property` also makes a property one of those that are sent with a spawned node.
    let sync = Synchronizer::new("Sync")
        .property(Property::always("position").spawn())
        .property(Property::on_change("rotation").spawn());
    let spawner = Spawner::new("/root/Main/Spawner", "/root/Main/World");
    server.add_spawner(spawner.custom(Scene::new().synchronizer(sync))).unwrap();
}
