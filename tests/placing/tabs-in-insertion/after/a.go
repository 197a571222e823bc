func f() {
	one()
	if x {
		once()
	}
	two()
}
