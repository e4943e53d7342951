-- Shows in Wireshark and tshark what `gamewire packets --write` found in a capture.
--
-- Splits the comments of gamewire into the fields godot.kind, godot.path, godot.method, godot.args and
-- godot.peer. Shows "Godot" in the column "Protocol", and the last comment on a packet in the column "Info".
-- A comment looks like this:
--
--   rpc Main/Player.hit("sword", 3.0) by 2
--
-- The script works with Wireshark 3.6 and newer, and needs no library. `gamewire wireshark-lua` prints it.
-- To install it, copy it to the folder "Personal Lua Plugins" (Help > About Wireshark > Folders). tshark
-- can also load it from any place, but not if the user is root:
--
--   tshark -X lua_script:gamewire.lua -r game.pcapng -Y 'godot.method == "hit"'

-- The kinds of packets.
local kinds = {}
for kind in ("@KINDS@"):gmatch("[%w_]+") do
    kinds[kind] = true
end

-- The kinds whose comment contains the path or the number of a node after the kind.
local has_node = { rpc = true, set = true, simplify_path = true, confirm_path = true, spawn = true }

local godot = Proto("godot", "Godot")
local kind_field = ProtoField.string("godot.kind", "Kind")
local path_field = ProtoField.string("godot.path", "Path of the node")
local method_field = ProtoField.string("godot.method", "Method or property")
local args_field = ProtoField.string("godot.args", "Arguments")
local peer_field = ProtoField.int32("godot.peer", "Peer")
godot.fields = { kind_field, path_field, method_field, args_field, peer_field }

local comment_field = Field.new("frame.comment")

-- Returns the UTF-8 encoding of a code point.
local function character(code)
    if code < 0x80 then
        return string.char(code)
    end
    local bytes, first = "", 0x3F
    while code > first do
        bytes = string.char(0x80 + code % 0x40) .. bytes
        code = math.floor(code / 0x40)
        first = math.floor(first / 2)
    end
    return string.char(0xFF - 2 * first - 1 + code) .. bytes
end

local escapes = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

-- Reads a JSON string that begins at `at`. Returns its content and the position after it.
local function json_string(text, at)
    local parts = {}
    at = at + 1
    while true do
        local plain = text:match('^[^"\\]+', at)
        local high, low = text:match("^\\u([dD][89abAB]%x%x)\\u([dD][c-fC-F]%x%x)", at)
        local code = text:match("^\\u(%x%x%x%x)", at)
        if plain then
            parts[#parts + 1] = plain
            at = at + #plain
        elseif high then
            local upper = (tonumber(high, 16) - 0xD800) * 0x400
            parts[#parts + 1] = character(0x10000 + upper + tonumber(low, 16) - 0xDC00)
            at = at + 12
        elseif code then
            parts[#parts + 1] = character(tonumber(code, 16))
            at = at + 6
        elseif text:sub(at, at) == "\\" then
            local escaped = text:sub(at + 1, at + 1)
            parts[#parts + 1] = escapes[escaped] or escaped
            at = at + 2
        else
            -- The closing quote, or the end of a truncated comment.
            return table.concat(parts), at + 1
        end
    end
end

-- Reads a path or a name at `at`. Returns it and the position after it.
local function name(text, at)
    if text:sub(at, at) == '"' then
        return json_string(text, at)
    end
    local plain = text:match("^[%w_/@#\128-\255-]+", at)
    return plain, at + #(plain or "")
end

-- Returns the text between the parenthesis at `at` and the one that closes it.
local function in_parentheses(text, at)
    local start, depth = at + 1, 0
    while at <= #text do
        local char = text:sub(at, at)
        if char == '"' then
            local _, after = json_string(text, at)
            at = after
        else
            depth = depth + (char == "(" and 1 or char == ")" and -1 or 0)
            if depth == 0 then
                return text:sub(start, at - 1)
            end
            at = at + 1
        end
    end
    -- The comment was truncated within the arguments.
    return text:match("^.*…", start) or text:sub(start)
end

-- Splits a comment. Returns nil if gamewire did not write it.
local function parse(comment)
    local kind = comment:match("^[%w_]+")
    if not kinds[kind] then
        return nil
    end
    local found = { kind = kind }
    found.peer = comment:match(" by (%-?%d+)$") or comment:match("^%l+_peer peer (%-?%d+)$")
    if not has_node[kind] then
        return found
    end
    local at = #kind + 2
    local number = comment:match("^node %d+", at)
    if number then
        at = at + #number
    else
        found.path, at = name(comment, at)
    end
    if comment:sub(at, at) == "." then
        found.method, at = name(comment, at + 1)
    end
    if comment:sub(at, at) == "(" then
        found.args = in_parentheses(comment, at)
    end
    return found
end

function godot.dissector(buffer, packet, tree)
    local last
    for _, comment in ipairs({ comment_field() }) do
        local text = tostring(comment.value)
        local found = parse(text)
        if found then
            last = text
            local item = tree:add(godot, buffer(0, 0), text)
            item:add(kind_field, found.kind)
            if found.path then item:add(path_field, found.path) end
            if found.method then item:add(method_field, found.method) end
            if found.args then item:add(args_field, found.args) end
            if found.peer then item:add(peer_field, tonumber(found.peer)) end
        end
    end
    if last then
        packet.cols.protocol:set("Godot")
        packet.cols.info:set(last)
    end
end

register_postdissector(godot)
