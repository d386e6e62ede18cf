//! Clients with real servers, where they are installed.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use whyslow_testenv::{Feature, has};

use super::*;

fn share(protocol: Protocol) -> Share {
    Share {
        protocol,
        dialect: None,
        case_sensitive: false,
        rtt: Duration::ZERO,
    }
}

/// Starts a server; `None`, after saying so, if this machine cannot have one.
fn server(share: &Share) -> Option<Server> {
    let needed = match share.protocol {
        Protocol::Smb => Feature::Smb,
        Protocol::Nfs => Feature::Nfs,
    };
    if !has(needed) {
        return None;
    }
    assert_eq!(share.protocol.lacks(), None);
    Some(
        Server::start(share, None, "whyslow-lab-", &ON)
            .expect("what is installed starts and answers"),
    )
}

/// Nobody asks to stop.
static ON: AtomicBool = AtomicBool::new(false);

fn connect(server: &Server) -> Box<dyn Remote> {
    let _inside = server.enter().expect("entered");
    server.access().connect(&ON).expect("connected")
}

/// Does everything a client can do, in a new directory; returns the round trips of each.
fn everything(remote: &mut dyn Remote, directory: &str) -> Vec<(&'static str, u64)> {
    let mut trips = Vec::new();
    let mut before = remote.round_trips();
    let mut note = |what, remote: &mut dyn Remote| {
        trips.push((what, remote.round_trips() - before));
        before = remote.round_trips();
    };
    remote.enter(directory, true).expect("entered");
    note("enter", remote);
    remote.create("new").expect("created");
    note("create", remote);
    let there = remote.create("new").expect_err("it is there");
    assert_eq!(there.errno(), Errno::EXIST);
    note("create again", remote);
    let content: Vec<u8> = (0..200_000_u32).map(|at| at.to_le_bytes()[0]).collect();
    remote.write("full", &content).expect("written");
    note("write", remote);
    let mut text = Vec::new();
    remote.read_all("full", &mut text).expect("read");
    assert!(text == content, "what was written is read");
    note("read all", remote);
    text.clear();
    remote.read("full", 100_000, 4096, &mut text).expect("read");
    assert_eq!(text, content[100_000..104_096]);
    note("read", remote);
    assert_eq!(remote.stat("full").expect("status"), 200_000);
    note("stat", remote);
    remote.open("new").expect("opened");
    note("open", remote);
    remote.rename("new", "renamed").expect("renamed");
    note("rename", remote);
    assert_eq!(remote.open("new").expect_err("gone").errno(), Errno::NOENT);
    note("open nothing", remote);
    assert_eq!(remote.list().expect("listed"), 2);
    note("list", remote);
    remote.remove("renamed").expect("removed");
    note("remove", remote);
    assert_eq!(remote.list().expect("listed"), 1);
    trips
}

#[test]
fn every_dialect_does_everything_in_the_same_round_trips() {
    let Some(server) = server(&share(Protocol::Smb)) else {
        return;
    };
    let _inside = server.enter().expect("entered");
    for dialect in Dialect::ALL {
        let mut access = server.access().clone();
        access.offer = vec![dialect];
        let mut remote = access.connect(&ON).expect("connected");
        assert_eq!(remote.protocol(), format!("SMB {}", dialect.name()));
        assert_eq!(remote.round_trips(), 4);
        let expected = [
            ("enter", 2),
            ("create", 2),
            ("create again", 1),
            ("write", 6),
            ("read all", 6),
            ("read", 3),
            ("stat", 2),
            ("open", 2),
            ("rename", 3),
            ("open nothing", 1),
            ("list", 4),
            ("remove", 2),
        ];
        assert_eq!(
            everything(&mut *remote, dialect.name()),
            expected,
            "{dialect:?}"
        );
    }
}

#[test]
fn an_export_does_everything() {
    let Some(server) = server(&share(Protocol::Nfs)) else {
        return;
    };
    let mut remote = connect(&server);
    assert_eq!(
        (remote.protocol(), remote.round_trips()),
        ("NFS 3".to_owned(), 1)
    );
    let expected = [
        ("enter", 1),
        ("create", 1),
        ("create again", 1),
        ("write", 6),
        ("read all", 6),
        ("read", 3),
        ("stat", 1),
        ("open", 2),
        ("rename", 1),
        ("open nothing", 1),
        ("list", 1),
        ("remove", 1),
    ];
    assert_eq!(everything(&mut *remote, "somewhere"), expected);
}

