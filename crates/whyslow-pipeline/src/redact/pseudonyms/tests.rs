//! Names of persons, paths, commands and machines, and what becomes of them.

use std::collections::HashSet;

use super::*;

#[test]
fn paths_keep_depth_extension_and_equality() {
    let mut names = Pseudonyms::default();
    let first = names.path("/home/ada/secret plans/rocket.tar");
    assert_eq!(first, "/home/acorn/amber/anchor.tar");
    assert_eq!(
        names.path("/home/ada/.ssh/rocket.pub"),
        "/home/acorn/.apple/anchor.pub"
    );
    assert_eq!(names.path("/srv/data/2024/ada"), "/srv/arrow/2024/acorn");
    assert_eq!(names.path("relative/ada.x"), "aspen/acorn.x");
    for kept in [
        "/usr/lib/x86_64/libc.so.6",
        "/proc/17/stat",
        "[socket]",
        "/",
        "/dev/null",
        "/etc/passwd",
    ] {
        assert_eq!(names.path(kept), kept);
    }
    for changed in ["/usr/local/bin/mine", "/usr/../home/ada", "/procedures/x"] {
        assert_ne!(names.path(changed), changed);
    }
    assert!(!names.path("/a/very.long-extension/b").contains("extension"));
}

#[test]
fn many_words_have_many_names() {
    let mut names = Pseudonyms::default();
    let letter = |n: u32| char::from_u32(u32::from(b'a') + n % 26).expect("a letter");
    let word = |n: u32| String::from_iter([letter(n), letter(n / 26), letter(n / 676), 'x']);
    let all: HashSet<String> = (0..10_000).map(|n| names.part(&word(n))).collect();
    assert_eq!(all.len(), 10_000);
    assert!(!all.iter().any(|name| name.contains(char::is_numeric)));
    assert_eq!(names.part(&word(7)), "basil");
    assert_eq!(names.part(&word(65)), "amber-acorn");
}

#[test]
fn numbers_stay_where_files_are_alike_but_for_one() {
    let mut names = Pseudonyms::default();
    assert_eq!(names.path("/srv/photo-0012.jpg"), "/srv/acorn-0012.jpg");
    assert_eq!(names.path("/srv/photo-7.jpg"), "/srv/acorn-7.jpg");
    assert_eq!(names.path("/srv/libpay.so.1.2"), "/srv/amber.so.1.2");
    assert_eq!(names.path("/srv/pay.js:3:9"), "/srv/anchor.js:3:9");
    // A telephone number, an id and an address are none of these.
    for private in [
        "/srv/4915112345678",
        "/srv/docker-3f9ae1b2c4d5e6f7.scope",
        "/srv/10.1.2.3",
        "/srv/backup-10.1.2.3.tar",
    ] {
        let redacted = names.path(private);
        let digits = redacted.chars().filter(char::is_ascii_digit);
        assert_eq!(digits.count(), 0, "{redacted}");
    }
}

#[test]
fn what_tells_the_language_of_a_program_stays() {
    let mut names = Pseudonyms::default();
    let python = "/root/.pyenv/versions/3.12.1/bin/python3.12";
    assert!(names.path(python).ends_with("/bin/python3.12"));
    let library = "/home/ann/.pyenv/lib/python3.12/asyncio/tasks.py";
    let redacted = names.path(library);
    assert!(redacted.ends_with("/lib/python3.12/asyncio/tasks.py") && !redacted.contains("ann"));
    let package = names.path("/home/ann/lib/python3.12/site-packages/pay/till.py");
    assert!(package.contains("/lib/python3.12/site-packages/") && !package.contains("pay"));
    for kept in [
        "libjvm.so",
        "libpython3.12.so.1.0",
        "node",
        "java/util/HashMap.java",
        "node:fs",
    ] {
        assert_eq!(names.path(kept), kept);
    }
    for changed in [
        "python-of-ann",
        "java_ann",
        "nodes",
        "/x/lib/python3.1/../ann",
    ] {
        assert_ne!(names.path(changed), changed);
    }
    // A script has a name of its own, though a program of the system runs it.
    names.know_process("python3", "/usr/bin/python3.11");
    names.know_process("dash", "/usr/bin/dash");
    names.know_process("pay.sh", "/usr/bin/dash");
    assert_eq!(
        (names.name("dash"), names.name("python3")),
        ("dash".to_owned(), "python3".to_owned())
    );
    assert!(!names.name("pay.sh").contains("pay"));
}

