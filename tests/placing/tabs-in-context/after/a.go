func f() {
	one()
	once()
	two()
	three()
}
