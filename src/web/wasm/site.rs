//! Writes the page of `emilia gui` as files that any web server can serve, with the engine in
//! WebAssembly and its weights: `site ENGINE WEIGHTS FOLDER`. `site.sh` builds the engine first.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::{env, fs};

use emilia_core::eval::checksum;
use miniz_oxide::deflate::compress_to_vec;

/// Level of deflate.
const LEVEL: u8 = 9;

/// What the page may load: its own files, and the code of the engine.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    worker-src 'self'; manifest-src 'self'; style-src 'self'; img-src 'self' data:; \
    font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

/// What the head of each page has in addition to the server's page.
const HEAD: &str = "<link rel=\"manifest\" href=\"manifest.webmanifest\">
<link rel=\"apple-touch-icon\" href=\"icon-180.png\">
<meta name=\"mobile-web-app-capable\" content=\"yes\">
<meta name=\"apple-mobile-web-app-title\" content=\"Emilia\">
<meta name=\"theme-color\" media=\"(prefers-color-scheme: light)\" content=\"#fbfbf8\">
<meta name=\"theme-color\" media=\"(prefers-color-scheme: dark)\" content=\"#16181b\">";

/// Files of the site that the server does not have.
const OTHERS: [(&str, &str); 4] = [
    ("manifest.webmanifest", include_str!("manifest.webmanifest")),
    ("service.js", include_str!("service.js")),
    ("transport.js", include_str!("transport.js")),
    ("worker.js", include_str!("worker.js")),
];

/// Pictures for the home screen of a phone.
const ICONS: [(&str, &[u8]); 3] = [
    ("icon-180.png", include_bytes!("icons/180.png")),
    ("icon-192.png", include_bytes!("icons/192.png")),
    ("icon-512.png", include_bytes!("icons/512.png")),
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [engine, weights, folder] = &arguments[..] else {
        return Err("usage: site ENGINE WEIGHTS FOLDER".into());
    };
    let weights = fs::read(weights)?;
    let net = format!("net-{:016x}.lzma", checksum(&weights));
    let mut files = BTreeMap::new();
    for name in emilia_web::names() {
        let (kind, bytes) = emilia_web::file(name).ok_or("a file of the page is missing")?;
        let bytes = match kind.strip_prefix("text/") {
            Some(kind) => of_files(kind, std::str::from_utf8(&bytes)?).into(),
            None => bytes,
        };
        files.insert(file_name(name), bytes);
    }
    for (name, text) in OTHERS {
        files.insert(name, text.replace("net.lzma", &net).into());
    }
    for (name, picture) in ICONS {
        files.insert(name, picture.to_vec());
    }
    files.insert("engine.bin", compress_to_vec(&fs::read(engine)?, LEVEL));
    files.insert(&net, weights);
    for (name, bytes) in versioned(files)? {
        let path = Path::new(folder).join(name);
        fs::create_dir_all(path.parent().unwrap_or(&path))?;
        fs::write(path, bytes)?;
    }
    Ok(())
}

/// Returns the name of a file of the page: servers of files know pages by their ending.
fn file_name(name: &'static str) -> &'static str {
    match name {
        "" => "index.html",
        _ => name,
    }
}

/// Returns a text, a page with its policy and [`HEAD`].
fn of_files(kind: &str, text: &str) -> String {
    if !kind.starts_with("html") {
        return text.to_owned();
    }
    let head = format!(
        "<head>\n<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n{HEAD}"
    );
    let text = text.replace("<head>", &head);
    text.replace("href=\"data:,\"", "href=\"icon-192.png\"")
}

/// Moves scripts, style sheets and the engine to a folder of their version, so that no page loads
/// files of two versions. The name of the version follows from all files. The service worker gets
/// it, and the names of the files.
fn versioned(files: BTreeMap<&str, Vec<u8>>) -> Result<BTreeMap<String, Vec<u8>>, Box<dyn Error>> {
    let all: Vec<u8> = files.values().flatten().copied().collect();
    let version = format!("v-{:016x}", checksum(&all));
    let moved = files.into_iter().map(|(name, bytes)| {
        let (_, kind) = name.rsplit_once('.').unwrap_or_default();
        if kind == "html" {
            let page = String::from_utf8(bytes)?;
            let page = page.replace(" src=\"", &format!(" src=\"{version}/"));
            let sheet = "rel=\"stylesheet\" href=\"";
            let page = page.replace(sheet, &format!("{sheet}{version}/"));
            return Ok((name.to_owned(), page.into_bytes()));
        }
        let is_above = ["webmanifest", "lzma", "png"].contains(&kind) || name == "service.js";
        let path = if is_above {
            name.to_owned()
        } else {
            format!("{version}/{name}")
        };
        Ok((path, bytes))
    });
    let mut files = moved.collect::<Result<BTreeMap<_, _>, Box<dyn Error>>>()?;
    let service = String::from_utf8(files.remove("service.js").unwrap_or_default())?;
    let names = files
        .keys()
        .map(|name| if name == "index.html" { "./" } else { name });
    let names = serde_json::to_string(&names.collect::<Vec<_>>())?;
    let service = service.replace("emilia-version", &version);
    let service = service.replace("FILES = []", &format!("FILES = {names}"));
    files.insert("service.js".to_owned(), service.into());
    Ok(files)
}
