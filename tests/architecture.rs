//! Architecture test on the source code: modules import only from lower floors, without cycles.
//!
//! The imports of a file are its `use` declarations and its paths from `crate`, `self` or `super`.
//! Re-exports are followed to the file that defines the item: `crate::board::Board` is
//! `crate::board::discs::Board`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Top-level modules by floor, lowest first. A new folder in `src` must be added here.
const FLOORS: [&[&str]; 9] = [
    &["cpu", "files", "work"],
    &["board"],
    &["eval", "game", "view"],
    &["search", "textbook"],
    &["book", "people"],
    &["analysis", "player"],
    &["practice", "protocol"],
    &["arena", "gui", "play", "train"],
    &["capi", "cli"],
];

/// Path of a module or item from the crate root: `["board", "discs", "Board"]`.
type Names = Vec<String>;

/// Imports of a source file.
#[derive(Debug, Default)]
struct Module {
    /// Paths that the file imports or uses, as written.
    paths: BTreeSet<Names>,
    /// Paths that the inline tests of the file import or use.
    paths_of_tests: BTreeSet<Names>,
    /// Names introduced by `use` declarations, with their paths.
    uses: BTreeMap<String, Names>,
}

/// All source files of the library, by path.
struct Library(BTreeMap<Names, Module>);

#[test]
fn modules_import_only_from_lower_floors() {
    let library = Library::read();
    let folders: BTreeSet<&str> = library
        .0
        .keys()
        .filter_map(|path| Some(path.first()?.as_str()))
        .collect();
    let rooms: BTreeSet<&str> = FLOORS.concat().into_iter().collect();
    assert_eq!(folders, rooms, "FLOORS must list every folder of src");
    let tour = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/lib.rs")).unwrap();
    let is_missing = |room: &&&str| !tour.contains(&format!("`{room}`"));
    let missing: Vec<_> = rooms.iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "not in the tour of lib.rs: {missing:?}");
    let floor = |path: &Names| {
        FLOORS
            .iter()
            .position(|rooms| rooms.contains(&path[0].as_str()))
    };
    let mut wrong = BTreeSet::new();
    for (from, module) in library.0.iter().filter(|(from, _)| !from.is_empty()) {
        for path in module.paths.iter().chain(&module.paths_of_tests) {
            let to = library.definition(from, path).filter(|to| !to.is_empty());
            if let Some(to) = to
                && to[0] != from[0]
                && floor(&to) >= floor(from)
            {
                wrong.insert(format!("{} imports {}", from.join("::"), path.join("::")));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "imports from the same or a higher floor: {wrong:#?}"
    );
}

#[test]
fn files_of_a_folder_import_without_cycles() {
    let library = Library::read();
    // For each folder: the imports between its files and subfolders.
    let mut folders: BTreeMap<Names, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (from, module) in library.0.iter().filter(|(path, _)| !is_test(path)) {
        for to in module
            .paths
            .iter()
            .filter_map(|path| library.definition(from, path))
        {
            let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            if let (Some(one), Some(other)) = (from.get(common), to.get(common)) {
                let imports = folders.entry(from[..common].to_vec()).or_default();
                imports
                    .entry(one.clone())
                    .or_default()
                    .insert(other.clone());
            }
        }
    }
    let mut cycles = Vec::new();
    for (folder, imports) in &folders {
        let ring = in_cycles(imports);
        if !ring.is_empty() {
            cycles.push(format!("{}: {}", folder.join("::"), ring.join(", ")));
        }
    }
    assert!(cycles.is_empty(), "import cycles: {cycles:#?}");
}

/// Returns the names on a cycle of `imports`.
fn in_cycles(imports: &BTreeMap<String, BTreeSet<String>>) -> Vec<&str> {
    let is_in_cycle = |start: &String| {
        let mut seen = BTreeSet::new();
        let mut open = vec![start];
        while let Some(next) = open.pop() {
            for other in imports.get(next).into_iter().flatten() {
                if seen.insert(other) {
                    open.push(other);
                }
            }
        }
        seen.contains(start)
    };
    imports
        .keys()
        .filter(|start| is_in_cycle(start))
        .map(String::as_str)
        .collect()
}

fn is_test(path: &Names) -> bool {
    path.iter().any(|name| name == "tests")
}

impl Library {
    fn read() -> Library {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files = Vec::new();
        add_sources(&source, &mut files);
        let mut modules = BTreeMap::new();
        for file in files {
            let path = file.strip_prefix(&source).expect("a file of src");
            let path = path.with_extension("");
            let names = path.iter().map(|name| name.to_str().expect("ASCII"));
            let mut path: Names = names.map(str::to_owned).collect();
            match path.last().map(String::as_str) {
                Some("main") => continue,
                Some("mod" | "lib") => _ = path.pop(),
                _ => {}
            }
            let text = fs::read_to_string(&file).expect("UTF-8");
            modules.insert(path, Module::read(&text));
        }
        Library(modules)
    }

    /// Returns the module that defines `path` as used in `from`. `None` if it is in another crate.
    fn definition(&self, from: &Names, path: &[String]) -> Option<Names> {
        let (mut at, mut rest) = (from.clone(), path);
        match path[0].as_str() {
            "crate" => (at, rest) = (Vec::new(), &rest[1..]),
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|name| name == "super") {
                    at.pop();
                    rest = &rest[1..];
                }
            }
            _ if self.0.contains_key(&joined(&at, &path[..1])) => {}
            _ => return None,
        }
        while let Some(name) = rest.first() {
            let inner = joined(&at, &rest[..1]);
            if self.0.contains_key(&inner) {
                (at, rest) = (inner, &rest[1..]);
            } else if let Some(used) = self.0.get(&at).and_then(|module| module.uses.get(name)) {
                return self.definition(&at, used);
            } else {
                break;
            }
        }
        Some(at)
    }
}

