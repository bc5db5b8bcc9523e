//! Program that writes the pages of `emilia gui` as static files, for any web server. The engine is
//! a WebAssembly module, with its opening book and weights as further files.
//!
//! Usage, in the root of the repository: `site ENGINE FOLDER`. `site.sh` builds the engine and runs
//! this program.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;
use std::{env, fs};

use emilia_core::board::Position;
use emilia_core::eval::checksum;
use emilia_games::Game;
use emilia_web::ReadGames;
use miniz_oxide::deflate::compress_to_vec;

/// Compression level of deflate, from 0 to 10.
const LEVEL: u8 = 9;

/// Content-Security-Policy of every page: own files only, and WebAssembly code.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    worker-src 'self'; manifest-src 'self'; style-src 'self'; img-src 'self' data:; \
    font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

/// HTML elements added to the head of each page. The pages of the server do not have them.
const HEAD: &str = "<link rel=\"manifest\" href=\"manifest.webmanifest\">
<link rel=\"apple-touch-icon\" href=\"icon-180.png\">
<meta name=\"mobile-web-app-capable\" content=\"yes\">
<meta name=\"apple-mobile-web-app-title\" content=\"Emilia\">
<meta name=\"theme-color\" media=\"(prefers-color-scheme: light)\" content=\"#f5f1e8\">
<meta name=\"theme-color\" media=\"(prefers-color-scheme: dark)\" content=\"#171512\">";

/// Files of the site that the server does not have.
const OTHERS: [(&str, &str); 4] = [
    ("manifest.webmanifest", include_str!("manifest.webmanifest")),
    ("service.js", include_str!("service.js")),
    ("transport.js", include_str!("transport.js")),
    ("worker.js", include_str!("worker.js")),
];

/// Icons for the home screen of a phone.
const ICONS: [(&str, &[u8]); 3] = [
    ("icon-180.png", include_bytes!("icons/180.png")),
    ("icon-192.png", include_bytes!("icons/192.png")),
    ("icon-512.png", include_bytes!("icons/512.png")),
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [engine, folder] = &arguments[..] else {
        return Err("usage: site ENGINE FOLDER".into());
    };
    let light = fs::read("src/core/eval/light.lzma")?;
    let net = fs::read("src/core/eval/net.lzma")?;
    let weights = [&(light.len() as u32).to_le_bytes(), &light[..], &net].concat();
    let book = fs::read("src/book/default.packed")?;
    let [weights_name, book_name] = [("weights", &weights), ("book", &book)]
        .map(|(name, bytes)| format!("{name}-{:016x}.data", checksum(bytes)));
    let start = emilia_web::start_answer(&ReadGames::new([Ok::<_, String>(Game::new(
        Position::START,
    ))])?);
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
        let complete = text
            .replace("weights.data", &weights_name)
            .replace("book.data", &book_name)
            .replace("START = {}", &format!("START = {start}"));
        files.insert(name, complete.into());
    }
    for (name, picture) in ICONS {
        files.insert(name, picture.to_vec());
    }
    files.insert("engine.bin", compress_to_vec(&fs::read(engine)?, LEVEL));
    files.insert(&weights_name, weights);
    files.insert(&book_name, book);
    let is_page = |name: &&str| Path::new(name).extension().is_some_and(|own| own == "html");
    let pages: Vec<&str> = files.keys().copied().filter(is_page).collect();
    for name in pages {
        let page = String::from_utf8(files.remove(name).unwrap_or_default())?;
        files.insert(name, with_preloads(&page, &files).into());
    }
    for (name, bytes) in versioned(files)? {
        let path = Path::new(folder).join(name);
        fs::create_dir_all(path.parent().unwrap_or(&path))?;
        fs::write(path, bytes)?;
    }
    Ok(())
}

/// Returns the file name of a page or file. The board page has the empty name and becomes
/// `index.html`, because web servers determine the media type by the extension.
fn file_name(name: &'static str) -> &'static str {
    match name {
        "" => "index.html",
        _ => name,
    }
}

/// Returns the text of a file of the site. Adds the policy and [`HEAD`] to a page.
fn of_files(kind: &str, text: &str) -> String {
    if !kind.starts_with("html") {
        return text.to_owned();
    }
    let head = format!(
        "<head>\n<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n{HEAD}"
    );
    text.replace("<head>", &head)
        .replace("href=\"data:,\"", "href=\"icon-192.png\"")
}

/// Adds links to all modules and to the engine in the head of a page. The browser can then load
/// them in parallel. Otherwise it would load a module only after the module that imports it.
fn with_preloads(page: &str, files: &BTreeMap<&str, Vec<u8>>) -> String {
    let script = "<script type=\"module\" src=\"";
    let Some((head, rest)) = page.split_once(script) else {
        return page.to_owned();
    };
    let mut modules = BTreeSet::new();
    add_module(
        rest.split('"').next().unwrap_or_default(),
        files,
        &mut modules,
    );
    let link = |name| format!("<link rel=\"modulepreload\" href=\"{name}\">\n");
    let links: String = modules.into_iter().map(link).collect();
    let engine = "<link rel=\"preload\" href=\"engine.bin\" as=\"fetch\" fetchpriority=\"low\" crossorigin>\n";
    format!("{head}{links}{engine}{script}{rest}")
}

/// Adds a module and all modules that it imports, directly or indirectly, to `found`.
fn add_module<'a>(
    name: &'a str,
    files: &'a BTreeMap<&str, Vec<u8>>,
    found: &mut BTreeSet<&'a str>,
) {
    if !found.insert(name) {
        return;
    }
    let source = files.get(name).map_or(&[][..], Vec::as_slice);
    let lines = str::from_utf8(source).unwrap_or_default().lines();
    for (_, name) in lines.filter_map(|line| line.rsplit_once(" from \"./")) {
        add_module(name.trim_end_matches("\";"), files, found);
    }
}

/// Moves scripts, style sheets and the engine into a folder with the name of the version, so that a
/// page never loads files of two versions. The name is a checksum of all files. The service worker
/// script gets this name and the names of all files.
fn versioned(files: BTreeMap<&str, Vec<u8>>) -> Result<BTreeMap<String, Vec<u8>>, Box<dyn Error>> {
    let all: Vec<u8> = files.values().flatten().copied().collect();
    let version = format!("v-{:016x}", checksum(&all));
    let moved = files.into_iter().map(|(name, bytes)| {
        let (_, kind) = name.rsplit_once('.').unwrap_or_default();
        if kind == "html" {
            let mut page = String::from_utf8(bytes)?;
            for before in [
                " src=\"",
                "rel=\"stylesheet\" href=\"",
                "rel=\"modulepreload\" href=\"",
                "rel=\"preload\" href=\"",
            ] {
                page = page.replace(before, &format!("{before}{version}/"));
            }
            return Ok((name.to_owned(), page.into_bytes()));
        }
        let is_above = ["webmanifest", "data", "png"].contains(&kind) || name == "service.js";
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
    let complete = service
        .replace("emilia-version", &version)
        .replace("FILES = []", &format!("FILES = {names}"));
    files.insert("service.js".to_owned(), complete.into());
    Ok(files)
}
