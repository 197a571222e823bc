package guardhost

//go:wasmexport describe
func describe() uint32 {
	answer := record(block(72))
	for index, text := range []string{about.ID, about.Version, about.Mark, about.Promise} {
		answer.setText(8*index, text)
	}
	answer.setList(32, 1, len(about.Stages), func(index int, stage record) { stage[0] = byte(about.Stages[index]) })
	answer.setList(40, 8, len(about.Globs), func(index int, glob record) { glob.setText(0, about.Globs[index]) })
	answer.setList(48, 16, len(about.Needs), func(index int, need record) {
		need.setText(0, about.Needs[index].Name)
		need.setText(8, about.Needs[index].Why)
	})
	answer.setText(56, about.Settings)
	answer.setText(64, about.Event)
	return address(answer)
}

//go:wasmexport check
func check(settings, length uint32) uint32 {
	const (
		pass          = 0
		reject        = 1
		notApplicable = 2
	)
	answer := record(block(16))
	findings, why, err := judge(at(settings, length))
	switch {
	case err != nil:
		answer[0] = 1
		answer.setText(4, err.Error())
	case why != "":
		answer[4] = notApplicable
		answer.setText(8, why)
	default:
		answer[4] = pass
		answer.setList(8, 80, len(findings), func(index int, finding record) {
			findings[index].lower(finding)
			if findings[index].severity == SeverityError {
				answer[4] = reject
			}
		})
	}
	return address(answer)
}

func (f *Finding) lower(to record) {
	to.setText(0, f.rule)
	to[8] = byte(f.severity)
	to.setOption(12, f.path)
	to.setLine(24, f.line)
	to.setLine(32, f.endLine)
	to.setText(40, f.message)
	to.setOption(48, f.help)
	if f.fix == "" {
		return
	}
	to[60] = 1
	to.setText(64, f.fix)
	to.setList(72, 32, len(f.edits), func(index int, edit record) {
		edit.setText(0, f.edits[index].Path)
		edit.setU64(8, f.edits[index].Start)
		edit.setU64(16, f.edits[index].End)
		edit.setBytes(24, f.edits[index].Replacement)
	})
}
