//! Where a secret may be sent.

use std::net::IpAddr;

use reqwest::Url;

/// Whether nobody between here and there can read what is sent.
pub fn is_private(url: &Url) -> bool {
    url.scheme() == "https" || is_loopback(url)
}

/// Whether the address names this machine. No name is looked up, so that nobody who answers for names decides it: of names, only
/// `localhost` counts.
pub fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_and_https_are_private() {
        let url = |text: &str| text.parse::<Url>().unwrap();
        for here in ["http://127.0.0.1:8000/api/v3", "http://[::1]:1", "http://localhost:1", "http://LOCALHOST"] {
            assert!(is_loopback(&url(here)) && is_private(&url(here)), "{here}");
        }
        assert!(is_private(&url("https://example.org")) && !is_loopback(&url("https://example.org")));
        for open in ["http://example.org", "http://127.0.0.1.example.org", "http://a.localhost", "http://[2001:db8::1]"]
        {
            assert!(!is_private(&url(open)), "{open}");
        }
    }
}
