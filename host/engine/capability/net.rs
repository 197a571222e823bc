//! `guardhost:net`: whether web addresses are alive.

use wasmtime::Result;

use crate::bindings::guardhost::guard::types::Denied;
use crate::bindings::guardhost::net::net::{Host, Liveness};
use crate::call::store_data::StoreData;
use crate::call::transcript::ServiceReply;
use crate::limits::URLS;
use crate::link_check;
use guardhost_core::change::Service;

impl Host for StoreData {
    fn probe(&mut self, urls: Vec<String>) -> Result<Result<Vec<Liveness>, Denied>> {
        self.change()?;
        if self.offers(Service::Net, |services| services.net.is_some()) {
            self.meter.bytes(urls.iter().map(|url| (size_of::<String>() + url.len()) as u64).sum())?;
        }
        let asked = &urls[..self.meter.urls(urls.len())];
        let watch = self.meter.watch().clone();
        let reply = self.consult(Service::Net, &asked, |services| {
            let Some(net) = &services.net else {
                return Ok(ServiceReply::Unavailable("this host asks for no addresses here".to_owned()));
            };
            Ok(ServiceReply::Given(watch.wait(|| net.probe(asked, watch.token()))))
        })?;
        let answers: Vec<link_check::Liveness> = match reply.granted() {
            Ok(answers) => answers,
            Err(denied) => return Ok(Err(denied)),
        };
        let mut answers: Vec<Liveness> = answers.into_iter().map(liveness).collect();
        let past = || Liveness::Unknown(format!("not asked: a change may have {URLS} addresses asked"));
        self.meter.still_running()?;
        answers.resize_with(urls.len(), past);
        Ok(Ok(answers))
    }
}

fn liveness(answer: link_check::Liveness) -> Liveness {
    match answer {
        link_check::Liveness::Alive(status) => Liveness::Alive(status),
        link_check::Liveness::Gone(why) => Liveness::Gone(why),
        link_check::Liveness::Unknown(why) => Liveness::Unknown(why),
        link_check::Liveness::Refused(why) => Liveness::Refused(why),
    }
}
