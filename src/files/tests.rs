//! File access: limits, locks, atomic replacement, and the checks of a command's paths.

use super::*;

/// Temporary folder of one test, removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("emilia-files-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn reading_stops_at_the_limit() {
    let folder = Folder::new("limit");
    let path = folder.0.join("ten");
    fs::write(&path, "0123456789").unwrap();
    assert_eq!(read(&path, 10).unwrap(), b"0123456789");
    let error = read(&path, 9).unwrap_err().to_string();
    assert!(
        error.ends_with("ten': it is larger than the 9 bytes that are read"),
        "{error}"
    );
    fs::write(&path, b"text\xff").unwrap();
    let error = read_text(&path, 10).unwrap_err().to_string();
    assert!(error.contains("byte 4 is not UTF-8"), "{error}");
    assert!(read(&folder.0.join("none"), 9).is_err());
    assert!(read(&folder.0, 9).is_err(), "a folder");
}

#[cfg(unix)]
#[test]
fn endless_and_special_files_are_refused() {
    let zero = Path::new("/dev/zero");
    let error = read(zero, 4 * MIB).unwrap_err().to_string();
    assert_eq!(
        error,
        "'/dev/zero': it is larger than the 4 MiB that are read"
    );
    for result in [
        read_plain(zero, MIB).map(drop),
        open_to_append(Path::new("/dev/full")).map(drop),
        open_to_append(&std::env::temp_dir()).map(drop),
    ] {
        assert!(
            result
                .unwrap_err()
                .to_string()
                .ends_with("it is not a plain file")
        );
    }
    assert_eq!(
        replace(Path::new("/dev/full"), b"x").unwrap_err().kind(),
        io::ErrorKind::StorageFull
    );
}

#[test]
fn appending_needs_a_file_that_exists_and_has_no_other_writer() {
    let folder = Folder::new("append");
    let path = folder.0.join("log");
    let mut file = open_to_append(&path).unwrap();
    let error = open_to_append(&path).unwrap_err().to_string();
    assert!(
        error.contains("another program is writing to it"),
        "{error}"
    );
    append(&path, &mut file, b"one ").unwrap();
    append(&path, &mut file, b"two").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"one two");
    fs::remove_file(&path).unwrap();
    let error = append(&path, &mut file, b"three").unwrap_err().to_string();
    assert!(error.ends_with("log': it was removed while it was being written"));
    assert!(open_to_append(&path).is_ok());
}

#[test]
fn a_file_is_replaced_whole_or_not_at_all() {
    let folder = Folder::new("replace");
    let path = folder.0.join("weights");
    can_replace(&path).unwrap();
    replace(&path, b"old").unwrap();
    can_replace(&path).unwrap();
    let mut replacement = Replacement::create(&path).unwrap();
    replacement.write(b"n").unwrap();
    drop(replacement);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    let mut replacement = Replacement::create(&path).unwrap();
    replacement.write(b"n").unwrap();
    replacement.write(b"ew").unwrap();
    replacement.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    for wrong in [folder.0.clone(), folder.0.join("none/file")] {
        assert!(replace(&wrong, b"x").is_err() && can_replace(&wrong).is_err());
    }
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
}

/// Returns the message that refuses these paths, without the file name.
fn refusal(paths: &Paths, force: bool) -> String {
    let error = paths.check(force).unwrap_err().to_string();
    let (_, why) = error.split_once("': ").unwrap();
    why.to_owned()
}

#[test]
fn outputs_must_differ_from_inputs_and_each_other() {
    let folder = Folder::new("paths");
    let at = |name: &str| folder.0.join(name);
    fs::write(at("input"), "old").unwrap();
    let reads = || Paths::default().input([at("input")]);
    let round = folder.0.join("..").join(folder.0.file_name().unwrap());
    for path in [at("input"), round.join("input"), at(".").join("input")] {
        let paths = reads().output("--out", Some(&path));
        let expected = format!(
            "--out would overwrite the input '{}'; give another name",
            at("input").display()
        );
        assert_eq!(refusal(&paths, true), expected);
        let paths = reads().append_output("--out", Some(&path));
        assert_eq!(refusal(&paths, true), expected);
    }
    let paths = reads().folder_output("--pages", &folder.0, ["input".to_owned()]);
    assert!(refusal(&paths, true).starts_with("--pages would overwrite the input"));
    // Two paths to one file that does not exist yet.
    let paths = reads()
        .output("--first", Some(&at("a")))
        .output("--second", Some(&round.join("a")));
    let expected = "--first and --second name the same file; each needs one of its own";
    assert_eq!(refusal(&paths, true), expected);
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
    assert_eq!(fs::read(at("input")).unwrap(), b"old");
}

