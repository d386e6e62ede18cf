//! What threads that still wait when the recording ends wait for: their call has not returned, so no program told it.
//!
//! The arguments of the call, and what its descriptors lead to, are read from `/proc` while the thread is known to
//! sleep. What takes longer is looked up afterwards: who has the other end of a pipe, and which connection a socket is.
//! No file is opened but those of `/proc`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use whyslow_perfdata::whyslow_events::{FileFlags, WaitObject, WaitObjectKind as Kind};
use whyslow_proc::arguments::{polled, selected, text};
use whyslow_proc::calls::{self, Call};
use whyslow_proc::descriptors::{self, End, Info, Watched};
use whyslow_proc::mountinfo::Devices;
use whyslow_proc::sockets;

const TYPE_PIPE: u32 = 0o010_000;
const TYPE_DEVICE: u32 = 0o020_000;
const TYPE_FOLDER: u32 = 0o040_000;
const TYPE_FILE: u32 = 0o100_000;
/// `write` and `writev`.
const WRITES: [u32; 2] = [1, 20];
const O_DIRECTORY: u32 = 0o200_000;
/// What of an epoll is described, those with the lowest descriptors, and of several the first.
const MOST_WATCHED: usize = 4;

/// How a call says what it waits for.
enum Way {
    Descriptor(u32),
    Epoll(u32),
    Poll,
    Select,
    Futex,
    Time,
    Child(u64),
    Name(u64),
}

/// Returns how a call of x86-64 says what it waits for.
fn way(call: &Call) -> Option<Way> {
    const P_PID: u64 = 1;
    let [first, second, ..] = call.arguments;
    let descriptor = first as u32;
    Some(match call.number {
        // read, write, fstat, ioctl, positioned and vectored ones, sendfile, connect, accept, …
        0
        | 1
        | 3
        | 5
        | 16..=20
        | 40
        | 42..=47
        | 72..=75
        | 77
        | 78
        | 217
        | 275
        | 277
        | 285
        | 288
        | 295
        | 296
        | 299
        | 306
        | 307
        | 327
        | 328 => Way::Descriptor(descriptor),
        232 | 281 | 441 => Way::Epoll(descriptor),
        7 | 271 => Way::Poll,
        23 | 270 => Way::Select,
        202 => Way::Futex,
        35 | 230 => Way::Time,
        // A group of processes, or any child, is none.
        61 => Way::Child(u64::try_from(first as i32).unwrap_or(0)),
        247 => Way::Child(if first == P_PID { second } else { 0 }),
        2 | 4 | 6 | 21 | 87 => Way::Name(first),
        257 | 262 | 269 | 332 => Way::Name(second),
        _ => return None,
    })
}

/// Returns what a thread waits for, without what takes long to look up.
pub(crate) fn of_thread(pid: u32, tid: u32, devices: &mut Devices) -> Option<WaitObject> {
    let call = calls::of_thread(pid, tid)?;
    let mut object = match way(&call)? {
        Way::Descriptor(descriptor) => of_descriptor(pid, descriptor, devices)?,
        Way::Epoll(descriptor) => of_epoll(pid, descriptor, devices)?,
        Way::Poll => of_some(pid, &polled(pid, &call)?, devices)?,
        Way::Select => of_some(pid, &selected(pid, &call)?, devices)?,
        Way::Futex => nothing(Kind::Futex, call.arguments[0]),
        Way::Time => nothing(Kind::Time, 0),
        Way::Child(child) => nothing(Kind::Child, child),
        Way::Name(address) => WaitObject {
            text: text(pid, address)?,
            ..nothing(Kind::Name, 0)
        },
    };
    object.system_call = u32::try_from(call.number).unwrap_or(0);
    object.flags |= WaitObject::OPEN;
    Some(object)
}

/// Looks up what takes long, for all threads at once: each with its process.
pub(crate) fn complete(objects: &mut [(u32, WaitObject)]) {
    let is_pipe = |object: &WaitObject| object.kind == Kind::File && object.mode == TYPE_PIPE;
    let pipes = objects.iter().filter(|(_, object)| is_pipe(object));
    let pipes: BTreeSet<Vec<u8>> = pipes.map(|(_, object)| object.text.clone()).collect();
    let ends = descriptors::ends_of_pipes(&pipes);
    let mut tables = Tables::default();
    for (pid, object) in objects {
        if is_pipe(object) {
            let ends = ends.get(&object.text);
            object.peer_pid = ends.map_or(0, |ends| other_end(*pid, object.system_call, ends));
        }
        let watched = object.watched.iter_mut();
        for one in watched.filter(|one| one.kind == Kind::Socket) {
            tables.complete(*pid, one);
        }
        if object.kind == Kind::Socket {
            tables.complete(*pid, object);
        }
    }
}

