interface A { b: string
