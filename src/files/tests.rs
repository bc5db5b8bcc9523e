//! Files keep what they hold when something goes wrong.

use super::*;

/// A folder of one test, removed at its end.
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
fn a_file_has_one_writer() {
    let folder = Folder::new("lock");
    let path = folder.0.join("log");
    let first = open_to_append(&path).unwrap();
    let error = open_to_append(&path).unwrap_err().to_string();
    assert!(
        error.contains("another program is writing to it"),
        "{error}"
    );
    drop(first);
    assert!(open_to_append(&path).is_ok());
}

#[test]
fn what_is_added_to_a_file_that_is_gone_is_an_error() {
    let folder = Folder::new("gone");
    let path = folder.0.join("log");
    let mut file = open_to_append(&path).unwrap();
    append(&path, &mut file, b"one ").unwrap();
    append(&path, &mut file, b"two").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"one two");
    fs::remove_file(&path).unwrap();
    let error = append(&path, &mut file, b"three").unwrap_err().to_string();
    assert!(error.ends_with("log': it was removed while it was being written"));
}

#[test]
fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() {
    let folder = Folder::new("replace");
    let path = folder.0.join("weights");
    replace(&path, b"old").unwrap();
    replace(&path, b"new").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert!(replace(&folder.0, b"x").is_err(), "a folder");
    assert!(replace(&folder.0.join("none/file"), b"x").is_err());
    let names: Vec<_> = fs::read_dir(&folder.0).unwrap().collect();
    assert_eq!(names.len(), 1);
}

#[test]
fn what_cannot_be_replaced_is_told_beforehand() {
    let folder = Folder::new("beforehand");
    let path = folder.0.join("chart");
    can_replace(&path).unwrap();
    fs::write(&path, "old").unwrap();
    can_replace(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert!(can_replace(&folder.0).is_err(), "a folder");
    assert!(can_replace(&folder.0.join("none/file")).is_err());
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
}

#[test]
fn two_ways_to_one_file_are_told() {
    let folder = Folder::new("same");
    let path = folder.0.join("a");
    let round = folder.0.join(".").join("a");
    assert!(is_same(&path, &round), "not made yet");
    fs::write(&path, "").unwrap();
    assert!(is_same(&path, &round));
    assert!(!is_same(&path, &folder.0.join("b")));
    assert!(is_same(Path::new("x"), Path::new("./x")));
}
