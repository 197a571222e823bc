//! One repository of a registry, as the OCI distribution specification describes it:
//! <https://github.com/opencontainers/distribution-spec/blob/main/spec.md>. Credentials go to the registry itself, and to the
//! token server that it names if that has TLS.

use std::cell::RefCell;

use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use serde::Deserialize;

use super::challenge::Challenge;
use super::credentials::Login;
use super::failure::{FetchError, FetchFailure};
use super::{RegistryClient, http};
use crate::config::OciSource;

/// In bytes. Tokens of real servers have a few KiB.
const MAX_TOKEN: u64 = 1 << 20;

/// What a token must allow.
#[derive(Debug, Clone, Copy)]
pub enum RegistryAccess {
    Pull,
    Push,
}

pub struct OciRegistry<'a> {
    http: Client,
    /// `https://HOST/`
    origin: Url,
    repository: &'a str,
    access: RegistryAccess,
    login: Option<&'a Login>,
    net: &'a RegistryClient,
    /// What the registry asked for, once it did.
    authorization: RefCell<Option<HeaderValue>>,
}

impl<'a> OciRegistry<'a> {
    pub fn open(
        artifact: &'a OciSource,
        access: RegistryAccess,
        login: Option<&'a Login>,
        net: &'a RegistryClient,
    ) -> Result<Self, FetchError> {
        let OciSource { registry, repository, .. } = artifact;
        // The name that people use for Docker's registry is that of a web page.
        let host = if registry == "docker.io" { "index.docker.io" } else { registry };
        let scheme = if net.is_plain(registry) { "http" } else { "https" };
        let origin = Url::parse(&format!("{scheme}://{host}/"))
            .map_err(|_| FetchError::new(FetchFailure::Rejected, "its registry is not the name of a host"))?;
        Ok(OciRegistry {
            http: http::client()?,
            origin,
            repository,
            access,
            login,
            net,
            authorization: RefCell::default(),
        })
    }

    /// The address of `path` in this repository.
    pub fn url(&self, path: &str) -> Url {
        let mut url = self.origin.clone();
        url.set_path(&format!("/v2/{}/{path}", self.repository));
        url
    }

    /// `what` names what is asked for, in messages.
    pub async fn get(&self, url: Url, accept: &str, what: &str) -> Result<Response, FetchError> {
        self.send(what, |http| http.get(url.clone()).header(ACCEPT, accept)).await
    }

    /// Sends a request; once more, with a login, if the registry asks for one.
    pub async fn send(&self, what: &str, request: impl Fn(&Client) -> RequestBuilder) -> Result<Response, FetchError> {
        let response = self.once(&request).await?;
        // A server that the registry redirects to gets no credentials.
        let asks = response.status() == StatusCode::UNAUTHORIZED && response.url().origin() == self.origin.origin();
        let challenge = if asks { Challenge::from_headers(response.headers()) } else { None };
        let Some(challenge) = challenge else { return http::checked(response, what).await };
        let Some(authorization) = self.authorize(challenge).await? else {
            return http::checked(response, what).await;
        };
        *self.authorization.borrow_mut() = Some(authorization);
        http::checked(self.once(&request).await?, what).await
    }

    async fn once(&self, request: &impl Fn(&Client) -> RequestBuilder) -> Result<Response, FetchError> {
        let mut request = request(&self.http).build()?;
        let authorization = self.authorization.borrow().clone();
        if let Some(authorization) = authorization.filter(|_| request.url().origin() == self.origin.origin()) {
            request.headers_mut().insert(AUTHORIZATION, authorization);
        }
        Ok(self.http.execute(request).await?)
    }

    /// None when there is no login for what the registry asks for.
    async fn authorize(&self, challenge: Challenge) -> Result<Option<HeaderValue>, FetchError> {
        match challenge {
            Challenge::Basic => Ok(self.login.map(Login::header)),
            Challenge::Bearer { realm, service } => self.token(&realm, service.as_deref()).await.map(Some),
        }
    }

    async fn token(&self, realm: &str, service: Option<&str>) -> Result<HeaderValue, FetchError> {
        let url = Url::parse(realm).ok().filter(|url| url.host_str().is_some());
        let mut url = url.ok_or_else(|| {
            FetchError::new(FetchFailure::Rejected, "the address of its token server is invalid: expected a URL")
        })?;
        let place = format!(
            "{}{}",
            url.host_str().unwrap_or_default(),
            url.port().map_or_else(String::new, |p| format!(":{p}"))
        );
        if url.scheme() != "https" && !(url.scheme() == "http" && self.net.is_plain(&place)) {
            let what = format!(
                "its token server has no TLS, so that nothing was sent to it: expected an https:// address, actual {}://{place}",
                url.scheme()
            );
            return Err(FetchError::new(FetchFailure::UnsafeRealm, what));
        }
        let actions = match self.access {
            RegistryAccess::Pull => "pull",
            RegistryAccess::Push => "pull,push",
        };
        url.query_pairs_mut().append_pair("scope", &format!("repository:{}:{actions}", self.repository));
        url.query_pairs_mut().extend_pairs(service.map(|service| ("service", service)));
        // Nobody can redirect the credentials.
        let http = Client::builder().user_agent(http::USER_AGENT).redirect(Policy::none()).build()?;
        let mut headers = HeaderMap::new();
        headers.extend(self.login.map(|login| (AUTHORIZATION, login.header())));
        let response = http::checked(http.get(url).headers(headers).send().await?, "a token").await?;
        let answer = http::body(response, MAX_TOKEN, "the token").await?;
        let unreadable = || FetchError::content("its token server answers without a token");
        let answer: TokenAnswer = serde_json::from_slice(&answer).map_err(|_| unreadable())?;
        let token = answer.token.or(answer.access_token).ok_or_else(unreadable)?;
        let mut header = HeaderValue::from_str(&format!("Bearer {token}")).map_err(|_| unreadable())?;
        header.set_sensitive(true);
        Ok(header)
    }
}

/// It has no `Debug`, so that the token cannot be shown.
#[derive(Deserialize)]
struct TokenAnswer {
    token: Option<String>,
    access_token: Option<String>,
}
