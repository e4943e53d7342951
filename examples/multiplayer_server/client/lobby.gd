extends Node
# A lobby: `godot --path . lobby.tscn -- NAME`. Each player tells all others their name. The server
# starts the game when all players are ready.

var players := {}
var info := {"name": "somebody"}


func _ready() -> void:
	var arguments := OS.get_cmdline_user_args()
	if not arguments.is_empty():
		info.name = arguments[0]
	var peer := ENetMultiplayerPeer.new()
	peer.create_client("127.0.0.1", 4433)
	multiplayer.multiplayer_peer = peer
	multiplayer.peer_connected.connect(func(id): register_player.rpc_id(id, info))
	multiplayer.peer_disconnected.connect(func(id): players.erase(id))
	multiplayer.connected_to_server.connect(func(): player_ready.rpc_id(1))


# Called by each other player, through the server.
@rpc("any_peer", "call_remote", "reliable")
func register_player(player: Dictionary) -> void:
	players[multiplayer.get_remote_sender_id()] = player
	print("players: ", players)


# Runs on the server.
@rpc("any_peer", "call_remote", "reliable")
func player_ready() -> void:
	pass


# Called by the server.
@rpc("authority", "call_remote", "reliable")
func start_game(level: String) -> void:
	print("the game starts: ", level)
