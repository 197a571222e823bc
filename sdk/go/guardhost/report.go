package guardhost

// What becomes a resource of the host when the guard returns.

//go:wasmimport guardhost:guard/report@0.1.0 [constructor]description
func hostDescription(id, idLength, version, versionLength, promise, promiseLength uint32) uint32

//go:wasmimport guardhost:guard/report@0.1.0 [method]description.set-mark
func hostSetMark(description, mark, length uint32)

//go:wasmimport guardhost:guard/report@0.1.0 [method]description.add-stage
func hostAddStage(description, stage, length uint32)

//go:wasmimport guardhost:guard/report@0.1.0 [method]description.add-glob
func hostAddGlob(description, glob, length uint32)

//go:wasmimport guardhost:guard/report@0.1.0 [method]description.add-need
func hostAddNeed(description, capability, capabilityLength, why, whyLength uint32)

//go:wasmimport guardhost:guard/report@0.1.0 [method]description.add-need-of-paths
func hostAddNeedOfPaths(description, capability, capabilityLength, globs, globCount, why, whyLength uint32)

//go:wasmimport guardhost:guard/report@0.1.0 [method]description.set-settings-schema
func hostSetSettingsSchema(description, schema, length uint32)

//go:wasmimport guardhost:guard/report@0.1.0 [method]description.set-event
func hostSetEvent(description, event, length uint32)

//go:wasmimport guardhost:guard/report@0.1.0 [method]description.add-rule
func hostAddRule(description, rule, ruleLength, summary, summaryLength, hasURL, url, urlLength uint32)

//go:wasmimport guardhost:guard/report@0.1.0 [method]description.set-attribute
func hostSetDescriptionAttribute(description, name, nameLength, value, valueLength uint32)

//go:wasmimport guardhost:guard/report@0.1.0 [constructor]finding
func hostFinding(rule, ruleLength, severity, message, messageLength uint32) uint32

//go:wasmimport guardhost:guard/report@0.1.0 [method]finding.set-path
func hostSetPath(finding, path, length uint32)

//go:wasmimport guardhost:guard/report@0.1.0 [method]finding.set-lines
func hostSetLines(finding, first, last uint32)

//go:wasmimport guardhost:guard/report@0.1.0 [method]finding.set-columns
func hostSetColumns(finding, first, last uint32)

//go:wasmimport guardhost:guard/report@0.1.0 [method]finding.set-help
func hostSetHelp(finding, help, length uint32)

//go:wasmimport guardhost:guard/report@0.1.0 [method]finding.set-fix
func hostSetFix(finding, title, length, edits, editCount uint32)

//go:wasmimport guardhost:guard/report@0.1.0 [method]finding.add-related
func hostAddRelated(finding, path, pathLength, first, last, message, messageLength uint32)

//go:wasmimport guardhost:guard/report@0.1.0 [method]finding.set-attribute
func hostSetFindingAttribute(finding, name, nameLength, value, valueLength uint32)

func (a *About) handOver() uint32 {
	id, idLength := text(a.ID)
	version, versionLength := text(a.Version)
	promise, promiseLength := text(a.Promise)
	handle := hostDescription(id, idLength, version, versionLength, promise, promiseLength)
	one := func(set func(handle, at, length uint32), value string) {
		at, length := text(value)
		set(handle, at, length)
	}
	if a.Mark != "" {
		one(hostSetMark, a.Mark)
	}
	if a.Event != "" {
		one(hostSetEvent, a.Event)
	}
	if a.Settings != "" {
		one(hostSetSettingsSchema, a.Settings)
	}
	for _, stage := range a.Stages {
		one(hostAddStage, string(stage))
	}
	for _, glob := range a.Globs {
		one(hostAddGlob, glob)
	}
	for _, need := range a.Needs {
		capability, capabilityLength := text(need.Capability)
		why, whyLength := text(need.Why)
		if need.Paths == nil {
			hostAddNeed(handle, capability, capabilityLength, why, whyLength)
			continue
		}
		globs := list(8, len(need.Paths), func(index int, glob record) { glob.setText(0, need.Paths[index]) })
		hostAddNeedOfPaths(handle, capability, capabilityLength, globs, uint32(len(need.Paths)), why, whyLength)
	}
	for _, rule := range a.Rules {
		name, nameLength := text(rule.Name)
		summary, summaryLength := text(rule.Summary)
		url, urlLength := text(rule.URL)
		hostAddRule(handle, name, nameLength, summary, summaryLength, min(urlLength, 1), url, urlLength)
	}
	for _, attribute := range a.Attributes {
		name, nameLength := text(attribute.Name)
		value, valueLength := text(attribute.Value)
		hostSetDescriptionAttribute(handle, name, nameLength, value, valueLength)
	}
	return handle
}

func (f *Finding) handOver() uint32 {
	rule, ruleLength := text(f.rule)
	message, messageLength := text(f.message)
	handle := hostFinding(rule, ruleLength, uint32(f.severity), message, messageLength)
	if f.path != "" {
		path, length := text(f.path)
		hostSetPath(handle, path, length)
	}
	if f.line != 0 {
		hostSetLines(handle, f.line, max(f.line, f.endLine))
	}
	if f.column != 0 {
		hostSetColumns(handle, f.column, f.endColumn)
	}
	if f.help != "" {
		help, length := text(f.help)
		hostSetHelp(handle, help, length)
	}
	if f.fix != "" {
		title, length := text(f.fix)
		edits := list(32, len(f.edits), func(index int, edit record) {
			edit.setText(0, f.edits[index].Path)
			edit.setU64(8, f.edits[index].Start)
			edit.setU64(16, f.edits[index].End)
			edit.setBytes(24, f.edits[index].Replacement)
		})
		hostSetFix(handle, title, length, edits, uint32(len(f.edits)))
	}
	for _, place := range f.related {
		path, pathLength := text(place.path)
		message, messageLength := text(place.message)
		hostAddRelated(handle, path, pathLength, place.first, place.last, message, messageLength)
	}
	for _, attribute := range f.attributes {
		name, nameLength := text(attribute.Name)
		value, valueLength := text(attribute.Value)
		hostSetFindingAttribute(handle, name, nameLength, value, valueLength)
	}
	return handle
}
