//! What threads waited for, as Whyslow's recorder reports it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use whyslow_model::SystemCall;
use whyslow_model::tables::WaitObjectRow;
use whyslow_perfdata::Record;
use whyslow_perfdata::whyslow_events::{FileFlags, WaitObject, WaitObjectKind as Kind};

use super::{Frontend, time};
use crate::error::Error;
use crate::event::{EventKind, WaitTarget};

const AF_UNIX: u16 = 1;
const AF_INET: u16 = 2;
const AF_INET6: u16 = 10;
const IPPROTO_TCP: u16 = 6;
const IPPROTO_UDP: u16 = 17;
const FILE_TYPE: u32 = 0o170_000;
/// What a call waits for that watches nothing.
const NOTHING: (&str, &str) = ("nothing", "no descriptor");

impl Frontend<'_> {
    pub(super) fn wait_object(
        &mut self,
        record: &Record<'_>,
        tid: Option<i32>,
        told: &WaitObject,
    ) -> Result<(), Error> {
        let tid = tid.and_then(|tid| u32::try_from(tid).ok());
        let (Some(tid), Some(_)) = (tid, time(record)) else {
            return self.bad_payload(record);
        };
        let row = row(told).map(|row| without_itself(row, record.pid));
        let object = row.and_then(|row| self.importer.wait_object(row));
        let target = WaitTarget {
            tid,
            from_ns: i64::try_from(told.since_ns).unwrap_or(i64::MAX),
            is_open: told.flags & WaitObject::OPEN != 0,
            object,
            timeout_ns: told.asked_ns.and_then(|ns| i64::try_from(ns).ok()),
        };
        self.event(record, EventKind::WaitTarget(target))
    }
}

/// Removes the other end if it is the waiting process itself: a process that listens, that made
/// both ends of a pair of sockets, or that holds another lock on the same file does not keep itself
/// waiting.
fn without_itself(mut row: WaitObjectRow, pid: Option<i32>) -> WaitObjectRow {
    row.peer_pid = row.peer_pid.filter(|&peer| Some(peer) != pid);
    row
}

/// Returns the row of an object; `None` if the object is not known.
fn row(told: &WaitObject) -> Option<WaitObjectRow> {
    // A thread that waits for a single thing waits for that thing, whatever the call.
    if let (true, 1, [one]) = (told.kind.watches(), told.number, told.watched.as_slice()) {
        return row(one);
    }
    if let (Kind::Poll, Some(only)) = (told.kind, only_other(told)) {
        return Some(only);
    }
    let number = |kind: &'static str| (kind, told.number.to_string());
    let (kind, name) = match told.kind {
        Kind::Unknown | Kind::Time => return None,
        Kind::File => file(told)?,
        Kind::Socket => socket(told),
        Kind::Futex => ("futex", format!("{:#x}", told.number)),
        Kind::Child if told.number == 0 => ("child", "any child".to_owned()),
        Kind::Child => number("child"),
        Kind::Signal if told.number == 0 => ("signal", "a signal".to_owned()),
        Kind::Signal => number("signal"),
        Kind::Semaphore => number("semaphore"),
        Kind::Queue => number("queue"),
        Kind::Name => ("name", lossy(&told.text)),
        Kind::Epoll => watched("epoll", told)?,
        Kind::Poll => watched("poll", told)?,
        Kind::Nothing => (NOTHING.0, NOTHING.1.to_owned()),
        Kind::Tracer => ("tracer", "its tracer".to_owned()),
    };
    let is_file = told.kind == Kind::File;
    let peer = match told.kind {
        Kind::Child => i32::try_from(told.number).ok(),
        Kind::Futex => None,
        _ => i32::try_from(told.peer_pid).ok(),
    };
    Some(WaitObjectRow {
        id: 0,
        kind: kind.to_owned(),
        name,
        local: (told.kind == Kind::Socket)
            .then(|| address(told.family, &told.local, told.local_port))
            .flatten(),
        peer_pid: peer.filter(|&pid| pid > 0),
        owner_tid: (told.kind == Kind::Futex)
            .then(|| i32::try_from(told.peer_pid).ok())
            .flatten()
            .filter(|&tid| tid > 0),
        file_system: is_file.then(|| lossy(&told.file_system)),
        inode: is_file.then(|| i64::try_from(told.number).ok()).flatten(),
        device: is_file.then(|| i32::try_from(told.device).ok()).flatten(),
        others: others(told),
    })
}

