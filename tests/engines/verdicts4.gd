# What Godot 4 says of packets: lines of hex in, lines of `mutated.jsonl` out.
# godot --headless --script verdicts4.gd -- PACKETS OUT
extends SceneTree

func _init() -> void:
	var args := OS.get_cmdline_user_args()
	var packets := FileAccess.open(args[0], FileAccess.READ)
	var out := FileAccess.open(args[1], FileAccess.WRITE)
	while not packets.eof_reached():
		var hex := packets.get_line()
		if hex != "":
			out.store_line(JSON.stringify(verdict(hex), "", false))
	quit()

func verdict(hex: String) -> Dictionary:
	var bytes := hex.hex_decode()
	var told := {
		"hex": hex,
		"ok": bytes.has_encoded_var(0, false),
		"size": bytes.decode_var_size(0, false),
	}
	if told.ok:
		var value = JSON.from_native(bytes.decode_var(0, false), true)
		told.value = JSON.stringify(value, "", false, true)
	return told
