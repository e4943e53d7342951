# Loads configuration files with Godot 4: reads lines `{"text": …}`, and writes them with the verdict.
# godot --headless --script config4.gd -- TEXTS OUT
extends SceneTree

func _init() -> void:
	var args := OS.get_cmdline_user_args()
	var texts := FileAccess.open(args[0], FileAccess.READ)
	var out := FileAccess.open(args[1], FileAccess.WRITE)
	while not texts.eof_reached():
		var line := texts.get_line()
		if line != "":
			var text: String = JSON.parse_string(line).text
			out.store_line(JSON.stringify(verdict(text, args[1] + ".cfg"), "", false))
	quit()

# Returns the line for a file with this text. In the line, each element of `values` consists of a
# section, a key and a value, and `saved` is the text that the engine saves after loading.
func verdict(text: String, path: String) -> Dictionary:
	FileAccess.open(path, FileAccess.WRITE).store_string(text)
	var config := ConfigFile.new()
	var told := {"text": text, "ok": config.load(path) == OK}
	told.values = []
	for section in config.get_sections():
		for key in config.get_section_keys(section):
			told.values.append([section, key, var_to_str(config.get_value(section, key))])
	if told.ok:
		config.save(path)
		told.saved = FileAccess.get_file_as_string(path)
	return told
