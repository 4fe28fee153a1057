-- Devices buy, each time with a fresh attempt; with BENCH_PAUSE_MS between, where that is set.

dofile(os.getenv("BENCH_LOAD") .. "/common.lua")

local pause = tonumber(os.getenv("BENCH_PAUSE_MS") or "")
if pause then
  function delay() return pause end
end

local mark = "ATTEMPT-ATTEMPT-ATTEMPT-ATTEMPT-ATTE"
local body = '{"attemptId":"' .. mark .. '","productId":"com.example.rocketcar.fuel","quantity":1}'

function init()
  seed(thread_number)
  next_device = cycle(lines_of(os.getenv("BENCH_DEVICES"), function(line)
    local whole = post("/sandbox/device/v1/attempts", line:match("^(%S+)"), body)
    local first, last = whole:find(mark, 1, true)
    return {whole:sub(1, first - 1), whole:sub(last + 1)}
  end))
end

function request()
  local device = next_device()
  return device[1] .. uuid() .. device[2]
end

function response(status, headers, answer)
  if status ~= 200 or not answer:find('"state":"done"', 1, true) then refuse(status, answer) end
end
