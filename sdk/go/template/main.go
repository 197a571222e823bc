package main

import (
	"strings"
	"unicode/utf8"

	"{{name}}/guardhost"
)

type settings struct {
	MaxLineLength int  `json:"max_line_length"`
	TodoOwner     bool `json:"todo_owner"`
}

func init() {
	guardhost.Register(guardhost.About{
		ID:      "{{name}}",
		Version: "0.1.0",
		Promise: "No line comes in that is too long, and no TODO without an owner.",
		Rules: []guardhost.Rule{
			{Name: "long-line", Summary: "a new line has more characters than the limit"},
			{Name: "todo-without-owner", Summary: "a new TODO names no owner"},
			{Name: "unreadable", Summary: "a file is not text, and was not judged"},
		},
		Settings: `{"type": "object", "additionalProperties": false, "properties": {
			"max_line_length": {"type": "integer", "minimum": 1, "default": 120, "description": "Characters (Unicode scalar values)."},
			"todo_owner": {"type": "boolean", "default": true, "description": "Whether a TODO must name its owner."}}}`,
		Event: "{{name}}.fail",
	}, settings{MaxLineLength: 120, TodoOwner: true}, check)
}

// The host calls what init registered.
func main() {}

func check(change *guardhost.Change, settings settings) ([]*guardhost.Finding, error) {
	var findings []*guardhost.Finding
	for _, file := range change.Files {
		if !file.After().IsRegular() {
			continue
		}
		lines, err := file.AddedLines()
		if err != nil {
			findings = append(findings, guardhost.Info("unreadable", "%s was not judged: %v", file.Path, err).File(file.Path))
			continue
		}
		for _, line := range lines {
			findings = append(findings, judge(file, line, settings)...)
		}
	}
	return findings, nil
}

func judge(file guardhost.File, line guardhost.Line, settings settings) (findings []*guardhost.Finding) {
	limit := settings.MaxLineLength
	if length := utf8.RuneCountInString(line.Text); length > limit {
		findings = append(findings, guardhost.Error("long-line", "this line has %d characters, %d is the limit", length, limit).
			At(file.Path, line.Number).
			Help("Break it into lines of at most %d characters.", limit))
	}
	if settings.TodoOwner && unowned(line.Text) {
		findings = append(findings, guardhost.Error("todo-without-owner", "this TODO has no owner").
			At(file.Path, line.Number).
			Help("Write TODO(name), or leave it out."))
	}
	return findings
}

// unowned says whether the word TODO stands there without (name) right behind it.
func unowned(text string) bool {
	before := byte(' ')
	for {
		left, after, found := strings.Cut(text, "TODO")
		if !found {
			return false
		}
		if left != "" {
			before = left[len(left)-1]
		}
		if !inWord(before) && (after == "" || !inWord(after[0])) && !namesSomeone(after) {
			return true
		}
		before, text = 'O', after
	}
}

func inWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

func namesSomeone(after string) bool {
	rest, opened := strings.CutPrefix(after, "(")
	name, _, closed := strings.Cut(rest, ")")
	return opened && closed && name != "" && !strings.Contains(name, "(")
}
