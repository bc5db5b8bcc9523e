//! Writes the page of `emilia gui` as files that any web server can serve, with the engine in
//! WebAssembly, its book and its weights: `site ENGINE FOLDER`, in the root of the repository.
//! `site.sh` builds the engine first.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;
use std::{env, fs};

use emilia_core::board::Position;
use emilia_core::eval::checksum;
use emilia_games::Game;
use emilia_web::ReadGames;
use miniz_oxide::deflate::compress_to_vec;

/// Level of deflate.
const LEVEL: u8 = 9;

/// Policy of the page, which may load its own files and the code of the engine.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    worker-src 'self'; manifest-src 'self'; style-src 'self'; img-src 'self' data:; \
    font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

/// Elements in the head of each page that the server's page does not have.
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

/// Pictures for the home screen of a phone.
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

/// Returns the name of a file of the page: file servers know pages by the extension of their names.
fn file_name(name: &'static str) -> &'static str {
    match name {
        "" => "index.html",
        _ => name,
    }
}

/// Returns the text of a file of the site. A page gets its policy and [`HEAD`].
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

/// Returns a page that names all its modules and the engine in its head. A browser then fetches
/// them side by side, not each after the module that imports it.
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

/// Adds a module, and all modules that it imports.
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

/// Moves scripts, style sheets and the engine to a folder of their version, so that no page loads
/// files of two versions. The name of the version is a checksum of all files. The service worker
/// gets this name and the names of the files.
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
