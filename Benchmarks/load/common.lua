-- Shared by all loads: lines of a file, fresh identifiers, counted answers, one line of results.
-- wrk runs a copy of a load in each thread; `thread_number` distinguishes them.

local threads = {}

function setup(thread)
  thread:set("thread_number", #threads)
  table.insert(threads, thread)
end

refused = 0
refusal = ""

-- Counts an unsuccessful answer; the first is shown.
function refuse(status, body)
  refused = refused + 1
  if refusal == "" then refusal = status .. " " .. body:sub(1, 200) end
end

-- The lines of a file, each passed through a function.
function lines_of(path, make)
  local found = {}
  for line in io.lines(path) do table.insert(found, make(line)) end
  return found
end

-- Cycles through a list, from a different position in each thread.
function cycle(list)
  local place = thread_number * math.floor(#list / 2)
  return function()
    place = place % #list + 1
    return list[place]
  end
end

-- Random numbers with a seed that no other thread or run has.
function seed(thread)
  local random = assert(io.open("/dev/urandom", "rb"))
  local a, b, c = random:read(3):byte(1, 3)
  random:close()
  math.randomseed(((thread * 256 + a) * 256 + b) * 256 + c)
end

-- A random UUID (version 4) in capital letters, like those that devices make.
function uuid()
  local random = math.random
  return string.format(
    "%08X-%04X-4%03X-%04X-%04X%08X", random(0, 0xFFFFFFFF), random(0, 0xFFFF), random(0, 0xFFF),
    random(0x8000, 0xBFFF), random(0, 0xFFFF), random(0, 0xFFFFFFFF))
end

-- A whole request; its constant part is made once.
function post(path, token, body)
  return string.format(
    "POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"
      .. "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
    path, token, #body, body)
end

function done(summary, latency)
  local all, first = 0, ""
  for _, thread in ipairs(threads) do
    all = all + (thread:get("refused") or 0)
    local text = thread:get("refusal")
    if first == "" and text then first = text end
  end
  local errors = summary.errors
  io.write(string.format(
    "RESULT\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n", summary.requests, summary.duration, all,
    errors.connect + errors.read + errors.write + errors.timeout, latency:percentile(50),
    latency:percentile(99), summary.bytes, first:gsub("%s", " ")))
end