/// Returns the only other process that has the end of a pipe which a process waits for; 0 if there is none, or
/// several.
fn other_end(pid: u32, system_call: u32, ends: &BTreeSet<End>) -> u32 {
    let has = |writes| ends.contains(&End { pid, writes });
    let wants_writer = match (has(false), has(true)) {
        (reads, writes) if reads != writes => reads,
        // It has both.
        _ => !WRITES.contains(&system_call),
    };
    let is_other = |end: &&End| end.writes == wants_writer && end.pid != pid;
    let mut others = ends.iter().filter(is_other);
    match (others.next(), others.next()) {
        (Some(only), None) => only.pid,
        _ => 0,
    }
}

/// The sockets of network namespaces, by what tells these apart.
#[derive(Default)]
struct Tables(BTreeMap<PathBuf, BTreeMap<u64, sockets::Socket>>);

impl Tables {
    fn complete(&mut self, pid: u32, object: &mut WaitObject) {
        let space = fs::read_link(format!("/proc/{pid}/ns/net")).unwrap_or_default();
        let table = self.0.entry(space);
        let table = table.or_insert_with(|| sockets::of_process(pid));
        let Some(socket) = table.get(&object.number) else {
            object.kind = Kind::Unknown;
            return;
        };
        (object.family, object.protocol) = (socket.family, socket.protocol);
        (object.local, object.local_port) = socket.local;
        (object.remote, object.remote_port) = socket.remote;
        object.text.clone_from(&socket.name);
        if socket.is_listening {
            object.flags |= WaitObject::LISTENING;
        }
    }
}

/// An object of which nothing more is known.
fn nothing(kind: Kind, number: u64) -> WaitObject {
    WaitObject {
        since_ns: 0,
        asked_ns: None,
        number,
        kind,
        system_call: 0,
        device: 0,
        mode: 0,
        others: 0,
        peer_pid: 0,
        family: 0,
        protocol: 0,
        local_port: 0,
        remote_port: 0,
        local: [0; 16],
        remote: [0; 16],
        file_system: Vec::new(),
        flags: 0,
        text: Vec::new(),
        watched: Vec::new(),
    }
}

fn of_descriptor(pid: u32, descriptor: u32, devices: &mut Devices) -> Option<WaitObject> {
    let link = descriptors::link(pid, descriptor)?;
    let info = descriptors::info(pid, descriptor).unwrap_or_default();
    Some(of_link(link, &info, |mount| device(pid, mount, devices)))
}

/// Returns what a descriptor is that leads to `link`; `device` tells that of a mount.
fn of_link(link: Vec<u8>, info: &Info, device: impl FnOnce(u64) -> Option<u32>) -> WaitObject {
    if let Some(inode) = numbered(&link, b"socket:[") {
        return nothing(Kind::Socket, inode);
    }
    let pipe = numbered(&link, b"pipe:[");
    let own = link.strip_prefix(b"anon_inode:").map(<[u8]>::to_vec);
    let (text, is_deleted) = match link.strip_suffix(b" (deleted)") {
        Some(path) => (path.to_vec(), true),
        None => (link, false),
    };
    let mode = match &text {
        _ if pipe.is_some() => TYPE_PIPE,
        _ if own.is_some() => 0,
        path if path.starts_with(b"/dev/") && !path.starts_with(b"/dev/shm/") => TYPE_DEVICE,
        _ if info.flags & O_DIRECTORY != 0 => TYPE_FOLDER,
        _ => TYPE_FILE,
    };
    WaitObject {
        mode,
        device: info.mount.and_then(device).unwrap_or(0),
        flags: if is_deleted { FileFlags::DELETED } else { 0 },
        text: own.unwrap_or(text),
        ..nothing(Kind::File, pipe.or(info.inode).unwrap_or(0))
    }
}

/// Reads `socket:[7]`.
fn numbered(link: &[u8], begin: &[u8]) -> Option<u64> {
    let number = link.strip_prefix(begin)?.strip_suffix(b"]")?;
    std::str::from_utf8(number).ok()?.parse().ok()
}

fn device(pid: u32, mount: u64, devices: &mut Devices) -> Option<u32> {
    let (major, minor) = devices.of(pid, mount)?;
    (major < 1 << 12 && minor < 1 << 20).then_some(major << 20 | minor)
}

fn of_epoll(pid: u32, descriptor: u32, devices: &mut Devices) -> Option<WaitObject> {
    let watched = descriptors::info(pid, descriptor)?.watched;
    let lowest = watched.iter().take(MOST_WATCHED);
    Some(WaitObject {
        watched: lowest.map(|one| of_watched(pid, one, devices)).collect(),
        ..nothing(Kind::Epoll, watched.len() as u64)
    })
}

/// Returns what an epoll watches; unknown if the descriptor was closed, and so may refer to another file by now.
fn of_watched(pid: u32, watched: &Watched, devices: &mut Devices) -> WaitObject {
    let of_now = of_descriptor(pid, watched.descriptor, devices);
    // For objects without an inode of their own, the kernel reports the one that they all share.
    let inode = |object: &WaitObject| Some(object.number).filter(|&number| number != 0);
    let is_same = |object: &WaitObject| match (watched.inode, inode(object)) {
        (Some(watched), Some(now)) => watched == now,
        _ => true,
    };
    let same = of_now.filter(is_same);
    same.unwrap_or_else(|| nothing(Kind::Unknown, 0))
}

