// Package tally counts votes.
package tally

import (
	"strings"
)

// Clean returns a name without what a typist adds to it.
func Clean(name string) string {
	return strings.Join(strings.Fields(name), " ")
}

// Count returns votes by name.
func Count(names []string) map[string]int {
	votes := map[string]int{}
	for _, name := range names {
		if name = Clean(name); name != "" {
			votes[name]++
		}
	}
	return votes
}