/// How many more things than those that are named.
fn others(told: &WaitObject) -> Option<i32> {
    let count = match told.kind {
        Kind::Epoll | Kind::Poll => told
            .number
            .checked_sub(u64::try_from(names_of_watched(told).len()).ok()?)?,
        _ => told.others.into(),
    };
    i32::try_from(count).ok().filter(|&count| count > 0)
}

/// Returns the one thing that a call with several descriptors waits for beside what its program wakes itself with: all
/// of them are known, and alike.
fn only_other(told: &WaitObject) -> Option<WaitObjectRow> {
    if u64::try_from(told.watched.len()).ok()? != told.number {
        return None;
    }
    let rows: Option<Vec<_>> = told.watched.iter().map(row).collect();
    let mut others = rows?.into_iter().filter(|row| !is_own_signal(row));
    let first = others.next()?;
    let is_alike =
        |row: WaitObjectRow| (row.kind, row.name) == (first.kind.clone(), first.name.clone());
    others.all(is_alike).then(|| WaitObjectRow {
        others: i32::try_from(told.number - 1).ok(),
        ..first
    })
}

/// Returns whether a program has such an object to wake itself.
fn is_own_signal(row: &WaitObjectRow) -> bool {
    row.name == "[eventfd]" || row.kind == "unix" && row.name == NAMELESS
}

/// What a Unix socket without a name is called.
const NAMELESS: &str = "a Unix socket";

/// Returns the names of what an epoll or a call watches.
fn watched(kind: &'static str, told: &WaitObject) -> Option<(&'static str, String)> {
    if told.number == 0 {
        return Some((NOTHING.0, NOTHING.1.to_owned()));
    }
    let names = names_of_watched(told);
    (!names.is_empty()).then(|| (kind, names.join(", ")))
}

/// Returns the names of what is watched, what the kernel made for the program itself last. Not those of
/// connections that a listening socket beside them took: there are many of one kind.
fn names_of_watched(told: &WaitObject) -> Vec<String> {
    let is_listening = |one: &WaitObject| one.flags & WaitObject::LISTENING != 0;
    let listening = told.watched.iter().filter(|one| is_listening(one));
    let ports: Vec<u16> = listening.map(|one| one.local_port).collect();
    let is_taken = |one: &WaitObject| {
        let is_of_port = one.local_port != 0 && ports.contains(&one.local_port);
        one.kind == Kind::Socket && is_of_port && !is_listening(one)
    };
    let rows = told.watched.iter().filter(|one| !is_taken(one));
    let mut rows: Vec<_> = rows.filter_map(row).collect();
    rows.sort_by_key(|row| row.kind == "event");
    rows.into_iter().map(|row| row.name).collect()
}

/// Returns what kind of file it is, and its path.
fn file(told: &WaitObject) -> Option<(&'static str, String)> {
    let path = lossy(&told.text);
    let has = |flag: u32| told.flags & flag != 0;
    let kind = match told.mode & FILE_TYPE {
        0o010_000 => return Some(pipe(told, path)),
        0o020_000 if is_terminal(&path) => "terminal",
        0o020_000 | 0o060_000 => "device",
        0o040_000 => "folder",
        0o100_000 => "file",
        // The kernel's own objects have no type.
        _ => "event",
    };
    if path.is_empty() {
        return None;
    }
    let deleted = if has(FileFlags::DELETED) {
        " (deleted)"
    } else {
        ""
    };
    Some((kind, format!("{path}{deleted}")))
}

/// A pipe in a folder has a path.
fn pipe(told: &WaitObject, path: String) -> (&'static str, String) {
    let name = match path.starts_with('/') {
        true => path,
        false => format!("pipe:[{}]", told.number),
    };
    ("pipe", name)
}

fn is_terminal(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or_default();
    path.starts_with("/dev/pts/") || file.starts_with("tty") || file == "console" || file == "ptmx"
}

