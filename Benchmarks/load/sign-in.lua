-- Devices sign in, each with its own account.

dofile(os.getenv("BENCH_LOAD") .. "/common.lua")

function init()
  next_request = cycle(lines_of(os.getenv("BENCH_DEVICES"), function(line)
    local token, account, password = line:match("^(%S+) (%S+) (%S+)")
    return post("/sandbox/device/v1/sign-in", token,
      '{"account":"' .. account .. '","password":"' .. password .. '"}')
  end))
end

function request() return next_request() end

function response(status, headers, answer)
  if status ~= 200 or not answer:find('"deviceToken"', 1, true) then refuse(status, answer) end
end
