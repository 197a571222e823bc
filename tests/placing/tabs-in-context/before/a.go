func f() {
	one()
	two()
	three()
}
