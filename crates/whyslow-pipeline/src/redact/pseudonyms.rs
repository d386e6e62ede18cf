//! Readable pseudonyms for personal names: the same for equal names, and with nothing else of the
//! old name.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::net::IpAddr;

/// Words that names are made from; when they are used up, names are numbered.
const NOUNS: [&str; 64] = [
    "acorn", "amber", "anchor", "apple", "arrow", "aspen", "badger", "basil", "beach", "birch",
    "bridge", "brook", "candle", "canyon", "castle", "cedar", "cherry", "cliff", "clover", "comet",
    "copper", "coral", "crane", "dune", "eagle", "ember", "falcon", "feather", "fern", "field",
    "flint", "forest", "garden", "garnet", "ginger", "glacier", "harbor", "hazel", "heron",
    "island", "ivory", "jasper", "juniper", "lagoon", "lantern", "lemon", "lily", "linden",
    "maple", "marble", "meadow", "mint", "olive", "orchid", "otter", "pebble", "pepper", "pine",
    "quartz", "raven", "river", "saffron", "willow", "winter",
];

/// Folders whose contents come with a system and say nothing about its user.
const PUBLIC_FOLDERS: [&str; 8] = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/proc", "/sys",
];
/// Folders below those that belong to the user.
const PRIVATE_FOLDERS: [&str; 2] = ["/usr/local", "/usr/src"];
/// Names that every system has.
const PUBLIC_NAMES: [&str; 46] = [
    "boot",
    "dev",
    "etc",
    "home",
    "media",
    "mnt",
    "opt",
    "root",
    "run",
    "srv",
    "tmp",
    "var",
    "usr",
    "local",
    "bin",
    "sbin",
    "lib",
    "lib64",
    "share",
    "include",
    "src",
    "cache",
    "log",
    "spool",
    "user",
    "null",
    "zero",
    "full",
    "random",
    "urandom",
    "tty",
    "pts",
    "shm",
    "console",
    "ptmx",
    "stdin",
    "stdout",
    "stderr",
    "passwd",
    "group",
    "hosts",
    "resolv.conf",
    "nsswitch.conf",
    "localtime",
    "ld.so.cache",
    "ld.so.preload",
];
/// Maximum length of an extension that is kept.
const MOST_EXTENSION: usize = 8;

/// The names assigned so far.
#[derive(Debug, Default)]
pub(super) struct Pseudonyms {
    words: HashMap<String, String>,
    addresses: HashMap<IpAddr, String>,
    /// Names of programs that come with a system.
    programs: HashSet<String>,
}

impl Pseudonyms {
    /// Keeps the name of a program if its path belongs to the system.
    pub(super) fn know_program(&mut self, path: &str) {
        if is_public(path) {
            let name = path.rsplit('/').next().unwrap_or(path);
            self.programs.insert(name.to_owned());
        }
    }

    /// Keeps a name.
    pub(super) fn keep(&mut self, name: &str) {
        self.programs.insert(name.to_owned());
    }

    /// Returns the pseudonym for a word, without examining its parts.
    fn noun(&mut self, word: &str) -> String {
        let number = self.words.len();
        let name = self.words.entry(word.to_owned()).or_insert_with(|| {
            let noun = NOUNS[number % NOUNS.len()];
            match number / NOUNS.len() {
                0 => noun.to_owned(),
                round => format!("{noun}{}", round + 1),
            }
        });
        name.clone()
    }

    /// Returns the pseudonym for one part of a path, with its leading dots and its extension.
    pub(super) fn part(&mut self, part: &str) -> String {
        let plain = part.trim_start_matches('.');
        let dots = part.get(..part.len() - plain.len()).unwrap_or_default();
        let is_number = plain.chars().all(|letter| letter.is_ascii_digit());
        if plain.is_empty() || is_number || PUBLIC_NAMES.contains(&part) {
            return part.to_owned();
        }
        let (stem, extension) = match plain.rfind('.') {
            Some(at) if is_extension(&plain[at + 1..]) => plain.split_at(at),
            _ => (plain, ""),
        };
        format!("{dots}{}{extension}", self.noun(stem))
    }

    /// Returns a path with other names: with the same depth and extensions, and the same for equal
    /// paths.
    pub(super) fn path(&mut self, path: &str) -> String {
        // Names in brackets are the system's own: [socket], [kernel].
        let is_kind = path.starts_with('[') && path.ends_with(']');
        if is_kind || is_public(path) {
            return path.to_owned();
        }
        let mut redacted = String::new();
        for (at, part) in path.split('/').enumerate() {
            if at > 0 {
                redacted.push('/');
            }
            let part = self.part(part);
            redacted.push_str(&part);
        }
        redacted
    }

    /// Returns the name of a process or thread with other words; its number is kept.
    pub(super) fn name(&mut self, name: &str) -> String {
        if self.programs.contains(name) {
            return name.to_owned();
        }
        let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let stem = stem.trim_end_matches(['-', '_', '#', ':', '/', ' ']);
        let rest = name.get(stem.len()..).unwrap_or_default().to_owned();
        match stem {
            "" => rest,
            stem => format!("{}{rest}", self.part(stem)),
        }
    }

    /// Returns a command line with other names: options and numbers are kept, their values are not.
    pub(super) fn command(&mut self, line: &str) -> String {
        let words: Vec<String> = line.split(' ').map(|word| self.argument(word)).collect();
        words.join(" ")
    }

