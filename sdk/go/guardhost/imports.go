package guardhost

import "fmt"

// Functions of the contract, as the canonical ABI flattens them: a handle is an i32, a text is a pointer and a length, and what does
// not fit into one number is written to the address that is the last parameter.

const (
	sideBefore = 0
	sideAfter  = 1
)

//go:wasmimport guardhost:guard/change@0.1.0 files
func hostFiles(answer uint32)

//go:wasmimport guardhost:guard/change@0.1.0 [method]file.path
func hostPath(file, answer uint32)

//go:wasmimport guardhost:guard/change@0.1.0 [method]file.old-path
func hostOldPath(file, answer uint32)

//go:wasmimport guardhost:guard/change@0.1.0 [method]file.status
func hostStatus(file uint32) uint32

//go:wasmimport guardhost:guard/change@0.1.0 [method]file.blob
func hostBlob(file, side, answer uint32)

//go:wasmimport guardhost:guard/change@0.1.0 [method]file.read
func hostRead(file, side, answer uint32)

//go:wasmimport guardhost:guard/change@0.1.0 [method]file.text
func hostText(file, side, answer uint32)

//go:wasmimport guardhost:guard/change@0.1.0 [method]file.hunks
func hostHunks(file, answer uint32)

//go:wasmimport guardhost:guard/change@0.1.0 get-task
func hostTask(answer uint32)

//go:wasmimport guardhost:guard/change@0.1.0 [method]task.text
func hostTaskText(task, answer uint32)

//go:wasmimport guardhost:guard/change@0.1.0 [method]task.hints
func hostTaskHints(task, answer uint32)

//go:wasmimport guardhost:guard/change@0.1.0 [method]task.is-compile-fix
func hostTaskIsCompileFix(task uint32) uint32

//go:wasmimport guardhost:guard/change@0.1.0 [resource-drop]task
func hostDropTask(task uint32)

//go:wasmimport guardhost:guard/change@0.1.0 commits
func hostCommits(answer uint32)

//go:wasmimport guardhost:guard/change@0.1.0 [method]commit.oid
func hostCommitOID(commit, answer uint32)

//go:wasmimport guardhost:guard/change@0.1.0 [method]commit.message
func hostCommitMessage(commit, answer uint32)

//go:wasmimport guardhost:guard/change@0.1.0 [method]commit.author
func hostCommitAuthor(commit, answer uint32)

//go:wasmimport guardhost:guard/change@0.1.0 [method]commit.trailers
func hostCommitTrailers(commit, answer uint32)

//go:wasmimport guardhost:guard/change@0.1.0 [resource-drop]commit
func hostDropCommit(commit uint32)

//go:wasmimport guardhost:guard/log@0.1.0 line
func hostLine(level, text, length uint32)

//go:wasmimport guardhost:guard/log@0.1.0 metric
func hostMetric(name, length uint32, value float64)

func logLine(level uint32, line string) {
	at, length := text(line)
	hostLine(level, at, length)
}

// ask gives a function of the host memory for its answer.
func ask(size int, fill func(answer uint32)) record {
	answer := record(block(size))
	fill(address(answer))
	return answer
}

func newChange() *Change {
	change := &Change{}
	ask(8, hostFiles).list(0, 4, func(_ int, file record) {
		handle := file.u32(0)
		path := ask(8, func(answer uint32) { hostPath(handle, answer) })
		change.Files = append(change.Files, File{Path: path.text(0), handle: handle})
	})
	return change
}

func oldPath(file uint32) string {
	return optional(ask(12, func(answer uint32) { hostOldPath(file, answer) }))
}

// optional reads an optional text; none is empty.
func optional(r record) string {
	if r[0] == 0 {
		return ""
	}
	return r.text(4)
}

func version(file, side uint32) *Version {
	answer := ask(32, func(answer uint32) { hostBlob(file, side, answer) })
	if answer[0] == 0 {
		return nil
	}
	return &Version{OID: answer.text(8), Mode: Mode(answer[16]), Size: answer.u64(24), file: file, side: side}
}

func hunks(file uint32) (found []Hunk) {
	ask(8, func(answer uint32) { hostHunks(file, answer) }).list(0, 16, func(_ int, hunk record) {
		found = append(found, Hunk{hunk.u32(0), hunk.u32(4), hunk.u32(8), hunk.u32(12)})
	})
	return found
}

func content(read func(file, side, answer uint32), version *Version) ([]byte, error) {
	answer := ask(32, func(answer uint32) { read(version.file, version.side, answer) })
	if answer[0] == 0 {
		return answer.bytes(8), nil
	}
	switch why := answer[8:]; why[0] {
	case 0:
		return nil, Unreadable("it does not exist on that side")
	case 1:
		return nil, Unreadable("it is not text (" + why.text(8) + ")")
	case 2:
		return nil, Unreadable(fmt.Sprintf("it is %d bytes large and the limit is %d", why.u64(8), why.u64(16)))
	case 3:
		return nil, Unreadable("the pin does not grant this path")
	default:
		return nil, Unreadable(why.text(8))
	}
}

func task() *Task {
	answer := ask(8, hostTask)
	if answer[0] == 0 {
		return nil
	}
	handle := answer.u32(4)
	defer hostDropTask(handle)
	task := &Task{
		Text:       ask(8, func(answer uint32) { hostTaskText(handle, answer) }).text(0),
		CompileFix: hostTaskIsCompileFix(handle) != 0,
	}
	hints := ask(8, func(answer uint32) { hostTaskHints(handle, answer) })
	hints.list(0, 8, func(_ int, hint record) { task.Hints = append(task.Hints, hint.text(0)) })
	return task
}

func commits() (found []Commit) {
	ask(8, hostCommits).list(0, 4, func(_ int, element record) {
		handle := element.u32(0)
		defer hostDropCommit(handle)
		author := ask(16, func(answer uint32) { hostCommitAuthor(handle, answer) })
		commit := Commit{
			OID:     optional(ask(12, func(answer uint32) { hostCommitOID(handle, answer) })),
			Message: ask(8, func(answer uint32) { hostCommitMessage(handle, answer) }).text(0),
			Author:  Person{author.text(0), author.text(8)},
		}
		trailers := ask(8, func(answer uint32) { hostCommitTrailers(handle, answer) })
		trailers.list(0, 16, func(_ int, trailer record) {
			commit.Trailers = append(commit.Trailers, Trailer{trailer.text(0), trailer.text(8)})
		})
		found = append(found, commit)
	})
	return found
}
