pub fn place_in_worktree() {}
