//! Control groups: containers and services are still recognized in a redacted extract.

use whyslow_model::unit::{named_in, short_id, title, titled};

use super::Pseudonyms;

/// Words that appear in the paths of containers and services, beside their own names.
const WORDS: [&str; 24] = [
    "besteffort",
    "burstable",
    "container",
    "containerd",
    "cri",
    "crio",
    "docker",
    "guaranteed",
    "init",
    "kubepods",
    "kubernetes",
    "libpod",
    "lxc",
    "machine",
    "monitor",
    "nerdctl",
    "ns",
    "payload",
    "podman",
    "scope",
    "service",
    "session",
    "slice",
    "system",
];

impl Pseudonyms {
    /// Returns the path or the name of a group with other names. The id of a container becomes another one, whose
    /// beginning is also the pseudonym of its beginning.
    pub(crate) fn group(&mut self, text: &str) -> String {
        // What people call a container that has a name: `container web (lxc)`.
        if let Some((name, Some(by))) = titled(text)
            && !is_of_container(text)
        {
            return title(&self.part(name), Some(by));
        }
        let parts = text.split('/').map(|part| match named_in(part) {
            _ if is_of_container(part) => self.container(part),
            Some((before, name)) => format!("{before}{}", self.part(name)),
            None => self.part(part),
        });
        parts.collect::<Vec<_>>().join("/")
    }

    fn container(&mut self, part: &str) -> String {
        let mut redacted = String::new();
        for word in part.split_inclusive(is_mark) {
            let plain = word.trim_end_matches(is_mark);
            let mark = word.get(plain.len()..).unwrap_or_default();
            match short_id(plain) {
                Some(beginning) => redacted.push_str(&self.id(beginning, plain.len())),
                None => redacted.push_str(plain),
            }
            redacted.push_str(mark);
        }
        redacted
    }

    /// Returns another id with so many digits for one that begins like this.
    fn id(&mut self, beginning: &str, digits: usize) -> String {
        let number = self.numbered(beginning);
        let mut other = format!("c0ffee{number:06x}");
        while other.len() < digits {
            other.push('0');
        }
        other.truncate(digits);
        other
    }
}

const fn is_mark(letter: char) -> bool {
    letter.is_ascii() && !letter.is_ascii_alphanumeric()
}

/// Returns whether a part of a path or a name is made of nothing but ids and known words.
fn is_of_container(part: &str) -> bool {
    let mut words = part.split(is_mark).filter(|word| !word.is_empty());
    let is_known = |word: &str| short_id(word).is_some() || WORDS.contains(&word);
    !part.is_empty() && words.clone().next().is_some() && words.all(is_known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_stay_containers_with_other_ids() {
        let mut names = Pseudonyms::default();
        let id = "3f2a".repeat(16);
        let path = names.group(&format!("/docker/{id}"));
        assert!(
            path.starts_with("/docker/c0ffee000000") && path.len() == 72,
            "{path}"
        );
        let name = names.group(&format!("container {} (docker)", &id[..12]));
        assert_eq!(name, "container c0ffee000000 (docker)");
        let other = names.group(&format!("/system.slice/docker-{}.scope", "a1".repeat(32)));
        assert!(
            other.starts_with("/system.slice/docker-c0ffee000001"),
            "{other}"
        );
        assert!(other.ends_with(".scope"), "{other}");
        assert_eq!(names.group(&format!("/docker/{id}")), path);
        let service = names.group("/system.slice/secret.service");
        assert!(!service.contains("secret"), "{service}");
        assert!(service.ends_with(".service"), "{service}");
        let other = names.group("/system.slice/мария.service");
        assert!(!other.contains("мария"), "{other}");
        assert_eq!(names.group("machine"), "machine");
        assert_eq!(names.group("/"), "/");
        let path = names.group("/lxc/ada");
        let name = path.strip_prefix("/lxc/").expect("the maker stays");
        assert!(!path.contains("ada"), "{path}");
        assert_eq!(
            names.group("container ada (lxc)"),
            format!("container {name} (lxc)")
        );
        assert_eq!(
            names.group("/lxc.payload.ada"),
            format!("/lxc.payload.{name}")
        );
    }
}
