-- A benchmark for an interpreter that LIR compiled: calls, tables, floats, sorting, methods, strings, patterns, coroutines.
-- Each round prints the same; a few seconds in all. Usage: lua < bench.lua
for round = 1, 4 do
  local function fib(n) if n < 2 then return n end return fib(n-1) + fib(n-2) end
  print("fib", fib(30))
  local N = 300000
  local sieve, c = {}, 0
  for r = 1, 3 do
    c = 0
    for i = 2, N do sieve[i] = true end
    for i = 2, N do if sieve[i] then c = c + 1 for j = i * i, N, i do sieve[j] = false end end end
  end
  print("primes", c)
  local t, seed = {}, 42
  for i = 1, 100000 do seed = (seed * 1103515245 + 12345) % 2147483648 t[i] = seed end
  table.sort(t) print("sorted", t[1], t[#t])
  table.sort(t, function(a, b) return a > b end) print(t[1])
  local V = {} V.__index = V
  function V.new(x, y) return setmetatable({x = x, y = y}, V) end
  function V:add(o) return V.new(self.x + o.x, self.y + o.y) end
  local p = V.new(0, 0)
  for i = 1, 1000000 do p = p:add(V.new(1, 0.5)) end
  print("vec", p.x, p.y)
  local parts = {}
  for i = 1, 200000 do parts[#parts + 1] = string.format("%d:%s", i, "x") end
  local s = table.concat(parts, ",")
  print("len", #s, select(2, s:gsub("%d+", function(d) if #d > 5 then return "" end end)))
  local x = 0.0
  for i = 1, 5000000 do x = x + 1.0 / (i * i) end
  print(string.format("%.10f", x))
  local words = {}
  for w in s:gmatch("%d+") do local k = w:sub(1, 2) words[k] = (words[k] or 0) + 1 end
  print("words", words["12"], words["99"])
  local co = coroutine.wrap(function() for i = 1, 300000 do coroutine.yield(i) end return 0 end)
  local sum = 0 for i = 1, 300000 do sum = sum + co() end print("co", sum)
  local function matmul(n)
    local a, b, r = {}, {}, {}
    for i = 1, n do a[i], b[i], r[i] = {}, {}, {} for j = 1, n do a[i][j] = i + j b[i][j] = i - j end end
    for i = 1, n do local ai, ri = a[i], r[i] for j = 1, n do local q = 0 for k = 1, n do q = q + ai[k] * b[k][j] end ri[j] = q end end
    return r[n][n]
  end
  print("matmul", matmul(150))
end
