//! Downloads from servers on this machine that behave and that do not.

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use super::*;
use whyslow_model::Unwatched;

const QUICK: Limits = Limits {
    file_bytes: 1 << 20,
    bytes: 1 << 20,
    // Not a test's to run out of, however busy the machine is.
    time: Duration::from_secs(600),
    answer: Duration::from_secs(300),
    stall: Duration::from_secs(300),
    attempts: 4,
    pause: Duration::from_millis(1),
};

/// What a server does with a request: the answer's head and body, after which it hangs up.
type Answer = Box<dyn Fn(&Asked) -> Vec<u8> + Send>;

/// A request: path, and where the wanted range begins.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Asked {
    path: String,
    from: usize,
}

/// Serves `n` requests on a port of this machine; returns its address and what was asked.
fn server(n: usize, answer: Answer) -> (String, Receiver<Asked>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (sender, asked) = channel();
    thread::spawn(move || {
        for stream in listener.incoming().take(n) {
            let mut stream = stream.unwrap();
            let request = read_request(&stream);
            let bytes = answer(&request);
            let _told = sender.send(request);
            let _sent = stream.write_all(&bytes);
        }
    });
    (url, asked)
}

fn read_request(stream: &TcpStream) -> Asked {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let path = lines.next().unwrap_or_default();
    let mut asked = Asked {
        path: path.split(' ').nth(1).unwrap_or_default().to_owned(),
        from: 0,
    };
    for line in lines.take_while(|line| !line.is_empty()) {
        if let Some(range) = line.to_lowercase().strip_prefix("range: bytes=") {
            asked.from = range.trim_end_matches('-').parse().unwrap();
        }
    }
    asked
}

fn respond(status: &str, headers: &str, length: usize, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n");
    [head.as_bytes(), headers.as_bytes(), b"\r\n", body].concat()
}

/// What a server with ranges answers, of which `cut` bytes arrive.
fn part(file: &[u8], from: usize, cut: usize) -> Vec<u8> {
    let rest = &file[from..];
    let range = format!(
        "Content-Range: bytes {from}-{}/{}\r\n",
        file.len() - 1,
        file.len()
    );
    let body = &rest[..cut.min(rest.len())];
    match from {
        0 => respond("200 OK", "", rest.len(), body),
        _ => respond("206 Partial Content", &range, rest.len(), body),
    }
}

/// A folder that is removed when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let id = std::process::id();
        Self(std::env::temp_dir().join(format!("whyslow-download-{name}-{id}")))
    }

    fn target(&self) -> PathBuf {
        self.0.join("a.pdb/KEY/a.pdb")
    }

    /// Every file that is there.
    fn files(&self) -> Vec<String> {
        let mut open = vec![self.0.clone()];
        let mut files = Vec::new();
        while let Some(dir) = open.pop() {
            for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
                match entry.path().is_dir() {
                    true => open.push(entry.path()),
                    false => files.push(entry.file_name().to_string_lossy().into_owned()),
                }
            }
        }
        files
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _cleaned = std::fs::remove_dir_all(&self.0);
    }
}

fn downloader(limits: Limits) -> Downloader {
    Downloader::with_limits(limits, Arc::new(Unwatched), None)
}

fn file() -> Vec<u8> {
    (0..200_000_u32)
        .flat_map(u32::to_le_bytes)
        .take(300_000)
        .collect()
}

/// Takes the file as it is.
fn is_file(path: &Path) -> bool {
    std::fs::read(path).unwrap() == file()
}

#[test]
fn a_file_appears_whole() {
    let scratch = Scratch::new("whole");
    let (url, asked) = server(1, Box::new(|asked| part(&file(), asked.from, usize::MAX)));
    let url = format!("{url}/a.pdb/KEY/a.pdb");
    // A lock may keep others from reading.
    let is_free = |path: &Path| File::open(path).unwrap().try_lock().is_ok() && is_file(path);
    let got = downloader(QUICK).fetch(&url, &scratch.target(), &is_free);
    assert_eq!(got, Ok(()));
    assert!(is_file(&scratch.target()));
    assert_eq!(scratch.files(), ["a.pdb"]);
    assert_eq!(asked.recv().unwrap().path, "/a.pdb/KEY/a.pdb");
}

