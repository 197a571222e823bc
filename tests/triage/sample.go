//go:build linux

package tally

import "fmt"

// The text of a page.
const page = `first  line

// not a comment
`

var other = "a" + `first  line

/* not a comment */`

var names = []string{
	"one  two", // the first
	"three",
}

// Count returns
// how many there are.
func Count(votes []string) int {
	seen := map[string]bool{}
	for _, vote := range votes {
		/* a vote counts once */
		seen[vote] = true
	}
	fmt.Println(page,  names)
	return len(seen)
}
