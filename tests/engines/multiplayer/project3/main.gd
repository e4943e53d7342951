extends Node
# A client that plays its part against the server of check.py, and prints a JSON object per line.
# Arguments: --transport=enet|ws --port=N --name=TEXT --calls=N --peers=N --part=play|wait|kicked
# --compress=MODE (0 is none, 1 the range coder)

var options = {}
var counted = []
var first_half = 0
var ticks = 0
var hellos = {}
var is_ready = false
puppet var shared = 0


func say(event, value = null):
	print(JSON.print({"event": event, "value": value}))


func _ready():
	for argument in OS.get_cmdline_args():
		if "=" in argument:
			var parts = argument.trim_prefix("--").split("=")
			options[parts[0]] = parts[1]
	get_tree().connect("connected_to_server", self, "_on_connected")
	get_tree().connect("connection_failed", self, "_on_failed")
	get_tree().connect("network_peer_connected", self, "_on_joined")
	get_tree().connect("network_peer_disconnected", self, "_on_left")
	get_tree().connect("server_disconnected", self, "_on_server_disconnected")
	get_tree().multiplayer.connect("network_peer_packet", self, "_on_bytes")
	get_tree().network_peer = _peer()


func _peer():
	if options.transport == "ws":
		var web = WebSocketClient.new()
		web.connect_to_url("ws://127.0.0.1:" + options.port, PoolStringArray(), true)
		return web
	var enet = NetworkedMultiplayerENet.new()
	enet.compression_mode = int(options.get("compress", "1"))
	enet.create_client("127.0.0.1", int(options.port))
	return enet


func _on_connected():
	say("connected", get_tree().get_network_unique_id())
	is_ready = true
	match options.part:
		"kicked":
			# Answers to the server's first packets would meet the closed connection.
			yield(get_tree().create_timer(0.5), "timeout")
			rpc_id(1, "kick_me")
		"play":
			_call_half(0)


func _call_half(half):
	var calls = int(options.calls)
	for n in range(half * calls / 2, (half + 1) * calls / 2):
		rpc_id(1, "count", n, "text of %d" % n, {"n": n, "where": Vector3(n, 1, 2)})
		rpc_unreliable_id(1, "wave", n)


func _on_joined(id):
	say("joined", id)
	if id != 1 and options.part == "play":
		rpc_id(id, "hello", options.name)


func _on_left(id):
	say("left", id)


func _on_bytes(id, bytes):
	say("bytes", [id, bytes.hex_encode()])


func _on_failed():
	say("failed")
	get_tree().quit()


func _on_server_disconnected():
	say("server_disconnected")
	get_tree().quit()


func _process(_delta):
	if is_ready and options.part == "play" and _is_done():
		is_ready = false
		_report()


func _is_done():
	if counted.size() == int(options.calls) / 2 and first_half == 0:
		first_half = counted.size()
		_call_half(1)
		get_tree().multiplayer.send_bytes(PoolByteArray([1, 2, 3]), 1)
	return counted.size() == int(options.calls) and hellos.size() == int(options.peers) - 1 \
			and ticks > 20 and shared == 77


func _report():
	say("done", {"in_order": counted == range(counted.size()), "counted": counted.size(), "hellos": hellos.keys()})
	rpc_id(1, "bye", int(options.peers))


# The methods of clients that the server calls, and the property that it sets.
puppet func on_counted(n):
	counted.append(n)


puppet func on_all_done():
	get_tree().network_peer = null
	get_tree().quit()


puppet func on_tick(_n):
	ticks += 1



# The method that clients call at each other.
remote func hello(from_name):
	hellos[from_name] = get_tree().get_rpc_sender_id()


# The server's methods.
remote func count(_n, _text, _table):
	pass


remote func wave(_n):
	pass


remote func kick_me():
	pass


remote func bye(_peers):
	pass
