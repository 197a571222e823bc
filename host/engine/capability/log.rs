//! `guardhost:guard/log`: lines for people, metrics for records.

use wasmtime::Result;

use crate::bindings::guardhost::guard::log::{Host, Level};
use crate::call::store_data::StoreData;
use crate::limits::{GuardStop, METRICS};
use crate::text::escape::escape_line;

impl Host for StoreData {
    fn line(&mut self, level: Level, text: String) -> Result<()> {
        self.meter.call()?;
        self.meter.bytes(text.len() as u64)?;
        let level = match level {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Warn => "warn",
            Level::Error => "error",
        };
        self.log.line(level, &text);
        Ok(())
    }

    fn stderr(&mut self, bytes: Vec<u8>) -> Result<()> {
        self.meter.call()?;
        self.meter.bytes(bytes.len() as u64)?;
        self.log.stderr(&bytes);
        Ok(())
    }

    fn metric(&mut self, name: String, value: f64) -> Result<()> {
        self.meter.call()?;
        self.meter.bytes(name.len() as u64)?;
        if !value.is_finite() {
            return Err(GuardStop::Misuse(format!("it reported {value} as a figure")).into());
        }
        let name = escape_line(&name, 64);
        if self.metrics.len() == METRICS && !self.metrics.contains_key(&name) {
            return Err(GuardStop::Count(format!("it reported more than {METRICS} figures")).into());
        }
        self.metrics.insert(name, value);
        Ok(())
    }
}