#[test]
fn a_server_that_dies_in_the_middle_is_asked_for_the_rest() {
    let scratch = Scratch::new("dies");
    let (url, asked) = server(4, Box::new(|asked| part(&file(), asked.from, 80_000)));
    let got = downloader(QUICK).fetch(&url, &scratch.target(), &is_file);
    assert_eq!(got, Ok(()));
    let from: Vec<usize> = asked.iter().map(|asked| asked.from).collect();
    assert_eq!(from, [0, 80_000, 160_000, 240_000]);
    assert_eq!(scratch.files(), ["a.pdb"]);
}

#[test]
fn a_later_run_goes_on() {
    let scratch = Scratch::new("later");
    let (url, asked) = server(2, Box::new(|asked| part(&file(), asked.from, 200_000)));
    let once = Limits {
        attempts: 1,
        ..QUICK
    };
    let get = || downloader(once).fetch(&url, &scratch.target(), &is_file);
    assert_eq!(get(), Err(FetchFailure::Failed));
    assert_eq!(scratch.files(), ["a.pdb.part"]);
    assert_eq!(get(), Ok(()));
    assert_eq!(asked.iter().map(|asked| asked.from).max(), Some(200_000));
}

#[test]
fn a_server_without_ranges_begins_again() {
    let scratch = Scratch::new("no-ranges");
    let part_file = part_of(&scratch.target());
    std::fs::create_dir_all(part_file.parent().unwrap()).unwrap();
    std::fs::write(&part_file, b"something older").unwrap();
    let whole = |_: &Asked| respond("200 OK", "", file().len(), &file());
    let (url, _) = server(1, Box::new(whole));
    let got = downloader(QUICK).fetch(&url, &scratch.target(), &is_file);
    assert_eq!(got, Ok(()));
    // What is longer than the file is not its beginning.
    std::fs::write(&part_file, vec![0; 400_000]).unwrap();
    let (url, asked) = server(
        2,
        Box::new(|asked| match asked.from {
            400_000 => respond("416 Range Not Satisfiable", "", 0, b""),
            from => part(&file(), from, usize::MAX),
        }),
    );
    std::fs::remove_file(scratch.target()).unwrap();
    let got = downloader(QUICK).fetch(&url, &scratch.target(), &is_file);
    assert_eq!(got, Ok(()));
    assert_eq!(
        asked.iter().map(|asked| asked.from).collect::<Vec<_>>(),
        [400_000, 0]
    );
}

#[test]
fn what_is_not_wanted_does_not_stay() {
    let scratch = Scratch::new("wrong");
    let sorry = |_: &Asked| respond("200 OK", "", 5, b"sorry");
    let (url, _) = server(1, Box::new(sorry));
    let got = downloader(QUICK).fetch(&url, &scratch.target(), &is_file);
    assert_eq!(got, Err(FetchFailure::Failed));
    assert_eq!(scratch.files(), Vec::<String>::new());
}

/// Another run begins, or ends, while what this one has got is checked.
#[test]
fn what_another_run_does_meanwhile_stays() {
    let scratch = Scratch::new("meanwhile");
    let (url, _asked) = server(2, Box::new(|asked| part(&file(), asked.from, usize::MAX)));
    let get = |check: &dyn Fn(&Path) -> bool| {
        downloader(QUICK).fetch(&format!("{url}/a"), &scratch.target(), check)
    };
    let begun = |_whole: &Path| {
        std::fs::write(part_of(&scratch.target()), b"begun").unwrap();
        false
    };
    assert_eq!(get(&begun), Err(FetchFailure::Failed));
    assert_eq!(scratch.files(), ["a.pdb.part"]);
    std::fs::remove_file(part_of(&scratch.target())).unwrap();
    let ended = |whole: &Path| {
        std::fs::rename(whole, scratch.target()).unwrap();
        true
    };
    assert_eq!(get(&ended), Ok(()));
    assert_eq!(scratch.files(), ["a.pdb"]);
}

#[test]
fn what_is_not_there_is_asked_for_once() {
    let scratch = Scratch::new("not-there");
    let (url, asked) = server(2, Box::new(|_| respond("404 Not Found", "", 2, b"no")));
    let downloader = downloader(QUICK);
    for _ in 0..3 {
        let got = downloader.fetch(&url, &scratch.target(), &is_file);
        assert_eq!(got, Err(FetchFailure::NotThere));
    }
    // Nothing is left, not even a folder.
    assert!(
        !scratch
            .target()
            .parent()
            .unwrap()
            .parent()
            .unwrap()
            .exists()
    );
    assert_eq!(asked.try_iter().count(), 1);
}

