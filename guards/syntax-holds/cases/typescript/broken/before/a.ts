interface A { b: string }
