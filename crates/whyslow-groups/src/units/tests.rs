use whyslow_model::UnitsOf;

use super::*;

const FIRST: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const SECOND: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdee";
const THIRD: &str = "ff23456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// Some processes, of a machine with version 1 and of one with version 2.
fn units() -> RunningUnits {
    let mut units = RunningUnits::default();
    units.add(1, "9:name=systemd:/init.scope\n1:cpu:/\n0::/\n");
    units.add(
        20,
        "9:name=systemd:/system.slice/nginx.service\n4:memory:/system.slice/nginx.service\n1:cpu:/\n",
    );
    units.add(21, "9:name=systemd:/system.slice/nginx.service\n");
    units.add(22, "0::/system.slice/ssh.service\n");
    units.add(
        30,
        &format!("4:memory:/docker/{FIRST}\n1:cpu:/docker/{FIRST}\n"),
    );
    units.add(31, &format!("0::/system.slice/docker-{SECOND}.scope\n"));
    units.add(
        32,
        &format!("0::/machine.slice/libpod-{THIRD}.scope/container\n"),
    );
    units.add(33, "0::/lxc.payload.web/system.slice/nginx-in.service\n");
    units
}

#[test]
fn services_are_found_with_and_without_their_ending() {
    let units = units();
    for name in ["nginx", "nginx.service"] {
        let unit = units.find(WantedUnit::Service(name)).unwrap();
        assert_eq!(unit.title(), "nginx.service");
        assert_eq!(units.processes_of(unit), [20, 21]);
    }
    let unknown = units.find(WantedUnit::Service("ngnix")).unwrap_err();
    let NotOne::Unknown(near) = unknown else {
        panic!("{unknown:?}");
    };
    assert_eq!(near, ["nginx-in.service", "nginx.service", "ssh.service"]);
    let advice = NotOne::Unknown(near).advice(WantedUnit::Service("ngnix"), UnitsOf::Now);
    assert_eq!(
        advice,
        "running now: nginx-in.service, nginx.service, ssh.service"
    );
    // A service is named in full.
    assert!(units.find(WantedUnit::Service("ss")).is_err());
}

#[test]
fn containers_are_found_by_what_their_ids_begin_with() {
    let units = units();
    let find = |id| units.find(WantedUnit::Container(id)).map(Unit::title);
    assert_eq!(find("ff23").unwrap(), "container ff23456789ab (podman)");
    assert_eq!(find("FF23").unwrap(), "container ff23456789ab (podman)");
    assert_eq!(find(FIRST).unwrap(), "container 0123456789ab (docker)");
    assert_eq!(find("web").unwrap(), "container web (lxc)");
    // Their shown parts are the same, so the whole ids are named.
    assert_eq!(
        find("0123"),
        Err(NotOne::Several(vec![SECOND.to_owned(), FIRST.to_owned()]))
    );
    let near = match find("fa") {
        Err(NotOne::Unknown(near)) => near,
        other => panic!("{other:?}"),
    };
    assert_eq!(near[0], "ff23456789ab (podman)");
    assert!(matches!(find(""), Err(NotOne::Unknown(near)) if near.len() == 4));
}

#[test]
fn nonsense_is_in_no_unit() {
    let mut units = RunningUnits::default();
    for text in [
        "",
        ":",
        "::",
        "1:cpu",
        "0::\u{0}/\n\n",
        "a:b:c:d",
        "0::/.service/x",
    ] {
        units.add(1, text);
    }
    let error = units.find(WantedUnit::Container("a")).unwrap_err();
    assert_eq!(error, NotOne::Unknown(Vec::new()));
}
