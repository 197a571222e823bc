//! The figures of a repository as a badge: a small picture for a README.

use guardhost_report::StatsReport;

/// Width of a character of 11 pixels, in tenths of a pixel: that of digits, which is about the mean.
const CHARACTER: usize = 66;

/// As SVG. There are only numbers and words of the host in it.
pub fn badge(report: &StatsReport) -> String {
    let total = &report.total;
    let label = "guardhost";
    let value = format!(
        "{} judged, {} stopped, {} of {} alarms overridden",
        total.changes, total.stopped, total.alarms.overridden, total.alarms.raised
    );
    let width = |text: &str| (text.len() * CHARACTER).div_ceil(10) + 12;
    let (left, right) = (width(label), width(&value));
    let all = left + right;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{all}\" height=\"20\" role=\"img\" aria-label=\"{label}: {value}\">\n\
         <title>{label}: {value}, since {}</title>\n\
         <rect width=\"{left}\" height=\"20\" fill=\"#444\"/>\n\
         <rect x=\"{left}\" width=\"{right}\" height=\"20\" fill=\"#1f6f54\"/>\n\
         <g fill=\"#fff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">\n\
         <text x=\"6\" y=\"14\" textLength=\"{}\">{label}</text>\n\
         <text x=\"{}\" y=\"14\" textLength=\"{}\">{value}</text>\n\
         </g>\n\
         </svg>\n",
        report.since,
        left - 12,
        left + 6,
        right - 12,
    )
}
