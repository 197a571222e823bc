package guardhost

//go:wasmexport guardhost:guard/metadata@0.1.0#describe
func describe() uint32 { return about.handOver() }

// check gives the address of a result<verdict, string>: whether it is an error, then the verdict's case, then the list or text.
//
//go:wasmexport guardhost:guard/judge@0.1.0#check
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
		for _, finding := range findings {
			if finding.severity == SeverityError {
				answer[4] = reject
			}
		}
		answer.setU32(8, list(4, len(findings), func(index int, handle record) {
			handle.setU32(0, findings[index].handOver())
		}))
		answer.setU32(12, uint32(len(findings)))
	}
	return address(answer)
}
