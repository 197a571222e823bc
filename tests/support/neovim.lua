-- Neovim's own client with `host lsp`: a bad edit is shown, its first action is applied, and nothing is left.
-- TEST_REPO is a repository with x.py, TEST_HOST the program.

local uri = vim.env.TEST_REPO .. "/x.py"
vim.cmd("edit " .. uri)
local id = vim.lsp.start_client({ name = "guardhost", cmd = { vim.env.TEST_HOST, "lsp" }, root_dir = vim.env.TEST_REPO })
vim.lsp.buf_attach_client(0, id)
vim.wait(30000, function() return vim.lsp.get_client_by_id(id).initialized end)
vim.api.nvim_buf_set_lines(0, 1, 2, false, { '    return "\240\159\166\128" + missing' })
vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end)
local said = {}
for _, found in ipairs(vim.diagnostic.get(0)) do
  table.insert(said, table.concat({ found.lnum, found.col, found.end_col, found.code }, " "))
end
local asked = vim.lsp.util.make_given_range_params({ 2, 0 }, { 2, 10 })
asked.context = { diagnostics = {} }
local answer = vim.lsp.buf_request_sync(0, "textDocument/codeAction", asked, 30000)
vim.lsp.util.apply_workspace_edit(answer[id].result[1].edit, vim.lsp.get_client_by_id(id).offset_encoding)
vim.wait(30000, function() return #vim.diagnostic.get(0) == 0 end)
table.insert(said, #vim.diagnostic.get(0) .. " left")
vim.list_extend(said, vim.api.nvim_buf_get_lines(0, 0, -1, false))
io.stdout:write(table.concat(said, "\n") .. "\n")
vim.lsp.stop_client(id)
vim.wait(1000)
vim.cmd("qa!")
