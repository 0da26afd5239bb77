-- Runs in a headless Neovim that shows a broken spec. Exits with 0 if a user would see what is checked.
local failed = false

local function check(name, holds, seen)
  failed = failed or not holds
  io.stdout:write(string.format("%s %s: %s\n", holds and "ok   " or "FAIL ", name, tostring(seen):gsub("%s+", " "):sub(1, 110)))
end

local function request(method, parameters)
  local result
  parameters.textDocument = parameters.textDocument or { uri = vim.uri_from_bufnr(0) }
  vim.lsp.buf_request_all(0, method, parameters, function(all)
    for _, one in pairs(all) do result = one.result or one.error end
    result = result or false
  end)
  vim.wait(5000, function() return result ~= nil end, 10)
  return result
end

local function labels(result)
  return vim.tbl_map(function(item) return item.label end, result and (result.items or result) or {})
end

local function problem()
  for _, one in ipairs(vim.diagnostic.get(0)) do
    if one.message:find("cuont") then return one end
  end
end

vim.wait(10000, function() return problem() ~= nil end, 10)
local found = problem()
check("file type", vim.bo.filetype == "tfjob", vim.bo.filetype)
check("comments", vim.bo.commentstring == "// %s", vim.bo.commentstring)
check("diagnostic", found and found.lnum == 4 and found.col == 18 and found.end_col == 23, found and found.message)
local hover = request("textDocument/hover", { position = { line = 5, character = 10 } })
check("hover", hover and hover.contents, hover and vim.inspect(hover.contents))
local fields = labels(request("textDocument/completion", { position = { line = 5, character = 8 } }))
check("completion", vim.tbl_contains(fields, "resources") or vim.tbl_contains(fields, "env"), table.concat(fields, " "))
local omnifunc = vim.bo.omnifunc
check("Ctrl-X Ctrl-O", omnifunc:find("lsp") ~= nil, omnifunc)

if found then
  local range = { start = { line = 4, character = 18 }, ["end"] = { line = 4, character = 23 } }
  local diagnostic = { range = range, message = found.message, code = "unknown-property", severity = 1, source = "tfjob" }
  local actions = request("textDocument/codeAction", { range = range, context = { diagnostics = { diagnostic } } }) or {}
  for _, action in ipairs(actions) do
    if action.edit and action.kind == "quickfix" then
      vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
      break
    end
  end
  vim.wait(5000, function() return problem() == nil end, 10)
  local line = vim.api.nvim_buf_get_lines(0, 4, 5, true)[1]
  check("quick fix", line:find("count=4") and not problem(), line)
end

local get = vim.lsp.get_clients or vim.lsp.get_active_clients
local root = get()[1] and get()[1].config.root_dir
check("directory of the repository", root and root:find("/my jobs$"), root)

-- The request goes only to the server of tfjob.
local other = vim.lsp.start_client({ name = "other", cmd = { "tfjob", "lsp" } })
vim.lsp.buf_attach_client(0, other)
vim.wait(5000, function() return vim.lsp.get_client_by_id(other).initialized end, 10)
vim.cmd("TfjobCompiled kubernetes")
vim.wait(5000, function() return vim.bo.buftype == "nofile" end, 10)
check(":TfjobCompiled", vim.bo.buftype == "nofile", vim.api.nvim_buf_get_lines(0, 0, 1, false)[1])

vim.wait(500)
check("one request", #vim.api.nvim_list_wins() == 2, #vim.api.nvim_list_wins() .. " windows")

vim.lsp.stop_client(get())
vim.wait(3000, function() return #get() == 0 end, 10)
check("end of the server", #get() == 0, #get() .. " running")
vim.cmd(failed and "cquit 1" or "qall!")
