//! What help has to say beyond a line for each argument: examples, notations.

// Lines that must not be wrapped are at most 80 columns wide; prose is one line for
// clap to wrap.

pub const EXAMPLES: &str = "\
Examples:
  gamewire show packet.bin                      one value, as a tree
  gamewire show --as godot3 --hex packet.bin    a Godot 3 packet, and its bytes
  gamewire show --as godot4-frames save.dat     a file made by store_var
  gamewire check packets/*.bin                  which of them does Godot accept?
  gamewire json packet.bin                      one value, as Godot's own JSON
  gamewire json packet.bin | gamewire encode > copy.bin
  gamewire json --lines < packets.hex           a verdict and a value for each line
  gamewire get players/0/name state.bin         one value, by its path
  gamewire set hp 100 save.bin -o cheated.bin   the same file with another value
  gamewire diff before.bin after.bin            what has changed, path by path
  gamewire text packet.bin                      one value, as var_to_str prints it
  gamewire schema packets/*.bin                 what do they have in common?
  gamewire show Character.uasset                an Unreal package: its tables
  gamewire json Character.uasset | jq .exports  all of it
  gamewire get properties.Health Slot1.sav      one value of a save or package
  gamewire unreal deps --dot Content/           which packages refer to which
  gamewire show Scene.json                      a save of Rem's Engine
  gamewire rems convert --to text-2026 Scene.rem Scene.json

`gamewire help COMMAND` says more about each.

Exit status: 0 all was well, 1 malformed or unreadable input, 2 wrong usage. (Of diff: 0 the \
same, 1 not, 2 trouble.)";

pub const FORMATS: &str = "\
Formats:
  godot4               Godot 4, single and double precision (the default)
  godot4-docs          as the official 4.x documentation has it, and no engine
  godot4-docs-double   the same, with double-precision reals
  godot3               Godot 3
  godot2               Godot 1.0 to 2.1
  FORMAT-frames        values behind a u32 length each: files of store_var,
                       PacketPeerStream, StreamPeer.put_var, the debugger";

pub const SHOW_EXAMPLES: &str = "\
Each line is a value: the offset of its header, in decimal; its key, index or \
property name; its type, as the engine calls it; and the value. `64-bit` marks \
ints, floats and vectors in double width.

Examples:
  gamewire show packet.bin
  gamewire show --hex --full packet.bin | less  every byte and every element
  gamewire show --as godot4-frames save.dat     a header line for every frame
  gamewire show --all stream.bin                values back to back
  nc -l 6007 | gamewire show -                  from standard input
  gamewire show --full Town.umap | less         a package: what it has and needs";

pub const CHECK_EXAMPLES: &str = "\
Each line is a file: ok or refused; its size; what it holds, or at which offset it \
is refused and why. Below it stands what an engine reads, but would not write itself.

Examples:
  gamewire check packets/*.bin
  gamewire check --objects level.bin            as bytes_to_var_with_objects
  gamewire check --strict --as godot3 p.bin     anything unusual is refused
  gamewire check --as godot4-frames save.dat    a verdict for every frame
  gamewire check --lines < packets.hex          a JSON object for every line
  gamewire check Content/                       all packages in a folder
  gamewire check --unreal-version 5.4 Cooked/   of which some do not say theirs";

pub const JSON_EXAMPLES: &str = "\
Each line is a value in the notation of Godot's JSON.from_native, which \
JSON.to_native reads: null, true, \"i:5\", \"f:0.5\", \"s:text\", \"sn:name\", \
\"np:path\", [...], {\"type\":\"Vector2\",\"args\":[1.0,2.0]}. What that would lose \
of objects stands in further members, which the engine ignores; what strings would \
lose (widths, idle bits, text behind a NUL) is kept with --exact.

With --lines the input is text, a packet a line in hexadecimal, and for each line \
comes {\"ok\":true,\"size\":N,\"value\":...} or {\"ok\":false,\"offset\":N,\"error\":\"...\"}: \
the verdict of bytes_to_var. Refused packets do not change the exit status.

Examples:
  gamewire json packet.bin
  gamewire json --exact odd.bin | gamewire encode | cmp - odd.bin
  gamewire json --as godot4-frames save.dat     a line for every frame
  gamewire json --lines packets.hex | jq -c 'select(.ok).value'
  echo 0200000005000000 | gamewire json --lines
  echo AgAAAAUAAAA= | gamewire json --base64 -  as of Marshalls.variant_to_base64
  gamewire json Character.uasset | jq -r '.exports[].class_name'";

pub const TEXT_EXAMPLES: &str = "\
Values are printed as the engine of FORMAT prints them with var_to_str (var2str in Godot \
3), to the byte: dictionaries sorted by their keys, floats with the engine's own digits. \
`gamewire encode --text` reads them, and so does str_to_var. On a terminal, control \
characters are escaped.

The notation leaves out widths, the sign of -0.0, RIDs of Godot 3, and the difference \
between a 64-bit float and the 32-bit float that prints alike; JSON does not.

Examples:
  gamewire text packet.bin
  gamewire text --as godot3 old.bin
  gamewire text --as godot4-frames save.dat     one value after the other
  gamewire text a.bin > a.txt; $EDITOR a.txt; gamewire encode --text a.txt > b.bin";

pub const PACKETS_EXAMPLES: &str = "\
Each line is a packet: time, source and destination, transport and channel, how it was \
delivered, its kind, and path.method(arguments). Numbers that stand for paths are resolved. \
Traffic other than the engine's is not shown.

EXPR is FIELD=VALUE, or FIELD!=VALUE for the opposite. Commas separate alternative values. A \
packet without the field does not satisfy FIELD=VALUE.
  kind=rpc,raw        see below; control packets such as ping are shown if named here
  path=Main/*         a node, relative to the multiplayer's root; * matches any text
  method=move         the method (#2 if its name is not known), or the property set
  peer=1              the sender (1 is the server), the relayed peer, or a peer that
                      connects or disconnects
  transport=enet,udp  enet, websocket, tcp, udp";

pub const PACKETS_MORE: &str = "\
Examples:
  gamewire packets game.pcap
  gamewire packets --filter kind=rpc --filter 'path=Main/Player*' game.pcap
  gamewire packets --filter 'kind!=sync,delta' --tree game.pcap | less
  gamewire packets --hex --all --port 7777 game.pcap
  gamewire packets --json --scripts project/ game.pcapng | jq 'select(.peer == 1)'
  gamewire packets --stats --quiet game.pcap
  tcpdump -i lo -U -w - udp | gamewire packets -";

pub const ENCODE_EXAMPLES: &str = "\
Reads lines of JSON as `gamewire json` and Godot's JSON.from_native print them, and \
writes the packets one behind the other, or each behind its length where FORMAT ends \
in -frames. Empty lines are left out. With --text, the input is values in the notation of \
var_to_str, as `gamewire text` prints them, one after the other.

Examples:
  gamewire encode value.json > packet.bin
  echo '{\"type\":\"Vector2\",\"args\":[1,2]}' | gamewire encode > packet.bin
  gamewire encode --as godot4-frames values.jsonl > save.dat
  echo '[1, Vector2(0.5, 2)]' | gamewire encode --text > packet.bin
  gamewire json a.bin | gamewire encode --as godot3 > a3.bin   for another engine";

pub const PATHS: &str = "\
Paths:
  players/3/name       by keys of dictionaries, indices of arrays (-1 is the
                       last), and properties of objects
  position/x           a number of a vector or the like: rect/size/y, t/origin/x
  points/0/x           an element of a packed array, and a number of it
  \"5\"  \"a/b\"  \"\"       text that looks like a number, has a / in it, or is empty
  [Vector2(1, 2)]      a key of another type, as var_to_str writes it: [true]
  [#0]  [#0 key]       a pair by its number, where several have the same key";

pub const UNREAL_PATHS: &str = "\
Paths in packages and saves, with dots or slashes:
  summary.package_flags     by the words of the document of `gamewire json`,
  names[3]  names[-1]       and by index: [3] and .3 are the same
  exports[2].class          the record of an export
  exports.Town:Door         an export by its path as `show` prints it, or by its
                            name alone where no other has it
  exports[2].properties.Health
                            the value of a property, by its name
  properties.Player.Items[4].Count
                            and on through structs and arrays
  properties.Slots[#2]      the element 2 of an array of fixed size, which is a
                            property of its own; without [#] it is element 0
  properties.Scores.Ada     the value of a map's key; [...] or \"...\" around a key,
                            a name or a path that has a dot, a slash or a bracket
  properties.Scores.entries[0].key
                            a key; of sets: values[0]; of optionals: value
  properties[3].type        what the document says of a property: at, size, ...";

pub const GET_EXAMPLES: &str = "\
Prints what is there in each value of each file, in the notation of var_to_str: that of a \
dictionary takes several lines, its JSON (--json) one. Of packages and saves texts are printed \
as they are, anything else as JSON; lists and records take several lines, with --json one. The \
exit status is 1 where there is nothing at PATH.

Examples:
  gamewire get 'exports[0].class_name' Character.uasset
  gamewire get properties.Health --also properties.Level Slot1.sav
  gamewire get --raw 'thumbnails[0]' Character.uasset > picture.png
  gamewire get players/0/position state.bin
  gamewire get --json '' state.bin              all of it, as `gamewire json`
  gamewire get tick --as godot4-frames log.dat  a line for every frame
  gamewire get --raw chat state.bin | xxd
  gamewire get '[0].children[1].position' Scene.json";

pub const SET_EXAMPLES: &str = "\
Writes all of FILE again, with VALUE at PATH. An int or float keeps the width it has there, \
if VALUE fits, and vectors always do unless --double is said; an int becomes a float and text a StringName or \
NodePath, where one is there. Whatever else VALUE is, it takes the place of what is there, \
and what follows moves; but a typed array or dictionary takes no other type. (In a packed array nothing moves: an element takes as many bytes as \
before.) Of frames, and of values one behind the other, each is changed that has something at \
PATH. If none has, nothing is written.

Examples:
  gamewire set hp 100 save.bin -o cheated.bin
  gamewire set players/0/position 'Vector2(1, 2.5)' state.bin > moved.bin
  gamewire set --in-place position/x -3 state.bin
  gamewire set --json name '\"s:Ada\"' state.bin -o ada.bin
  gamewire set level 9 --as godot4-frames --frame 2 save.dat --in-place";

pub const DIFF_EXAMPLES: &str = "\
Each line is a change: what it is, its path (see `gamewire help get`), and the values.
  ~ PATH: OLD → NEW    another value is there
  + PATH: NEW          it was not there
  - PATH: OLD          it is not there any more
  = PATH: ...          the same in other bytes: a width, a pad, a stated type;
                       or the same keys in another order
Keys are compared in whatever order they come, arrays by their middle: what is the same at \
both ends is left out. Files of several values or frames are compared one by one.

Of saves of Rem's Engine it is told what they say, in whatever forms they are. Objects belong together \
by where they are, whatever their numbers are, and a pointer has changed if it leads to another \
object.

With --json, a change is {\"path\":\"hp\",\"change\":\"changed\",\"old\":\"i:5\",\"new\":\"i:6\"}, \
or added, removed, form and rest (with \"old_bytes\" and \"new_bytes\"), order; of several \
frames with \"frame\", from 0.

Exit status: 0 the same (the same bytes, or saves that say the same), 1 not, 2 trouble: a file \
cannot be read.

Examples:
  gamewire diff before.bin after.bin
  gamewire diff --as godot4-frames old.dat new.dat
  gamewire diff --json a.bin b.bin | jq -r .path
  gamewire diff Scene.json Scene.rem";

pub const SCHEMA_EXAMPLES: &str = "\
Each line is a place in the packets: the path that leads there; of a field, how many have \
it where not all do; the types of the values there; and what is known of these: ranges, \
lengths, a few texts. In paths [] is any element of an array and {} any value of a \
dictionary whose keys are no names of fields: numbers, ids, p0, p1 …

--rust takes null and absence as Option, and what has several types as VariantRef. \
Decode with gamewire::godot::from_bytes (feature serde).

Examples:
  gamewire schema packets/*.bin
  gamewire schema --as godot4-frames save.dat   every value of a file
  gamewire schema --lines < packets.hex         a packet a line
  gamewire schema --rust packets/*.bin > src/packet.rs
  gamewire schema --json packets/*.bin | jq -r 'select(.seen < .of).path'";

pub const PACKAGES: &str = "\
Packages and saves of Unreal Engine (.uasset, .umap, .sav) are told by their first bytes, and \
FORMAT is nothing to them; a .uexp is read from beside its package. Cooked ones often do not say their \
version: --unreal-version does.";

pub const DEPS_EXAMPLES: &str = "\
Below each package stand those it imports, which are loaded with it, and those it refers to \
softly, by path. Packages saved before 5.0 do not say what they are called, so they go by the \
name of their file.

Examples:
  gamewire unreal deps Character.uasset
  gamewire unreal deps --no-code Content/
  gamewire unreal deps --json Content/ | jq -r 'select(.soft[]? == \"/Game/Maps/Town\").file'
  gamewire unreal deps --dot --no-code Content/ | dot -Tsvg > packages.svg";

pub const SAVES: &str = "\
Saves of Rem's Engine (texts, binary streams, containers) are told by their first bytes, too. Binary \
ones do not say in which numbering they are; without --era it is the latest that reads all of it. \
YEAR is 2026 (from October 2024 on), 2022 (from March), 2021 (from October), 2021-08 or 2020.";

pub const REMS_PATHS: &str = "\
Paths in saves of Rem's Engine, with dots or slashes:
  [0]  Prefab               an object of the file by its index, or by its class where
                            no other has it
  *5                        the object that has the number 5
  [0].sets[-1].scale.y      the value of a property, an element, a part: x to w, of
                            matrices a column, of boxes min and max
  [0].child.name            pointers are followed
  [0].name[#0]              of properties of the same name the first; else the last
  [0].class                 what an object says of itself: class, pointer, offset,
                            unless a property is called so";

pub const CONVERT_EXAMPLES: &str = "\
FORM is one of
  text-2026    text as the engine of 2026 writes it
  text-2021    as the engine of October 2021
  binary       a binary stream, since October 2024
  binary-2021  of October 2021
  container    the binary stream, compressed: what engines write into .rem files
  json         JSON without types: see below
YEAR is 2026 (from October 2024 on), 2022 (from March), 2021 (from October), 2021-08 or 2020. Without \
it, a binary save is of the latest in which all of it can be read, and a text of 2021 if an object \
in it has no number, else of 2026.

What the engine of FORM could not read back is refused, with the reason, unless --force is said. \
What is of its time already is written in any case. Then a warning says so, with the offset in OUT \
(of a container, in what is compressed).

JSON has properties by their names, after \"class\" and, of an object with a number, \"*ptr\"; \
{\"*ptr\":7} is where the object 7 belongs. What it has no place for is told, with the \
offset in IN. `gamewire json` prints a document with types instead.

Examples:
  gamewire rems convert --to text-2026 Scene.rem Scene.json
  gamewire rems convert --to container Scene.json Scene.rem
  gamewire rems convert --era 2021 --to text-2026 old.bin - | less
  gamewire rems convert --to binary --force odd.json odd.bin
  curl -s https://example.org/a.rem | gamewire rems convert --to json - - | jq '.[0].children'";
