//! What goes wrong on demand.

use super::server::Request;

/// One way to go wrong.
#[derive(Clone)]
pub enum FaultKind {
    /// Nothing is done, and this is answered: the status, headers, a message.
    Status(u16, Vec<(&'static str, String)>, &'static str),
    /// Nothing is done, and the connection is closed.
    Dropped,
    /// Everything is done, and the connection is closed in place of an answer.
    Lost,
    /// Everything is done, and a gateway answers with this status.
    LostBehindGateway(u16),
}

#[derive(Default)]
pub struct Faults(Vec<(String, String, FaultKind, u32)>);

impl Faults {
    pub fn add(&mut self, method: &str, path: &str, kind: FaultKind, times: u32) {
        self.0.push((method.to_owned(), path.to_owned(), kind, times));
    }

    pub fn take(&mut self, request: &Request) -> Option<FaultKind> {
        let is_meant = |(method, path, ..): &&mut (String, String, FaultKind, u32)| {
            let asked = format!("{}?{}", request.path, request.query);
            *method == request.method && asked.contains(path.as_str())
        };
        let (.., kind, times) = self.0.iter_mut().find(is_meant)?;
        *times -= 1;
        let kind = kind.clone();
        self.0.retain(|(.., times)| *times > 0);
        Some(kind)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
