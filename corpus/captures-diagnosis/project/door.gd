extends Node
@rpc("authority", "reliable") func close(step: int): get_parent().note_call(self, "close", [step])
@rpc("any_peer", "reliable") func knock(step: int): get_parent().note_call(self, "knock", [step])
@rpc("authority", "reliable") func open(step: int): get_parent().note_call(self, "open", [step])
@rpc("any_peer", "unreliable") func scatter(bytes: PackedByteArray): get_parent().note_call(self, "scatter", [bytes.size()])
@rpc("authority", "call_remote", "unreliable_ordered", 2) func swing(step: int, angle: float): get_parent().note_call(self, "swing", [step, angle])
@rpc("authority", "reliable") func zap(step: int): get_parent().note_call(self, "zap", [step])
