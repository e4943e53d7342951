# Decodes packets with Godot 4: reads lines of hex and writes lines of `mutated.jsonl`.
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

# Returns the line for a packet. If objects are allowed, the line contains no value, because the
# properties of an object depend on its class.
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
