//! Getting files from symbol servers, when the user asked for it.
//!
//! ```text
//! FILE.part ── grows, also over several runs (Range) ──► FILE.RUN ── checked ──► FILE
//! ```
//!
//! A file appears under its name only when it is whole and is the one that was wanted. What a server
//! does not have is asked for once; a server that is busy is asked again after a pause, and one that
//! fails for several files in a row is left alone for the rest of the run; the first cause is reported.
//! Size and time of a run are bounded, so that a bad line costs minutes, not the night.
//!
//! It is a crate of its own because TLS takes longer to build than everything else of ours, and only the
//! command line needs it.

#![forbid(unsafe_code)]

mod roots;

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ureq::http::{Response, StatusCode, header};
use ureq::tls::TlsConfig;
use ureq::{Agent, Body};
use whyslow_files::cause::plain;
use whyslow_model::Watch;
use whyslow_symbols::{Fetch, FetchFailure};

/// How much a run may take.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Bytes of one file.
    file_bytes: u64,
    /// Bytes of all files.
    bytes: u64,
    /// Time for all files.
    time: Duration,
    /// Time to connect, and to wait for an answer.
    answer: Duration,
    /// Time without a byte before the line counts as dead.
    stall: Duration,
    /// How often a broken line is taken up again.
    attempts: u32,
    /// Pause before a server that is busy is asked again; the next is twice as long.
    pause: Duration,
}

const LIMITS: Limits = Limits {
    file_bytes: 2 << 30,
    bytes: 8 << 30,
    time: Duration::from_secs(30 * 60),
    answer: Duration::from_secs(20),
    stall: Duration::from_secs(30),
    attempts: 6,
    pause: Duration::from_secs(1),
};

/// How often a server that is busy is asked for one file.
const MOST_ASKED: u32 = 3;

/// Files in a row that a server fails to deliver before it is left alone.
const MOST_FAILED: u32 = 3;

const BLOCK_BYTES: usize = 64 << 10;

/// Gets files from symbol servers over HTTP.
#[derive(Debug)]
pub struct Downloader {
    agent: Agent,
    watch: Arc<dyn Watch>,
    limits: Limits,
    end: Instant,
    state: Mutex<State>,
}

/// What is known so far.
#[derive(Debug)]
struct State {
    bytes: u64,
    /// Addresses that have no such file.
    not_there: HashSet<String>,
    /// Servers and how many files in a row they failed to deliver.
    failed: HashMap<String, u32>,
}

/// How an attempt to get (the rest of) a file ended.
enum Attempt {
    Whole,
    Broken,
    NotThere,
    /// Larger than what we take.
    Refused,
    /// Not what was looked for; it is removed, and the unfinished file may be another run's now.
    Wrong,
    /// The run has taken all it may, or was interrupted.
    Stopped,
    /// Perhaps in a moment.
    Busy(String),
    /// No use in trying again.
    Failed(String),
}

impl Downloader {
    /// Returns a downloader that reports to `watch` and stops when that says so.
    ///
    /// Servers are checked against the certificates in the file `roots`. Without it, or if it holds
    /// none, the system's certificates count, and without a file of those, Mozilla's.
    pub fn new(watch: Arc<dyn Watch>, roots: Option<&Path>) -> Self {
        Self::with_limits(LIMITS, watch, roots)
    }

