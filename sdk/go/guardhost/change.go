package guardhost

import "strings"

// Status is what happened to a file.
type Status uint8

const (
	Added Status = iota
	Modified
	Deleted
	Renamed
	Copied
	TypeChanged
)

// Mode is what git says a file is.
type Mode uint8

const (
	Regular Mode = iota
	Executable
	// Symlink has the link's target as its content.
	Symlink
	// Submodule has no content here.
	Submodule
)

// Unreadable says why there is no text; it reads as the rest of a sentence.
type Unreadable string

func (why Unreadable) Error() string { return string(why) }

// Change is the change under judgement.
type Change struct {
	// Files that concern this guard, sorted by the bytes of their path.
	Files []File
}

// Task is what the model was asked to do.
type Task struct {
	Text string
	// Hints are paths that the task names as its scope.
	Hints      []string
	CompileFix bool
}

// Commit is a commit of the change.
type Commit struct {
	// OID is the hex object id; empty for a commit that is not made yet.
	OID string
	// Message is the whole message.
	Message  string
	Author   Person
	Trailers []Trailer
}

// Person is one as git names one; either part may be empty.
type Person struct{ Name, Email string }

// Trailer is a line "key: value" at the end of a commit message.
type Trailer struct{ Key, Value string }

// File is a touched file.
type File struct {
	// Path is relative to the repository's root, with / between parts.
	Path   string
	handle uint32
}

// Version is one side of a touched file.
type Version struct {
	// OID is the hex object id of the content, as git names it.
	OID  string
	Mode Mode
	// Size in bytes.
	Size uint64
	file uint32
	side uint32
}

// Hunk is a run of lines that differ. Lines count from 1; a count of 0 means that nothing stands there on that side.
type Hunk struct{ OldStart, OldLines, NewStart, NewLines uint32 }

// Line is a line of a file.
type Line struct {
	// Number counts from 1.
	Number uint32
	// Text without its line ending.
	Text string
}

// Task is what the model was asked to do; nil when the change is judged without a task.
func (c *Change) Task() *Task { return task() }

// Commits are those that make the change, oldest first; none when no message is known.
func (c *Change) Commits() []Commit { return commits() }

// OldPath is where a renamed or copied file came from; empty when it is neither.
func (f File) OldPath() string { return oldPath(f.handle) }

// Status is what happened to the file.
func (f File) Status() Status { return Status(hostStatus(f.handle)) }

// Before is the file in the base; nil when it is added.
func (f File) Before() *Version { return version(f.handle, sideBefore) }

// After is the file in the candidate; nil when it is deleted.
func (f File) After() *Version { return version(f.handle, sideAfter) }

// Hunks are what differs, without context; none when either side is not text.
func (f File) Hunks() []Hunk { return hunks(f.handle) }

// IsRegular says that the file has content of its own: it is there, and no link and no submodule.
func (v *Version) IsRegular() bool {
	return v != nil && (v.Mode == Regular || v.Mode == Executable)
}

// Bytes as git holds them. The error is an [Unreadable].
func (v *Version) Bytes() ([]byte, error) { return content(hostRead, v) }

// Text as the host decodes it, without a byte order mark; line endings stay as they are. The error is an [Unreadable].
func (v *Version) Text() (string, error) {
	text, err := content(hostText, v)
	return string(text), err
}

// AddedLines are those that the change brings in. The error is an [Unreadable].
func (f File) AddedLines() ([]Line, error) {
	return pick(f.After(), f.Hunks(), func(h Hunk) (uint32, uint32) { return h.NewStart, h.NewLines })
}

// RemovedLines are those that the change takes away, numbered as in the base. The error is an [Unreadable].
func (f File) RemovedLines() ([]Line, error) {
	return pick(f.Before(), f.Hunks(), func(h Hunk) (uint32, uint32) { return h.OldStart, h.OldLines })
}

func pick(version *Version, hunks []Hunk, run func(Hunk) (uint32, uint32)) ([]Line, error) {
	if version == nil {
		return nil, nil
	}
	text, err := version.Text()
	if err != nil {
		return nil, err
	}
	total := uint32(0)
	for _, hunk := range hunks {
		_, count := run(hunk)
		total += count
	}
	picked := make([]Line, 0, total)
	rest, number := text, uint32(1)
	for _, hunk := range hunks {
		start, count := run(hunk)
		for ; count > 0 && number < start+count; number++ {
			// Only a line feed ends a line; a carriage return before it belongs to the ending.
			line, after, ended := strings.Cut(rest, "\n")
			rest = after
			if number < start {
				continue
			}
			if ended {
				line = strings.TrimSuffix(line, "\r")
			}
			picked = append(picked, Line{number, line})
		}
	}
	return picked, nil
}
