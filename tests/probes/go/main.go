// Tries each door to the outside and says what it got.
package main

import (
	crypto "crypto/rand"
	"encoding/binary"
	"fmt"
	"math/rand"
	"net"
	"os"
	"time"

	"{{name}}/guardhost"
)

type settings struct {
	Door string `json:"door"`
}

var doors = map[string]func() (any, error){
	"files":       func() (any, error) { return os.ReadFile("/etc/passwd") },
	"environment": func() (any, error) { return os.Environ(), nil },
	"arguments":   func() (any, error) { return os.Args, nil },
	"network":     func() (any, error) { return net.Dial("tcp", "127.0.0.1:80") },
	"clock":       func() (any, error) { return time.Now().Unix(), nil },
	"sleep":       func() (any, error) { time.Sleep(time.Hour); return "nothing", nil },
	"random":      func() (any, error) { return rand.Uint64(), nil },
	"another-random": func() (any, error) {
		bytes := make([]byte, 4)
		_, err := crypto.Read(bytes)
		return binary.BigEndian.Uint32(bytes), err
	},
}

func init() {
	guardhost.Register(guardhost.About{
		ID:       "{{name}}",
		Version:  "0.1.0",
		Promise:  "Tells what it could reach.",
		Settings: `{"type": "object", "additionalProperties": false, "properties": {"door": {"type": "string"}}}`,
		Event:    "probe.fail",
	}, settings{}, check)
}

func main() {}

func check(_ *guardhost.Change, settings settings) ([]*guardhost.Finding, error) {
	got, err := doors[settings.Door]()
	if err != nil {
		return []*guardhost.Finding{guardhost.Info("probe", "refused: %v", err)}, nil
	}
	return []*guardhost.Finding{guardhost.Info("probe", "%s", fmt.Sprintf("got %v", got))}, nil
}
