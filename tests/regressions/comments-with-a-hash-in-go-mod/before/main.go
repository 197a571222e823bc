package main

import "fmt"

func main() {
	name := Name(1)
	fmt.Println(name)
}
