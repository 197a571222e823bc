module example.org/ballots

go 1.22