fn socket(told: &WaitObject) -> (&'static str, String) {
    let call = SystemCall(told.system_call.cast_signed());
    let is_listening =
        told.flags & WaitObject::LISTENING != 0 || SystemCall::ACCEPTS.contains(&call);
    let kind = match (told.family, told.protocol) {
        (AF_UNIX, _) => return ("unix", unix_name(&told.text)),
        (AF_INET | AF_INET6, IPPROTO_TCP) => "tcp",
        (AF_INET | AF_INET6, IPPROTO_UDP) => "udp",
        _ => "socket",
    };
    let remote = address(told.family, &told.remote, told.remote_port);
    let local = address(told.family, &told.local, told.local_port);
    let name = match (remote, local) {
        (Some(remote), _) => remote,
        (None, Some(local)) if is_listening => format!("{local} (listening)"),
        (None, Some(local)) => format!("{local} (not connected)"),
        (None, None) => "not connected".to_owned(),
    };
    (kind, name)
}

/// Returns an address with its port; `None` without a port, which means no connection.
fn address(family: u16, bytes: &[u8; 16], port: u16) -> Option<String> {
    let [a, b, c, d, ..] = *bytes;
    let ip = match family {
        AF_INET => IpAddr::V4(Ipv4Addr::new(a, b, c, d)),
        AF_INET6 => IpAddr::V6(Ipv6Addr::from(*bytes)).to_canonical(),
        _ => return None,
    };
    (port != 0).then(|| SocketAddr::new(ip, port).to_string())
}

/// Returns the name of a Unix socket; a name that is not a path begins with a zero byte.
fn unix_name(name: &[u8]) -> String {
    match name.split_first() {
        None => NAMELESS.to_owned(),
        Some((0, rest)) => format!("@{}", String::from_utf8_lossy(rest)),
        Some(_) => lossy(name),
    }
}

