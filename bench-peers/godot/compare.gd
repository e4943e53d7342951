# Times bytes_to_var and var_to_bytes over files: the best of several batches, in nanoseconds.
#
#     godot --headless --script compare.gd -- FILE ...
#
# Prints one line per file: FILE BYTES DECODE ENCODE.
extends SceneTree

const BATCHES := 15
const BATCH_USEC := 20_000

func _init() -> void:
	for path in OS.get_cmdline_user_args():
		var bytes := FileAccess.get_file_as_bytes(path)
		var value: Variant = bytes_to_var(bytes)
		if var_to_bytes(value) != bytes:
			printerr("%s is written otherwise" % path)
		var decode := best(func(times: int) -> void:
			for i in times:
				bytes_to_var(bytes))
		var encode := best(func(times: int) -> void:
			for i in times:
				var_to_bytes(value))
		print("%s %d %.1f %.1f" % [path, bytes.size(), decode, encode])
	quit()

# Returns the nanoseconds per call in the fastest batch.
func best(batch: Callable) -> float:
	var times := 1
	while usec(batch, times) < BATCH_USEC:
		times *= 2
	var least := INF
	for i in BATCHES:
		least = minf(least, usec(batch, times) * 1000.0 / times)
	return least

func usec(batch: Callable, times: int) -> int:
	var start := Time.get_ticks_usec()
	batch.call(times)
	return Time.get_ticks_usec() - start
