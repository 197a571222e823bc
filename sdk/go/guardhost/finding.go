package guardhost

import "fmt"

// Severity says whether a finding rejects.
type Severity uint8

const (
	SeverityError Severity = iota
	SeverityWarning
	SeverityInfo
)

// Edit replaces the bytes Start to End of the candidate's file.
type Edit struct {
	Path        string
	Start, End  uint64
	Replacement []byte
}

// Attribute is anything else. A host ignores names that it does not know.
type Attribute struct{ Name, Value string }

// Finding is one thing that is wrong, or worth saying. Each method changes it and gives it back.
type Finding struct {
	rule, message, path, help, fix   string
	severity                         Severity
	line, endLine, column, endColumn uint32
	edits                            []Edit
	related                          []place
	attributes                       []Attribute
}

type place struct {
	path, message string
	first, last   uint32
}

// Error must be fixed before the change may pass. The rule is kebab-case and stable: people filter by it.
func Error(rule, format string, values ...any) *Finding {
	return &Finding{severity: SeverityError, rule: rule, message: fmt.Sprintf(format, values...)}
}

// Warning is worth saying; it does not reject by itself.
func Warning(rule, format string, values ...any) *Finding {
	return &Finding{severity: SeverityWarning, rule: rule, message: fmt.Sprintf(format, values...)}
}

func Info(rule, format string, values ...any) *Finding {
	return &Finding{severity: SeverityInfo, rule: rule, message: fmt.Sprintf(format, values...)}
}

// File is the file that is meant, as a whole.
func (f *Finding) File(path string) *Finding {
	f.path = path
	return f
}

// At is a line of the candidate's file, from 1 (of the base's when the file is deleted).
func (f *Finding) At(path string, line uint32) *Finding {
	f.path, f.line = path, line
	return f
}

// To is the last line, inclusive, of what begins at At.
func (f *Finding) To(endLine uint32) *Finding {
	f.endLine = endLine
	return f
}

// Columns are the first one in the first line and the last one in the last line, from 1, counted in Unicode scalar values.
func (f *Finding) Columns(first, last uint32) *Finding {
	f.column, f.endColumn = first, last
	return f
}

// Help is what to do instead, in words that a model can act on.
func (f *Finding) Help(format string, values ...any) *Finding {
	f.help = fmt.Sprintf(format, values...)
	return f
}

// Fix is a mechanical remedy, which the host may apply without asking the model.
func (f *Finding) Fix(title string, edits ...Edit) *Finding {
	f.fix, f.edits = title, edits
	return f
}

// Related is another place that explains this one: its first and last line, and what is there.
func (f *Finding) Related(path string, first, last uint32, format string, values ...any) *Finding {
	f.related = append(f.related, place{path, fmt.Sprintf(format, values...), first, last})
	return f
}

// Attribute is anything else. A host ignores names that it does not know.
func (f *Finding) Attribute(name, value string) *Finding {
	f.attributes = append(f.attributes, Attribute{name, value})
	return f
}
