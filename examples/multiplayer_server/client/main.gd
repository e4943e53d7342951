extends Node
# Joins the server: `godot --path . -- ws` for WebSocket, without `ws` for ENet.


func _ready() -> void:
	multiplayer.connected_to_server.connect(func(): chat.rpc_id(1, "hello"))
	multiplayer.server_disconnected.connect(_on_server_disconnected)
	multiplayer.peer_connected.connect(func(id): print("peer ", id, " has joined"))
	multiplayer.peer_disconnected.connect(func(id): print("peer ", id, " has left"))
	$Players.child_entered_tree.connect(func(player): print("player ", player.name))
	if "ws" in OS.get_cmdline_user_args():
		var peer := WebSocketMultiplayerPeer.new()
		peer.create_client("ws://127.0.0.1:4434")
		multiplayer.multiplayer_peer = peer
	else:
		var peer := ENetMultiplayerPeer.new()
		peer.create_client("127.0.0.1", 4433)
		multiplayer.multiplayer_peer = peer


func _on_server_disconnected() -> void:
	print("the server has left")
	multiplayer.multiplayer_peer = OfflineMultiplayerPeer.new()


# Runs on the server.
@rpc("any_peer", "call_remote", "reliable")
func chat(_text: String) -> void:
	pass


# Runs here, called by the server.
@rpc("authority", "call_remote", "reliable")
func said(from: int, text: String) -> void:
	print(from, ": ", text)
