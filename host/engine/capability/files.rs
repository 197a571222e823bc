//! `guardhost:files`: what the paths of a repository say.

use wasmtime::Result;

use crate::bindings::guardhost::files::kinds::Host;
use crate::call::store_data::StoreData;

impl Host for StoreData {
    fn kind_of(&mut self, path: String) -> Result<String> {
        self.meter.call()?;
        self.meter.bytes(path.len() as u64)?;
        Ok(self.kinds().kind(&path).as_str().to_owned())
    }
}
