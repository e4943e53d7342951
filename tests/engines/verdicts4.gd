# What Godot 4 says of packets: lines of hex in, lines of `mutated.jsonl` out.
# godot --headless --script verdicts4.gd -- PACKETS OUT
extends SceneTree

func _init() -> void:
	var args := OS.get_cmdline_user_args()
	var packets := FileAccess.open(args[0], FileAccess.READ)
	var out := FileAccess.open(args[1], FileAccess.WRITE)
	while not packets.eof_reached():
		var hex := packets.get_line()
		for objects in [false, true] if hex != "" else []:
			out.store_line(JSON.stringify(verdict(hex, objects), "", false))
	quit()

# Where objects are allowed, values are not told: what an object has depends on its class.
func verdict(hex: String, objects: bool) -> Dictionary:
	var bytes := hex.hex_decode()
	var told := {
		"hex": hex,
		"objects": objects,
		"ok": bytes.has_encoded_var(0, objects),
		"size": bytes.decode_var_size(0, objects),
	}
	if told.ok and not objects:
		var value = JSON.from_native(bytes.decode_var(0, false), true)
		told.value = JSON.stringify(value, "", false, true)
	return told
