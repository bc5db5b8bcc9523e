//! Access control: the secret token in the page's address, and checks of the headers `Host` and
//! `Origin`.

use std::io;
use std::net::IpAddr;

use axum_core::extract::Request;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};

/// Returns the path of the page: a new token of 128 random bits between two slashes.
pub(super) fn secret_path() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(format!("/{:032x}/", u128::from_le_bytes(bytes)))
}

/// Message for a request with a wrong token.
pub(super) const WRONG_TOKEN: &str = "wrong token: open the address that emilia printed";

/// Splits a token off the front of `path` and returns the rest. `None` if `path` does not begin
/// with a token.
pub(super) fn after_token(path: &str) -> Option<&str> {
    let (token, what) = path.strip_prefix('/')?.split_once('/')?;
    let is_token = token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_token.then_some(what)
}

/// Checks the headers of a request, before its token is checked. Returns the reason to refuse it,
/// or `None`. `port` is the port of the server.
///
/// The host must be `localhost` or an IP address. A website whose name resolves to this machine
/// (DNS rebinding) therefore cannot send requests. The origin, if there is one, must be the host
/// itself, so that pages of other websites cannot send requests either. A repeated header is
/// refused.
pub(super) fn refusal(port: u16, request: &Request) -> Option<&'static str> {
    let named = |name: HeaderName| {
        let mut values = request.headers().get_all(name).iter();
        match (values.next(), values.next()) {
            (None, _) => Some(None),
            (Some(value), None) => value.to_str().ok().map(Some),
            _ => None,
        }
    };
    let host = named(header::HOST).flatten().unwrap_or("");
    if !is_own_host(host, port) {
        return Some("wrong host: open the address that emilia printed");
    }
    let is_own = |origin: &str| origin.strip_prefix("http://") == Some(host);
    let has_own = named(header::ORIGIN).is_some_and(|origin| origin.is_none_or(is_own));
    (!has_own).then_some("wrong origin: open the address that emilia printed")
}

fn is_own_host(host: &str, port: u16) -> bool {
    let name = match host.strip_suffix(&format!(":{port}")) {
        Some(name) => name,
        // Browsers omit the port from `Host` if it is 80.
        None if port == 80 => host,
        None => return false,
    };
    let number = name.trim_start_matches('[').trim_end_matches(']');
    name == "localhost" || number.parse::<IpAddr>().is_ok()
}

/// Adds the headers of every response. The Content-Security-Policy allows only resources of this
/// server, and forbids inline scripts and framing. The page's address has the token, so it is never
/// sent as a referrer.
pub(super) fn add_headers(headers: &mut HeaderMap) {
    for (name, value) in [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; \
             font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_and_localhost_are_own_hosts() {
        for host in ["127.0.0.1:81", "localhost:81", "[::1]:81", "192.168.1.2:81"] {
            assert!(is_own_host(host, 81), "{host}");
        }
        assert!(is_own_host("127.0.0.1", 80));
        for host in [
            "",
            "evil.example:81",
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost.evil:81",
        ] {
            assert!(!is_own_host(host, 81), "{host}");
        }
    }
}
