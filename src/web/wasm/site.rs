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

/// Files of the site that the server does not have.
const OTHERS: [(&str, &str); 5] = [
    ("icon.svg", include_str!("icon.svg")),
    ("manifest.webmanifest", include_str!("manifest.webmanifest")),
    ("service.js", include_str!("service.js")),
    ("transport.js", include_str!("transport.js")),
    ("worker.js", include_str!("worker.js")),
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [engine, weights, folder] = &arguments[..] else {
        return Err("usage: site ENGINE WEIGHTS FOLDER".into());
    };
    let weights = fs::read(weights)?;
    let net = format!("net-{:016x}.packed", checksum(&weights));
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
        files.insert(name, text.replace("net.packed", &net).into());
    }
    files.insert("engine.bin", compress_to_vec(&fs::read(engine)?, LEVEL));
    let service = service(&files)?;
    files.insert("service.js", service.into());
    files.insert(&net, weights);
    fs::create_dir_all(folder)?;
    for (name, bytes) in files {
        fs::write(Path::new(folder).join(name), bytes)?;
    }
    Ok(())
}

/// Returns the name of a file of the page: servers of files know pages by their ending.
fn file_name(name: &'static str) -> &'static str {
    match name {
        "" => "index.html",
        "practice" => "practice.html",
        _ => name,
    }
}

/// Returns a text with links to files. Pages get their policy and the manifest.
fn of_files(kind: &str, text: &str) -> String {
    let text = text.replace("href=\"practice\"", "href=\"practice.html\"");
    let text = text.replace("href=\"learn\"", "href=\"learn.html\"");
    let text = text.replace("href = \"practice\"", "href = \"practice.html\"");
    if !kind.starts_with("html") {
        return text;
    }
    let head = format!(
        "<head>\n<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <link rel=\"manifest\" href=\"manifest.webmanifest\">"
    );
    let text = text.replace("<head>", &head);
    text.replace("href=\"data:,\"", "href=\"icon.svg\"")
}

/// Returns the service worker with the names of the files, and a version that follows from them.
fn service(files: &BTreeMap<&str, Vec<u8>>) -> Result<String, Box<dyn Error>> {
    let all: Vec<u8> = files.values().flatten().copied().collect();
    let names = files.keys().filter(|name| **name != "service.js");
    let names = names.map(|name| if *name == "index.html" { "./" } else { name });
    let names = serde_json::to_string(&names.collect::<Vec<_>>())?;
    let service = std::str::from_utf8(&files["service.js"])?;
    let version = format!("emilia-{:016x}", checksum(&all));
    Ok(service
        .replace("emilia-version", &version)
        .replace("FILES = []", &format!("FILES = {names}")))
}
