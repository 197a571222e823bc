package main

var names = map[int]string{1: "alice", 2: "bob"}

// Name tells whether there is such a user, too.
func Name(id int) (string, bool) {
	name, ok := names[id]
	return name, ok
}