fn joined(path: &[String], more: &[String]) -> Names {
    [path, more].concat()
}

impl Module {
    fn read(text: &str) -> Module {
        let (code, tests) = text
            .split_once("#[cfg(test)]\nmod tests {")
            .unwrap_or((text, ""));
        let code = words(code);
        let mut module = Module::default();
        for at in (0..code.len()).filter(|&at| code[at] == "use") {
            for (path, name) in tree(&code, at + 1) {
                module.uses.insert(name, path.clone());
                module.paths.insert(path);
            }
        }
        module.paths.extend(rooted_paths(&code));
        // In an inline test module `super` is the file itself.
        let of_tests = rooted_paths(&words(tests));
        let of_tests = of_tests.into_iter().filter(|path| path[0] == "crate");
        module.paths_of_tests.extend(of_tests);
        module
    }
}

/// Returns all paths that begin with `crate`, `self` or `super`.
fn rooted_paths(words: &[String]) -> Vec<Names> {
    (0..words.len())
        .filter(|&at| matches!(words[at].as_str(), "crate" | "self" | "super"))
        .filter(|&at| words.get(at + 1).is_some_and(|next| next == "::"))
        .filter(|&at| at == 0 || words[at - 1] != "::")
        .flat_map(|at| tree(words, at))
        .map(|(path, _)| path)
        .collect()
}

/// Returns the paths of a `use` tree like `a::{b, c as d}`, each with the name it introduces.
fn tree(words: &[String], mut at: usize) -> Vec<(Names, String)> {
    let mut found = Vec::new();
    branch(words, &mut at, &[], &mut found);
    found
}

fn branch(words: &[String], at: &mut usize, trunk: &[String], found: &mut Vec<(Names, String)>) {
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let mut path = trunk.to_vec();
    loop {
        match word(*at) {
            "{" => {
                while matches!(word(*at), "{" | ",") {
                    *at += 1;
                    branch(words, at, &path, found);
                }
                *at += 1;
                return;
            }
            // `a::{self}` is `a`.
            "self" if !path.is_empty() => *at += 1,
            name if name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') => {
                path.push(name.to_owned());
                *at += 1;
            }
            // `a::*`, `a::<T>`, or the end of a list.
            _ => break,
        }
        if word(*at) != "::" {
            break;
        }
        *at += 1;
    }
    if path != trunk || word(*at - 1) == "self" {
        let mut name = path.last().cloned().unwrap_or_default();
        if word(*at) == "as" {
            word(*at + 1).clone_into(&mut name);
            *at += 2;
        }
        found.push((path, name));
    }
}

