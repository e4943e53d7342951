# Records how Godot 4 compresses data: reads a file with a piece of data in hexadecimal on each line,
# compresses each piece with FastLZ, and writes rows of the piece, a tab and the compressed block.
#
#     godot --headless --script tests/engines/fastlz4.gd -- contents.txt corpus/fastlz/blocks.tsv
extends SceneTree

func _init() -> void:
	var files := OS.get_cmdline_user_args()
	var contents := FileAccess.open(files[0], FileAccess.READ)
	var rows := FileAccess.open(files[1], FileAccess.WRITE)
	while contents.get_position() < contents.get_length():
		var line := contents.get_line()
		var block := line.hex_decode().compress(FileAccess.COMPRESSION_FASTLZ)
		rows.store_line(line + "\t" + block.hex_encode())
	quit()