    fn argument(&mut self, word: &str) -> String {
        let plain = word.trim_matches('\'');
        if plain.starts_with('-') {
            return match plain.split_once('=') {
                Some((option, value)) => format!("{option}={}", self.argument(value)),
                None => self.option(plain),
            };
        }
        let is_number = plain.parse::<f64>().is_ok();
        if plain.is_empty() || is_number || self.programs.contains(plain) {
            return plain.to_owned();
        }
        self.path(plain)
    }

    /// Returns an option; any text after a short one without a space is its value.
    fn option(&mut self, option: &str) -> String {
        let is_long = option.starts_with("--");
        let mut letters = option.chars();
        let (dash, letter) = (letters.next(), letters.next());
        let value = letters.as_str();
        let is_plain = value.chars().all(|letter| letter.is_ascii_alphanumeric());
        match (dash, letter) {
            (Some(dash), Some(letter)) if !is_long && !is_plain => {
                format!("{dash}{letter}{}", self.argument(value))
            }
            _ => option.to_owned(),
        }
    }

    /// Returns an address in place of another one, or of the name of a machine; addresses of the
    /// machine itself are kept.
    pub(super) fn host(&mut self, host: &str) -> String {
        if let Ok(address) = host.parse::<IpAddr>() {
            if address.is_loopback() || address.is_unspecified() || address.is_multicast() {
                return host.to_owned();
            }
            let number = self.addresses.len() + 1;
            let given = self.addresses.entry(address).or_insert_with(|| {
                let (high, low) = (number / 250, number % 250 + 1);
                match address {
                    // These ranges are reserved for documentation (RFC 5737 and 3849): nobody uses
                    // them.
                    IpAddr::V4(_) if high == 0 => format!("192.0.2.{low}"),
                    IpAddr::V4(_) => format!("198.51.{}.{low}", 100 + high % 100),
                    IpAddr::V6(_) => format!("2001:db8::{number:x}"),
                }
            });
            return given.clone();
        }
        if host == "localhost" {
            return host.to_owned();
        }
        let mut labels: Vec<String> = host.split('.').map(str::to_owned).collect();
        let last = labels.len() - 1;
        for (at, label) in labels.iter_mut().enumerate() {
            if at < last || last == 0 {
                *label = self.part(&std::mem::take(label));
            }
        }
        labels.join(".")
    }

    /// Returns an address with its port, such as `10.1.2.3:80` or `[::1]:80`; any text after it is
    /// kept.
    pub(super) fn socket(&mut self, name: &str) -> String {
        let (address, rest) = name.split_once(' ').unwrap_or((name, ""));
        let Some((host, port)) = address.rsplit_once(':') else {
            return name.to_owned();
        };
        let plain = host.trim_start_matches('[').trim_end_matches(']');
        let mut redacted = self.host(plain);
        if redacted.contains(':') {
            redacted = format!("[{redacted}]");
        }
        let _ = write!(redacted, ":{port}");
        if !rest.is_empty() {
            let _ = write!(redacted, " {rest}");
        }
        redacted
    }

    /// Returns a sentence with other paths in it, and with other names where those were replaced
    /// elsewhere.
    pub(super) fn sentence(&mut self, text: &str) -> String {
        let words: Vec<String> = text.split(' ').map(|word| self.spoken(word)).collect();
        words.join(" ")
    }

    fn spoken(&mut self, word: &str) -> String {
        let plain = word.trim_end_matches([',', ':', ';', ')', '"', '\'']);
        let end = word.get(plain.len()..).unwrap_or_default();
        if plain.contains('/') && plain.len() > 1 {
            return format!("{}{end}", self.path(plain));
        }
        let mut spoken = String::new();
        let is_inside = |letter: char| letter.is_alphanumeric() || "-_".contains(letter);
        let mut rest = word;
        while let Some(letter) = rest.chars().next() {
            let length = match is_inside(letter) {
                true => rest.find(|letter| !is_inside(letter)).unwrap_or(rest.len()),
                false => letter.len_utf8(),
            };
            let (part, after) = rest.split_at(length);
            spoken.push_str(self.words.get(part).map_or(part, String::as_str));
            rest = after;
        }
        spoken
    }
}

fn is_extension(text: &str) -> bool {
    let is_plain = text.chars().all(|letter| letter.is_ascii_alphanumeric());
    !text.is_empty() && text.len() <= MOST_EXTENSION && is_plain
}

/// Returns whether a path belongs to the system, without any `..` in it.
fn is_public(path: &str) -> bool {
    let is_in = |folder: &str| {
        let rest = path.strip_prefix(folder);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let goes_up = path.split('/').any(|part| part == "..");
    PUBLIC_FOLDERS.iter().any(|folder| is_in(folder))
        && !PRIVATE_FOLDERS.iter().any(|folder| is_in(folder))
        && !goes_up
}

#[cfg(test)]
mod tests {
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
        let all: HashSet<String> = (0..1000).map(|n| names.part(&format!("w{n}x"))).collect();
        assert_eq!(all.len(), 1000);
        assert_eq!(names.part("w7x"), "basil");
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
        let said = names.sentence("cannot read /home/ada/x: (ada) is no user");
        assert_eq!(said, "cannot read /home/apple/arrow: (apple) is no user");
    }
}
