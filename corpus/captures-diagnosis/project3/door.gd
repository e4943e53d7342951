extends Node
remote func open(step): get_parent().note_call(self, "open", [step])
remote func knock(step): get_parent().note_call(self, "knock", [step])
remote func swing(step, angle): get_parent().note_call(self, "swing", [step, angle])
remote func scatter(bytes): get_parent().note_call(self, "scatter", [bytes.size()])
