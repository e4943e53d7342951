extends Node
# Runs as either side of a capture. Arguments: role=server or role=client, port=N, log=FILE, and options.
var opts := {}
var is_server := false
var file: FileAccess
var step := 0
var time := 0.0
var udp := PacketPeerUDP.new()

func note(kind: String, values: Dictionary) -> void:
	var line := {"kind": kind}
	line.merge(values)
	file.store_line(JSON.stringify(line))
	file.flush()

func note_call(node: Node, method: String, args: Array) -> void:
	note("rpc", {"from": multiplayer.get_remote_sender_id(), "path": str(node.get_path()), "method": method, "args": args})

func make_player(data):
	var player := Node2D.new()
	player.name = data
	var config := SceneReplicationConfig.new()
	config.add_property(^".:position")
	config.property_set_replication_mode(^".:position", SceneReplicationConfig.REPLICATION_MODE_ALWAYS)
	config.add_property(^".:rotation")
	config.property_set_replication_mode(^".:rotation", SceneReplicationConfig.REPLICATION_MODE_ON_CHANGE)
	var sync := MultiplayerSynchronizer.new()
	sync.name = "Sync"
	sync.replication_config = config
	sync.synchronized.connect(func(): note("sync", {"path": str(player.name), "x": player.position.x}))
	sync.delta_synchronized.connect(func(): note("delta", {"path": str(player.name), "rotation": player.rotation}))
	player.add_child(sync)
	return player

func _ready() -> void:
	for argument in OS.get_cmdline_user_args():
		var pair := argument.split("=", true, 1)
		opts[pair[0]] = pair[1] if pair.size() > 1 else "1"
	is_server = opts["role"] == "server"
	file = FileAccess.open(opts["log"], FileAccess.WRITE)
	$Spawner.spawn_function = make_player
	$Spawner.spawned.connect(func(node): note("spawned", {"name": str(node.name)}))
	$Spawner.despawned.connect(func(node): note("despawned", {"name": str(node.name)}))
	multiplayer.peer_connected.connect(func(id): note("connected", {"id": id}))
	if is_server and opts.has("extra"):
		var extra := Node.new()
		extra.name = "Extra"
		extra.set_script(load("res://extra.gd"))
		add_child(extra)
	if opts.has("udp"):
		if is_server: udp.bind(int(opts["port"]), "127.0.0.1")
		else: udp.connect_to_host("127.0.0.1", int(opts["port"]))
		return
	var peer := ENetMultiplayerPeer.new()
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(int(opts["port"]), 4)
	else:
		peer.create_client("127.0.0.1", int(opts["port"]))
	multiplayer.multiplayer_peer = peer

func server_step() -> void:
	var player := $World.get_node_or_null("P1")
	if step == 2 and not opts.has("nospawn"): $Spawner.spawn("P1")
	if player:
		player.position += Vector2(1, 0.5)
		if step % 4 == 0: player.rotation += 0.25
		if step == int(opts.get("despawn", "24")): player.queue_free()
	if step % 5 == 0: $Door.open.rpc(step)
	if step % 5 == 2: $Door.zap.rpc(step)
	if opts.has("busy"): $Door.close.rpc(step)
	$Door.swing.rpc(step, step * 0.5)
	if step % 10 == 3:
		var bytes := PackedByteArray()
		bytes.resize(int(opts.get("bytes", "300")))
		$Door.scatter.rpc(bytes)
	if opts.has("extra") and step % 8 == 4: $Extra.ping.rpc(step)
	if opts.has("forged") and step == 12:
		# Sends DELTA and SYNC for the synchronizer 99, which no SPAWN has announced. A server does
		# this if it has spawned a node that the client does not know.
		var value := PackedByteArray([2, 5]) # the int 5
		var head := PackedByteArray([0x16, 99, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, value.size(), 0, 0, 0])
		forge(head + value, MultiplayerPeer.TRANSFER_MODE_RELIABLE)
		head = PackedByteArray([0x06, 200, 0, 99, 0, 0, 0, value.size(), 0, 0, 0])
		forge(head + value, MultiplayerPeer.TRANSFER_MODE_UNRELIABLE)

func forge(packet: PackedByteArray, mode: int) -> void:
	var peer := multiplayer.multiplayer_peer
	peer.set_target_peer(0)
	peer.transfer_channel = 0
	peer.transfer_mode = mode
	peer.put_packet(packet)

func client_step() -> void:
	if opts.has("silent"): return
	if step % 3 == 0: $Door.rpc(opts.get("call", "knock"), step)
	if opts.has("cheat") and step % 10 == 6: $Door.open.rpc(step)

func udp_step() -> void:
	while udp.get_available_packet_count() > 0: note("var", {"size": len(udp.get_var())})
	if not is_server and step % 5 == 1: udp.put_var("x".repeat(1450 if step < 10 else int(opts.get("bytes", "1450"))))

func _process(delta: float) -> void:
	time += delta
	if time < 0.05: return
	time = 0.0
	if Time.get_ticks_msec() > 10000: get_tree().quit()
	if opts.has("udp"):
		step += 1
		udp_step()
		if step >= 30: get_tree().quit()
		return
	if multiplayer.multiplayer_peer.get_connection_status() != MultiplayerPeer.CONNECTION_CONNECTED or multiplayer.get_peers().is_empty():
		if step > 0: get_tree().quit()
		return
	step += 1
	if is_server: server_step()
	else: client_step()
	if step >= int(opts.get("steps", "45")) and not is_server:
		multiplayer.multiplayer_peer.close()
		get_tree().quit()
