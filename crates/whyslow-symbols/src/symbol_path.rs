//! The syntax of `_NT_SYMBOL_PATH`: where symbols may be.
//!
//! ```text
//! C:\mine;cache*C:\sym;srv*C:\sym*\\server\sym*https://msdl.microsoft.com/download/symbols
//! folder  folder       folder    folder       server, what it has is kept in the first of its folders
//! ```
//!
//! | element | means |
//! |---|---|
//! | `DIR` | a folder with symbols, or laid out as a symbol store |
//! | `srv*A*B*URL` | look in store A, then in B, then at URL; what is found is kept in A |
//! | `srv*` | the public server of Microsoft |
//! | `symsrv*symsrv.dll*A*URL` | the same as `srv*A*URL` |
//! | `cache*DIR` | a store in front of every later element |
//!
//! An empty `DIR` is the default cache. Source: "Symbol path for Windows debuggers" in the
//! documentation of the Debugging Tools for Windows. All local places are searched before any server
//! is asked, whatever their order, because asking costs more.

use std::path::{Path, PathBuf};

/// The server that `srv*` without an address means.
pub const PUBLIC_SERVER: &str = "https://msdl.microsoft.com/download/symbols";

/// Elements read of a path.
const MAX_ELEMENTS: usize = 1024;

/// Where symbols may be, in the order they are looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SymbolPath {
    /// Folders on this machine.
    pub folders: Vec<PathBuf>,
    /// Servers, to be asked only with the user's consent.
    pub servers: Vec<SymbolServer>,
}

/// A symbol server, and where its files are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolServer {
    /// Address without a trailing slash.
    pub url: String,
    /// Folder that gets what is downloaded, laid out as a symbol store.
    pub cache: PathBuf,
}

impl SymbolPath {
    /// Reads a path; `cache` is the folder for downloads where the path names none.
    pub fn parse(text: &str, cache: &Path) -> Self {
        let mut path = Self::default();
        let mut front: Option<PathBuf> = None;
        let elements = text.split(';').map(str::trim);
        for element in elements.take(MAX_ELEMENTS) {
            let (word, rest) = element.split_once('*').unwrap_or((element, ""));
            let is = |name: &str| element.contains('*') && word.eq_ignore_ascii_case(name);
            if is("cache") {
                let dir = folder(rest.split('*').next().unwrap_or(""), cache);
                path.add_folder(dir.clone());
                front = Some(dir).filter(|dir| *dir != Path::new("")).or(front);
            } else if is("srv") {
                path.add_chain(rest, front.as_deref(), cache);
            } else if is("symsrv") {
                let chain = rest.split_once('*').map_or("", |(_dll, chain)| chain);
                path.add_chain(chain, front.as_deref(), cache);
            } else if is_url(element) {
                path.add_chain(element, front.as_deref(), cache);
            } else if !element.is_empty() && !element.contains('*') {
                path.add_folder(PathBuf::from(element));
            }
        }
        path
    }

    /// Appends the places of `other`.
    pub fn extend(&mut self, other: Self) {
        for dir in other.folders {
            self.add_folder(dir);
        }
        for server in other.servers {
            self.keep_server(server);
        }
    }

    fn add_chain(&mut self, chain: &str, front: Option<&Path>, cache: &Path) {
        let mut keep = front.map(Path::to_owned);
        for part in chain.split('*').map(str::trim) {
            if is_url(part) {
                self.add_server(part, keep.clone().unwrap_or_else(|| cache.to_owned()));
            } else if part.is_empty() && chain.is_empty() {
                self.add_server(PUBLIC_SERVER, keep.clone().unwrap_or(cache.to_owned()));
            } else {
                let dir = folder(part, cache);
                self.add_folder(dir.clone());
                keep.get_or_insert(dir);
            }
        }
    }

    fn add_server(&mut self, url: &str, cache: PathBuf) {
        let url = url.trim_end_matches('/').to_owned();
        self.add_folder(cache.clone());
        self.keep_server(SymbolServer { url, cache });
    }

    /// Appends a server unless it is known; one without a cache does not hide the same server with
    /// one.
    fn keep_server(&mut self, server: SymbolServer) {
        let known = self
            .servers
            .iter_mut()
            .find(|known| known.url == server.url);
        match known {
            None => self.servers.push(server),
            Some(known) if known.cache == Path::new("") => known.cache = server.cache,
            Some(_) => {}
        }
    }

    fn add_folder(&mut self, dir: PathBuf) {
        if !self.folders.contains(&dir) {
            self.folders.push(dir);
        }
    }
}

fn folder(part: &str, cache: &Path) -> PathBuf {
    if part.is_empty() {
        cache.to_owned()
    } else {
        PathBuf::from(part)
    }
}

fn is_url(part: &str) -> bool {
    let starts = |scheme: &str| {
        part.get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    starts("http://") || starts("https://")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brief(text: &str) -> String {
        let path = SymbolPath::parse(text, Path::new("DEF"));
        let folders = path.folders.iter().map(|dir| dir.display().to_string());
        let servers = path.servers.iter();
        let servers = servers.map(|s| format!("{}>{}", s.url, s.cache.display()));
        folders.chain(servers).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_element_is_understood() {
        assert_eq!(brief("a;b; c "), "a b c");
        assert_eq!(brief("srv*a*http://x/"), "a http://x>a");
        assert_eq!(brief("SRV*a*b*HTTPS://x/y"), "a b HTTPS://x/y>a");
        assert_eq!(brief("srv*"), format!("DEF {PUBLIC_SERVER}>DEF"));
        assert_eq!(brief("srv*http://x"), "DEF http://x>DEF");
        assert_eq!(brief("srv**http://x"), "DEF http://x>DEF");
        assert_eq!(brief("symsrv*symsrv.dll*a*http://x"), "a http://x>a");
        assert_eq!(brief("cache*c;srv*http://x;b"), "c b http://x>c");
        assert_eq!(brief("cache*;srv*a*http://x"), "DEF a http://x>DEF");
        assert_eq!(brief("http://x"), "DEF http://x>DEF");
        assert_eq!(brief("srv*a"), "a");
    }

    #[test]
    fn servers_without_a_cache_hide_none() {
        let parse = |text: &str| SymbolPath::parse(text, Path::new(""));
        let caches = |path: SymbolPath| {
            let caches = path.servers.into_iter().map(|server| server.cache);
            caches.collect::<Vec<_>>()
        };
        let (without, with) = ("srv*http://x", "srv*a*http://x");
        for (first, second) in [(without, with), (with, without)] {
            let mut path = parse(first);
            path.extend(parse(second));
            assert_eq!(caches(path), [Path::new("a")], "{first}, then {second}");
            let both = format!("{first};{second}");
            assert_eq!(caches(parse(&both)), [Path::new("a")], "{both}");
        }
        assert_eq!(caches(parse(without)), [Path::new("")]);
        assert_eq!(caches(parse("cache*;srv*a*http://x")), [Path::new("a")]);
        assert_eq!(caches(parse("cache*c;cache*;http://x")), [Path::new("c")]);
    }

    #[test]
    fn what_makes_no_sense_is_left_out() {
        for text in ["", ";;", " ; ", "foo*bar", "*"] {
            assert_eq!(brief(text), "", "{text}");
        }
        assert_eq!(brief("a;a;srv*a*http://x;srv*b*http://x"), "a b http://x>a");
        assert_eq!(brief(&format!("{}b", "a;".repeat(2_000))), "a");
    }
}
