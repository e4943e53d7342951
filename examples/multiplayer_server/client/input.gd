extends Node
# What the player of this client wants to do.

var direction := Vector2.ZERO


func _process(_delta: float) -> void:
	if is_multiplayer_authority():
		direction = Input.get_vector("ui_left", "ui_right", "ui_up", "ui_down")
