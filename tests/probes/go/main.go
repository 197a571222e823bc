// Tries each door to the outside and says what it got.
package main

import (
	crypto "crypto/rand"
	"encoding/binary"
	"fmt"
	"math/rand"
	"net"
	"os"
	"strings"
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

func check(change *guardhost.Change, settings settings) ([]*guardhost.Finding, error) {
	if settings.Door == "everything" {
		return []*guardhost.Finding{everything(change)}, nil
	}
	got, err := doors[settings.Door]()
	if err != nil {
		return []*guardhost.Finding{guardhost.Info("probe", "refused: %v", err)}, nil
	}
	return []*guardhost.Finding{guardhost.Info("probe", "%s", fmt.Sprintf("got %v", got))}, nil
}

func everything(change *guardhost.Change) *guardhost.Finding {
	file, commit := change.Files[0], change.Commits()[0]
	status, task, trailer := "something else", "no task", commit.Trailers[0]
	if file.Status() == guardhost.Modified {
		status = "modified"
	}
	if change.Task() != nil {
		task = "a task"
	}
	return guardhost.Error("probe", "%s, %s, %d: %s by %s <%s>, %s=%s", status, task, len(commit.OID), strings.TrimSpace(commit.Message),
		commit.Author.Name, commit.Author.Email, trailer.Key, trailer.Value).
		At(file.Path, 1).
		To(2).
		Columns(1, 3).
		Help("Leave it out.").
		Fix("Write one", guardhost.Edit{Path: file.Path, End: 3, Replacement: []byte("one")}).
		Related(file.Path, 1, 2, "it begins here").
		Attribute("confidence", "0.9")
}
