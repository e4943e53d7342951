extends Node
# The input of a player: a direction that changes with each frame.

var direction := Vector2.ZERO


func _process(_delta: float) -> void:
	if is_multiplayer_authority():
		direction = Vector2(Engine.get_process_frames() % 100, 7)