    fn with_limits(limits: Limits, watch: Arc<dyn Watch>, roots: Option<&Path>) -> Self {
        let tls = TlsConfig::builder().root_certs(roots::find(roots)).build();
        let config = Agent::config_builder()
            .tls_config(tls)
            .http_status_as_error(false)
            .user_agent(concat!("whyslow/", env!("CARGO_PKG_VERSION")))
            .timeout_connect(Some(limits.answer))
            .timeout_recv_response(Some(limits.answer))
            .timeout_per_read(Some(limits.stall))
            .build();
        Self {
            agent: config.into(),
            watch,
            limits,
            end: Instant::now() + limits.time,
            state: Mutex::new(State {
                bytes: 0,
                not_there: HashSet::new(),
                failed: HashMap::new(),
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn may_go_on(&self, bytes: u64) -> bool {
        Instant::now() < self.end
            && self.state().bytes < self.limits.bytes
            && bytes < self.limits.file_bytes
            && !self.watch.is_interrupted()
    }

    /// Gets what is missing of `url` at the end of `part`.
    fn attempt(&self, url: &str, part: &mut File) -> io::Result<Attempt> {
        let have = part.seek(SeekFrom::End(0))?;
        let mut request = self.agent.get(url);
        if have > 0 {
            request = request.header(header::RANGE, format!("bytes={have}-"));
        }
        // An answer over TLS must not be had without.
        let secure = url.starts_with("https:");
        let response = match request.config().https_only(secure).build().call() {
            Ok(response) => response,
            Err(error @ (ureq::Error::TooManyRedirects | ureq::Error::RequireHttpsOnly(_))) => {
                return Ok(Attempt::Failed(error.to_string()));
            }
            Err(error) => return Ok(Attempt::Busy(error.to_string())),
        };
        match response.status() {
            StatusCode::OK => {
                part.set_len(0)?;
                part.seek(SeekFrom::Start(0))?;
            }
            StatusCode::PARTIAL_CONTENT if starts_at(&response, have) => {}
            StatusCode::PARTIAL_CONTENT | StatusCode::RANGE_NOT_SATISFIABLE => {
                // What is here is not the beginning of what is there.
                part.set_len(0)?;
                return Ok(Attempt::Broken);
            }
            status @ (StatusCode::UNAUTHORIZED | StatusCode::PROXY_AUTHENTICATION_REQUIRED) => {
                return Ok(Attempt::Failed(format!("it answered {status}")));
            }
            status if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() => {
                return Ok(Attempt::Busy(format!("it answered {status}")));
            }
            // Some stores say "forbidden" of what they do not have.
            status if status.is_client_error() => return Ok(Attempt::NotThere),
            status => return Ok(Attempt::Failed(format!("it answered {status}"))),
        }
        self.copy(url, response.into_body(), part)
    }

    fn copy(&self, url: &str, mut body: Body, part: &mut File) -> io::Result<Attempt> {
        let name = url.rsplit('/').next().unwrap_or(url);
        let mut done = part.stream_position()?;
        let total = body.content_length().map(|rest| rest.saturating_add(done));
        if total.is_some_and(|total| total > self.limits.file_bytes) {
            return Ok(Attempt::Refused);
        }
        let mut reader = body.as_reader();
        let mut block = vec![0; BLOCK_BYTES];
        while self.may_go_on(done) {
            let n = match reader.read(&mut block) {
                Ok(0) if total.is_none_or(|total| done >= total) => return Ok(Attempt::Whole),
                Ok(0) | Err(_) => return Ok(Attempt::Broken),
                Ok(n) => n,
            };
            part.write_all(block.split_at(n).0)?;
            done += n as u64;
            self.state().bytes += n as u64;
            let what = format_args!("downloading {name}");
            self.watch.progress(&what, done, total);
        }
        if done >= self.limits.file_bytes {
            return Ok(Attempt::Refused);
        }
        Ok(Attempt::Stopped)
    }

    /// Gets `url` into `part`, taking up what is there and what breaks.
    fn get(&self, url: &str, part: &mut File) -> io::Result<Attempt> {
        let mut left = self.limits.attempts;
        let mut asked = 0;
        loop {
            let before = part.metadata()?.len();
            let attempt = self.attempt(url, part)?;
            left -= 1;
            let again = match attempt {
                Attempt::Broken => part.metadata()?.len() != before,
                Attempt::Busy(_) => {
                    asked += 1;
                    asked < MOST_ASKED && left > 0 && self.pause(asked)
                }
                _ => false,
            };
            if !again || left == 0 {
                return Ok(attempt);
            }
        }
    }

    /// Waits before asking for the `asked`th time again; returns whether to do so.
    fn pause(&self, asked: u32) -> bool {
        let end = Instant::now() + self.limits.pause * (1 << (asked - 1).min(5));
        while self.may_go_on(0) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            std::thread::sleep(left.min(Duration::from_millis(50)));
        }
        false
    }

    /// Notes that `server` failed; the first time, `text` is reported.
    fn failed(&self, server: &str, text: &str, for_good: bool) {
        let mut state = self.state();
        let is_first = !state.failed.contains_key(server);
        let failed = state.failed.entry(server.to_owned()).or_default();
        *failed = if for_good { MOST_FAILED } else { *failed + 1 };
        drop(state);
        if is_first {
            self.watch.warn(text);
        }
    }

    /// Gets `url` into `part`, and as `to` once it is whole and the right one.
    fn get_checked(
        &self,
        url: &str,
        to: &Path,
        part: &Path,
        check: &dyn Fn(&Path) -> bool,
    ) -> io::Result<Attempt> {
        let mut file = open_part(part)?;
        // Another run may have put it there while we looked, or is about to.
        if to.exists() {
            remove_empty(part);
            return Ok(Attempt::Whole);
        }
        if !part.exists() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let got = self.get(url, &mut file)?;
        if !matches!(got, Attempt::Whole) {
            return Ok(got);
        }
        // The open file is locked, which on Windows keeps all others from reading it: it is checked
        // under a name that no other process looks for.
        let whole = whole_of(to);
        std::fs::rename(part, &whole)?;
        drop(file);
        let is_right = check(&whole);
        if is_right && std::fs::rename(&whole, to).is_ok() {
            return Ok(Attempt::Whole);
        }
        // Whatever it is, it is not needed again.
        remove_traces(&whole);
        // Another run may have been first, and its file be open.
        let is_there = is_right && to.is_file();
        Ok(if is_there {
            Attempt::Whole
        } else {
            Attempt::Wrong
        })
    }
}

impl Fetch for Downloader {
    fn fetch(
        &self,
        url: &str,
        to: &Path,
        check: &dyn Fn(&Path) -> bool,
    ) -> Result<(), FetchFailure> {
        let server = server_of(url);
        {
            let state = self.state();
            if state.not_there.contains(url) {
                return Err(FetchFailure::NotThere);
            }
            let failed = state.failed.get(server);
            if failed.is_some_and(|&failed| failed >= MOST_FAILED) {
                return Err(FetchFailure::Failed);
            }
        }
        if !self.may_go_on(0) {
            return Err(FetchFailure::Failed);
        }
        let part = part_of(to);
        let got = self.get_checked(url, to, &part, check);
        let cause = match got {
            Ok(Attempt::Whole) => {
                self.state().failed.remove(server);
                return Ok(());
            }
            Ok(Attempt::NotThere) => {
                let mut state = self.state();
                state.not_there.insert(url.to_owned());
                state.failed.remove(server);
                remove_traces(&part);
                return Err(FetchFailure::NotThere);
            }
            Ok(Attempt::Refused) => {
                remove_traces(&part);
                return Err(FetchFailure::Failed);
            }
            Ok(Attempt::Stopped | Attempt::Wrong) => return Err(FetchFailure::Failed),
            Ok(Attempt::Broken) => "the connection breaks again and again".to_owned(),
            Ok(Attempt::Busy(cause)) => cause,
            Ok(Attempt::Failed(cause)) => {
                remove_empty(&part);
                self.failed(
                    server,
                    &format!("download from {server} failed: {cause}"),
                    true,
                );
                return Err(FetchFailure::Failed);
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                // Another run is at it.
                return Err(FetchFailure::Failed);
            }
            Err(error) => {
                let folder = to.parent().unwrap_or(to).display();
                let cause = plain(&error);
                self.failed(server, &format!("cannot write to {folder}: {cause}"), true);
                return Err(FetchFailure::Failed);
            }
        };
        remove_empty(&part);
        self.failed(
            server,
            &format!("download from {server} failed: {cause}"),
            false,
        );
        Err(FetchFailure::Failed)
    }
}

fn part_of(to: &Path) -> PathBuf {
    let mut name = to.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

/// A name for a finished file that no other run or thread takes.
fn whole_of(to: &Path) -> PathBuf {
    static GIVEN: AtomicU32 = AtomicU32::new(0);
    let mut name = to.as_os_str().to_owned();
    let number = GIVEN.fetch_add(1, Ordering::Relaxed);
    name.push(format!(".{}-{number}", std::process::id()));
    PathBuf::from(name)
}

/// Opens the unfinished file, unless another run is at it.
fn open_part(path: &Path) -> io::Result<File> {
    if let Some(dir) = path.parent() {
        std::fs::create_dir_all(dir)?;
    }
    let mut options = OpenOptions::new();
    let file = options
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    file.try_lock()?;
    Ok(file)
}

/// Removes an unfinished file that holds nothing.
fn remove_empty(part: &Path) {
    if part.metadata().is_ok_and(|meta| meta.len() == 0) {
        remove_traces(part);
    }
}

/// Removes an unfinished file, and the folders that were made for it if they are empty.
fn remove_traces(part: &Path) {
    let _removed = std::fs::remove_file(part);
    for dir in part.ancestors().skip(1).take(2) {
        // A folder that holds something else stays.
        if std::fs::remove_dir(dir).is_err() {
            break;
        }
    }
}

/// Scheme and host of an address.
fn server_of(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    let path = url.get(host..).and_then(|rest| rest.find('/'));
    path.and_then(|at| url.get(..host + at)).unwrap_or(url)
}

/// Whether a partial answer continues where we are.
fn starts_at(response: &Response<Body>, have: u64) -> bool {
    let range = response.headers().get(header::CONTENT_RANGE);
    let range = range.and_then(|range| range.to_str().ok());
    let start = range.and_then(|range| range.strip_prefix("bytes ")?.split('-').next());
    start.and_then(|start| start.parse().ok()) == Some(have)
}

#[cfg(test)]
mod tests;
