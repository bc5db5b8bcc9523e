//! Tests of file access: size limits, locks, atomic replacement, and checks of the paths of a
//! command.

use super::*;
use bzip2::write::BzEncoder;
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use rawzip::{CompressionMethod, ZipArchiveWriter};

/// Creates a temporary folder with a file `old`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("old"), "old").unwrap();
    folder
}

/// Asserts that the error text ends with `end`.
fn assert_refused<T>(result: Result<T, FileError>, end: &str) {
    let error = result.err().expect("an error").to_string();
    assert!(error.ends_with(end), "{error}");
}

#[test]
fn endless_special_and_binary_files_are_refused() {
    let folder = folder();
    let old = folder.path().join("old");
    let mut bytes = vec![b'x'; 1 << 20];
    replace(&old, &bytes).unwrap();
    assert_eq!(read(&old, MIB).unwrap(), bytes);
    bytes.push(b'x');
    replace(&old, &bytes).unwrap();
    assert_refused(read(&old, MIB), "the 1 MiB that are read");
    fs::write(&old, b"text\xff").unwrap();
    assert_refused(read_text(&old, MIB), "byte 4 is not UTF-8");
    assert_refused(read(&folder.path().join("none"), MIB), "no such file");
    let plain = "it is not a plain file";
    assert_refused(open_to_append(folder.path()), plain);
    if cfg!(unix) {
        assert_refused(
            read(folder.path(), MIB),
            "it is a folder; name a file in it",
        );
        assert_refused(check_plain(Path::new("/dev/zero")), plain);
        assert_refused(open_to_append(Path::new("/dev/full")), plain);
        let full = replace(Path::new("/dev/full"), b"x");
        assert_eq!(full.unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}

/// Packs files into a zip archive with the given compression method.
fn zip(files: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    archive.new_dir("games/").create().unwrap();
    for (name, bytes) in files {
        let file = archive.new_file(name).compression_method(method);
        let (mut entry, config) = file.start().unwrap();
        let data: Box<dyn Write> = match method {
            CompressionMethod::STORE => Box::new(&mut entry),
            _ => Box::new(DeflateEncoder::new(&mut entry, Compression::fast())),
        };
        let mut writer = config.wrap(data);
        writer.write_all(bytes).unwrap();
        let (data, descriptor) = writer.finish().unwrap();
        drop(data);
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap()
}

#[test]
fn packed_files_are_read_within_the_limit_and_other_kinds_are_named() {
    // The test damages the middle byte of each packed file. Random letters compress badly, so this
    // byte lies in the compressed text, and not in a header.
    let hash = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
    let text: Vec<u8> = (0..9000).map(|n| b'a' + (hash(n * n) % 23) as u8).collect();
    let mut gz = GzEncoder::new(Vec::new(), Compression::fast());
    let mut bz = BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    for writer in [&mut gz as &mut dyn Write, &mut bz] {
        writer.write_all(&text).unwrap();
    }
    let [gz, bz] = [gz.finish().unwrap(), bz.finish().unwrap()];
    let [deflate, store] = [CompressionMethod::DEFLATE, CompressionMethod::STORE];
    let files: [(&str, &[u8]); 3] = [
        ("games/a.txt", &text),
        ("__MACOSX/a.txt", b"x"),
        ("games/.b", b"x"),
    ];
    let path = Path::new("file");
    let size = text.len() as u64;
    for packed in [&text, &gz, &bz, &zip(&files, deflate), &zip(&files, store)] {
        assert_eq!(unpack_one(path, packed.clone(), size).unwrap(), text);
        if packed != &text {
            assert_refused(unpack(path, packed.clone(), size - 1), "MiB that are read");
            let mut damaged = packed.clone();
            let middle = damaged.len() / 2;
            damaged[middle] ^= 0x55;
            assert!(unpack(path, damaged, size).is_err());
            assert!(unpack(path, packed[..middle].to_vec(), size).is_err());
        }
    }
    // A file with two compressed streams unpacks to both texts, one after the other.
    for packed in [&gz, &bz] {
        let twice = unpack_one(path, packed.repeat(2), 2 * size).unwrap();
        assert_eq!(twice, text.repeat(2));
    }
    let two = zip(&[("a.txt", b"a"), ("b.txt", b"b")], deflate);
    let files = unpack(path, two.clone(), size).unwrap();
    let paths = files.iter().map(|file| file.path.to_str().unwrap());
    assert!(paths.eq(["file/a.txt", "file/b.txt"]));
    // Packed files in an archive are unpacked too. A format that cannot be unpacked is named in the
    // error.
    let members: [(&str, &[u8]); 3] = [("c.txt", b"c"), ("in.zip", &two), ("in.txt.gz", &gz)];
    let nested = unpack(path, zip(&members, store), 4 * size).unwrap();
    let paths = nested.iter().map(|file| file.path.to_str().unwrap());
    let all = ["c.txt", "in.zip/a.txt", "in.zip/b.txt", "in.txt.gz"];
    assert!(paths.eq(all.map(|name| format!("file/{name}"))));
    assert_eq!(nested[3].bytes, text);
    let packed_in_xz = "/in.xz': it is packed (xz); unpack it first (.gz, .bz2 and .zip are read)";
    let unread = zip(&[("c.txt", b"c"), ("in.xz", b"\xfd7zXZ\0...")], store);
    assert_refused(unpack(path, unread, size), packed_in_xz);
    assert_refused(
        unpack_one(path, two, size),
        "(expected one); unpack it first",
    );
    let tar = [&[b'x'; 257][..], b"ustar\0"].concat();
    for (bytes, name) in [(&b"\xfd7zXZ\0..."[..], "(xz)"), (&tar, "(tar)")] {
        let error = unpack(path, bytes.to_vec(), size).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    }
}

#[test]
fn appending_needs_a_file_that_exists_and_has_no_other_writer() {
    let folder = folder();
    let path = folder.path().join("log");
    let mut file = open_to_append(&path).unwrap();
    let busy = "another program is writing to it; wait for that, or give another file";
    assert_refused(open_to_append(&path), busy);
    append(&path, &mut file, b"one").unwrap();
    assert_eq!(read(&path, MIB).unwrap(), b"one");
    fs::remove_file(&path).unwrap();
    let next = append(&path, &mut file, b"x");
    assert_refused(next, "removed while it was being written");
}

#[test]
fn a_file_is_replaced_whole_or_not_at_all() {
    let folder = folder();
    let path = folder.path().join("old");
    let mut replacement = Replacement::create(&path).unwrap();
    replacement.write(b"n").unwrap();
    drop(replacement);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    replace(&path, b"new").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    for wrong in [folder.path().to_owned(), folder.path().join("none/file")] {
        assert!(replace(&wrong, b"x").is_err() && can_replace(&wrong).is_err());
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn what_a_killed_process_left_is_removed() {
    let folder = folder();
    let path = folder.path().join("old");
    let new = unfinished(&path);
    fs::write(&new, "half").unwrap();
    replace(&path, b"new").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert!(!new.exists());
}

#[test]
fn outputs_differ_from_inputs_and_each_other_and_replace_files_only_by_force() {
    let folder = folder();
    let round = folder
        .path()
        .join("..")
        .join(folder.path().file_name().unwrap());
    let out = |path: &Path| Paths::default().output("--out", Some(path));
    let input = format!(
        "the input '{}'; give another name",
        folder.path().join("old").display()
    );
    for path in [
        folder.path().join("old"),
        round.join("old"),
        folder.path().join("./old"),
    ] {
        let appended = Paths::default().append_output("--out", Some(&path));
        for paths in [out(&path), appended] {
            assert_refused(paths.input([folder.path().join("old")]).check(true), &input);
        }
    }
    // Two different paths of the same file, which does not exist yet.
    let both = out(&folder.path().join("a")).output("--second", Some(&round.join("a")));
    assert_refused(both.check(true), "each needs one of its own");
    let old = out(&folder.path().join("old"));
    assert_refused(old.check(false), "--force to write over it");
    assert!(old.check(true).is_ok());
    let appended = Paths::default().append_output("--out", Some(&folder.path().join("old")));
    assert!(appended.check(false).is_ok());
    assert!(
        out(&folder.path().join("none/1")).check(true).is_err()
            && out(folder.path()).check(true).is_err()
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_eq!(fs::read(folder.path().join("old")).unwrap(), b"old");
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_devices_need_no_force() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    symlink("old", folder.path().join("soft")).unwrap();
    symlink("soft", folder.path().join("softer")).unwrap();
    fs::hard_link(folder.path().join("old"), folder.path().join("hard")).unwrap();
    let out = |name: &str| Paths::default().output("--out", Some(&folder.path().join(name)));
    for link in ["soft", "softer", "hard"] {
        for (input, output) in [("old", link), (link, "old")] {
            let paths = out(output).input([folder.path().join(input)]);
            assert_refused(paths.check(true), "'; give another name");
        }
    }
    // A symbolic link to a file that does not exist yet, and a symbolic link to itself.
    symlink("new", folder.path().join("early")).unwrap();
    let both = out("early").output("--second", Some(&folder.path().join("new")));
    assert!(both.check(false).is_err());
    replace(&folder.path().join("early"), b"content").unwrap();
    assert_eq!(fs::read(folder.path().join("new")).unwrap(), b"content");
    symlink("circle", folder.path().join("circle")).unwrap();
    assert!(out("circle").check(true).is_ok());
    let null = Path::new("/dev/null");
    let paths = Paths::default().input([null]).output("--svg", Some(null));
    let paths = paths.output("--html", Some(Path::new("/dev/stdout")));
    assert!(paths.check(false).is_ok() && replace(null, b"x").is_ok());
}
