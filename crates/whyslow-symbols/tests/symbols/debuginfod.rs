//! Files of Linux modules from a debuginfod server, one of the test's own.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::support::{Scratch, brief, symbolize};
use crate::tiny_elf::*;
use whyslow_symbols::{
    Debuginfod, Fetch, FetchFailure, ModuleRef, Options, Reason, SymbolSource, Symbolizer,
};

/// Files by path.
type Files = HashMap<String, Vec<u8>>;

/// Serves files until the test ends; returns the address, and what was asked.
fn server(files: Files) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a client");
            let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
            let first = lines.next().expect("a request");
            let path = first.split(' ').nth(1).expect("a path").to_owned();
            let _headers = lines.take_while(|line| !line.is_empty()).count();
            log.lock().expect("no panic").push(path.clone());
            let (status, body) = match files.get(&path) {
                Some(body) => ("200 OK", body.as_slice()),
                None => ("404 Not Found", &b""[..]),
            };
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            stream.write_all(head.as_bytes()).expect("sent");
            stream.write_all(body).expect("sent");
        }
    });
    (address, asked)
}

/// Gets a file over plain HTTP.
#[derive(Debug)]
struct Client;

impl Fetch for Client {
    fn fetch(
        &self,
        url: &str,
        to: &Path,
        check: &dyn Fn(&Path) -> bool,
    ) -> Result<(), FetchFailure> {
        let (host, path) = url["http://".len()..].split_once('/').expect("a path");
        let mut stream = TcpStream::connect(host).expect("the server");
        write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n").expect("asked");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        if !answer.starts_with(b"HTTP/1.1 200") {
            return Err(FetchFailure::NotThere);
        }
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
        let body = &answer[end.expect("a head") + 4..];
        std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        std::fs::write(to, body).expect("written");
        match check(to) {
            true => Ok(()),
            false => {
                std::fs::remove_file(to).expect("removed");
                Err(FetchFailure::Failed)
            }
        }
    }
}

fn symbolizer(urls: &str, cache: &Path, asks: bool) -> Symbolizer {
    let fetch: Arc<dyn Fetch> = Arc::new(Client);
    Symbolizer::new(Options {
        debug_dirs: Vec::new(),
        debuginfod: Debuginfod::parse(urls, cache.to_owned()),
        fetch: asks.then_some(fetch),
        ..Options::default()
    })
}

#[test]
fn files_come_from_a_server_once() {
    let id = "ab".repeat(20);
    let stripped = TinyElf {
        table_kind: 0,
        ..TinyElf::new(Vec::new())
    };
    let debug = TinyElf {
        is_debug_only: true,
        ..TinyElf::new(vec![function("first", 0x40_1000, 0x10)])
    };
    let other = TinyElf {
        build_id: vec![0xcd; 20],
        ..TinyElf::new(Vec::new())
    };
    let executable = format!("/buildid/{id}/executable");
    let debuginfo = format!("/buildid/{id}/debuginfo");
    let has = |path: &str, elf: &TinyElf| (path.to_owned(), elf.bytes());
    let (good, asked) = server(Files::from([
        has(&executable, &stripped),
        has(&debuginfo, &debug),
    ]));
    // It has another program under this id.
    let (bad, asked_bad) = server(Files::from([
        has(&executable, &other),
        has(&debuginfo, &other),
    ]));
    let scratch = Scratch::new("debuginfod");
    let urls = format!("ima:enforcing {bad}/ {good}");
    let module = ModuleRef::elf(Path::new("/not/here/program"), Some(&[0xab; 20]));

    let (answers, _) = symbolize(&symbolizer(&urls, &scratch.0, false), &module, &[0x1001]);
    assert_eq!(answers, [Err(Reason::FileMissing)]);
    assert!(asked.lock().expect("no panic").is_empty());

    let (answers, report) = symbolize(&symbolizer(&urls, &scratch.0, true), &module, &[0x1001]);
    assert_eq!(brief(&answers[0]), "first+0x1");
    assert_eq!(report.source, Some(SymbolSource::DebugFile));
    assert_eq!(report.file, Some(scratch.path(&format!("{id}/debuginfo"))));
    let all = [executable, debuginfo];
    assert_eq!(*asked_bad.lock().expect("no panic"), all);
    assert_eq!(*asked.lock().expect("no panic"), all);

    // What is kept is found without asking anybody.
    let (answers, _) = symbolize(&symbolizer("", &scratch.0, false), &module, &[0x1001]);
    assert_eq!(brief(&answers[0]), "first+0x1");
    assert_eq!(asked.lock().expect("no panic").len(), 2);
}
