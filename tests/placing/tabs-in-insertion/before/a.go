func f() {
	one()
	two()
}
