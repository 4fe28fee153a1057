-- A connection for each request.

dofile(os.getenv("BENCH_LOAD") .. "/common.lua")

wrk.headers["Connection"] = "close"

function response(status, headers, body)
  if status ~= 200 or body ~= '{"status":"ok"}' then refuse(status, body) end
end
