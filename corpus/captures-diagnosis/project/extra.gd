extends Node
@rpc("authority", "reliable") func ping(step: int): get_parent().note_call(self, "ping", [step])
