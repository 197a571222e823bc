package main

import "fmt"

func main() {
	if name, ok := Name(1); ok {
		fmt.Println(name)
	}
}
