//! Rejects requests without the token, and those with a foreign `Host` or `Origin`.

use std::fmt;
use std::io;
use std::net::IpAddr;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use super::Gui;

/// Secret in the address of the page: 128 random bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token(u128);

impl Token {
    pub(super) fn random() -> io::Result<Token> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(Token(u128::from_le_bytes(bytes)))
    }

    /// Returns whether the path begins with the token.
    fn is_prefix_of(self, path: &str) -> bool {
        path.starts_with(&format!("/{self}/"))
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Why the request is refused, or `None` if it is not. Two hosts or two origins are refused.
///
/// The host must be `localhost` or the number of an address. A site of another name that resolves
/// to this machine (DNS rebinding) is refused. A page of another origin is refused too.
pub(super) fn refusal(gui: &Gui, request: &Request) -> Option<&'static str> {
    let named = |name: HeaderName| {
        let mut values = request.headers().get_all(name).iter();
        match (values.next(), values.next()) {
            (None, _) => Some(None),
            (Some(value), None) => value.to_str().ok().map(Some),
            _ => None,
        }
    };
    let host = named(header::HOST).flatten().unwrap_or("");
    if !is_own_host(host, gui.port) {
        return Some("wrong host: open the address that emilia printed");
    }
    let is_same = match named(header::ORIGIN) {
        Some(None) => true,
        Some(Some(origin)) => origin.strip_prefix("http://") == Some(host),
        None => false,
    };
    if !is_same {
        return Some("wrong origin: open the address that emilia printed");
    }
    let path = request.uri().path();
    (!gui.token.is_prefix_of(path)).then_some("wrong token: open the address that emilia printed")
}

fn is_own_host(host: &str, port: u16) -> bool {
    let name = match host.strip_suffix(&format!(":{port}")) {
        Some(name) => name,
        // Browsers leave out the default port.
        None if port == 80 => host,
        None => return false,
    };
    let number = name.trim_start_matches('[').trim_end_matches(']');
    name == "localhost" || number.parse::<IpAddr>().is_ok()
}

/// Adds the headers of every answer. Content-Security-Policy: resources of this server only, no
/// inline script, no framing. The address of the page is never sent as a referrer.
pub(super) fn add_headers(headers: &mut HeaderMap) {
    for (name, value) in [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; \
             connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
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

    #[test]
    fn only_the_whole_token_opens() {
        let token = Token::random().unwrap();
        assert!(token.is_prefix_of(&format!("/{token}/")));
        assert!(token.is_prefix_of(&format!("/{token}/move")));
        for path in [
            "/",
            "//",
            "/../",
            &format!("/{token}"),
            &format!("/{token}0/"),
        ] {
            assert!(!token.is_prefix_of(path), "{path}");
        }
        assert!(!token.is_prefix_of(&format!("/{}/", Token(token.0 ^ 1))));
    }
}
