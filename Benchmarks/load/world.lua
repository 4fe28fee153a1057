-- Test sessions are made and deleted in turns, on one connection per thread.

dofile(os.getenv("BENCH_LOAD") .. "/common.lua")

local token = os.getenv("BENCH_CONTROL_TOKEN")
local name, is_made

function init()
  seed(thread_number)
end

function request()
  if is_made then
    return "DELETE /control/v1/worlds/" .. name .. " HTTP/1.1\r\nHost: localhost\r\n"
      .. "Authorization: Bearer " .. token .. "\r\n\r\n"
  end
  name = "bench-" .. uuid():lower()
  return post("/control/v1/worlds", token, '{"name":"' .. name .. '"}')
end

function response(status, headers, answer)
  if status ~= (is_made and 204 or 201) then refuse(status, answer) end
  is_made = not is_made
end
