-- Support for tfjob in Neovim 0.7 and later: file type, language server, and the command :TfjobCompiled.
-- Copy this file to ~/.config/nvim/plugin. The program `tfjob` must be on the PATH.
local patterns = { "*.tfjob.kdl", "*.cluster.kdl", "tfjob.kdl" }
-- The language server of JSON or YAML can run in the same buffer.
local data = { "*.tfjob.json", "*.tfjob.yaml", "*.tfjob.yml", "*.cluster.json", "*.cluster.yaml", "*.cluster.yml" }

-- The directory that contains `.git`, which is a file in a worktree. Otherwise, the directory of the spec.
local function root(directory)
  local above = directory
  while vim.fn.getftype(above .. "/.git") == "" do
    local parent = vim.fn.fnamemodify(above, ":h")
    if parent == above then return directory end
    above = parent
  end
  return above
end

local function start(buffer)
  local file = vim.api.nvim_buf_get_name(buffer)
  local config = { name = "tfjob", cmd = { "tfjob", "lsp" }, root_dir = root(vim.fn.fnamemodify(file, ":p:h")) }
  if vim.lsp.start then
    return vim.lsp.start(config, { bufnr = buffer })
  end
  -- 0.7: one server for all buffers.
  vim.g.tfjob_client = vim.g.tfjob_client or vim.lsp.start_client(config)
  vim.lsp.buf_attach_client(buffer, vim.g.tfjob_client)
  vim.bo[buffer].omnifunc = "v:lua.vim.lsp.omnifunc"
end

local group = vim.api.nvim_create_augroup("tfjob", {})
vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  group = group,
  pattern = patterns,
  callback = function(event)
    vim.bo[event.buf].filetype = "tfjob"
    vim.bo[event.buf].commentstring = "// %s"
    start(event.buf)
  end,
})
vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  group = group,
  pattern = data,
  callback = function(event) start(event.buf) end,
})

-- Highlighting by nvim-treesitter, if its parser `kdl` is installed.
if vim.treesitter and vim.treesitter.language and vim.treesitter.language.register then
  vim.treesitter.language.register("kdl", "tfjob")
  vim.api.nvim_create_autocmd("FileType", {
    group = group,
    pattern = "tfjob",
    callback = function(event) pcall(vim.treesitter.start, event.buf, "kdl") end,
  })
end

-- :TfjobCompiled TARGET shows the compiled files of the spec in a split. It does not follow edits: run it again.
vim.api.nvim_create_user_command("TfjobCompiled", function(command)
  local uri = vim.uri_from_bufnr(0)
  -- Another server, such as that of JSON, does not have this request.
  local all = vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = 0 }) or vim.lsp.buf_get_clients(0)
  local client
  for _, one in pairs(all) do
    if one.name == "tfjob" then client = one end
  end
  if not client then
    return vim.notify("tfjob: the language server does not run for this file", vim.log.levels.ERROR)
  end
  local show = function(failure, result)
    if failure then
      return vim.notify(failure.message, vim.log.levels.ERROR)
    end
    if #result.files == 0 then
      return vim.notify(table.concat(result.errors, "\n"), vim.log.levels.ERROR)
    end
    local lines = {}
    for _, file in ipairs(result.files) do
      table.insert(lines, "# " .. file.path)
      vim.list_extend(lines, vim.split(file.text, "\n"))
    end
    vim.cmd("vnew")
    vim.bo.buftype, vim.bo.bufhidden, vim.bo.filetype = "nofile", "wipe", "yaml"
    vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
  end
  local parameters = { uri = uri, target = command.args }
  if vim.fn.has("nvim-0.11") == 1 then
    client:request("tfjob/compiled", parameters, show)
  else
    client.request("tfjob/compiled", parameters, show)
  end
end, { nargs = 1 })
