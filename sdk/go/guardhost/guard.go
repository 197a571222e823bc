// Package guardhost is what a guard for Guardhost written in Go needs: describe it and hand over one function, in an init.
//
// A guard has what the contract gives it and nothing else: no files, no clock, no environment, no random numbers. What the standard
// library does all the same meets an empty system; standard error is the guard's log.
package guardhost

import (
	"encoding/json"
	"fmt"
)

// Stage is when a guard is asked.
type Stage uint8

const (
	// Patch is the shape of the patch: which paths it touches, and how.
	Patch Stage = iota
	// Content is the text that the change brings in.
	Content
	// Command is what a build or a test run says of the candidate.
	Command
	_
	// Score is a figure for the whole change.
	Score
)

// Need is one import beyond change and log, and why the guard needs it.
type Need struct{ Name, Why string }

// About is what a guard says of itself; the same at every call.
type About struct {
	// ID is kebab-case, 1 to 64 bytes; the id under which it is pinned.
	ID string
	// Version is the semver of the guard itself.
	Version string
	// Mark is the short mark in reports, such as G13.
	Mark string
	// Promise is one sentence: what a change that passes can be relied on to hold.
	Promise string
	// Stages; none means Content.
	Stages []Stage
	// Globs are gitignore-style, of the paths that concern it; none means every path.
	Globs []string
	Needs []Need
	// Settings is the JSON Schema (2020-12) of the settings, an object. The host checks settings against it.
	Settings string
	// Event is the name of the trace event when it rejects.
	Event string
}

var (
	about About
	judge func(settings []byte) ([]*Finding, string, error)
)

// NotApplicable is the error of a guard that nothing concerns, and why.
type NotApplicable string

func (why NotApplicable) Error() string { return string(why) }

// Register makes this program a guard. Check gives every finding, not the first; none is a pass. An error means that the
// guard itself failed, and rejects; but [NotApplicable] says that nothing concerns it.
func Register[Settings any](described About, defaults Settings, check func(*Change, Settings) ([]*Finding, error)) {
	about = described
	if len(about.Stages) == 0 {
		about.Stages = []Stage{Content}
	}
	if about.Settings == "" {
		about.Settings = `{"type":"object","additionalProperties":false}`
	}
	judge = func(text []byte) ([]*Finding, string, error) {
		settings := defaults
		if err := json.Unmarshal(text, &settings); err != nil {
			return nil, "", fmt.Errorf("settings: %w", err)
		}
		findings, err := check(newChange(), settings)
		if why, ok := err.(NotApplicable); ok {
			return nil, string(why), nil
		}
		return findings, "", err
	}
}
