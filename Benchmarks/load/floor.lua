-- A listener that answers fixed bytes.

dofile(os.getenv("BENCH_LOAD") .. "/common.lua")

function response(status, headers, body)
  if status ~= 200 or body ~= '{"status":"ok"}' then refuse(status, body) end
end
