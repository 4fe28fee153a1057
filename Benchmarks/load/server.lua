-- An app's server asks the App Store Server API; each line of the file is a path and a token.

dofile(os.getenv("BENCH_LOAD") .. "/common.lua")

local expected = os.getenv("BENCH_EXPECTED")

function init()
  next_request = cycle(lines_of(os.getenv("BENCH_REQUESTS"), function(line)
    local path, token = line:match("^(%S+) (%S+)$")
    return "GET " .. path .. " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " .. token
      .. "\r\n\r\n"
  end))
end

function request() return next_request() end

function response(status, headers, answer)
  if status ~= 200 or not answer:find(expected, 1, true) then refuse(status, answer) end
end
