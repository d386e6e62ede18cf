//! The sockets of a network namespace, as `/proc/PID/net` lists them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

const AF_UNIX: u16 = 1;
const AF_INET: u16 = 2;
const AF_INET6: u16 = 10;
const IPPROTO_TCP: u16 = 6;
const IPPROTO_UDP: u16 = 17;
/// The state of a TCP socket that takes connections.
const LISTENS: &str = "0A";
/// The most sockets of a table that are read.
const MOST: usize = 64 << 10;

/// An address, of which IPv4 has the first 4 bytes, and a port; port 0: none.
pub type Address = ([u8; 16], u16);

/// A socket.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Socket {
    /// Its family, as `socket` takes it.
    pub family: u16,
    /// Its protocol.
    pub protocol: u16,
    /// Its own address.
    pub local: Address,
    /// The other end's.
    pub remote: Address,
    /// It takes connections.
    pub is_listening: bool,
    /// The name of a Unix socket; one that is no path begins with a zero byte.
    pub name: Vec<u8>,
}

/// Returns the sockets that a process can have, by inode.
pub fn of_process(pid: u32) -> BTreeMap<u64, Socket> {
    let read = |table: &str| {
        let text = fs::read(format!("/proc/{pid}/net/{table}")).unwrap_or_default();
        String::from_utf8_lossy(&text).into_owned()
    };
    let mut all = BTreeMap::new();
    for (table, family, protocol) in [
        ("tcp", AF_INET, IPPROTO_TCP),
        ("tcp6", AF_INET6, IPPROTO_TCP),
        ("udp", AF_INET, IPPROTO_UDP),
        ("udp6", AF_INET6, IPPROTO_UDP),
    ] {
        let text = read(table);
        let lines = text.lines().skip(1).take(MOST);
        all.extend(lines.filter_map(|line| internet(line, family, protocol)));
    }
    add_unix(&read("unix"), &mut all);
    all
}

/// Adds the Unix sockets of a table. Their names may contain line breaks, so that a part looks like a line of the
/// table. A socket is left out if two lines describe it or if its name goes on in the next line, and no line replaces a
/// socket of another family. So a program can fake at most the name of its own socket.
fn add_unix(text: &str, all: &mut BTreeMap<u64, Socket>) {
    let mut own: BTreeMap<u64, Socket> = BTreeMap::new();
    let mut unsure = BTreeSet::new();
    let mut before = None;
    let text = text.strip_suffix('\n').unwrap_or(text);
    for line in text.split('\n').skip(1) {
        let Some((inode, socket)) = unix(line) else {
            // The name of the previous socket goes on.
            unsure.extend(before);
            continue;
        };
        before = Some(inode);
        if own.contains_key(&inode) {
            unsure.insert(inode);
        } else if own.len() < MOST {
            own.insert(inode, socket);
        }
    }
    own.retain(|inode, _| !unsure.contains(inode));
    for (inode, socket) in own {
        all.entry(inode).or_insert(socket);
    }
}

/// Reads `0: 0100007F:1538 0200007F:9C40 01 00000000:00000000 00:00000000 00000000 0 0 31234 1 …`.
fn internet(line: &str, family: u16, protocol: u16) -> Option<(u64, Socket)> {
    let mut words = line.split_ascii_whitespace().skip(1);
    let (local, remote) = (address(words.next()?)?, address(words.next()?)?);
    let state = words.next()?;
    let inode = words.nth(5)?.parse().ok()?;
    let socket = Socket {
        family,
        protocol,
        local,
        remote,
        is_listening: protocol == IPPROTO_TCP && state == LISTENS,
        name: Vec::new(),
    };
    Some((inode, socket))
}

/// Reads an address: words of four bytes as the machine stores them, then the port.
fn address(text: &str) -> Option<Address> {
    let (address, port) = text.split_once(':')?;
    if !address.is_ascii() || !matches!(address.len(), 8 | 32) {
        return None;
    }
    let mut bytes = [0; 16];
    for (to, at) in bytes.chunks_exact_mut(4).zip((0..address.len()).step_by(8)) {
        let word = u32::from_str_radix(address.get(at..at + 8)?, 16).ok()?;
        to.copy_from_slice(&word.to_ne_bytes());
    }
    Some((bytes, u16::from_str_radix(port, 16).ok()?))
}

