extends Node2D
# A player. The server spawns it with the id of its client as name, moves it, and owns its health.
# The client owns its input.

var health := 100


func _enter_tree() -> void:
	$Input.set_multiplayer_authority(name.to_int())