/// Splits Rust code into words and `::`. Comments and literals are left out.
fn words(code: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(length) = literal(rest) {
            length
        } else if first.is_ascii_alphanumeric() || first == '_' {
            let is_end = |character: char| !character.is_ascii_alphanumeric() && character != '_';
            let end = rest.find(is_end).unwrap_or(rest.len());
            words.push(rest[..end].to_owned());
            end
        } else if rest.starts_with("::") {
            words.push("::".to_owned());
            2
        } else {
            if !first.is_whitespace() {
                words.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    words
}

/// Returns the length of the string or character literal at the start of `code`, if any.
/// For a lifetime it is the length of the quote.
fn literal(code: &str) -> Option<usize> {
    let bare = code.trim_start_matches(['b', 'c']);
    if let Some(raw) = bare.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            let length = raw[hashes + 1..].find(&end)? + hashes + 1 + end.len();
            return Some(code.len() - raw.len() + length);
        }
    }
    let quote = bare
        .chars()
        .next()
        .filter(|quote| matches!(quote, '"' | '\''))?;
    let is_char = bare[1..].starts_with('\\') || bare.chars().nth(2) == Some('\'');
    if quote == '\'' && !is_char {
        return Some(code.len() - bare.len() + 1);
    }
    let mut escaped = false;
    let end = bare[1..].find(|character: char| {
        let ends = character == quote && !escaped;
        escaped = character == '\\' && !escaped;
        ends
    });
    Some(code.len() - bare.len() + end? + 2)
}

#[test]
fn code_is_split_into_words() {
    let code = r##"use a::{self, b as c, d::*}; // use x
        let text = "use \" y"; let raw = r#"crate::z"#; let quote = '"';
        fn f<'a>() { crate::e::g::<u8>('\'') }"##;
    let words = words(code);
    let paths = |found: Vec<(Names, String)>| -> Vec<String> {
        let shown = found
            .iter()
            .map(|(path, name)| format!("{} {name}", path.join("::")));
        shown.collect()
    };
    assert_eq!(paths(tree(&words, 1)), ["a a", "a::b c", "a::d d"]);
    assert_eq!(rooted_paths(&words), [["crate", "e", "g"]]);
}

/// Expression for the path of the checkout, in two parts so that this line does not match.
const CHECKOUT: &str = concat!("env!(\"CARGO_MANIFEST", "_DIR\")");

/// Function names that create, change or remove a file.
const WRITES: [&str; 7] = [
    "fs::write(",
    "fs::rename(",
    "fs::remove_",
    "fs::create_dir",
    "fs::hard_link(",
    "File::create",
    "OpenOptions::new(",
];

#[test]
fn no_test_writes_into_the_checkout() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "tests", "perft"] {
        add_sources(&root.join(folder), &mut files);
    }
    assert!(files.len() > 200, "{} files", files.len());
    for file in files {
        let text = fs::read_to_string(&file).expect("UTF-8");
        for function in functions(&text) {
            if !function.contains(CHECKOUT) {
                continue;
            }
            let write = WRITES.iter().find(|write| function.contains(**write));
            let name = function.lines().next().unwrap_or_default();
            assert_eq!(write, None, "{}: {name}", file.display());
        }
    }
}

/// Adds the Rust files below a folder.
fn add_sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            // The fuzzer is a separate package with its own build folder.
            if !path.ends_with("fuzz/target") {
                add_sources(&path, files);
            }
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
}

/// Splits a file into its functions, at the lines in which one begins.
fn functions(text: &str) -> Vec<String> {
    let mut functions = vec![String::new()];
    for line in text.lines() {
        let code = line.trim_start();
        if code.starts_with("fn ") || (code.starts_with("pub") && code.contains(" fn ")) {
            functions.push(String::new());
        }
        if let Some(function) = functions.last_mut() {
            *function += line;
            *function += "\n";
        }
    }
    functions
}
