//! `now` and `why` about a container or a service: groups that the test makes, with processes of its own, and those
//! that an extract shows.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use whyslow_testenv::{Feature, has};

use crate::fixture;
use crate::harness::Place;

/// A control group that is gone when the test ends.
struct Group {
    path: PathBuf,
    busy: Vec<Child>,
}

impl Group {
    /// Makes a group, with a busy process in it, in the hierarchy that limits memory.
    fn new(path: &str) -> Option<Self> {
        let path = hierarchy()?.join(path);
        fs::create_dir_all(&path).expect("a group");
        let shell = Command::new("sh")
            .args(["-c", "while :; do :; done"])
            .spawn()
            .expect("a shell");
        let pid = shell.id().to_string();
        let group = Self {
            busy: vec![shell],
            path,
        };
        fs::write(group.path.join("cgroup.procs"), pid).expect("a member");
        Some(group)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for child in &mut self.busy {
            let _ended = child.kill().and_then(|()| child.wait());
        }
        let _gone = fs::remove_dir(&self.path);
    }
}

/// Where groups that limit memory are: a hierarchy of version 1, or version 2.
fn hierarchy() -> Option<PathBuf> {
    let first = Path::new("/sys/fs/cgroup/memory");
    let second = Path::new("/sys/fs/cgroup");
    if first.join("cgroup.procs").exists() {
        return Some(first.to_owned());
    }
    let is_second = second.join("cgroup.controllers").exists();
    is_second.then(|| second.to_owned())
}

#[test]
fn a_container_or_service_that_runs_is_explained() {
    if !has(Feature::Recording) || !has(Feature::Root) {
        return;
    }
    let pid = std::process::id();
    let service = format!("whyslow-test-{pid}");
    let id = format!("{pid:08x}").repeat(8);
    let Some(_group) = Group::new(&format!("{service}.service")) else {
        return;
    };
    let _container = Group::new(&format!("docker-{id}.scope"));
    let place = Place::new();
    let said = place.run(&["now", "--for", "500ms", "--service", &service]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let title = format!("{service}.service, for ");
    assert!(said.out.starts_with(&title), "{said:?}");
    assert!(said.out.contains("Its process used "), "{said:?}");
    let args = ["now", "--for", "500ms", "-f", "json", "--container"];
    let said = place.run(&[&args[..], &[&id[..9]]].concat());
    assert_eq!(said.code, Some(0), "{said:?}");
    let unit = format!(
        r#""unit":{{"name":"container {} (docker)","processes":1"#,
        &id[..12]
    );
    assert!(said.out.contains(&unit), "{said:?}");
    assert!(said.out.contains(r#""busy":[{"name":"sh","#), "{said:?}");
    // The extract answers the same again.
    let names = place.names();
    let extract = names.last().expect("an extract");
    let said = place.run(&["why", extract, "--container", &id[..9]]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let title = format!("Container {} (docker), for ", &id[..12]);
    assert!(said.out.starts_with(&title), "{said:?}");
    let unknown = place.run(&["now", "--service", &format!("{service}x")]);
    unknown.fails(
        3,
        &[
            &format!("whyslow: cannot explain service {service}x: no service with this name"),
            &format!("hint: running now: {service}.service"),
        ],
    );
}

#[test]
fn a_container_that_does_not_run_is_an_error_before_anything_is_recorded() {
    let place = Place::new();
    let said = place.run(&["now", "--container", "no such container"]);
    let message =
        "whyslow: cannot explain container no such container: no container with this id runs now";
    said.fails(3, &[message, "hint: "]);
    assert!(place.names().is_empty());
}

#[test]
fn why_explains_a_container_or_service_that_was_recorded() {
    let place = Place::new();
    fixture::write_with_units(&place.path("app.whyslow"));
    fixture::write(&place.path("other.whyslow"), 1);
    let of = |unit: &[&str]| place.run(&[&["why", "app.whyslow"], unit].concat());
    // What the worker starts is in the container, too.
    let said = of(&["--container", "abab"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let title = "Container abababababab (docker), for ";
    assert!(said.out.starts_with(title), "{said:?}");
    assert!(said.out.contains("Its 2 processes used "), "{said:?}");
    assert!(said.out.contains("worker"), "{said:?}");
    let said = of(&["--service", "web", "-f", "json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let unit = r#""unit":{"name":"web.service","processes":1"#;
    assert!(said.out.contains(unit), "{said:?}");
    assert!(said.out.contains(r#""busy":[{"name":"bash","#), "{said:?}");
    let said = of(&["--service", "web", "--from", "0s", "--to", "50ms"]);
    assert!(said.out.starts_with("web.service, for 50.0 ms"), "{said:?}");
    of(&["--service", "webs"]).fails(
        1,
        &[
            "whyslow: cannot explain service webs in app.whyslow: no service with this name is in the recording",
            "hint: it shows web.service",
        ],
    );
    // Of several, each is explained, and one without it keeps no other from that.
    let said = place.run(&["why", "app.whyslow", "other.whyslow", "--service", "web"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.starts_with("web.service, for "), "{said:?}");
    assert!(
        said.err
            .contains("hint: it shows no service; --process takes the name or pid of any process"),
        "{said:?}"
    );
    let both = of(&["--service", "web", "--process", "bash"]);
    assert_eq!(both.code, Some(2), "{both:?}");
}