#[test]
fn dialects_the_server_does_not_have_are_refused() {
    let pinned = Share {
        dialect: Some(Dialect::V210),
        ..share(Protocol::Smb)
    };
    let Some(server) = server(&pinned) else {
        return;
    };
    let connect = |offer: Vec<Dialect>| {
        let _inside = server.enter().expect("entered");
        let access = Access {
            offer,
            ..server.access().clone()
        };
        access.connect(&ON).map(|remote| remote.protocol())
    };
    assert_eq!(
        connect(Dialect::V311.and_older()).expect("agreed"),
        "SMB 2.10"
    );
    let fault = connect(vec![Dialect::V300]).expect_err("refused");
    assert_eq!(
        (fault.is_refusal(), fault.errno()),
        (true, Errno::OPNOTSUPP)
    );
}

/// Returns the processes that are in the network `network`.
fn in_network(network: &PathBuf) -> usize {
    let all = fs::read_dir("/proc").expect("processes").flatten();
    let networks = all.filter_map(|one| fs::read_link(one.path().join("ns/net")).ok());
    networks.filter(|one| one == network).count()
}

#[test]
fn nothing_of_a_server_stays() {
    for protocol in [Protocol::Smb, Protocol::Nfs] {
        let far = Share {
            rtt: Duration::from_millis(3),
            ..share(protocol)
        };
        let Some(server) = server(&far) else {
            continue;
        };
        let home = fs::read_link("/proc/thread-self/ns/net").expect("a network");
        let theirs = {
            let _inside = server.enter().expect("entered");
            fs::read_link("/proc/thread-self/ns/net").expect("a network")
        };
        assert_ne!(home, theirs);
        assert_eq!(
            fs::read_link("/proc/thread-self/ns/net").expect("a network"),
            home
        );
        assert!(in_network(&theirs) >= 2);
        let begin = Instant::now();
        let mut remote = connect(&server);
        remote.enter("far", true).expect("entered");
        let least = u32::try_from(remote.round_trips()).expect("few") + server.access().greetings;
        assert!(
            begin.elapsed() >= far.rtt * least,
            "every round trip is that much longer"
        );
        drop(server);
        let fault = remote.create("x").expect_err("it is gone");
        assert!(!fault.is_refusal(), "{fault}");
        assert!(
            matches!(fault.errno(), Errno::CONNRESET | Errno::PIPE),
            "{fault}"
        );
        drop(remote);
        assert_eq!(in_network(&theirs), 0);
    }
}

#[test]
fn what_real_servers_said_once_is_understood() {
    let corpus = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus"));
    let said = |name: &str| fs::read(corpus.join(name)).expect("a seed");
    // Two reads of 300 and 100 bytes, two entries.
    for name in ["smb/2.02", "smb/3.00", "smb/3.11"] {
        assert_eq!(script::smb(&said(name)), 402, "{name}");
    }
    let all = said("nfs/all");
    let (length, rest) = all.split_first_chunk().expect("a length");
    let (mount, answers) = rest.split_at(u16::from_le_bytes(*length).into());
    assert_eq!(script::nfs(mount, answers), 402);
}

#[test]
fn who_asks_to_stop_before_a_server_is_there_gets_that() {
    for protocol in [Protocol::Smb, Protocol::Nfs] {
        if server(&share(protocol)).is_none() {
            continue;
        }
        let stopped = Server::start(
            &share(protocol),
            None,
            "whyslow-lab-",
            &AtomicBool::new(true),
        )
        .map(|_| ());
        assert!(matches!(stopped, Err(Error::Interrupted)), "{stopped:?}");
    }
}

#[test]
fn a_server_that_is_not_there_is_unreachable() {
    let access = Access {
        protocol: Protocol::Smb,
        port: 1,
        mount: 0,
        offer: vec![Dialect::V311],
        greetings: 1,
        patience: Duration::from_secs(20),
    };
    let fault = access.connect(&ON).map(|_| ()).expect_err("nobody");
    assert!(matches!(fault, Fault::Unreachable(_)), "{fault}");
    assert_eq!(fault.errno(), Errno::CONNREFUSED);
}
