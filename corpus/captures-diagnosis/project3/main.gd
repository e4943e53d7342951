extends Node
# Runs as either side of a capture. Arguments: role=server or role=client, port=N, log=FILE, and options.
var opts = {}
var is_server = false
var file = File.new()
var step = 0
var time = 0.0

func note_call(node, method, args):
	var line = {"kind": "rpc", "from": get_tree().get_rpc_sender_id(), "path": str(node.get_path()), "method": method, "args": args}
	file.store_line(JSON.print(line))
	file.flush()

func _ready():
	for argument in OS.get_cmdline_args():
		var pair = argument.split("=", true, 1)
		opts[pair[0]] = pair[1] if pair.size() > 1 else "1"
	is_server = opts["role"] == "server"
	file.open(opts["log"], File.WRITE)
	var peer = NetworkedMultiplayerENet.new()
	peer.compression_mode = NetworkedMultiplayerENet.COMPRESS_NONE
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(int(opts["port"]), 4)
	else:
		peer.create_client("127.0.0.1", int(opts["port"]))
	get_tree().network_peer = peer

func server_step():
	if step % 5 == 0: $Door.rpc("open", step)
	if opts.has("busy"): $Door.rpc("knock", step)
	$Door.rpc_unreliable("swing", step, step * 0.5)
	if step % 10 == 3:
		var bytes = PoolByteArray()
		bytes.resize(int(opts.get("bytes", "300")))
		$Door.rpc_unreliable("scatter", bytes)

func client_step():
	if step % 3 == 0: $Door.rpc("knock", step)

func _process(delta):
	time += delta
	if time < 0.05: return
	time = 0.0
	if OS.get_ticks_msec() > 10000: get_tree().quit()
	var peer = get_tree().network_peer
	if peer.get_connection_status() != NetworkedMultiplayerPeer.CONNECTION_CONNECTED or get_tree().get_network_connected_peers().size() == 0:
		if step > 0: get_tree().quit()
		return
	step += 1
	if is_server: server_step()
	else: client_step()
	if step >= int(opts.get("steps", "45")) and not is_server:
		peer.close_connection()
		get_tree().quit()
