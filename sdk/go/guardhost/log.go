package guardhost

import "fmt"

// Debug, Log and Warn write a line for people; it is never shown to a model.
func Debug(format string, values ...any) { logLine(0, fmt.Sprintf(format, values...)) }

func Log(format string, values ...any) { logLine(1, fmt.Sprintf(format, values...)) }

func Warn(format string, values ...any) { logLine(2, fmt.Sprintf(format, values...)) }

// Metric is a figure that belongs to this verdict, such as a score.
func Metric(name string, value float64) {
	at, length := text(name)
	hostMetric(at, length, value)
}