#[cfg(unix)]
#[test]
fn linked_paths_are_the_same_file() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new("links");
    let at = |name: &str| folder.0.join(name);
    fs::write(at("input"), "old").unwrap();
    symlink("input", at("soft")).unwrap();
    symlink("soft", at("softer")).unwrap();
    fs::hard_link(at("input"), at("hard")).unwrap();
    for link in ["soft", "softer", "hard"] {
        for (input, output) in [("input", link), (link, "input")] {
            let paths = Paths::default().input([at(input)]);
            let paths = paths.output("--out", Some(&at(output)));
            assert!(refusal(&paths, true).starts_with("--out would overwrite the input"));
        }
    }
    // A link to a file that does not exist yet, and a link to itself.
    symlink("new", at("early")).unwrap();
    let paths = Paths::default()
        .output("--first", Some(&at("early")))
        .output("--second", Some(&at("new")));
    assert!(refusal(&paths, false).starts_with("--first and --second name the same file"));
    replace(&at("early"), b"content").unwrap();
    assert_eq!(fs::read(at("new")).unwrap(), b"content");
    symlink("circle", at("circle")).unwrap();
    let paths = Paths::default().output("--out", Some(&at("circle")));
    assert!(paths.check(true).is_ok());
}

#[test]
fn existing_files_are_overwritten_only_by_force() {
    let folder = Folder::new("force");
    let at = |name: &str| folder.0.join(name);
    fs::write(at("old"), "old").unwrap();
    let whole = || Paths::default().output("--out", Some(&at("old")));
    let exists = "it exists; give another name, or --force to write over it";
    assert_eq!(refusal(&whole(), false), exists);
    assert!(whole().check(true).is_ok());
    let page = || Paths::default().folder_output("--pages", &folder.0, ["old".to_owned()]);
    assert_eq!(refusal(&page(), false), exists);
    assert!(page().check(true).is_ok());
    let appended = Paths::default().append_output("--out", Some(&at("old")));
    assert!(appended.check(false).is_ok());
    // A missing folder is created for pages, but not for a single file.
    let pages = Paths::default().folder_output("--pages", &at("none"), ["1".to_owned()]);
    assert!(pages.check(false).is_ok());
    for path in [at("none").join("1"), folder.0.clone()] {
        let file = Paths::default().output("--out", Some(&path));
        assert!(file.check(true).is_err());
    }
}

#[test]
fn extensions_of_another_kind_are_refused() {
    let folder = Folder::new("endings");
    for (option, good, bad) in [
        ("--png", &["a.png", "a.PNG", "a"][..], "a.jpg"),
        ("--svg", &["a.svg"], "a.html"),
        ("--html", &["a.html", "a.htm"], "a.svg"),
    ] {
        for name in good {
            let paths = Paths::default().output(option, Some(&folder.0.join(name)));
            assert!(paths.check(false).is_ok(), "{name}");
        }
        let paths = Paths::default().output(option, Some(&folder.0.join(bad)));
        let why = refusal(&paths, true);
        assert!(
            why.starts_with(&format!("{option} writes another kind of file")),
            "{why}"
        );
    }
    let paths = Paths::default().output("--out", Some(&folder.0.join("a.jpg")));
    assert!(paths.check(false).is_ok());
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_need_no_force() {
    let null = Some(Path::new("/dev/null"));
    let paths = Paths::default()
        .input(["/dev/null"])
        .output("--svg", null)
        .output("--png", null)
        .output("--html", Some(Path::new("/dev/stdout")));
    assert!(paths.check(false).is_ok());
    assert!(replace(Path::new("/dev/null"), b"x").is_ok());
}

#[cfg(unix)]
#[test]
fn words_with_special_characters_are_quoted() {
    for (word, expected) in [
        ("f5d6c3", "f5d6c3"),
        ("--level", "--level"),
        ("/tmp/my net.bin", "'/tmp/my net.bin'"),
        ("it's", r"'it'\''s'"),
        ("$(x)", "'$(x)'"),
        ("", "''"),
    ] {
        assert_eq!(quoted(word), expected);
    }
}
