//! Containers and services, as the paths of control groups show them.
//!
//! A path such as `/system.slice/docker-<id>.scope` has a part for every group around a process. A process is in
//! every unit that such a part names: a service within a container is in both.

mod wanted;

pub use wanted::{NotOne, UnitsOf, WantedUnit};

/// Digits of an id that are shown, as Docker and Podman do.
const SHOWN: usize = 12;

/// Digits of a container's whole id.
const WHOLE: usize = 64;

/// What precedes the name of a container in the name of its group, if LXC made it.
const OF_LXC: &str = "lxc.payload.";

/// What makes containers, by a word in their paths.
const MAKERS: [(&str, &str); 7] = [
    ("docker", "docker"),
    ("libpod", "podman"),
    ("crio", "kubernetes"),
    ("kubepods", "kubernetes"),
    ("nerdctl", "containerd"),
    ("cri-containerd", "containerd"),
    ("lxc", "lxc"),
];

/// A container or a service.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// A container.
    Container {
        /// Its id, or its name where it has no other id.
        id: String,
        /// What made it, if the path says so.
        by: Option<&'static str>,
    },
    /// A service.
    Service {
        /// Its name, with `.service`.
        name: String,
    },
}

impl Unit {
    /// Returns the units that a group with this path is in, outermost first.
    pub fn all_of(path: &str) -> Vec<Self> {
        let mut found = Vec::new();
        let mut above = "";
        for part in path.split('/').filter(|part| !part.is_empty()) {
            found.extend(of_part(path, above, part));
            above = part;
        }
        found
    }

    /// Returns whether a group with this path is in the unit.
    pub fn holds(&self, path: &str) -> bool {
        Self::all_of(path).iter().any(|unit| unit.is(self))
    }

    /// Returns whether both are the same container or service, whatever is known of what made it.
    pub fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Container { id: a, .. }, Self::Container { id: b, .. })
            | (Self::Service { name: a }, Self::Service { name: b }) => a == b,
            _ => false,
        }
    }

    /// Returns what people call it: `container 0123456789ab (docker)`, `nginx.service`.
    pub fn title(&self) -> String {
        match self {
            Self::Container { id, by } => title(short_id(id).unwrap_or(id), *by),
            Self::Service { name } => name.clone(),
        }
    }

    /// Returns its id or name alone, in full.
    pub fn name(&self) -> &str {
        match self {
            Self::Container { id, .. } => id,
            Self::Service { name } => name,
        }
    }
}

/// Returns the unit that a part of a path names; `above` is the part before it.
fn of_part(path: &str, above: &str, part: &str) -> Option<Unit> {
    // systemd puts it before names that the kernel could mistake for a file's.
    let part = part.strip_prefix('_').unwrap_or(part);
    if part.ends_with(".service") {
        let name = part.to_owned();
        return Some(Unit::Service { name });
    }
    let scope = part.strip_suffix(".scope").unwrap_or(part);
    let (before, id) = scope.rsplit_once('-').unwrap_or(("", scope));
    // The process that watches a container is outside of it.
    let watches = before.ends_with("conmon") || part.starts_with("lxc.monitor");
    if watches {
        return None;
    }
    if is_id(id) {
        let mut makers = MAKERS.iter();
        let by = makers.find(|(word, _)| path.contains(word));
        return Some(Unit::Container {
            id: id.to_owned(),
            by: by.map(|&(_, by)| by),
        });
    }
    let name = match above {
        "lxc" | "lxc.payload" => Some(part),
        _ => part.strip_prefix(OF_LXC),
    };
    name.map(|name| Unit::Container {
        id: name.to_owned(),
        by: Some("lxc"),
    })
}

fn is_id(text: &str) -> bool {
    text.len() == WHOLE && is_hexadecimal(text)
}

