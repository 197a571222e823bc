//! The connection to a provider's server.

use guardhost_http::Proxies;
use reqwest::{Client, Url};

use crate::{Environment, FailureClass, ProviderFailure};

/// Made for each question, so that the process holds no state, and commands that ask no provider build none.
pub(super) fn client(url: &Url, environment: &Environment) -> Result<Client, ProviderFailure> {
    let wrong = |why: String| ProviderFailure::new(FailureClass::Config, format!("cannot prepare a connection: {why}"));
    let builder =
        guardhost_http::builder(url, &Proxies::from_variables(|name| environment.text(name))).map_err(wrong)?;
    builder.build().map_err(|error| wrong(error.to_string()))
}
