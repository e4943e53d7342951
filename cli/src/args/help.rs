//! Long help: formats, path syntax, examples. `gamewire COMMAND --help` prints it below the
//! options; `-h` prints the options only.

// Lines that must not be wrapped are at most 80 columns wide. A paragraph of prose is one long
// line, which clap wraps.

/// Printed below `gamewire -h`.
pub const SHORT_EXAMPLES: &str = "\
Examples:
  gamewire show packet.bin                      print a Godot value as a tree
  gamewire get players/0/name state.bin         print one value, by its path
  gamewire packets --filter kind=rpc game.pcap  list captured remote calls
  gamewire json Character.uasset                print an Unreal package as JSON

Use --help for more examples, and `gamewire COMMAND --help` for a command.";

/// Printed below `gamewire --help`.
pub const EXAMPLES: &str = "\
Examples:
  gamewire show packet.bin                      print a value as a tree
  gamewire show --as godot3 --hex packet.bin    a Godot 3 packet with its bytes
  gamewire show --as godot4-frames save.dat     a file written by store_var
  gamewire check packets/*.bin                  which packets does Godot accept?
  gamewire json packet.bin                      print a value as Godot's JSON
  gamewire json packet.bin | gamewire encode > copy.bin
  gamewire json --lines < packets.hex           one packet per line, in hexadecimal
  gamewire get players/0/name state.bin         print one value, by its path
  gamewire set hp 100 save.bin -o copy.bin      write a copy with another value
  gamewire diff before.bin after.bin            list the changes, path by path
  gamewire text packet.bin                      print a value as var_to_str does
  gamewire schema packets/*.bin                 find the structure they share
  gamewire find save.dat                        where are values among other data?
  gamewire packets --filter kind=rpc game.pcap  list captured remote calls
  gamewire show Character.uasset                the tables of an Unreal package
  gamewire json Character.uasset | jq .exports  the whole package as JSON
  gamewire get properties.Health Slot1.sav      one value of an Unreal save
  gamewire set properties.Health 50 Slot1.sav -o Edited.sav
  gamewire unreal deps --dot Content/           which packages need which
  gamewire show Scene.json                      a save of Rem's Engine
  gamewire rems convert --to text-2026 Scene.rem Scene.json

Run `gamewire COMMAND -h` for the options of a command, and `gamewire COMMAND --help` for formats, \
path syntax and more examples.

Exit status: 0 success; 1 malformed or unreadable input; 2 wrong usage. `diff` exits with 0 if the \
files are the same, 1 if they differ and 2 if one cannot be read.";

/// Printed below `-h` of each command.
pub const MORE: &str = "Use --help for details and examples.";

pub const FORMATS: &str = "\
Formats:
  godot4               Godot 4, single and double precision (the default)
  godot3               Godot 3
  godot2               Godot 1.0 to 2.1
  godot4-docs          as the 4.x documentation describes it; no engine uses it
  godot4-docs-double   the same with 64-bit floats in vectors and colours
  FORMAT-frames        each value after its length as a u32: files written by
                       store_var, PacketPeerStream, StreamPeer.put_var, the
                       debugger; recognised without --as if godot4-frames";

pub const CONTAINERS: &str = "\
Compressed and encrypted files of Godot (open_compressed, open_encrypted, open_encrypted_with_pass) are \
opened first, and offsets count from the start of their content. An encrypted file needs a password or \
a key.";

pub const UNPACK_DETAILS: &str = "\
Opens files that Godot wrote with open_compressed, open_encrypted, open_encrypted_with_pass or \
ConfigFile.save_encrypted_pass. Other commands open these files directly.

Examples:
  gamewire unpack save.dat -o content.bin
  gamewire unpack --password-file password.txt save.dat -o content.bin
  GAMEWIRE_PASSWORD=hunter2 gamewire unpack settings.cfg | less";

pub const PACK_DETAILS: &str = "\
Writes files that Godot reads with open_compressed, open_encrypted, open_encrypted_with_pass or \
ConfigFile.load_encrypted_pass.

Examples:
  gamewire pack --to zstd content.bin -o save.dat
  gamewire pack --to encrypted --password-file password.txt content.bin -o save.dat
  gamewire unpack old.dat | gamewire pack --to fastlz - -o new.dat";

pub const CONFIGS: &str = "\
Configuration files of Godot (ConfigFile, project.godot, *.import) are recognised by their content. Paths \
in them are SECTION/KEY, or SECTION/KEY/PATH for a part of a value. Without --as, they are read as files \
of Godot 4, unless they have values that only Godot 3 reads.";

pub const SHOW_DETAILS: &str = "\
Each line is a value: the offset of its header, in decimal; its key, index or property name; its \
type, as the engine calls it; and the value. `64-bit` marks ints, floats and vectors in double width.

Examples:
  gamewire show packet.bin
  gamewire show --hex --full packet.bin | less  every byte and every element
  gamewire show --as godot4-frames save.dat     with a heading for each frame
  gamewire show --all stream.bin                values back to back
  nc -l 6007 | gamewire show -                  read standard input
  gamewire show --full Town.umap | less         all tables of an Unreal package";

pub const CHECK_DETAILS: &str = "\
Each line is a file: `ok` or `refused`, its size, and its type; for a refused file, the offset and \
the reason instead of the type. Warnings below the line list what an engine reads, but would not \
write itself. Without --as, files of other programs are refused, and so are values that many other \
bytes follow. Folders are searched for packages and saves of Unreal Engine and saves of Rem's Engine.

Examples:
  gamewire check packets/*.bin
  gamewire check --objects level.bin            like bytes_to_var_with_objects
  gamewire check --strict --as godot3 p.bin     refuse anything unusual
  gamewire check --as godot4-frames save.dat    a verdict for each frame
  gamewire check --lines < packets.hex          a JSON object for each line
  gamewire check Content/                       all packages in a folder
  gamewire check --unreal-version 5.4 Cooked/   packages without a version";

pub const JSON_DETAILS: &str = "\
Each line is a value in the notation of Godot's JSON.from_native, which JSON.to_native reads: null, \
true, \"i:5\", \"f:0.5\", \"s:text\", \"sn:name\", \"np:path\", [...], \
{\"type\":\"Vector2\",\"args\":[1.0,2.0]}. Objects carry what the notation cannot express in further \
members, which the engine ignores. --exact also keeps what strings would lose: widths, unused bits, \
text after a NUL.

With --lines, the input is one packet per line in hexadecimal. Each line is answered with \
{\"ok\":true,\"size\":N,\"value\":...} or {\"ok\":false,\"offset\":N,\"error\":\"...\"}, the verdict of \
bytes_to_var. Refused packets do not change the exit status.

Packages and saves are printed as one indented document, which `gamewire encode --as unreal` writes back.

Examples:
  gamewire json packet.bin
  gamewire json --exact odd.bin | gamewire encode | cmp - odd.bin
  gamewire json --as godot4-frames save.dat     a line for each frame
  gamewire json --lines packets.hex | jq -c 'select(.ok).value'
  echo 0200000005000000 | gamewire json --lines
  echo AgAAAAUAAAA= | gamewire json --base64 -  from Marshalls.variant_to_base64
  gamewire json Character.uasset | jq -r '.exports[].class_name'";

pub const TEXT_DETAILS: &str = "\
Values are printed byte for byte as the engine of FORMAT prints them with var_to_str (var2str in \
Godot 3): dictionaries sorted by their keys, floats with the engine's own digits. `gamewire encode \
--text` and str_to_var read them. On a terminal, control characters are escaped.

The notation does not keep widths, the sign of -0.0, RIDs of Godot 3, or the difference between a \
64-bit float and a 32-bit float that prints alike. JSON does (`gamewire json`).

Examples:
  gamewire text packet.bin
  gamewire text --as godot3 old.bin
  gamewire text --as godot4-frames save.dat     one value after the other
  gamewire text a.bin > a.txt; $EDITOR a.txt; gamewire encode --text a.txt > b.bin";

pub const PACKETS_FILTERS: &str = "\
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

pub const PACKETS_EXAMPLES: &str = "\
Examples:
  gamewire packets game.pcap
  gamewire packets --filter kind=rpc --filter 'path=Main/Player*' game.pcap
  gamewire packets --filter 'kind!=sync,delta' --tree game.pcap | less
  gamewire packets --hex --all --port 7777 game.pcap
  gamewire packets --json --scripts project/ game.pcapng | jq 'select(.peer == 1)'
  gamewire packets --stats --quiet game.pcap      what the captured bytes are spent on
  gamewire packets --stats --by second --csv game.pcap > seconds.csv
  gamewire packets --report report.html game.pcap    the same as a page for a browser
  gamewire packets --parquet calls/ --filter kind=rpc *.pcap    tables for DuckDB or Polars
  gamewire packets --diagnose --scripts server/ --scripts client/ game.pcap
  gamewire packets --state-in state --state-out state cap07   continues after cap06
  tcpdump -i lo -U -w - udp | gamewire packets -
  gamewire packets --write game.pcapng game.pcap     the capture with comments, for Wireshark
  gamewire packets --write calls.pcapng --pdus --filter kind=rpc game.pcap
  tcpdump -i lo -U -w - udp | gamewire packets --write - - | wireshark -k -i -";

pub const ENCODE_DETAILS: &str = "\
Each line of the input is a value as `gamewire json` and Godot's JSON.from_native print it. Plain JSON \
numbers and strings have no Godot type: write \"i:5\" for an int, \"f:5\" for a float, \"s:text\" for a \
String. Empty lines are skipped. Packets are written one after the other, or each after its length \
if FORMAT ends in -frames. With --text, the input is values as `gamewire text` and var_to_str print \
them, one after the other. Encoding stops at the first error.

With --as unreal, the input is the document of a package or save that `gamewire json` prints.

Examples:
  gamewire encode value.json > packet.bin
  echo '{\"type\":\"Vector2\",\"args\":[1,2]}' | gamewire encode > packet.bin
  gamewire encode --as godot4-frames values.jsonl > save.dat
  echo '[1, Vector2(0.5, 2)]' | gamewire encode --text > packet.bin
  gamewire json a.bin | gamewire encode --as godot3 > a3.bin   for another engine
  gamewire json Slot1.sav | jq ... | gamewire encode --as unreal -o Slot1.sav";

pub const PATHS: &str = "\
Paths:
  players/3/name       keys of dictionaries, indices of arrays (-1 is the last
                       element), properties of objects
  position/x           a number of a vector or the like: rect/size/y, t/origin/x
  points/0/x           an element of a packed array, and a number of it
  \"5\"  \"a/b\"  \"\"       a key that looks like a number, contains / or is empty
  [Vector2(1, 2)]      a key of a different type, as var_to_str writes it: [true]
  [#0]  [#0 key]       a pair by its position, value or key, if keys are repeated";

pub const UNREAL_PATHS: &str = "\
Paths in packages and saves of Unreal Engine, with dots or slashes:
  summary.package_flags     member names of the document that `gamewire json` prints
  names[3]  names[-1]       elements by index: [3] and .3 are the same
  exports[2].class          a field of an export
  exports.Town:Door         an export by its path as `show` prints it, or by its
                            name alone if no other export has that name
  exports[2].properties.Health
                            the value of a property, by its name
  properties.Player.Items[4].Count
                            a value inside structs and arrays
  properties.Slots[#2]      element 2 of a fixed-size array, stored as a property
                            of its own; without [#] it is element 0
  properties.Scores.Ada     the value of a map's key; put [...] or \"...\" around a
                            key, name or path with a dot, slash or bracket in it
  properties.Scores.entries[0].key
                            a key; of sets: values[0]; of optionals: value
  properties[3].type        a field of the property itself: at, size, ...";

pub const REMS_PATHS: &str = "\
Paths in saves of Rem's Engine, with dots or slashes:
  [0]  Prefab               an object of the file by its index, or by its class if
                            no other object has that class
  *5                        the object with the number 5
  [0].sets[-1].scale.y      a property, an element, a part: x to w of vectors, a
                            column of a matrix, min and max of a box
  [0].child.name            pointers are followed
  [0].name[#0]              the first of several properties with the same name;
                            without [#] it is the last
  [0].class                 class, pointer or offset of an object, unless a
                            property has that name";

pub const GET_DETAILS: &str = "\
Prints the value at PATH of each value in each file. Godot values are printed in the notation of \
var_to_str, which takes several lines for a dictionary; --json prints one line. Of packages and saves, \
strings are printed without quotes and anything else as JSON, indented unless --json is given. The \
exit status is 1 if a file has no value at PATH.

Examples:
  gamewire get players/0/position state.bin
  gamewire get --json '' state.bin              the whole value, as `gamewire json`
  gamewire get tick --as godot4-frames log.dat  a line for each frame
  gamewire get --raw chat state.bin | xxd
  gamewire get 'exports[0].class_name' Character.uasset
  gamewire get properties.Health --also properties.Level Slot1.sav
  gamewire get --raw 'thumbnails[0]' Character.uasset > picture.png
  gamewire get '[0].children[1].position' Scene.json";

pub const SET_DETAILS: &str = "\
Writes a copy of FILE with VALUE at PATH. An int or float keeps its width if VALUE fits; vectors keep \
theirs unless --double is given. An int becomes a float, and text a StringName or NodePath, if the old \
value has that type. Any other VALUE replaces the old one, and the bytes after it move. Typed arrays and \
dictionaries accept only values of their type, and packed arrays only elements of the same size. In a \
file of several values or frames, every one that has a value at PATH is changed. If none has, nothing is \
written.

In packages and saves of Unreal Engine, PATH is a path of `gamewire get`, and VALUE is a number, true, false or \
text; for containers and structs, it is JSON. VALUE null removes a property, element or entry; a PATH that ends \
in + adds an element. A property or key that does not exist is added. The wrapper of a save is kept. In a \
package whose properties have no tags, --mappings FILE is needed, and properties of the class can be added.

Examples:
  gamewire set hp 100 save.bin -o copy.bin
  gamewire set players/0/position 'Vector2(1, 2.5)' state.bin > moved.bin
  gamewire set --in-place position/x -3 state.bin
  gamewire set --json name '\"s:Ada\"' state.bin -o ada.bin
  gamewire set level 9 --as godot4-frames --frame 2 save.dat --in-place
  gamewire set properties.Health 50 Slot1.sav --in-place
  gamewire set exports.Door.properties.Locked true Town.umap -o Open.umap
  gamewire set --mappings Game.usmap exports.0.properties.Price 5 Shop.uasset -o Cheap.uasset";

pub const DIFF_DETAILS: &str = "\
Each line is a change: its sign, its path (see `gamewire help get`) and the values.
  ~ PATH: OLD → NEW    the value changed
  + PATH: NEW          the value was added
  - PATH: OLD          the value was removed
  = PATH: ...          the value is the same but its bytes are not (a width, a pad,
                       a declared type), or keys are in a different order
Dictionaries are compared key by key, regardless of their order. Arrays are compared after their common \
start and end are removed. Values and frames of a file are compared one by one.

Saves of Rem's Engine are compared by content, even if one is text and the other binary. Objects are \
matched by their position, whatever their numbers; a pointer counts as changed if it leads to a \
different object.

Packages and saves of Unreal Engine are compared by names of properties and keys of maps. Offsets, sizes \
and hashes are ignored.

With --json, a change is {\"path\":\"hp\",\"change\":\"changed\",\"old\":\"i:5\",\"new\":\"i:6\"}. Other \
values of \"change\" are added, removed, order, form and rest; form and rest have \"old_bytes\" and \
\"new_bytes\". Changes in a file of several values or frames have \"frame\", counted from 0.

Exit status: 0 no difference; 1 differences; 2 a file cannot be read.

Examples:
  gamewire diff before.bin after.bin
  gamewire diff --as godot4-frames old.dat new.dat
  gamewire diff --json a.bin b.bin | jq -r .path
  gamewire diff Scene.json Scene.rem";

pub const SCHEMA_DETAILS: &str = "\
Each line is a path in the packets; how many packets have it, if not all do; the types of its values; \
and their ranges, lengths and some of their texts. In paths, [] is any element of an array, and {} any \
value of a dictionary whose keys are data rather than field names: numbers, ids, p0, p1 …

--rust prints types for gamewire::godot::from_bytes (feature serde). Fields that may be null or \
missing are Option, and fields of several types are VariantRef.

Examples:
  gamewire schema packets/*.bin
  gamewire schema --as godot4-frames save.dat   every value of a file
  gamewire schema --lines < packets.hex         one packet per line
  gamewire schema --rust packets/*.bin > src/packet.rs
  gamewire schema --json packets/*.bin | jq -r 'select(.seen < .of).path'";

pub const FIND_DETAILS: &str = "\
Each line is a value: its offset, its size with the length before it, how certain it is that the bytes are a \
value, its format, its type and its beginning. `frame` is a value after its length, `swapped` one after a \
big-endian length. Values inside a value are not listed.
  certain    files without values practically never contain such bytes: a frame of exactly
             the size of its value, frames in a row, a container with text
  likely     few files without values contain such bytes: text or numbers without a frame
  possible   listed with --all: a number in a frame, a short text

The exit status is 1 if a file cannot be read or if no values are listed for it.

Examples:
  gamewire find save.dat
  gamewire show --as godot4-frames --skip 12 --count 1 save.dat
  gamewire find --json dump.bin | jq 'select(.type == \"Dictionary\")'";

pub const PACKAGES: &str = "\
Packages and saves of Unreal Engine (.uasset, .umap, .sav) are recognised by their first bytes, and \
--as does not apply to them. Saves that a game has compressed or put behind a header are opened, too \
(`gamewire unreal unwrap --help`). The .uexp beside a package is read too. Many cooked packages do not store \
their version; give it with --unreal-version. Many do not store the names and types of their properties \
either; give them with --mappings, as in
  gamewire json --unreal-version 5.4 --mappings Game.usmap Character.uasset
The mappings need not have the types that packages declare, such as the class of a blueprint. gamewire \
looks for the packages that declare these types beside FILE, in the folders of the game and in the same \
archive. Give other files with --declarations, as in
  gamewire json --declarations Content/Door.uasset Room.uasset
A package in a pak is named by the pak and its path: game.pak:Content/Character.uasset. Its .uexp is read \
from the pak, too. `gamewire show game.pak` lists the files. Encrypted paks need --key. A package in an \
IoStore container is named by the .utoc and its path: game.utoc:Content/Character.uasset. Such packages state their \
classes as hashes. The names are in the mappings or in the game's global.ucas, as in
  gamewire show --script-objects global.ucas Character.uasset
`show`, `json` and `check` also read translations (.locres) and the asset registry of a game, which lists the \
assets with their tags, as in
  gamewire json game.pak:Game/AssetRegistry.bin";

pub const SAVES: &str = "\
Saves of Rem's Engine (text, binary, container) are recognised by their first bytes too. A binary save \
does not store which engine wrote it. By default it is read as the latest version in which the whole \
file can be read; --era chooses a different one: 2026 (October 2024 and later), 2022 (from March 2022), \
2021 (from October 2021), 2021-08 (from August 2021) or 2020 (from December 2020).";

pub const DEPS_DETAILS: &str = "\
Each package is followed by its imports, which are loaded with it, and its soft references, which are \
loaded by path when needed. Packages saved before 5.0 do not store their name, so the path of their \
file is printed.

Examples:
  gamewire unreal deps Character.uasset
  gamewire unreal deps --no-code Content/
  gamewire unreal deps --json Content/ | jq -r 'select(.soft[]? == \"/Game/Maps/Town\").file'
  gamewire unreal deps --parquet edges.parquet Content/
  gamewire unreal deps --dot --no-code Content/ | dot -Tsvg > packages.svg";

pub const EXTRACT_DETAILS: &str = "\
ARCHIVE is a pak, or the .utoc of an IoStore container. Files are written under FOLDER with their path in \
the archive, relative to its mount point. A PATH is a file or folder in the archive; case is ignored. \
A file with a path that leads out of FOLDER is refused, and so is a file of more than 1 GiB. Files that exist \
are replaced. A file without a path is named after the hash of its path (in a pak) or after its identifier (in a \
container).

Examples:
  gamewire unreal extract game.pak -o game
  gamewire unreal extract game.pak Content/Maps Content/Hero.uasset -o game
  gamewire unreal extract --key 0x1f8e... game.pak -o game
  gamewire unreal extract game.utoc Content/Hero.uasset -o game";

pub const UNWRAP_DETAILS: &str = "\
Opens saves and packages in a header of a game, in a zlib stream or in compressed blocks \
(SerializeCompressed), or in several of these, and prints on standard error what it removed. Other commands \
open such files directly. Files that are encrypted or compressed with Oodle are refused.

Examples:
  gamewire unreal unwrap Level.sav -o Level.gvas
  gamewire unreal unwrap Level.sav | gamewire show -";

pub const WRAP_DETAILS: &str = "\
With --like, the headers, the compression and the sizes of its blocks are those of ORIGINAL. If FILE is the \
content of ORIGINAL, the result is ORIGINAL, byte for byte; otherwise all sizes are updated. A warning is \
printed if ORIGINAL has a header that gamewire does not know, because a checksum in it may be wrong then.

Examples:
  gamewire unreal wrap Level.gvas --like Level.sav -o New.sav
  gamewire unreal wrap Level.gvas --to palworld -o Level.sav";

pub const TYPES_DETAILS: &str = "\
Below engine 5.4, files do not state the types of structs in maps and sets. gamewire infers some of them \
from the size and the contents of the elements. This command prints one line for each of them:
  PATH = TYPE
A PATH consists of the names of properties, beginning with the outermost one, without indices and keys. \
TYPE is written as in the output of json. It is MapProperty(KEY,VALUE), SetProperty(ELEMENT), \
ArrayProperty(ELEMENT) or OptionalProperty(ELEMENT), where a struct is StructProperty(NAME). If the type of \
a container cannot be inferred, or if two containers with the same path have different types, the line is a \
comment, which begins with #. Complete such lines, and give the file to show, json, get, check, diff or set \
with --types.

Examples:
  gamewire unreal types Slot1.sav > types.txt
  gamewire json --types types.txt Slot1.sav";

pub const CONVERT_DETAILS: &str = "\
FORM is one of
  text-2026    text as written by the engine from 2026
  text-2021    text as written by the engine from October 2021
  binary       a binary stream, October 2024 and later
  binary-2021  a binary stream from October 2021
  container    the binary stream, compressed: the content of .rem files
  json         JSON without types, see below
YEAR is 2026 (October 2024 and later), 2022 (from March 2022), 2021 (from October 2021), 2021-08 or \
2020. By default, a binary save is read as the latest version in which the whole file can be read. A \
text save is assumed to be from 2021 if any of its objects has no number, and from 2026 otherwise. The \
uuids of May 2020 become numbers.

If the engine of FORM could not read the result back, nothing is written and the reason is printed; \
--force writes it anyway. A save that this engine wrote is always written, with a warning that \
gives the offset in OUT (in a container, the offset in the decompressed data). Whatever is lost is \
reported with its offset in IN, and a pointer to a number that no object has needs --force, unless the \
save has the form FORM already.

Plain JSON has each property by its name, after \"class\" and the object's number, \"*ptr\". {\"*ptr\":7} \
stands for the object 7. Warnings list what JSON cannot express, with the offset in IN. `gamewire json` \
prints a document that keeps the types.

Examples:
  gamewire rems convert --to text-2026 Scene.rem Scene.json
  gamewire rems convert --to container Scene.json Scene.rem
  gamewire rems convert --era 2021 --to text-2026 old.bin - | less
  gamewire rems convert --to binary --force odd.json odd.bin
  curl -s https://example.org/a.rem | gamewire rems convert --to json - - | jq '.[0].children'";

pub const COMPLETIONS_DETAILS: &str = "\
Examples:
  gamewire completions bash > ~/.local/share/bash-completion/completions/gamewire
  gamewire completions zsh > ~/.zfunc/_gamewire          with ~/.zfunc in $fpath
  gamewire completions fish > ~/.config/fish/completions/gamewire.fish
  gamewire completions elvish >> ~/.config/elvish/rc.elv
  gamewire completions powershell >> $PROFILE";

pub const WIRESHARK_DETAILS: &str = "\
The script splits the comments that `gamewire packets --write` adds to a capture into the fields \
godot.kind, godot.path, godot.method, godot.args and godot.peer. It shows `Godot` in the column \
Protocol, and the last comment on a packet in the column Info. It needs Wireshark 3.6 or newer. \
Wireshark and tshark load no scripts if the user is root.

Examples:
  gamewire wireshark-lua > ~/.local/lib/wireshark/plugins/gamewire.lua
  gamewire wireshark-lua > /tmp/gamewire.lua
  tshark -X lua_script:/tmp/gamewire.lua -r game.pcapng -Y 'godot.method == \"chat\"'
  gamewire wireshark-lua --colors > colors       for View > Coloring Rules > Import";

pub const MAN_DETAILS: &str = "\
Examples:
  gamewire man | man -l -                       the page of gamewire
  gamewire man unreal deps | man -l -           the page of a subcommand
  gamewire man --dir ~/.local/share/man/man1    a file for each command";