/// Returns what is waited for by a call that watches descriptors.
fn of_some(pid: u32, descriptors: &[u32], devices: &mut Devices) -> Option<WaitObject> {
    match descriptors {
        [] => return Some(nothing(Kind::Nothing, 0)),
        [only] => return of_descriptor(pid, *only, devices),
        _ => {}
    }
    let first = descriptors.iter().take(MOST_WATCHED);
    let watched: Vec<_> = first
        .filter_map(|&descriptor| of_descriptor(pid, descriptor, devices))
        .collect();
    let others = descriptors.len() - watched.len();
    Some(WaitObject {
        others: u32::try_from(others).unwrap_or(0),
        watched,
        ..nothing(Kind::Poll, descriptors.len() as u64)
    })
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;

    use super::*;

    #[test]
    fn what_a_descriptor_leads_to_is_known_by_its_link() {
        let info = Info {
            mount: Some(27),
            inode: Some(9),
            ..Info::default()
        };
        let of = |link: &str| of_link(link.into(), &info, |mount| (mount == 27).then_some(5));
        let file = of("/var/a b (deleted)");
        assert_eq!((file.kind, file.mode), (Kind::File, TYPE_FILE));
        assert_eq!((file.device, file.number), (5, 9));
        assert_eq!(
            (file.text.as_slice(), file.flags),
            (&b"/var/a b"[..], FileFlags::DELETED)
        );
        let pipe = of("pipe:[4711]");
        assert_eq!((pipe.mode, pipe.number), (TYPE_PIPE, 4711));
        assert_eq!(of("/dev/pts/3").mode, TYPE_DEVICE);
        let event = of("anon_inode:[eventfd]");
        assert_eq!((event.mode, event.text.as_slice()), (0, &b"[eventfd]"[..]));
        let socket = of("socket:[12]");
        assert_eq!((socket.kind, socket.number), (Kind::Socket, 12));
    }

    #[test]
    fn the_other_end_of_a_pipe_is_the_only_other_process_that_has_it() {
        let end = |pid, writes| End { pid, writes };
        let other = |call, ends: &[End]| other_end(7, call, &ends.iter().copied().collect());
        assert_eq!(other(0, &[end(7, false), end(8, true)]), 8);
        assert_eq!(
            other(7, &[end(7, true), end(9, false)]),
            9,
            "poll, to write"
        );
        assert_eq!(other(0, &[end(7, false), end(8, true), end(9, true)]), 0);
        let both = [end(7, false), end(7, true), end(8, true), end(9, false)];
        assert_eq!((other(0, &both), other(1, &both)), (8, 9));
        assert_eq!(other(0, &[end(7, false)]), 0);
    }

    #[test]
    fn a_socket_becomes_its_connection_and_a_pipe_has_no_other_end_in_its_own_process() {
        let pid = std::process::id();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (reader, _writer) = std::io::pipe().unwrap();
        let mut devices = Devices::default();
        let mut of = |fd: i32| {
            let fd = u32::try_from(fd).unwrap();
            (pid, of_descriptor(pid, fd, &mut devices).unwrap())
        };
        let mut objects = [
            of(listener.as_raw_fd()),
            of(reader.as_raw_fd()),
            of(listener.as_raw_fd()),
        ];
        objects[2].1.number = 1;
        complete(&mut objects);
        let [(_, socket), (_, pipe), (_, gone)] = &objects;
        assert_eq!((socket.kind, socket.local_port), (Kind::Socket, port));
        assert_eq!(socket.flags & WaitObject::LISTENING, WaitObject::LISTENING);
        assert_eq!((pipe.kind, pipe.peer_pid), (Kind::File, 0));
        assert_eq!(gone.kind, Kind::Unknown, "nobody has such a socket");
    }

    #[test]
    fn a_descriptor_that_an_epoll_knew_may_be_another_files_by_now() {
        let pid = std::process::id();
        let (reader, _writer) = std::io::pipe().unwrap();
        let descriptor = u32::try_from(reader.as_raw_fd()).unwrap();
        let mut devices = Devices::default();
        let pipe = of_descriptor(pid, descriptor, &mut devices).unwrap();
        let mut watched = |inode| {
            let watched = Watched { descriptor, inode };
            let object = of_watched(pid, &watched, &mut devices);
            (object.kind, object.number)
        };
        let same = (Kind::File, pipe.number);
        assert_eq!(watched(Some(pipe.number)), same);
        assert_eq!(watched(None), same, "an old kernel does not say");
        assert_eq!(watched(Some(pipe.number + 1)), (Kind::Unknown, 0));
    }
}
