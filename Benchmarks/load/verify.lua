-- Backends call verifyReceipt, each time with the next of many receipts.

dofile(os.getenv("BENCH_LOAD") .. "/common.lua")

function init()
  next_request = cycle(lines_of(os.getenv("BENCH_RECEIPTS"), function(line)
    return "POST /sandbox/verifyReceipt HTTP/1.1\r\nHost: localhost\r\nContent-Length: " .. #line
      .. "\r\n\r\n" .. line
  end))
end

function request() return next_request() end

function response(status, headers, answer)
  if status ~= 200 or not answer:find('"status":0', 1, true) then refuse(status, answer) end
end
