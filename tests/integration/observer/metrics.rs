//! What Prometheus makes of `/metrics`: its own linter, and a server of its that scrapes.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use super::served::{Served, ask};
use crate::support::promtool::Promtool;
use crate::support::servers::{Running, free_port};
use crate::support::tools::{Tool, needs};

fn served(folder: &std::path::Path) -> Served {
    let served = Served::start(&folder.join("data"), &[]);
    let observation = json!({ "run_id": "r", "agent": "a", "outcome": "skipped" });
    ask(&served.url, "POST", "/observation", Some(&observation)).expect("kept");
    ask(&served.url, "POST", "/claim", Some(&json!({ "key": "k", "holder": "h" }))).expect("held");
    ask(&served.url, "GET", "/repo/context", None).expect("refused");
    served
}

#[test]
fn promtool_finds_nothing_to_object_to() {
    let Some(promtool) = Promtool::installed() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let served = served(folder.path());
    let text = super::served::text(&served.url, "/metrics").expect("metrics");
    assert!(text.contains("# TYPE guardhost_observations_total counter"), "{text}");
    promtool.check(&text);
}

#[test]
fn prometheus_scrapes_it() {
    let Some(prometheus) = needs(Tool::Prometheus) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let served = served(folder.path());
    let config = format!(
        "global:\n  scrape_interval: 1s\nscrape_configs:\n  - job_name: observer\n    static_configs:\n      - targets: ['{}']\n",
        served.url.trim_start_matches("http://")
    );
    let file = folder.path().join("prometheus.yml");
    std::fs::write(&file, config).expect("written");
    let port = free_port();
    let mut command = Command::new(prometheus);
    command.arg(format!("--config.file={}", file.display()));
    command.arg(format!("--storage.tsdb.path={}", folder.path().join("tsdb").display()));
    command.arg(format!("--web.listen-address=127.0.0.1:{port}"));
    let running = Running::start(command, port, &folder.path().join("prometheus.log"));
    let url = format!("http://127.0.0.1:{}", running.port);
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let query = "/api/v1/query?query=guardhost_observations_total";
        let text = super::served::text(&url, query).unwrap_or_default();
        if text.contains("\"outcome\":\"skipped\"") && text.contains("\"1\"]") {
            return;
        }
        assert!(Instant::now() < end, "{text}");
        std::thread::sleep(Duration::from_millis(200));
    }
}