#[test]
fn names_of_persons_have_no_extension() {
    let mut names = Pseudonyms::default();
    names.know_homes("/home/ada.lovel/notes");
    names.know_homes("C:\\Users\\eve.adams\\Desktop");
    names.know_person("bob.box");
    for person in ["ada.lovel", "eve.adams", "bob.box"] {
        let path = format!("/data/{person}/x.txt");
        let redacted = names.path(&path);
        let (_, name) = person.split_once('.').expect("a name");
        assert!(!redacted.contains(name), "{redacted}");
        assert!(redacted.ends_with(".txt"), "{redacted}");
        assert!(redacted.contains(&names.person(person)), "{redacted}");
        assert_eq!(names.name(person), names.person(person));
    }
    assert_eq!(names.person("root"), "root");
}

#[test]
fn paths_of_windows_keep_their_depth() {
    let mut names = Pseudonyms::default();
    for kept in [
        "C:\\Windows\\System32\\ntdll.dll",
        "\\Device\\HarddiskVolume3\\Windows\\System32\\ntdll.dll",
        "\\SystemRoot\\system32\\ntoskrnl.exe",
    ] {
        assert_eq!(names.path(kept), kept);
    }
    let own = names.path("C:\\Users\\ann\\pay roll.xlsx");
    assert_eq!(own, "C:\\Users\\acorn\\amber.xlsx");
    for changed in [
        "C:\\Windows\\Temp\\ann.log",
        "C:\\Windows\\..\\ann",
        "\\\\nas\\ann",
    ] {
        assert!(!names.path(changed).contains("ann"));
    }
}

#[test]
fn functions_keep_their_names_but_no_path() {
    let mut names = Pseudonyms::default();
    for kept in [
        "operator/",
        "std::operator/(A const&, B const&)",
        "github.com/ann/pay.(*Till).Add",
        "main",
    ] {
        assert_eq!(names.function(kept), kept);
    }
    let python = names.function("py::add:/home/ann/pay.py");
    assert_eq!(python, "py::add:/home/acorn/amber.py");
    let node = names.function("JS:*add /home/ann/pay.js:3:9 (x)");
    assert_eq!(node, "JS:*add /home/acorn/amber.js:3:9 (x)");
}

#[test]
fn values_of_options_are_no_options() {
    let mut names = Pseudonyms::default();
    for (private, line) in [
        ("secret", "tool -psecret"),
        ("secret", "tool --key:secret"),
        ("secret", "tool -Dpass=secret"),
        ("10.1", "tool --to=10.1.2.3:80"),
        ("10.1", "tool ann@10.1.2.3"),
        ("4915112345678", "tool 4915112345678"),
        ("7334", "tool 2001:db8:85a3::7334"),
    ] {
        let redacted = names.command(line);
        assert!(!redacted.contains(private), "{redacted}");
    }
    assert_eq!(
        names.command("tool -xzf -la -j4 --jobs 8"),
        format!("{} -xzf -la -j4 --jobs 8", names.part("tool"))
    );
}

#[test]
fn commands_keep_programs_options_and_numbers() {
    let mut names = Pseudonyms::default();
    names.know_program("/usr/bin/mysql");
    names.know_program("/home/ada/tool");
    let line =
        "mysql -u ada -psecret! --host=db.example.org --port=3306 -j4 /home/ada/q.sql '' tool";
    let redacted = names.command(line);
    for private in ["ada", "secret", "db.", "example", "tool", "/q"] {
        assert!(!redacted.contains(private), "{redacted}");
    }
    for kept in [
        "mysql -u ",
        " -p",
        "--host=",
        "--port=3306",
        "-j4",
        "/home/",
        ".sql",
    ] {
        assert!(redacted.contains(kept), "{redacted}");
    }
}

#[test]
fn addresses_and_names_of_machines() {
    let mut names = Pseudonyms::default();
    assert_eq!(names.socket("10.1.2.3:5432"), "192.0.2.2:5432");
    assert_eq!(
        names.socket("10.1.2.3:80 (listening)"),
        "192.0.2.2:80 (listening)"
    );
    assert_eq!(names.socket("127.0.0.1:80"), "127.0.0.1:80");
    assert_eq!(names.socket("[fd00::7]:53"), "[2001:db8::2]:53");
    assert_eq!(names.socket("not connected"), "not connected");
    assert_eq!(names.host("www.example.org"), "acorn.amber.org");
    assert_eq!(
        names.name("ada-worker-3"),
        format!("{}-3", names.part("ada-worker"))
    );
    let _known = names.path("/srv/pay roll/of ann");
    let said = names.sentence("/srv/pay roll/of ann is damaged, line 7");
    assert!(!said.contains("roll") && !said.contains("ann"), "{said}");
    assert!(said.ends_with(" is damaged, line 7"), "{said}");
    let mut names = Pseudonyms::default();
    let _known = names.path("ada");
    let said = names.sentence("cannot read /home/ada/x: (ada) is no user");
    assert_eq!(said, "cannot read /home/acorn/amber: (acorn) is no user");
}
