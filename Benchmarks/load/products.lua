-- Devices request two products and one that does not exist.

dofile(os.getenv("BENCH_LOAD") .. "/common.lua")

local body = '{"locale":"en_US","productIdentifiers":["com.example.rocketcar.fuel",'
  .. '"com.example.rocketcar.turbo","com.example.rocketcar.none"]}'

function init()
  next_request = cycle(lines_of(os.getenv("BENCH_DEVICES"), function(line)
    return post("/sandbox/device/v1/products", line:match("^(%S+)"), body)
  end))
end

function request() return next_request() end

function response(status, headers, answer)
  if status ~= 200 or not answer:find("rocketcar.turbo", 1, true) then refuse(status, answer) end
end
