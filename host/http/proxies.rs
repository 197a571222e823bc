//! The proxies of the caller's environment.

use reqwest::{NoProxy, Proxy, Url};

use crate::is_loopback;

/// The proxies of the environment, as curl reads them.
#[derive(Debug, Clone, Default)]
pub struct Proxies {
    http: Option<String>,
    https: Option<String>,
    except: Option<String>,
}

impl Proxies {
    /// `variable` gives the value of a variable of the environment. An empty one counts as not set.
    pub fn from_variables<'a>(variable: impl Fn(&str) -> Option<&'a str>) -> Self {
        let set = |names: [&str; 2]| {
            names.into_iter().find_map(&variable).filter(|value| !value.is_empty()).map(str::to_owned)
        };
        let all = || set(["all_proxy", "ALL_PROXY"]);
        Proxies {
            http: set(["http_proxy", "HTTP_PROXY"]).or_else(all),
            https: set(["https_proxy", "HTTPS_PROXY"]).or_else(all),
            except: set(["no_proxy", "NO_PROXY"]),
        }
    }

    /// The proxy for requests to this address. None means a direct connection, which loopback addresses always get.
    pub(crate) fn for_url(&self, url: &Url) -> Option<reqwest::Result<Proxy>> {
        if is_loopback(url) {
            return None;
        }
        let proxy = if url.scheme() == "https" { &self.https } else { &self.http };
        let except = self.except.as_deref().and_then(NoProxy::from_string);
        Some(Proxy::all(proxy.as_deref()?).map(|proxy| proxy.no_proxy(except)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxies(set: &[(&str, &'static str)]) -> Proxies {
        Proxies::from_variables(|name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| *value))
    }

    #[test]
    fn a_proxy_is_chosen_by_the_scheme_and_never_for_this_machine() {
        let of = |proxies: &Proxies, url: &str| proxies.for_url(&url.parse().unwrap()).is_some();
        let https = proxies(&[("HTTPS_PROXY", "http://proxy:3128"), ("http_proxy", "")]);
        assert!(of(&https, "https://example.org") && !of(&https, "http://example.org"));
        let all = proxies(&[("ALL_PROXY", "http://proxy:3128")]);
        assert!(of(&all, "https://example.org") && of(&all, "http://example.org"));
        assert!(!of(&all, "http://127.0.0.1:1") && !of(&all, "https://localhost"));
    }
}