fn is_hexadecimal(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns the beginning of a container's id, as people write it; `None` if this is neither an id nor such a beginning.
pub fn short_id(text: &str) -> Option<&str> {
    let is_one = matches!(text.len(), WHOLE | SHOWN) && is_hexadecimal(text);
    text.get(..SHOWN).filter(|_| is_one)
}

/// Returns what people call a container.
pub fn title(name: &str, by: Option<&str>) -> String {
    match by {
        Some(by) => format!("container {name} ({by})"),
        None => format!("container {name}"),
    }
}

/// Returns the name in what people call a container, and what made it.
pub fn titled(title: &str) -> Option<(&str, Option<&str>)> {
    let rest = title.strip_prefix("container ")?;
    let by = rest
        .strip_suffix(')')
        .and_then(|rest| rest.rsplit_once(" ("));
    Some(by.map_or((rest, None), |(name, by)| (name, Some(by))))
}

/// Returns the name of a container in the name of its group, and what precedes it.
pub fn named_in(part: &str) -> Option<(&'static str, &str)> {
    Some((OF_LXC, part.strip_prefix(OF_LXC)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(path: &str) -> Vec<String> {
        Unit::all_of(path).iter().map(Unit::title).collect()
    }

    #[test]
    fn paths_of_both_versions_name_containers_and_services() {
        let id = "0123456789abcdef".repeat(4);
        let check = |path: &str, expected: &[&str]| assert_eq!(titles(path), expected, "{path}");
        let docker = "container 0123456789ab (docker)";
        check("/", &[]);
        check("/user.slice/user-1000.slice/session-3.scope", &[]);
        check("/system.slice/nginx.service", &["nginx.service"]);
        check("/system.slice/_cpu.service", &["cpu.service"]);
        check(
            "/user.slice/user-7.slice/user@7.service/app.slice/a.service",
            &["user@7.service", "a.service"],
        );
        check(&format!("/docker/{id}"), &[docker]);
        check(&format!("/system.slice/docker-{id}.scope"), &[docker]);
        check(
            &format!("/docker/{id}/system.slice/a.service"),
            &[docker, "a.service"],
        );
        let podman = "container 0123456789ab (podman)";
        check(
            &format!("/machine.slice/libpod-{id}.scope/container"),
            &[podman],
        );
        check(&format!("/machine.slice/libpod-conmon-{id}.scope"), &[]);
        check(
            &format!("/kubepods.slice/kubepods-pod7.slice/cri-containerd-{id}.scope"),
            &["container 0123456789ab (kubernetes)"],
        );
        check(
            &format!("/system.slice/nerdctl-{id}.scope"),
            &["container 0123456789ab (containerd)"],
        );
        check(&format!("/default/{id}"), &["container 0123456789ab"]);
        check("/lxc.payload.web/a", &["container web (lxc)"]);
        check("/lxc/web/ns", &["container web (lxc)"]);
        check("/lxc.monitor.web", &[]);
        // Cut in the middle of a letter, so it is not an id.
        check("/docker/ä", &[]);
    }

    #[test]
    fn what_people_call_a_container_is_read_as_it_is_written() {
        let check = |name: &str, by: Option<&str>| {
            let title = title(name, by);
            assert_eq!(titled(&title), Some((name, by)), "{title}");
        };
        check("web", Some("lxc"));
        check("0123456789ab", None);
        check("a (b) c", Some("lxc"));
        assert_eq!(titled("nginx.service"), None);
        let id = "0123456789abcdef".repeat(4);
        assert_eq!(short_id(&id), Some("0123456789ab"));
        assert_eq!(short_id(&id[..12]), Some("0123456789ab"));
        assert_eq!(short_id(&id[..13]), None);
        assert_eq!(short_id("0123456789ax"), None);
    }

    #[test]
    fn a_unit_is_the_same_whatever_shows_it() {
        let id = "ab".repeat(32);
        let [unit] = &Unit::all_of(&format!("/docker/{id}"))[..] else {
            panic!("no unit");
        };
        assert!(unit.holds(&format!("/default/{id}/inner")));
        assert!(!unit.holds("/docker") && !unit.holds(&format!("/docker/{}", "cd".repeat(32))));
    }
}
