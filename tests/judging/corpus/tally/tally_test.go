package tally

import "testing"

func TestCountsEveryVote(t *testing.T) {
	votes := Count([]string{"anna", "bert", "anna"})
	if votes["anna"] != 2 || votes["bert"] != 1 {
		t.Fatalf("%v", votes)
	}
}
