const want = `
<<<<<<< HEAD
	x := 1
=======
	x := 2
>>>>>>> feature
`
