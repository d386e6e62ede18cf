//! Names for a Windows program: what is missing, from a folder, from a server.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::thread;
use whyslow_model::ModuleId;

use whyslow_model::tables::ModuleRow;

use crate::fixture;
use crate::harness::{Place, Said, golden};

/// Id of the PDB in the folder of [`samples`].
const KEY: &str = "E53C8AB430FB7AF44C4C44205044422E1";

/// Sample programs and their PDBs, made by the script there.
fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../whyslow-symbols/tests/windows")
}

fn place() -> Place {
    let place = Place::new();
    let module = ModuleRow {
        id: ModuleId(1),
        path: r"C:\shop\sample.dll".to_owned(),
        name: "sample.dll".to_owned(),
        kind: "pe".to_owned(),
        build_id: Some(KEY.to_owned()),
        size_bytes: None,
        version: Some("1.2".to_owned()),
        vendor: None,
        time_stamp: None,
        pdb_name: Some("sample.pdb".to_owned()),
        product: None,
    };
    let functions = [0x1000, 0x1055, 0x10c3, 0x1110];
    fixture::write_windows(&place.path("shop.whyslow"), module, functions);
    place
}

fn methods(place: &Place) -> String {
    let args = [
        "cpu",
        "shop.whyslow",
        "--functions",
        "*",
        "--columns",
        "method",
    ];
    place.run(&args).out
}

fn is_named(place: &Place) -> bool {
    let methods = methods(place);
    let names = [
        "shop::Till::add",
        "open_shop",
        "hidden",
        "shop::Box<long long>::twice",
    ];
    names.iter().all(|name| methods.contains(name))
}

#[test]
fn what_is_missing_is_listed_for_another_machine() {
    golden(
        "missing",
        &place(),
        &[
            &["missing", "shop.whyslow"],
            &[
                "missing",
                "shop.whyslow",
                "--columns",
                "get",
                "--format",
                "csv",
            ],
            &[
                "missing",
                "shop.whyslow",
                "--columns",
                "manifest",
                "--format",
                "csv",
            ],
            &["symbolize", "shop.whyslow"],
        ],
    );
}

#[test]
fn names_come_from_a_folder() {
    let place = place();
    let folder = samples();
    let said = place.run(&[
        "symbolize",
        "shop.whyslow",
        "--from",
        folder.to_str().expect("UTF-8"),
    ]);
    assert!(said.err.contains("9 of 9"), "{said:?}");
    assert!(is_named(&place), "{}", methods(&place));
    let said = place.run(&["missing", "shop.whyslow"]);
    assert_eq!((said.out.as_str(), said.code), ("", Some(0)));
    assert!(said.err.contains("no symbols are missing"), "{said:?}");
}

#[test]
fn names_come_from_a_server_only_when_asked_for() {
    let pdb = std::fs::read(samples().join("sample.pdb")).expect("the sample");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a question");
        let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
        let asked = lines.next().unwrap_or_default();
        lines.take_while(|line| !line.is_empty()).count();
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", pdb.len());
        let answer = [head.as_bytes(), &pdb].concat();
        stream.write_all(&answer).expect("somebody listens");
        asked
    });
    let place = place();
    let path = format!("srv*store*{url}");
    let said = place.run(&["symbolize", "shop.whyslow", "--symbol-path", &path]);
    assert!(
        said.err.contains("no symbol file (PDB) was found"),
        "{said:?}"
    );
    assert!(!is_named(&place));
    let args = ["symbolize", "shop.whyslow", "--symbols"];
    let said = place.whyslow(&args).env("_NT_SYMBOL_PATH", &path).output();
    assert!(said.expect("the program runs").status.success());
    assert!(is_named(&place), "{}", methods(&place));
    let asked = server.join().expect("a server");
    assert_eq!(asked, format!("GET /sample.pdb/{KEY}/sample.pdb HTTP/1.1"));
    let kept = place.path(&format!("store/sample.pdb/{KEY}/sample.pdb"));
    assert!(kept.exists());
}

#[test]
#[cfg(unix)]
fn without_a_folder_of_its_own_nothing_is_kept_where_others_write() {
    let place = place();
    let temporary = place.path("tmp");
    std::fs::create_dir(&temporary).expect("a directory");
    let mut command = place.whyslow(&["symbolize", "shop.whyslow", "--symbols"]);
    command.env_remove("HOME").env_remove("XDG_CACHE_HOME");
    let said = Said::of(command.env("TMPDIR", &temporary).output().expect("it runs"));
    let why =
        "warning: HOME is not set, so there is no folder to keep downloaded symbols in: name one";
    assert!(said.err.contains(why), "{said:#?}");
    assert_eq!(std::fs::read_dir(&temporary).expect("it").count(), 0);
    assert!(!is_named(&place));
}
