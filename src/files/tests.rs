//! File access: limits, locks, atomic replacement, and the checks of a command's paths.

use super::*;

/// Temporary folder of one test, removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("emilia-files-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("old"), "old").unwrap();
        Folder(path)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Asserts that the error ends with this text.
fn assert_refused<T>(result: Result<T, FileError>, end: &str) {
    let error = result.err().expect("an error").to_string();
    assert!(error.ends_with(end), "{error}");
}

#[test]
fn endless_special_and_binary_files_are_refused() {
    let folder = Folder::new("limit");
    let old = folder.at("old");
    let mut bytes = vec![b'x'; 1 << 20];
    replace(&old, &bytes).unwrap();
    assert_eq!(read(&old, MIB).unwrap(), bytes);
    bytes.push(b'x');
    replace(&old, &bytes).unwrap();
    assert_refused(read(&old, MIB), "the 1 MiB that are read");
    fs::write(&old, b"text\xff").unwrap();
    assert_refused(read_text(&old, MIB), "byte 4 is not UTF-8");
    assert!(read(&folder.at("none"), MIB).is_err() && read(&folder.0, MIB).is_err());
    let plain = "it is not a plain file";
    assert_refused(open_to_append(&folder.0), plain);
    if cfg!(unix) {
        assert_refused(read_plain(Path::new("/dev/zero"), MIB), plain);
        assert_refused(open_to_append(Path::new("/dev/full")), plain);
        let full = replace(Path::new("/dev/full"), b"x");
        assert_eq!(full.unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}

#[test]
fn appending_needs_a_file_that_exists_and_has_no_other_writer() {
    let folder = Folder::new("append");
    let path = folder.at("log");
    let mut file = open_to_append(&path).unwrap();
    let busy = "another program is writing to it; wait for that, or give another file";
    assert_refused(open_to_append(&path), busy);
    assert_refused(set_aside(&path), busy);
    append(&path, &mut file, b"one").unwrap();
    assert_eq!(read(&path, MIB).unwrap(), b"one");
    fs::remove_file(&path).unwrap();
    let next = append(&path, &mut file, b"x");
    assert_refused(next, "removed while it was being written");
    for name in ["log.1", "log.2"] {
        assert!(open_to_append(&path).is_ok());
        assert_eq!(set_aside(&path).unwrap(), Some(folder.at(name)));
    }
}

#[test]
fn a_file_is_replaced_whole_or_not_at_all() {
    let folder = Folder::new("replace");
    let path = folder.at("old");
    let mut replacement = Replacement::create(&path).unwrap();
    replacement.write(b"n").unwrap();
    drop(replacement);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    replace(&path, b"new").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    for wrong in [folder.0.clone(), folder.at("none/file")] {
        assert!(replace(&wrong, b"x").is_err() && can_replace(&wrong).is_err());
    }
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
}

#[test]
fn outputs_differ_from_inputs_and_each_other_and_replace_files_only_by_force() {
    let folder = Folder::new("paths");
    let round = folder.at("..").join(folder.0.file_name().unwrap());
    let out = |path: &Path| Paths::default().output("--out", Some(path));
    let page = |name: &str| Paths::default().folder_output("--pages", &folder.0, [name.to_owned()]);
    let input = format!(
        "the input '{}'; give another name",
        folder.at("old").display()
    );
    for path in [folder.at("old"), round.join("old"), folder.at("./old")] {
        let appended = Paths::default().append_output("--out", Some(&path));
        for paths in [out(&path), page("old"), appended] {
            assert_refused(paths.input([folder.at("old")]).check(true), &input);
        }
    }
    // Two paths to one file that does not exist yet.
    let both = out(&folder.at("a")).output("--second", Some(&round.join("a")));
    assert_refused(both.check(true), "each needs one of its own");
    for paths in [out(&folder.at("old")), page("old")] {
        assert_refused(paths.check(false), "--force to write over it");
        assert!(paths.check(true).is_ok());
    }
    let appended = Paths::default().append_output("--out", Some(&folder.at("old")));
    assert!(appended.check(false).is_ok());
    // A missing folder is created for pages, but not for a single file.
    let pages = Paths::default().folder_output("--pages", &folder.at("none"), ["1".to_owned()]);
    assert!(pages.check(false).is_ok());
    assert!(out(&folder.at("none/1")).check(true).is_err() && out(&folder.0).check(true).is_err());
    let png = |name| (Paths::default().output("--png", Some(&folder.at(name)))).check(false);
    assert!(png("a.PNG").is_ok() && png("a").is_ok() && png("a.jpg").is_err());
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
    assert_eq!(fs::read(folder.at("old")).unwrap(), b"old");
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_devices_need_no_force() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new("links");
    symlink("old", folder.at("soft")).unwrap();
    symlink("soft", folder.at("softer")).unwrap();
    fs::hard_link(folder.at("old"), folder.at("hard")).unwrap();
    let out = |name: &str| Paths::default().output("--out", Some(&folder.at(name)));
    for link in ["soft", "softer", "hard"] {
        for (input, output) in [("old", link), (link, "old")] {
            let paths = out(output).input([folder.at(input)]);
            assert_refused(paths.check(true), "'; give another name");
        }
    }
    // A link to a file that does not exist yet, and a link to itself.
    symlink("new", folder.at("early")).unwrap();
    let both = out("early").output("--second", Some(&folder.at("new")));
    assert!(both.check(false).is_err());
    replace(&folder.at("early"), b"content").unwrap();
    assert_eq!(fs::read(folder.at("new")).unwrap(), b"content");
    symlink("circle", folder.at("circle")).unwrap();
    assert!(out("circle").check(true).is_ok());
    let null = Path::new("/dev/null");
    let paths = Paths::default().input([null]).output("--svg", Some(null));
    let paths = paths.output("--html", Some(Path::new("/dev/stdout")));
    assert!(paths.check(false).is_ok() && replace(null, b"x").is_ok());
}