#[test]
fn a_dead_server_is_left_alone() {
    let scratch = Scratch::new("dead");
    let (url, asked) = server(50, Box::new(|_| respond("503 Busy", "", 0, b"")));
    let downloader = downloader(QUICK);
    for name in ["a", "b", "c", "d", "e"] {
        let got = downloader.fetch(&format!("{url}/{name}"), &scratch.target(), &is_file);
        assert_eq!(got, Err(FetchFailure::Failed));
    }
    let asked: Vec<_> = asked.try_iter().map(|asked| asked.path).collect();
    assert_eq!(
        asked,
        ["/a", "/a", "/a", "/b", "/b", "/b", "/c", "/c", "/c"]
    );
}

#[test]
fn a_server_that_was_busy_is_asked_again() {
    let scratch = Scratch::new("busy");
    let busy = AtomicU32::new(2);
    let answer = move |asked: &Asked| {
        let left = busy.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            left.checked_sub(1)
        });
        match left {
            Ok(_) => respond("429 Too Many Requests", "", 0, b""),
            Err(_) => part(&file(), asked.from, usize::MAX),
        }
    };
    let (url, _) = server(3, Box::new(answer));
    let got = downloader(QUICK).fetch(&url, &scratch.target(), &is_file);
    assert_eq!(got, Ok(()));
}

#[test]
fn a_cache_that_cannot_be_written_is_asked_nothing_for() {
    let (url, asked) = server(1, Box::new(|asked| part(&file(), asked.from, usize::MAX)));
    let scratch = Scratch::new("unwritable");
    std::fs::write(&scratch.0, "a file, no folder").unwrap();
    let got = downloader(QUICK).fetch(&url, &scratch.target(), &is_file);
    assert_eq!(got, Err(FetchFailure::Failed));
    assert_eq!(asked.try_iter().count(), 0);
    std::fs::remove_file(&scratch.0).unwrap();
}

#[test]
fn redirects_are_followed_but_not_for_ever() {
    let scratch = Scratch::new("redirect");
    let (there, _) = server(1, Box::new(|asked| part(&file(), asked.from, usize::MAX)));
    let to = format!("Location: {there}/x\r\n");
    let (here, _) = server(1, Box::new(move |_| respond("302 Found", &to, 0, b"")));
    let got = downloader(QUICK).fetch(&format!("{here}/y"), &scratch.target(), &is_file);
    assert_eq!(got, Ok(()));
    let circle = "Location: /again\r\n";
    let (here, asked) = server(50, Box::new(move |_| respond("302 Found", circle, 0, b"")));
    let other = scratch.0.join("other");
    let got = downloader(QUICK).fetch(&here, &other, &is_file);
    assert_eq!(got, Err(FetchFailure::Failed));
    assert!(asked.try_iter().count() < 20);
}

#[test]
fn files_and_runs_are_bounded() {
    let scratch = Scratch::new("bounds");
    let serve = || server(1, Box::new(|asked| part(&file(), asked.from, usize::MAX))).0;
    let small = Limits {
        file_bytes: 100_000,
        ..QUICK
    };
    let got = downloader(small).fetch(&serve(), &scratch.target(), &is_file);
    assert_eq!(got, Err(FetchFailure::Failed));
    let over = Limits {
        time: Duration::ZERO,
        ..QUICK
    };
    let got = downloader(over).fetch(&serve(), &scratch.target(), &is_file);
    assert_eq!(got, Err(FetchFailure::Failed));
    // A server that says nothing at all.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = format!("http://{}", listener.local_addr().unwrap());
    let impatient = Limits {
        answer: Duration::from_millis(200),
        ..QUICK
    };
    let got = downloader(impatient).fetch(&silent, &scratch.target(), &is_file);
    assert_eq!(got, Err(FetchFailure::Failed));
}

#[test]
fn two_runs_do_not_write_one_file() {
    let scratch = Scratch::new("two");
    let held = open_part(&part_of(&scratch.target())).unwrap();
    let (url, asked) = server(1, Box::new(|asked| part(&file(), asked.from, usize::MAX)));
    let got = downloader(QUICK).fetch(&url, &scratch.target(), &is_file);
    assert_eq!(got, Err(FetchFailure::Failed));
    assert_eq!(asked.try_iter().count(), 0);
    drop(held);
}
