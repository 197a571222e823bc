//! `guardhost:registry`: what package registries know of packages.

use wasmtime::Result;

use crate::bindings::guardhost::guard::types::Denied;
use crate::bindings::guardhost::registry::registry::{Host, PackageName, Publication, Standing};
use crate::call::store_data::StoreData;
use crate::call::transcript::ServiceReply;
use crate::limits::URLS;
use crate::registries;
use guardhost_core::change::Service;

impl Host for StoreData {
    fn look_up(&mut self, packages: Vec<PackageName>) -> Result<Result<Vec<Standing>, Denied>> {
        self.change()?;
        if self.offers(Service::Registry, |services| services.registries.is_some()) {
            let bytes = |package: &PackageName| size_of::<PackageName>() + package.ecosystem.len() + package.name.len();
            self.meter.bytes(packages.iter().map(|package| bytes(package) as u64).sum())?;
        }
        let asked = self.meter.urls(packages.len());
        let past = packages.len() - asked;
        let asked: Vec<registries::PackageName> = packages.into_iter().take(asked).map(Into::into).collect();
        let watch = self.meter.watch().clone();
        let reply = self.consult(Service::Registry, &asked, |services| {
            let Some(registries) = &services.registries else {
                return Ok(ServiceReply::Unavailable("this host asks no registries here".to_owned()));
            };
            Ok(ServiceReply::Given(watch.wait(|| registries.look_up(&asked, watch.token()))))
        })?;
        let answers: Vec<registries::Standing> = match reply.granted() {
            Ok(answers) => answers,
            Err(denied) => return Ok(Err(denied)),
        };
        self.meter.still_running()?;
        let mut answers: Vec<Standing> = answers.into_iter().map(Into::into).collect();
        let unasked = || Standing::Unknown(format!("not asked: a change may have {URLS} packages and addresses asked"));
        answers.resize_with(answers.len() + past, unasked);
        Ok(Ok(answers))
    }
}

impl From<PackageName> for registries::PackageName {
    fn from(PackageName { ecosystem, name }: PackageName) -> Self {
        registries::PackageName { ecosystem, name }
    }
}

impl From<registries::Standing> for Standing {
    fn from(standing: registries::Standing) -> Self {
        match standing {
            registries::Standing::Published { days, versions } => Standing::Published(Publication { days, versions }),
            registries::Standing::Missing(why) => Standing::Missing(why),
            registries::Standing::Unknown(why) => Standing::Unknown(why),
        }
    }
}
