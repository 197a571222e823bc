//! The linter of Prometheus.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::tools::{Tool, needs};

pub struct Promtool(PathBuf);

impl Promtool {
    /// Of the same package as the server: beside it, or in the folder that it was unpacked into.
    pub fn installed() -> Option<Self> {
        let prometheus = needs(Tool::Prometheus)?;
        let folder = prometheus.parent().expect("a folder");
        let promtool =
            [folder.join("promtool"), folder.join("usr/bin/promtool")].into_iter().find(|file| file.is_file());
        Some(Promtool(promtool.expect("promtool")))
    }

    /// Fails if it objects to anything.
    pub fn check(&self, metrics: &str) {
        let mut child = Command::new(&self.0)
            .args(["check", "metrics"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("promtool");
        child.stdin.take().expect("piped").write_all(metrics.as_bytes()).expect("written");
        let said = child.wait_with_output().expect("it ends");
        let words = format!("{}{}", String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
        assert!(said.status.success() && words.trim().is_empty(), "{words}\n{metrics}");
    }
}
