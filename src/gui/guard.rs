//! Refuses requests of strangers: other users of the machine, and pages of other sites.

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

    /// Whether the path begins with the token. Compares in constant time.
    fn opens(self, path: &str) -> bool {
        let token = path.get(1..33).unwrap_or("");
        let is_rest = path.get(33..34) == Some("/");
        is_rest && u128::from_str_radix(token, 16).is_ok_and(|token| token ^ self.0 == 0)
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Why the request is refused, or `None` if it is not.
///
/// The host must be `localhost` or the number of an address. A site of another name that resolves
/// to this machine (DNS rebinding) is refused. A page of another origin is refused too.
pub(super) fn refusal(gui: &Gui, request: &Request) -> Option<&'static str> {
    let named = |name: HeaderName| match request.headers().get(name) {
        None => Some(None),
        Some(value) => value.to_str().ok().map(Some),
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
    (!gui.token.opens(path)).then_some("wrong token: open the address that emilia printed")
}

fn is_own_host(host: &str, port: u16) -> bool {
    let Some(name) = host.strip_suffix(&format!(":{port}")) else {
        return false;
    };
    let number = name.trim_start_matches('[').trim_end_matches(']');
    name == "localhost" || number.parse::<IpAddr>().is_ok()
}

/// Adds the headers of every answer. The page loads only what this server has, and its scripts
/// stand in files. No other page can embed it or learn its address.
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
        for host in ["127.0.0.1:80", "localhost:80", "[::1]:80", "192.168.1.2:80"] {
            assert!(is_own_host(host, 80), "{host}");
        }
        for host in [
            "",
            "evil.example:80",
            "127.0.0.1",
            "127.0.0.1:81",
            "localhost.evil:80",
        ] {
            assert!(!is_own_host(host, 80), "{host}");
        }
    }

    #[test]
    fn only_the_whole_token_opens() {
        let token = Token::random().unwrap();
        assert!(token.opens(&format!("/{token}/")));
        assert!(token.opens(&format!("/{token}/move")));
        for path in [
            "/",
            "//",
            "/../",
            &format!("/{token}"),
            &format!("/{token}0/"),
        ] {
            assert!(!token.opens(path), "{path}");
        }
        assert!(!token.opens(&format!("/{}/", Token(token.0 ^ 1))));
    }
}