/// Reads `0000000000000000: 00000002 00000000 00010000 0001 01 21537 /run/db.sock`; the path may be missing.
fn unix(line: &str) -> Option<(u64, Socket)> {
    let mut words = line.splitn(7, ' ');
    let place = words.next()?.strip_suffix(':')?;
    let is_hex = |word: &str| word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let has_columns = [8, 8, 8, 4, 2].into_iter().all(|digits| {
        let word = words.next();
        word.is_some_and(|word| word.len() == digits && is_hex(word))
    });
    if !has_columns || !matches!(place.len(), 8 | 16) || !is_hex(place) {
        return None;
    }
    // The inode is behind some blanks.
    let rest = words.next()?.trim_start_matches(' ');
    let (inode, name) = rest.split_once(' ').unwrap_or((rest, ""));
    let name = match name.strip_prefix('@') {
        Some(rest) => [b"\0", rest.as_bytes()].concat(),
        None => name.as_bytes().to_vec(),
    };
    let socket = Socket {
        family: AF_UNIX,
        name,
        ..Socket::default()
    };
    Some((inode.parse().ok()?, socket))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_endian = "little")]
    fn lines_are_sockets() {
        let line = "   0: 0100007F:1538 0A01A8C0:9C40 01 00000000:00000000 00:00000000 00000000     0        0 31234 1 0";
        let (inode, socket) = internet(line, AF_INET, IPPROTO_TCP).unwrap();
        assert_eq!((inode, socket.is_listening), (31_234, false));
        assert_eq!(
            (&socket.local.0[..4], socket.local.1),
            (&[127, 0, 0, 1][..], 5432)
        );
        assert_eq!(
            (&socket.remote.0[..4], socket.remote.1),
            (&[192, 168, 1, 10][..], 40_000)
        );
        let line = "   0: 00000000000000000000000001000000:0050 00000000000000000000000000000000:0000 0A 0:0 0:0 0 0 0 7 1 0";
        let (inode, socket) = internet(line, AF_INET6, IPPROTO_TCP).unwrap();
        assert_eq!((inode, socket.is_listening, socket.local.1), (7, true, 80));
        assert_eq!(socket.local.0, std::net::Ipv6Addr::LOCALHOST.octets());
        for nonsense in [
            "",
            "0: 0100007F",
            "0: ü:1 0:1 01",
            "0: 0100007F:1 0100007F:1 01 a b c d e x",
        ] {
            assert_eq!(internet(nonsense, AF_INET, IPPROTO_TCP), None, "{nonsense}");
        }
    }

    #[test]
    fn unix_sockets_have_a_path_or_a_name_or_none() {
        let read = |rest: &str| {
            unix(&format!(
                "0000000000000000: 00000002 00000000 00010000 0001 01 {rest}"
            ))
        };
        let name = |rest: &str| read(rest).map(|(inode, socket)| (inode, socket.name));
        assert_eq!(
            name("21537 /run/db sock"),
            Some((21_537, b"/run/db sock".to_vec()))
        );
        assert_eq!(name("   7 @/tmp/x"), Some((7, b"\0/tmp/x".to_vec())));
        assert_eq!(name("21538"), Some((21_538, Vec::new())));
        assert_eq!(name(""), None);
    }

    #[test]
    fn a_name_with_line_breaks_forges_no_socket() {
        let line =
            |rest: &str| format!("0000000000000000: 00000002 00000000 00010000 0001 01 {rest}\n");
        let tcp = Socket {
            family: AF_INET,
            ..Socket::default()
        };
        let mut all = BTreeMap::from([(6, tcp.clone())]);
        let forged = line("4 /run/other.sock");
        let table = [
            "Num RefCount Protocol Flags Type St Inode Path\n".to_owned(),
            line("3 /run/before.sock"),
            line("4 /run/db.sock"),
            line(&format!("5 /run/x\n{}", forged.trim_end())),
            line("7 /run/db.sock\nnonsense\n"),
            line("8 /run/db.sock\n"),
            line(&format!("9 /run/y\n{}", line("6 /run/tcp").trim_end())),
            line("10 /run/after.sock\r"),
        ];
        add_unix(&table.concat(), &mut all);
        let name = |inode: u64| {
            all.get(&inode)
                .map(|one| String::from_utf8_lossy(&one.name))
        };
        assert_eq!(name(3).as_deref(), Some("/run/before.sock"));
        assert_eq!(name(10).as_deref(), Some("/run/after.sock\r"));
        assert_eq!(all.get(&6), Some(&tcp));
        // Two lines claim the first, and the names of the others go on.
        assert_eq!((name(4), name(7), name(8)), (None, None, None));
    }

    #[test]
    fn a_named_socket_of_this_process_is_known() {
        let path = std::env::temp_dir().join(format!("whyslow-unix-{}", std::process::id()));
        let _listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
        let all = of_process(std::process::id());
        let name = path.to_str().unwrap().as_bytes();
        let is_own = |one: &&Socket| one.family == AF_UNIX && one.name == name;
        let found = all.values().filter(is_own).count();
        fs::remove_file(&path).unwrap();
        assert_eq!(found, 1);
    }

    #[test]
    fn a_socket_of_this_process_is_among_them() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let all = of_process(std::process::id());
        let own = all.values().find(|socket| socket.local.1 == port).unwrap();
        assert_eq!((own.family, own.is_listening), (AF_INET, true));
    }
}
