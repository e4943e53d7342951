# Loads configuration files with Godot 3: reads lines `{"text": …}`, and writes them with the verdict.
# godot3-server --script config3.gd TEXTS OUT
extends SceneTree

func _init():
	var args = Array(OS.get_cmdline_args())
	var texts = File.new()
	texts.open(args[args.size() - 2], File.READ)
	var out = File.new()
	out.open(args[args.size() - 1], File.WRITE)
	while not texts.eof_reached():
		var line = texts.get_line()
		if line != "":
			var text = parse_json(line).text
			out.store_line(to_json(verdict(text, args[args.size() - 1] + ".cfg")))
	quit()

# Returns the line for a file with this text. In the line, each element of `values` consists of a
# section, a key and a value, and `saved` is the text that the engine saves after loading.
func verdict(text, path):
	var file = File.new()
	file.open(path, File.WRITE)
	file.store_string(text)
	file.close()
	var config = ConfigFile.new()
	var told = {"text": text, "ok": config.load(path) == OK, "values": []}
	for section in config.get_sections():
		for key in config.get_section_keys(section):
			told.values.append([section, key, var2str(config.get_value(section, key))])
	if told.ok:
		config.save(path)
		file.open(path, File.READ)
		told.saved = file.get_as_text()
		file.close()
	return told