fn lossy(bytes: &[u8]) -> String {
    let bytes = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(kind: Kind) -> WaitObject {
        WaitObject {
            since_ns: 0,
            asked_ns: None,
            number: 77,
            kind,
            system_call: 0,
            device: 5,
            mode: 0o100_644,
            others: 0,
            peer_pid: 0,
            family: 0,
            protocol: 0,
            local_port: 0,
            remote_port: 0,
            local: [0; 16],
            remote: [0; 16],
            file_system: b"ext4".to_vec(),
            flags: 0,
            text: Vec::new(),
            watched: Vec::new(),
        }
    }

    #[track_caller]
    fn check(told: &WaitObject, kind: &str, name: &str) {
        let row = row(told).unwrap();
        assert_eq!((row.kind.as_str(), row.name.as_str()), (kind, name));
    }

    #[test]
    fn files_are_named_by_their_path_or_not_at_all() {
        let mut file = told(Kind::File);
        assert_eq!(row(&file), None);
        file.text = b"/target/.cargo-lock".to_vec();
        check(&file, "file", "/target/.cargo-lock");
        file.flags = FileFlags::DELETED;
        check(&file, "file", "/target/.cargo-lock (deleted)");
        file.flags = 0;
        file.mode = 0o020_620;
        file.text = b"/dev/pts/3".to_vec();
        check(&file, "terminal", "/dev/pts/3");
        file.mode = 0o600;
        file.text = b"[eventfd]".to_vec();
        check(&file, "event", "[eventfd]");
        file.mode = 0o010_600;
        file.text = Vec::new();
        check(&file, "pipe", "pipe:[77]");
        assert_eq!(row(&told(Kind::Time)), None);
    }

    #[test]
    fn sockets_are_named_by_the_other_end() {
        let mut socket = told(Kind::Socket);
        (socket.family, socket.protocol) = (AF_INET, IPPROTO_TCP);
        socket.remote[..4].copy_from_slice(&[127, 0, 0, 1]);
        socket.remote_port = 5432;
        check(&socket, "tcp", "127.0.0.1:5432");
        socket.remote_port = 0;
        socket.local_port = 80;
        check(&socket, "tcp", "0.0.0.0:80 (not connected)");
        socket.system_call = 43;
        check(&socket, "tcp", "0.0.0.0:80 (listening)");
        (socket.family, socket.protocol) = (AF_INET6, IPPROTO_UDP);
        socket.remote = Ipv6Addr::LOCALHOST.octets();
        socket.remote_port = 53;
        check(&socket, "udp", "[::1]:53");
        socket.family = AF_UNIX;
        socket.peer_pid = 812;
        socket.text = b"/run/db.sock\0".to_vec();
        check(&socket, "unix", "/run/db.sock");
        assert_eq!(row(&socket).unwrap().peer_pid, Some(812));
        socket.text = b"\0abstract".to_vec();
        check(&socket, "unix", "@abstract");
        socket.family = 16;
        check(&socket, "socket", "not connected");
    }

    #[test]
    fn nobody_waits_for_itself() {
        let told = WaitObject {
            peer_pid: 7,
            ..told(Kind::Futex)
        };
        let told = WaitObject {
            kind: Kind::Signal,
            ..told
        };
        let row = row(&told).unwrap();
        assert_eq!(without_itself(row.clone(), Some(8)).peer_pid, Some(7));
        assert_eq!(without_itself(row, Some(7)).peer_pid, None);
    }

    #[test]
    fn the_owner_of_a_futex_is_a_thread() {
        let told = WaitObject {
            peer_pid: 4711,
            ..told(Kind::Futex)
        };
        let row = row(&told).unwrap();
        assert_eq!((row.owner_tid, row.peer_pid), (Some(4711), None));
    }

    #[test]
    fn an_epoll_is_named_by_what_it_watches() {
        let mut epoll = told(Kind::Epoll);
        assert_eq!(row(&epoll), None, "nothing of it is known");
        epoll.number = 0;
        check(&epoll, "nothing", "no descriptor");
        assert_eq!(row(&epoll).unwrap().others, None);
        check(&told(Kind::Nothing), "nothing", "no descriptor");
        let event = WaitObject {
            mode: 0o600,
            text: b"[eventfd]".to_vec(),
            ..told(Kind::File)
        };
        let socket = |local_port, remote_port, flags| WaitObject {
            family: AF_INET,
            protocol: IPPROTO_TCP,
            local_port,
            remote_port,
            flags,
            ..told(Kind::Socket)
        };
        // A server: its clients do not name it.
        let listening = socket(8080, 0, WaitObject::LISTENING);
        epoll.watched = vec![event, listening, socket(8080, 51_234, 0)];
        epoll.number = 40;
        check(&epoll, "epoll", "0.0.0.0:8080 (listening), [eventfd]");
        assert_eq!(row(&epoll).unwrap().others, Some(38));
        // A client, which listens to nobody.
        epoll.watched = vec![socket(40_000, 5432, 0)];
        epoll.number = 1;
        check(&epoll, "tcp", "0.0.0.0:5432");
        epoll.number = 2;
        check(&epoll, "epoll", "0.0.0.0:5432");
        assert_eq!(row(&epoll).unwrap().others, Some(1));
    }
    #[test]
    fn several_descriptors_of_a_call_are_named_one_by_one() {
        let mut poll = told(Kind::Poll);
        assert_eq!(row(&poll), None, "nothing of them is known");
        let pipe = WaitObject {
            mode: 0o010_600,
            ..told(Kind::File)
        };
        let socket = WaitObject {
            family: AF_INET,
            protocol: IPPROTO_TCP,
            remote_port: 5432,
            ..told(Kind::Socket)
        };
        poll.watched = vec![socket.clone(), pipe];
        poll.number = 2;
        check(&poll, "poll", "0.0.0.0:5432, pipe:[77]");
        assert_eq!(row(&poll).unwrap().others, None);
        poll.number = 9;
        assert_eq!(row(&poll).unwrap().others, Some(7));
        // What it wakes itself with is not what it waits for.
        let event = WaitObject {
            mode: 0o600,
            text: b"[eventfd]".to_vec(),
            ..told(Kind::File)
        };
        poll.watched = vec![event.clone(), socket.clone(), socket.clone()];
        poll.number = 3;
        check(&poll, "tcp", "0.0.0.0:5432");
        assert_eq!(row(&poll).unwrap().others, Some(2));
        poll.number = 4;
        check(&poll, "poll", "0.0.0.0:5432, 0.0.0.0:5432, [eventfd]");
        poll.watched = vec![event.clone(), event];
        poll.number = 2;
        check(&poll, "poll", "[eventfd], [eventfd]");
        poll.watched = vec![socket];
        poll.number = 1;
        check(&poll, "tcp", "0.0.0.0:5432");
    }
}
