# Decodes packets with Godot 3. Reads lines of hex, and writes lines of `mutated.jsonl` without
# `size`.
# godot3-server -s verdicts3.gd PACKETS OUT
extends SceneTree

func _init():
	var args = OS.get_cmdline_args()
	var packets = File.new()
	packets.open(args[args.size() - 2], File.READ)
	var out = File.new()
	out.open(args[args.size() - 1], File.WRITE)
	while not packets.eof_reached():
		var hex = packets.get_line()
		if hex != "":
			out.store_line(verdict(hex, false))
			out.store_line(verdict(hex, true))
	quit()

# Returns the line for a packet. If objects are allowed, the line contains no value, because the
# properties of an object depend on its class.
func verdict(hex, objects):
	var bytes = PoolByteArray()
	for at in range(0, hex.length(), 2):
		bytes.append(("0x" + hex.substr(at, 2)).hex_to_int())
	# A packet that may decode to null is put into an array, because a failure returns null as well.
	var in_array = bytes[0] == TYPE_NIL or bytes[0] == TYPE_OBJECT
	if in_array:
		bytes = PoolByteArray([TYPE_ARRAY, 0, 0, 0, 1, 0, 0, 0]) + bytes
	var value = decoded(bytes, objects)
	var line = "{\"hex\":\"%s\",\"objects\":%s,\"ok\":" % [hex, "true" if objects else "false"]
	if value == null:
		return line + "false}"
	if objects:
		return line + "true}"
	return line + "true,\"value\":%s}" % told(value[0] if in_array else value)

# Returns the decoded value. An error in bytes2var ends the calling function, which then returns
# null, so this function contains only the call.
func decoded(bytes, objects):
	return bytes2var(bytes, objects)

func told(value):
	match typeof(value):
		TYPE_NIL: return "null"
		TYPE_BOOL: return "true" if value else "false"
		TYPE_INT: return "\"i:%s\"" % str(value)
		TYPE_REAL: return real(value)
		TYPE_STRING: return quoted("s:" + value)
		TYPE_NODE_PATH: return quoted("np:" + str(value))
		TYPE_RID: return "{\"type\":\"RID\"}"
		TYPE_VECTOR2: return args("Vector2", reals([value.x, value.y]))
		TYPE_RECT2: return args("Rect2", reals(parts2([value.position, value.size])))
		TYPE_VECTOR3: return args("Vector3", reals([value.x, value.y, value.z]))
		TYPE_TRANSFORM2D: return args("Transform2D", reals(parts2([value.x, value.y, value.origin])))
		TYPE_PLANE: return args("Plane", reals([value.x, value.y, value.z, value.d]))
		TYPE_QUAT: return args("Quat", reals([value.x, value.y, value.z, value.w]))
		TYPE_AABB: return args("AABB", reals(parts3([value.position, value.size])))
		TYPE_BASIS: return args("Basis", reals(parts3([value.x, value.y, value.z])))
		TYPE_TRANSFORM:
			var basis = value.basis
			return args("Transform", reals(parts3([basis.x, basis.y, basis.z, value.origin])))
		TYPE_COLOR: return args("Color", reals(parts4([value])))
		TYPE_RAW_ARRAY: return args("PoolByteArray", strings(value))
		TYPE_INT_ARRAY: return args("PoolIntArray", strings(value))
		TYPE_REAL_ARRAY: return args("PoolRealArray", reals(value))
		TYPE_STRING_ARRAY: return args("PoolStringArray", all_quoted(value))
		TYPE_VECTOR2_ARRAY: return args("PoolVector2Array", reals(parts2(value)))
		TYPE_VECTOR3_ARRAY: return args("PoolVector3Array", reals(parts3(value)))
		TYPE_COLOR_ARRAY: return args("PoolColorArray", reals(parts4(value)))
		TYPE_ARRAY: return "[%s]" % all(value)
		TYPE_DICTIONARY:
			var items = []
			for key in value:
				items.append(key)
				items.append(value[key])
			return args("Dictionary", all(items))
		TYPE_OBJECT:
			if value == null:
				return "null"
			return args("EncodedObjectAsID", "\"i:%d\"" % value.object_id)
	return "\"?\""

func args(name, list):
	return "{\"type\":\"%s\",\"args\":[%s]}" % [name, list]

# Prints the bits of a 64-bit float.
func real(value):
	var bits = StreamPeerBuffer.new()
	bits.put_double(value)
	return "\"x:%s\"" % bits.data_array.hex_encode()

func reals(list):
	var told = PoolStringArray()
	for value in list:
		told.append(real(value))
	return told.join(",")

func strings(list):
	var told = PoolStringArray()
	for value in list:
		told.append(str(value))
	return told.join(",")

func all(list):
	var each = PoolStringArray()
	for value in list:
		each.append(told(value))
	return each.join(",")

func all_quoted(list):
	var told = PoolStringArray()
	for value in list:
		told.append(quoted(value))
	return told.join(",")

func quoted(text):
	return JSON.print(text)

func parts2(list):
	var parts = []
	for value in list:
		parts += [value.x, value.y]
	return parts

func parts3(list):
	var parts = []
	for value in list:
		parts += [value.x, value.y, value.z]
	return parts

func parts4(list):
	var parts = []
	for value in list:
		parts += [value.r, value.g, value.b, value.a]
	return parts
