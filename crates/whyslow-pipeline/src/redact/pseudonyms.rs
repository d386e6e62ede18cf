//! Readable pseudonyms for personal names: the same for equal names, and with nothing else of the
//! old name.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::net::{IpAddr, SocketAddr};

/// Words that names are made from; when they are used up, names consist of several.
const NOUNS: [&str; 64] = [
    "acorn", "amber", "anchor", "apple", "arrow", "aspen", "badger", "basil", "beach", "birch",
    "bridge", "brook", "candle", "canyon", "castle", "cedar", "cherry", "cliff", "clover", "comet",
    "copper", "coral", "crane", "dune", "eagle", "ember", "falcon", "feather", "fern", "field",
    "flint", "forest", "garden", "garnet", "ginger", "glacier", "harbor", "hazel", "heron",
    "island", "ivory", "jasper", "juniper", "lagoon", "lantern", "lemon", "lily", "linden",
    "maple", "marble", "meadow", "mint", "olive", "orchid", "otter", "pebble", "pepper", "pine",
    "quartz", "raven", "river", "saffron", "willow", "winter",
];

/// Folders whose contents come with a system, or with the compiler of Rust, and say nothing about its user.
const PUBLIC_FOLDERS: [&str; 9] = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/proc", "/sys", "/rustc",
];
/// Folders below those that belong to the user.
const PRIVATE_FOLDERS: [&str; 3] = ["/usr/local", "/usr/src", "/sys/fs/cgroup"];
/// The same of Windows, without the drive or the device before them; in lower case.
const WINDOWS_FOLDERS: [&str; 3] = ["windows", "systemroot", "program files\\windowsapps"];
/// Beginnings of names of what comes with a runtime, which are no paths from the root.
const OF_RUNTIMES: [&str; 7] = [
    "java/", "javax/", "jdk/", "sun/", "com/sun/", "node:", "<frozen ",
];
/// Names of interpreters and their libraries, before their versions: what is said of a program depends on its language.
const INTERPRETERS: [&str; 17] = [
    "python",
    "node",
    "java",
    "ruby",
    "perl",
    "php",
    "dotnet",
    "lua",
    "libpython",
    "libjvm",
    "libnode",
    "libruby",
    "libperl",
    "libcoreclr",
    "libclrjit",
    "libjava",
    "libnio",
];
/// Folders of Python's own library, but for the packages that were installed into it.
const LIBRARIES: [&str; 2] = ["/lib/python3.", "/lib64/python3."];
const PACKAGES: [&str; 2] = ["/site-packages/", "/dist-packages/"];
/// Folders in which each user has one with his or her name.
const HOMES: [&str; 3] = ["home", "Users", "Documents and Settings"];
/// Names that every system has.
const PUBLIC_NAMES: [&str; 69] = [
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
    "C:",
    "D:",
    "Device",
    "Users",
    "Windows",
    "Program Files",
    "sys",
    "fs",
    "cgroup",
    "proc",
    "system.slice",
    "user.slice",
    "init.scope",
    "lost+found",
    "nix",
    "store",
    "snap",
    "site-packages",
    "dist-packages",
    "node_modules",
    "lib-dynload",
    ".pyenv",
    "whyslow",
];
/// What follows the path of a file that was removed.
const DELETED: &str = " (deleted)";
/// Maximum length of an extension that is kept.
const MOST_EXTENSION: usize = 8;
/// Longer numbers may be those of a telephone, a customer or a day of birth.
const MOST_DIGITS: usize = 6;
/// A name in which letters and digits change more often is an id.
const MOST_RUNS: usize = 6;
/// So many letters after the first one of a short option may be further options; more may be its value.
const MOST_OPTIONS: usize = 2;

/// The names assigned so far.
#[derive(Debug, Default)]
pub(crate) struct Pseudonyms {
    words: HashMap<String, String>,
    numbers: HashMap<String, usize>,
    addresses: HashMap<IpAddr, String>,
    /// Names of programs that come with a system.
    programs: HashSet<String>,
    /// Names of persons and machines: what follows a dot in them is no extension.
    people: HashSet<String>,
    /// Whole names with blanks in them, which a sentence may mention.
    spaced: BTreeMap<String, String>,
}

