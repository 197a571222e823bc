package guardhost

//go:wasmimport guardhost:guard/change@0.1.0 files
func hostFiles(answer uint32)

//go:wasmimport guardhost:guard/change@0.1.0 read
func hostRead(index, side, answer uint32)

//go:wasmimport guardhost:guard/change@0.1.0 text
func hostText(index, side, answer uint32)

//go:wasmimport guardhost:guard/change@0.1.0 hunks
func hostHunks(index, answer uint32)

//go:wasmimport guardhost:guard/change@0.1.0 get-task
func hostTask(answer uint32)

//go:wasmimport guardhost:guard/log@0.1.0 line
func hostLine(level, text, length uint32)

//go:wasmimport guardhost:guard/log@0.1.0 metric
func hostMetric(name, length uint32, value float64)

func logLine(level uint32, line string) {
	at, length := text(line)
	hostLine(level, at, length)
}

func newChange() *Change {
	answer := record(block(8))
	hostFiles(address(answer))
	change := &Change{Task: task()}
	answer.list(0, 88, func(index int, file record) {
		change.Files = append(change.Files, File{
			Path: file.text(0), OldPath: optional(file, 8), Status: Status(file[20]),
			Before: version(file[24:56], index, 0), After: version(file[56:88], index, 1), index: uint32(index),
		})
	})
	return change
}

func optional(r record, offset int) string {
	if r[offset] == 0 {
		return ""
	}
	return r.text(offset + 4)
}

func version(blob record, index int, side uint32) *Version {
	if blob[0] == 0 {
		return nil
	}
	return &Version{OID: blob.text(8), Mode: Mode(blob[16]), Size: blob.u64(24), index: uint32(index), side: side}
}

func task() *Task {
	answer := record(block(24))
	hostTask(address(answer))
	if answer[0] == 0 {
		return nil
	}
	task := &Task{Text: answer.text(4), CompileFix: answer[20] == 1}
	answer.list(12, 8, func(_ int, hint record) { task.Hints = append(task.Hints, hint.text(0)) })
	return task
}

func hunks(file uint32) (found []Hunk) {
	answer := record(block(8))
	hostHunks(file, address(answer))
	answer.list(0, 16, func(_ int, hunk record) {
		found = append(found, Hunk{hunk.u32(0), hunk.u32(4), hunk.u32(8), hunk.u32(12)})
	})
	return found
}

func content(ask func(index, side, answer uint32), version *Version) ([]byte, error) {
	answer := record(block(32))
	ask(version.index, version.side, address(answer))
	switch {
	case answer[0] == 0:
		return answer.bytes(8), nil
	case answer[8] == 0:
		return nil, Unreadable("it does not exist on that side")
	case answer[8] == 1:
		return nil, Unreadable("it is not text (" + answer.text(16) + ")")
	default:
		return nil, tooLarge(answer.u64(16), answer.u64(24))
	}
}
