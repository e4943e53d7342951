extends Node
# A client that plays its part against the server of check.py, and prints a JSON object per line.
# Arguments after `--`: transport=enet|ws port=N name=TEXT calls=N peers=N part=play|wait|kicked
# compress=MODE (0 is none, 1 the range coder)

var options := {}
var counted: Array[int] = []
var by_path := 0
var ticks := 0
var last_tick := -1
var hellos := {}
var is_ready := false


func say(event: String, value: Variant = null) -> void:
	print(JSON.stringify({"event": event, "value": value}))


func _ready() -> void:
	for argument in OS.get_cmdline_user_args():
		var parts := argument.split("=")
		options[parts[0]] = parts[1]
	var scene := multiplayer as SceneMultiplayer
	scene.auth_callback = _on_auth
	scene.peer_authenticating.connect(func(id): scene.send_auth(id, ("name " + options.name).to_utf8_buffer()))
	scene.peer_authentication_failed.connect(func(id): say("auth_failed", id))
	scene.peer_packet.connect(func(id, bytes): say("bytes", [id, bytes.hex_encode()]))
	multiplayer.connected_to_server.connect(_on_connected)
	multiplayer.connection_failed.connect(func(): say("failed"))
	multiplayer.peer_connected.connect(_on_joined)
	multiplayer.peer_disconnected.connect(func(id): say("left", id))
	multiplayer.server_disconnected.connect(_on_server_disconnected)
	$Players.child_entered_tree.connect(func(player): say("spawned", player.name))
	$Players.child_exiting_tree.connect(func(player): say("despawned", player.name))
	multiplayer.multiplayer_peer = _peer()


func _peer() -> MultiplayerPeer:
	if options.transport == "ws":
		var web := WebSocketMultiplayerPeer.new()
		web.create_client("ws://127.0.0.1:" + options.port)
		return web
	var enet := ENetMultiplayerPeer.new()
	enet.create_client("127.0.0.1", int(options.port))
	enet.host.compress(int(options.get("compress", "0")))
	return enet


# The server answers the name with "welcome".
func _on_auth(id: int, data: PackedByteArray) -> void:
	if id != 1:
		(multiplayer as SceneMultiplayer).complete_auth(id)
	elif data.get_string_from_utf8() == "welcome":
		(multiplayer as SceneMultiplayer).complete_auth(id)


func _on_connected() -> void:
	say("connected", multiplayer.get_unique_id())
	is_ready = true
	match options.part:
		"kicked":
			kick_me.rpc_id(1)
		"play":
			_call_half(0)


# Calls `count` for half of the numbers, so that the first half may be sent by path.
func _call_half(half: int) -> void:
	var calls := int(options.calls)
	for n in range(half * calls / 2, (half + 1) * calls / 2):
		count.rpc_id(1, n, "text of %d" % n, {"n": n, "where": Vector3(n, 1, 2)})
		wave.rpc_id(1, n)


func _on_joined(id: int) -> void:
	say("joined", id)
	if id != 1 and options.part == "play":
		hello.rpc_id(id, options.name)


func _on_server_disconnected() -> void:
	say("server_disconnected")
	_quit()


func _process(_delta: float) -> void:
	if is_ready and options.part == "play" and _is_done():
		is_ready = false
		_report()


func _is_done() -> bool:
	var others := int(options.peers) - 1
	if counted.size() == int(options.calls) / 2 and by_path == 0:
		by_path = counted.size()
		_call_half(1)
		(multiplayer as SceneMultiplayer).send_bytes(PackedByteArray([1, 2, 3]), 1)
	var moved := $Players.get_children().filter(func(player): return player.position.x > 0 and player.health < 100)
	return counted.size() == int(options.calls) and hellos.size() == others \
			and moved.size() == int(options.get("players", options.peers)) and ticks > 20


func _report() -> void:
	say("done", {
		"in_order": counted == range(counted.size()),
		"counted": counted.size(),
		"hellos": hellos.keys(),
		"players": $Players.get_children().map(func(player): return str(player.name)),
	})
	bye.rpc_id(1, int(options.peers))


# The server's methods.
@rpc("any_peer", "call_remote", "reliable")
func count(_n: int, _text: String, _table: Dictionary) -> void:
	pass


@rpc("any_peer", "call_remote", "unreliable")
func wave(_n: int) -> void:
	pass


@rpc("any_peer", "call_remote", "reliable")
func kick_me() -> void:
	pass


@rpc("any_peer", "call_remote", "reliable")
func bye(_peers: int) -> void:
	pass


# The methods of clients that the server calls.
@rpc("authority", "call_remote", "reliable")
func on_counted(n: int) -> void:
	counted.append(n)


@rpc("authority", "call_remote", "reliable")
func on_all_done() -> void:
	multiplayer.multiplayer_peer.close()
	_quit()


func _quit() -> void:
	# Without a peer, `is_multiplayer_authority` prints errors until the tree has quit.
	multiplayer.multiplayer_peer = OfflineMultiplayerPeer.new()
	get_tree().quit()


@rpc("authority", "call_remote", "unreliable_ordered", 3)
func on_tick(n: int) -> void:
	if n <= last_tick:
		say("tick_out_of_order", [last_tick, n])
	last_tick = n
	ticks += 1


# The method that clients call at each other.
@rpc("any_peer", "call_remote", "reliable")
func hello(from_name: String) -> void:
	hellos[from_name] = multiplayer.get_remote_sender_id()