impl Pseudonyms {
    /// Keeps the name of a program if its path belongs to the system.
    pub(crate) fn know_program(&mut self, path: &str) {
        if is_public(path) || library(path).is_some() {
            let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
            self.programs.insert(name.to_owned());
        }
    }

    /// Keeps the name of a process if it is the beginning of the name of a program of the system: a script has its own.
    pub(crate) fn know_process(&mut self, name: &str, path: &str) {
        let file = path.rsplit('/').next().unwrap_or(path);
        if is_public(path) && file.starts_with(name) {
            self.keep(name);
        }
    }

    /// Keeps a name.
    pub(crate) fn keep(&mut self, name: &str) {
        self.programs.insert(name.to_owned());
    }

    /// Learns the name of a person or a machine.
    pub(crate) fn know_person(&mut self, name: &str) {
        self.people.insert(name.to_owned());
    }

    /// Learns the names of the persons whose folders a path leads through.
    pub(crate) fn know_homes(&mut self, path: &str) {
        let mut parts = path.split(['/', '\\']);
        while let Some(part) = parts.next() {
            if HOMES.contains(&part)
                && let Some(person) = parts.next().filter(|name| !name.is_empty())
            {
                self.know_person(person);
            }
        }
    }

    /// Returns a number for a word: the first gets 0.
    pub(crate) fn numbered(&mut self, word: &str) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(word.to_owned()).or_insert(next)
    }

    /// Returns the pseudonym for a word, without examining its parts: nouns without a digit.
    fn noun(&mut self, word: &str) -> String {
        let number = self.words.len();
        let name = self.words.entry(word.to_owned()).or_insert_with(|| {
            let mut name = NOUNS[number % NOUNS.len()].to_owned();
            let mut rest = number / NOUNS.len();
            while rest > 0 {
                rest -= 1;
                name = format!("{name}-{}", NOUNS[rest % NOUNS.len()]);
                rest /= NOUNS.len();
            }
            name
        });
        name.clone()
    }

    /// Returns the pseudonym for one part of a path, with its leading dots, its short numbers and its extension.
    pub(crate) fn part(&mut self, part: &str) -> String {
        if PUBLIC_NAMES.contains(&part) || is_interpreter(part) {
            return part.to_owned();
        }
        let plain = part.trim_start_matches('.');
        let dots = part.get(..part.len() - plain.len()).unwrap_or_default();
        let (stem, tail) = match self.people.contains(plain) || is_address(plain) {
            true => (plain, ""),
            false => plain.split_at(stem_of(plain)),
        };
        format!("{dots}{}{tail}", self.stem(stem))
    }

    /// Returns a name without an extension in other words.
    fn stem(&mut self, stem: &str) -> String {
        if self.people.contains(stem) || is_address(stem) || runs(stem) > MOST_RUNS {
            return self.noun(stem);
        }
        let mut redacted = String::new();
        let mut rest = stem;
        while let Some(letter) = rest.chars().next() {
            let is_number = letter.is_ascii_digit();
            let end = rest.find(|letter: char| letter.is_ascii_digit() != is_number);
            let (run, after) = rest.split_at(end.unwrap_or(rest.len()));
            redacted.push_str(&match is_number {
                true => self.number(run),
                false => self.words(run),
            });
            rest = after;
        }
        redacted
    }

    /// Returns a number, or a noun in place of a long one.
    fn number(&mut self, digits: &str) -> String {
        match digits.len() <= MOST_DIGITS {
            true => digits.to_owned(),
            false => self.noun(digits),
        }
    }

    /// Returns other words, between the same marks.
    fn words(&mut self, run: &str) -> String {
        let is_mark = |letter: char| letter.is_ascii_punctuation() || letter.is_whitespace();
        let core = run.trim_matches(is_mark);
        let Some(at) = run.find(core).filter(|_| !core.is_empty()) else {
            return run.to_owned();
        };
        let (before, rest) = run.split_at(at);
        let after = rest.get(core.len()..).unwrap_or_default();
        format!("{before}{}{after}", self.noun(core))
    }

    /// Returns a path with other names: with the same depth and extensions, and the same for equal
    /// paths.
    pub(crate) fn path(&mut self, path: &str) -> String {
        // Names in brackets are the system's own: [socket], [kernel].
        let is_kind = path.starts_with('[') && path.ends_with(']');
        if is_kind || is_public(path) {
            return path.to_owned();
        }
        if let Some(removed) = path.strip_suffix(DELETED) {
            return self.path(removed) + DELETED;
        }
        if let Some(at) = library(path) {
            let (place, own) = path.split_at(at);
            return self.path(place) + own;
        }
        let mut redacted = String::new();
        for piece in path.split_inclusive(['/', '\\']) {
            let part = piece.trim_end_matches(['/', '\\']);
            redacted.push_str(&self.part(part));
            redacted.push_str(piece.get(part.len()..).unwrap_or_default());
        }
        if path.contains(' ') {
            self.spaced.insert(path.to_owned(), redacted.clone());
        }
        redacted
    }

    /// Returns the path of a module, or the last part of it.
    pub(crate) fn module(&mut self, name: &str) -> String {
        match self.programs.contains(name) {
            true => name.to_owned(),
            false => self.path(name),
        }
    }

    /// Returns the name of a function; some contain the path of the file that it is in.
    pub(crate) fn function(&mut self, function: &str) -> String {
        let mut redacted = String::new();
        let mut rest = function;
        while let Some(at) = path_in(rest) {
            let (before, from) = rest.split_at(at);
            let end = from.find(' ').unwrap_or(from.len());
            let (path, after) = from.split_at(end);
            redacted.push_str(before);
            redacted.push_str(&self.path(path));
            rest = after;
        }
        redacted.push_str(rest);
        redacted
    }

    /// Returns the name of a process or thread with other words; its short numbers are kept.
    pub(crate) fn name(&mut self, name: &str) -> String {
        if self.programs.contains(name) {
            return name.to_owned();
        }
        match self.people.contains(name) {
            true => self.noun(name),
            false => self.part(name),
        }
    }

    /// Returns the name of a user or another person.
    pub(crate) fn person(&mut self, name: &str) -> String {
        match PUBLIC_NAMES.contains(&name) || self.programs.contains(name) {
            true => name.to_owned(),
            false => self.noun(name),
        }
    }

    /// Returns a command line with other names: options and numbers are kept, their values are not.
    pub(crate) fn command(&mut self, line: &str) -> String {
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
        let is_number = plain.parse::<f64>().is_ok() && plain.len() <= MOST_DIGITS;
        if plain.is_empty() || is_number || self.programs.contains(plain) {
            return plain.to_owned();
        }
        if plain.parse::<IpAddr>().is_ok() {
            return self.host(plain);
        }
        if plain.parse::<SocketAddr>().is_ok() {
            return self.socket(plain);
        }
        self.path(plain)
    }

    /// Returns an option; what is no plain word in a long one, and more than a few letters after a short one, is its
    /// value.
    fn option(&mut self, option: &str) -> String {
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
        let is_long = option.starts_with("--");
        let end = match is_long {
            true => option.find(|letter| !is_word(letter)),
            false => option.char_indices().nth(2).map(|(at, _)| at),
        };
        let (name, value) = option.split_at(end.unwrap_or(option.len()));
        let is_short = |letter: char| letter.is_ascii_alphabetic();
        let are_options = value.len() <= MOST_OPTIONS && value.chars().all(is_short);
        match value.is_empty() || !is_long && are_options {
            true => option.to_owned(),
            false => format!("{name}{}", self.argument(value)),
        }
    }

    /// Returns an address in place of another one, or of the name of a machine; addresses of the
    /// machine itself are kept.
    pub(crate) fn host(&mut self, host: &str) -> String {
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
                *label = self.stem(&std::mem::take(label));
            }
        }
        labels.join(".")
    }

    /// Returns an address with its port, such as `10.1.2.3:80` or `[::1]:80`; any text after it is
    /// kept.
    pub(crate) fn socket(&mut self, name: &str) -> String {
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
    pub(crate) fn sentence(&mut self, text: &str) -> String {
        let mut known: Vec<(&String, &String)> = self.spaced.iter().collect();
        known.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        let mut text = text.to_owned();
        for (name, redacted) in known {
            if text.contains(name.as_str()) {
                text = text.replace(name.as_str(), redacted);
            }
        }
        let words: Vec<String> = text.split(' ').map(|word| self.spoken(word)).collect();
        words.join(" ")
    }

    fn spoken(&mut self, word: &str) -> String {
        let plain = word.trim_end_matches([',', ':', ';', ')', '"', '\'']);
        let end = word.get(plain.len()..).unwrap_or_default();
        if let Some(name) = self.words.get(plain) {
            return format!("{name}{end}");
        }
        if plain.contains(['/', '\\']) && plain.len() > 1 {
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

/// Returns how many stretches of digits, and of others, a name has.
fn runs(name: &str) -> usize {
    let are_digits: Vec<bool> = name.bytes().map(|one| one.is_ascii_digit()).collect();
    are_digits.chunk_by(|one, next| one == next).count()
}

/// Returns where the extension of a name begins, with the numbers of a version or a line after it.
fn stem_of(name: &str) -> usize {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|one| one.is_ascii_digit());
    let mut stem = name;
    while let Some((before, number)) = stem.rsplit_once([':', '.'])
        && is_number(number)
        && number.len() <= MOST_DIGITS
        && before.contains('.')
    {
        stem = before;
    }
    match stem.rsplit_once('.') {
        Some((before, ending)) if is_extension(ending) && !before.is_empty() => before.len(),
        _ => name.len(),
    }
}

/// Returns whether a text is an address of a machine, alone or between other words.
fn is_address(text: &str) -> bool {
    let is_of_address = |letter: char| letter.is_ascii_hexdigit() || ".:".contains(letter);
    let mut words = text.split(|letter| !is_of_address(letter));
    words.any(|word| {
        let word = word.trim_matches(['.', ':']);
        word.parse::<IpAddr>().is_ok() || word.parse::<SocketAddr>().is_ok()
    })
}

/// Returns where the path of a file begins in the name of a function: operators and Go's packages have a `/`, too, but
/// after a letter.
fn path_in(function: &str) -> Option<usize> {
    let slashes = function.match_indices('/').map(|(at, _)| at);
    let mut paths = slashes.filter(|&at| {
        let before = function.get(..at).and_then(|text| text.chars().next_back());
        let after = function.get(at + 1..).and_then(|text| text.chars().next());
        let begins = before.is_none_or(|letter| " :*~^+(".contains(letter));
        begins && after.is_some_and(|letter| letter.is_alphanumeric() || "._-".contains(letter))
    });
    paths.next()
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
    let goes_up = path.split(['/', '\\']).any(|part| part == "..");
    let is_unix = PUBLIC_FOLDERS.iter().any(|folder| is_in(folder))
        && !PRIVATE_FOLDERS.iter().any(|folder| is_in(folder));
    let is_of_runtime = OF_RUNTIMES.iter().any(|begin| path.starts_with(begin));
    (is_unix || is_of_runtime || is_windows(path)) && !goes_up
}

/// Returns whether a name is that of an interpreter or its library, with nothing but a version after it.
fn is_interpreter(name: &str) -> bool {
    let is_version = |rest: &str| {
        let rest = rest.replace(".so", "").replace(".exe", "");
        rest.bytes().all(|one| one.is_ascii_digit() || one == b'.')
    };
    let mut rests = INTERPRETERS
        .iter()
        .filter_map(|known| name.strip_prefix(known));
    rests.any(is_version)
}

/// Returns where the part of a path begins that is within Python's own library, wherever that is installed.
fn library(path: &str) -> Option<usize> {
    let folders = LIBRARIES.iter();
    let (at, folder) = folders
        .filter_map(|&name| Some((path.find(name)?, name)))
        .min()?;
    let from = at + folder.len();
    let end = from + path.get(from..)?.find('/')?;
    let own = path.get(end..)?;
    let is_package = PACKAGES.iter().any(|folder| own.starts_with(folder));
    (!is_package && !own.split('/').any(|part| part == "..")).then_some(end)
}

/// Returns whether a path leads into a folder of Windows itself.
fn is_windows(path: &str) -> bool {
    let parts: Vec<&str> = path.split('\\').collect();
    let below = match parts.as_slice() {
        ["", "Device", _, below @ ..] | ["" | "C:" | "c:", below @ ..] => below.join("\\"),
        _ => return false,
    };
    let below = below.to_ascii_lowercase();
    let is_in = |folder: &&str| {
        let rest = below.strip_prefix(folder);
        rest.is_some_and(|rest| rest.starts_with('\\'))
    };
    WINDOWS_FOLDERS.iter().any(is_in) && !is_in(&"windows\\temp")
}

#[cfg(test)]
mod tests;
