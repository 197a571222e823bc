// Package guardhost is what a guard for Guardhost written in Go needs: describe it and hand over one function, in an init.
//
// A guard has what the contract gives it and nothing else: no files, no clock, no environment, no random numbers. What the standard
// library does all the same meets an empty system; standard error is the guard's log.
package guardhost

import (
	"encoding/json"
	"fmt"
)

// Stage is when a guard is asked. A later host may know more.
type Stage string

const (
	// Patch is the shape of the patch: which paths it touches, and how.
	Patch Stage = "patch"
	// Content is the text that the change brings in.
	Content Stage = "content"
	// Command is what a build or a test run says of the candidate.
	Command Stage = "command"
	// Score is a figure for the whole change.
	Score Stage = "score"
)

// Need is a capability beyond the package guardhost:guard, and why the guard needs it.
type Need struct {
	// Capability is the name of its package, such as repo.
	Capability, Why string
	// Paths are globs, when a grant for these files is enough; nil means every path.
	Paths []string
}

// Rule is one of which findings may speak.
type Rule struct {
	Name, Summary string
	// URL is where it is documented, an https address; empty when it is not.
	URL string
}

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
	Rules []Rule
	// Settings is the JSON Schema (2020-12) of the settings, an object. The host checks settings against it.
	Settings string
	// Event is the name of the trace event when it rejects.
	Event string
	// Attributes are anything else. A host ignores names that it does not know.
	Attributes []Attribute
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
