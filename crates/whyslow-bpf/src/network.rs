//! The eBPF programs that follow TCP connections and look-ups of names (`bpf/net.bpf.c`).
//!
//! ```text
//! socket changes its state   a connection begins, is established, ends
//! send, receive              counted by connection; which end waits for the other, and how long
//! accept                     whose connection it is
//! retransmit, reset          counted by connection
//! packet of a name server    copied, at most 511 bytes of it
//! datagram                   whom its socket asked; the programs that describe waits need that
//! getaddrinfo and the like   name, result and time (the C library's own functions)
//! ```
//!
//! **Counts are exact** for connections that are opened and closed while recording. Of a connection that was
//! open before, only what happens while recording is counted. At most 65,536 are followed at a time; further
//! ones are counted as lost.
//!
//! **Whose connection it is**: that of the process that connected or accepted. If that was not seen, because
//! the connection was open before or was accepted through io_uring: that of a process that has a descriptor of
//! it, or that sends or receives first.
//!
//! **Names on the wire** are seen when this machine sends a packet to or from port 53, or receives one from
//! port 53 of another machine. Encrypted queries (DNS over TLS or HTTPS) appear only as a connection.

use std::error::Error;
use std::io::Read;
use std::path::PathBuf;

use aya::maps::{HashMap, PerCpuArray};
use aya::programs::uprobe::UProbeScope;
use aya::programs::{BtfTracePoint, UProbe};
use aya::{Btf, Ebpf, EbpfLoader};
use whyslow_perfdata::Endian;
use whyslow_perfdata::whyslow_events::TcpReport;

use crate::clearing;
use crate::config::Output;
use crate::ends::{End, Ends};
use crate::error::{BpfError, MISSING};
use crate::links::Links;
use crate::loaded::Loaded;
use crate::loading;
use crate::programs::Programs;

/// The programs, compiled; see `bpf/build`.
static OBJECT: &[u8] = aya::include_bytes_aligned!("../bpf/net.bpf.o");

/// Programs on tracepoints: name in the source, tracepoint.
const CONNECTIONS: [(&str, &str); 6] = [
    ("on_state", "inet_sock_set_state"),
    ("on_send", "sock_send_length"),
    ("on_receive", "sock_recv_length"),
    ("on_retransmit", "tcp_retransmit_skb"),
    ("on_receive_reset", "tcp_receive_reset"),
    ("on_send_reset", "tcp_send_reset"),
];
const PACKETS: [(&str, &str); 2] = [
    ("on_packet_sent", "net_dev_queue"),
    ("on_packet_received", "netif_receive_skb"),
];
const ACCEPT: &str = "on_accept";
const LIST: &str = "list_connections";
const LOOKUP: &str = "on_lookup";

/// Functions that look names up, and the program for where they return.
const FUNCTIONS: [(&str, &str); 6] = [
    ("getaddrinfo", "on_lookup_number"),
    ("gethostbyname", "on_lookup_place"),
    ("gethostbyname2", "on_lookup_place"),
    ("gethostbyname_r", "on_lookup_number"),
    ("gethostbyname2_r", "on_lookup_number"),
    ("gethostbyaddr", "on_lookup_place"),
];

/// Where C libraries may be.
const LIBRARIES: [&str; 6] = [
    "/lib/x86_64-linux-gnu/libc.so.6",
    "/usr/lib/x86_64-linux-gnu/libc.so.6",
    "/lib64/libc.so.6",
    "/usr/lib64/libc.so.6",
    "/usr/lib/libc.so.6",
    "/lib/ld-musl-x86_64.so.1",
];

/// The most connections that are followed at a time.
const MOST_CONNECTIONS: u32 = 65_536;
/// Bytes of `struct followed`.
const FOLLOWED_BYTES: usize = 240;
/// The bytes in it that say whether a reply is awaited.
const AWAITS_REPLY: std::ops::Range<usize> = 232..236;
/// The byte of a report that has its flags.
const FLAGS: usize = 50;
/// Most bytes of a report.
const MOST_BYTES: usize = 64 + 512;

/// What a report of the programs is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// A connection.
    Tcp,
    /// A packet to or from a name server.
    Packet,
    /// A look-up by the C library.
    Lookup,
}

/// Which of these are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Follows {
    /// Packets of name servers.
    pub names: bool,
    /// Look-ups by the C library's functions.
    pub lookups: bool,
}

/// The loaded programs. Dropping it detaches and unloads them.
pub struct NetworkFollower {
    ebpf: Ebpf,
    links: Links,
    /// The functions of C libraries stay probed once they are: it takes long to undo that.
    probes: Option<bool>,
    /// What is followed besides connections.
    pub follows: Follows,
}

impl Loaded for NetworkFollower {
    fn object(&self) -> &Ebpf {
        &self.ebpf
    }
}

impl std::fmt::Debug for NetworkFollower {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NetworkFollower").finish_non_exhaustive()
    }
}

impl NetworkFollower {
    /// Loads the programs, which then do nothing yet; `outputs` has one event per CPU. They end in the same
    /// programs as `others` at the same tracepoints.
    ///
    /// # Errors
    /// See [`BpfError`]; nothing stays loaded then.
    pub fn load(others: Option<&mut Programs>, outputs: &[Output<'_>]) -> Result<Self, BpfError> {
        Self::load_for(MOST_CONNECTIONS, others, outputs)
    }

    /// The same for at most this many connections at a time.
    fn load_for(
        most: u32,
        others: Option<&mut Programs>,
        outputs: &[Output<'_>],
    ) -> Result<Self, BpfError> {
        if !cfg!(target_arch = "x86_64") {
            return Err(BpfError::OtherProcessor);
        }
        let btf = loading::kernel_types()?;
        let mut ebpf = EbpfLoader::new()
            .btf(Some(&btf))
            .allow_unsupported_maps()
            .map_max_entries("output", loading::cpu_count(outputs)?)
            .map_max_entries("connections", most)
            .load(OBJECT)?;
        loading::set_outputs(&ebpf, outputs)?;
        for (name, tracepoint) in CONNECTIONS {
            load_tracepoint(&mut ebpf, &btf, name, tracepoint)?;
        }
        // Without it, an accepted connection belongs to the first that sends or receives.
        let _ = load_tracepoint(&mut ebpf, &btf, ACCEPT, "sys_exit");
        let ends = Ends::take(&mut ebpf)?;
        if let Some(others) = others {
            others.ends.add(ends);
            // Without this, waits for the answer to a datagram have no address.
            let _ = others.follow_datagrams(&btf);
        }
        loading::load_iterator(&mut ebpf, &btf, LIST, "task_file")?;
        let mut follower = Self {
            ebpf,
            links: Links::default(),
            probes: None,
            follows: Follows::default(),
        };
        follower.follows = Follows {
            names: PACKETS.iter().all(|&(name, tracepoint)| {
                load_tracepoint(&mut follower.ebpf, &btf, name, tracepoint).is_ok()
            }),
            lookups: follower.load_lookups().is_ok(),
        };
        Ok(follower)
    }

    fn load_lookups(&mut self) -> Result<(), BpfError> {
        for name in [LOOKUP, "on_lookup_number", "on_lookup_place"] {
            let refused = |error: &(dyn Error + 'static)| BpfError::refused(name, error);
            let probe: &mut UProbe = program(&mut self.ebpf, name)?;
            loading::again(|| probe.load()).map_err(|error| refused(&error))?;
        }
        Ok(())
    }

    /// Starts following, and returns the connections that are already open, as reports. The outputs are on by now.
    ///
    /// # Errors
    /// [`BpfError`], after which nothing is followed.
    pub fn start(&mut self, others: Option<&mut Programs>) -> Result<Vec<Vec<u8>>, BpfError> {
        if self.probes.is_some() {
            // Look-ups are still followed, but until the outputs were on they could not be reported. None is lost.
            for name in ["lookups", "lost"] {
                clearing::clear_map(self.ebpf.map(name).ok_or(MISSING)?)?;
            }
        }
        for (name, _) in CONNECTIONS {
            self.links.attach(&mut self.ebpf, name)?;
        }
        // What is missing then: see above.
        let _ = self.attach_accept(others);
        self.follows.names &= PACKETS
            .iter()
            .all(|&(name, _)| self.links.attach(&mut self.ebpf, name).is_ok());
        let probed = self.probes.unwrap_or_else(|| self.attach_lookups());
        self.probes = Some(probed);
        self.follows.lookups &= probed;
        self.list()?;
        Ok(self.read(|report| report.flags & TcpReport::EXISTED != 0, 1))
    }

    /// Without it, an accepted connection belongs to the first that sends or receives.
    fn attach_accept(&mut self, others: Option<&mut Programs>) -> Result<(), BpfError> {
        let Some(others) = others else {
            return self.links.attach(&mut self.ebpf, ACCEPT);
        };
        let program: &mut BtfTracePoint = program(&mut self.ebpf, ACCEPT)?;
        let program = program.fd();
        let program = program.map_err(|error| BpfError::refused(ACCEPT, &error))?;
        others.ends.set(End::Accept, Some(program))
    }

    /// Returns whether there is a C library whose functions are followed now.
    fn attach_lookups(&mut self) -> bool {
        let mut known: Vec<PathBuf> = Vec::new();
        let mut is_any = false;
        for library in LIBRARIES {
            let Ok(path) = std::fs::canonicalize(library) else {
                continue;
            };
            if known.contains(&path) {
                continue;
            }
            for (function, at_end) in FUNCTIONS {
                // Returns first: so a call that began earlier is not counted.
                let attached = [at_end, LOOKUP].iter().all(|name| {
                    let probe: Result<&mut UProbe, _> = program(&mut self.ebpf, name);
                    let attached =
                        probe.map(|probe| probe.attach(function, &path, UProbeScope::AllProcesses));
                    matches!(attached, Ok(Ok(_)))
                });
                is_any |= attached && function == "getaddrinfo";
            }
            known.push(path);
        }
        is_any
    }

    /// Stops following, and returns the connections that are still open, as reports.
    ///
    /// # Errors
    /// [`BpfError`] if the connections cannot be listed, or a program stays attached.
    pub fn stop(&mut self, others: Option<&mut Programs>) -> Result<Vec<Vec<u8>>, BpfError> {
        if let Some(others) = others {
            others.ends.set(End::Accept, None)?;
        }
        self.list()?;
        let left = self.read(|_| true, 2);
        self.links.detach(&mut self.ebpf)?;
        Ok(left)
    }

    /// Forgets all connections, after [`NetworkFollower::stop`]: it can start again as if it had just been loaded. No
    /// program at a tracepoint may run that had begun before. Of look-ups that have begun, only those are reported that
    /// begin later.
    ///
    /// # Errors
    /// [`BpfError`]; then it cannot be used any more.
    pub fn forget(&mut self) -> Result<(), BpfError> {
        clearing::clear(&self.ebpf, &[])
    }

    /// Makes the kernel go through all open files.
    fn list(&mut self) -> Result<(), BpfError> {
        let mut nothing = Vec::new();
        let mut file = loading::iterate(&mut self.ebpf, LIST)?;
        let read = file.read_to_end(&mut nothing);
        read.map(drop).map_err(|source| BpfError::System {
            what: "list the connections",
            source,
        })
    }

    /// The connections that are followed now and `wanted`, as reports of a kind.
    fn read(&self, wanted: impl Fn(&TcpReport) -> bool, kind: u16) -> Vec<Vec<u8>> {
        let Some(map) = self.ebpf.map("connections") else {
            return Vec::new();
        };
        let map: Result<HashMap<_, u64, [u8; FOLLOWED_BYTES]>, _> = map.try_into();
        let Ok(map) = map else {
            return Vec::new();
        };
        let all = map.iter().filter_map(Result::ok);
        all.filter_map(|(_, value)| {
            let mut report = value.get(..TcpReport::BYTES)?.to_vec();
            report.get_mut(..2)?.copy_from_slice(&kind.to_ne_bytes());
            if value.get(AWAITS_REPLY)?.iter().any(|&byte| byte != 0) {
                *report.get_mut(FLAGS)? |= TcpReport::AWAITS_REPLY;
            }
            // There are programs for this byte order only.
            wanted(&TcpReport::decode(&report, Endian::Little)?).then_some(report)
        })
        .collect()
    }

    /// Connections that were not followed, and reports for which there was no room.
    pub fn lost(&self) -> u64 {
        let map = self.ebpf.map("lost").map(PerCpuArray::<_, u64>::try_from);
        let cpus = map.and_then(Result::ok).and_then(|map| map.get(&0, 0).ok());
        cpus.map_or(0, |cpus| cpus.iter().sum())
    }
}

fn program<'e, P>(ebpf: &'e mut Ebpf, name: &str) -> Result<&'e mut P, BpfError>
where
    &'e mut P: TryFrom<&'e mut aya::programs::Program, Error = aya::programs::ProgramError>,
{
    let program = ebpf.program_mut(name).ok_or(MISSING)?;
    <&mut P>::try_from(program).map_err(|error| BpfError::refused(name, &error))
}

fn load_tracepoint(
    ebpf: &mut Ebpf,
    btf: &Btf,
    name: &str,
    tracepoint: &str,
) -> Result<(), BpfError> {
    let program: &mut BtfTracePoint = program(ebpf, name)?;
    loading::again(|| program.load(tracepoint, btf))
        .map_err(|error| BpfError::refused(name, &error))
}

/// What a report is about, and its bytes without what the kernel appends. `None` if it is cut off, or comes
/// from other programs.
pub fn parse(bytes: &[u8]) -> Option<(Told, &[u8])> {
    let short =
        |at: usize| -> Option<u16> { Some(u16::from_ne_bytes(*bytes.get(at..)?.first_chunk()?)) };
    let (told, size) = match short(0)? {
        1 | 2 => (Told::Tcp, TcpReport::BYTES),
        3 => (Told::Packet, 64 + usize::from(short(26)?)),
        4 => (Told::Lookup, 32 + usize::from(short(2)?)),
        _ => return None,
    };
    (size <= MOST_BYTES).then(|| Some((told, bytes.get(..size)?)))?
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::net::{Shutdown, TcpListener, TcpStream, ToSocketAddrs as _};
    use std::time::Duration;

    use whyslow_testenv::{Feature, has};

    use super::*;

    /// A server and a client in this process: what the programs count is what they did, to the byte.
    #[test]
    fn open_connections_are_counted_to_the_byte() {
        if !has(Feature::Bpf) {
            return;
        }
        let mut follower = NetworkFollower::load(None, &[]).unwrap();
        assert!(follower.follows.names && follower.follows.lookups);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let early = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let open = follower.start(None).unwrap();
        let read = |report: &Vec<u8>| TcpReport::decode(report, Endian::Little).unwrap();
        let ends = |report: &TcpReport| (report.local_port, report.remote_port);
        let early_ends = (early.local_addr().unwrap().port(), port);
        let existed = open
            .iter()
            .map(read)
            .filter(|report| ends(report) == early_ends);
        assert_eq!(existed.count(), 1, "the client's end of the early one");
        let mut client = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let (_first, _) = listener.accept().unwrap();
        let (mut server, _) = listener.accept().unwrap();
        for _ in 0..20 {
            client.write_all(&[0; 100]).unwrap();
            server.read_exact(&mut [0; 100]).unwrap();
            server.write_all(&[0; 300]).unwrap();
            client.read_exact(&mut [0; 300]).unwrap();
        }
        // A client that has sent all it will still reads.
        client.shutdown(Shutdown::Write).unwrap();
        std::thread::sleep(Duration::from_millis(50));
        server.write_all(&[0; 300]).unwrap();
        client.read_exact(&mut [0; 300]).unwrap();
        let reports: Vec<TcpReport> = follower.stop(None).unwrap().iter().map(read).collect();
        let own = client.local_addr().unwrap().port();
        let end = |side: u8, of: (u16, u16)| {
            let mut all = reports.iter().filter(|report| report.side == side);
            *all.find(|report| ends(report) == of).unwrap()
        };
        let (out, within) = (end(1, (own, port)), end(2, (port, own)));
        let pid = std::process::id();
        assert_eq!((out.pid, within.pid), (pid, pid));
        assert_eq!((out.sent_bytes, out.received_bytes), (2000, 6300));
        assert_eq!((within.sent_bytes, within.received_bytes), (6300, 2000));
        // A call may send or receive a part.
        assert!(out.sends >= 20 && out.small_sends >= 20 && out.receives >= 21);
        assert!(within.sends >= 21 && within.receives >= 20);
        assert!(within.small_receives >= Some(20) && out.small_receives < Some(21));
        assert!(out.replies >= 20 && within.answers >= 20 && within.replies >= 19);
        assert!(out.connected_ns > out.opened_ns && out.rtt_us > 0);
        // The server spoke last.
        let awaits = |report: &TcpReport| report.flags & TcpReport::AWAITS_REPLY != 0;
        assert!(!awaits(&out) && awaits(&within));
        let lasted = Duration::from_nanos(out.ended_ns - out.connected_ns);
        assert!(lasted >= Duration::from_millis(50), "{lasted:?}");
        drop(early);
    }

    #[test]
    fn after_everything_is_forgotten_connections_are_counted_from_zero() {
        if !has(Feature::Bpf) {
            return;
        }
        let mut follower = NetworkFollower::load(None, &[]).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (mut server, _) = listener.accept().unwrap();
        let own = client.local_addr().unwrap().port();
        for bytes in [500, 70] {
            let open = follower.start(None).unwrap();
            let of_own = |reports: &[Vec<u8>]| -> Vec<TcpReport> {
                let reports = reports.iter();
                let reports = reports.filter_map(|one| TcpReport::decode(one, Endian::Little));
                reports.filter(|report| report.local_port == own).collect()
            };
            assert_eq!(of_own(&open).len(), 1, "it was open before");
            client.write_all(&vec![0; bytes]).unwrap();
            server.read_exact(&mut vec![0; bytes]).unwrap();
            let left = of_own(&follower.stop(None).unwrap());
            let sent: Vec<_> = left.iter().map(|report| report.sends).collect();
            assert_eq!(sent, [1], "{left:?}");
            // Of no recording.
            client.write_all(&[0; 3]).unwrap();
            server.read_exact(&mut [0; 3]).unwrap();
            follower.forget().unwrap();
            assert_eq!((follower.lost(), follower.read(|_| true, 2).len()), (0, 0));
        }
    }

    #[test]
    fn look_ups_before_the_start_are_not_lost() {
        const LOOK_UPS: u64 = 5000;
        if !has(Feature::Bpf) {
            return;
        }
        let mut follower = NetworkFollower::load(None, &[]).unwrap();
        follower.start(None).unwrap();
        assert!(follower.follows.lookups);
        follower.stop(None).unwrap();
        follower.forget().unwrap();
        for _ in 0..LOOK_UPS {
            let _ = ("localhost", 1).to_socket_addrs();
        }
        // There is no output at all.
        assert!(follower.lost() >= LOOK_UPS);
        follower.start(None).unwrap();
        // Others may have lost something since.
        assert!(follower.lost() < LOOK_UPS);
    }

    #[test]
    fn connections_beyond_the_room_are_counted_and_the_others_keep_their_ends() {
        const ROOM: usize = 64;
        const CONNECTIONS: usize = 200;
        if !has(Feature::Bpf) {
            return;
        }
        let mut follower = NetworkFollower::load_for(ROOM as u32, None, &[]).unwrap();
        follower.start(None).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let connected = (0..CONNECTIONS).map(|_| {
            let client = TcpStream::connect(("127.0.0.1", port)).unwrap();
            (client, listener.accept().unwrap())
        });
        let connected: Vec<_> = connected.collect();
        // Who is followed is counted once here, too: there is no room for reports.
        let lost = usize::try_from(follower.lost()).unwrap();
        assert!(lost > 2 * CONNECTIONS - ROOM, "{lost}");
        let reports = follower.stop(None).unwrap();
        assert!(reports.len() <= ROOM, "{}", reports.len());
        let clients = connected.iter();
        let clients: Vec<u16> = clients
            .map(|(client, _)| client.local_addr().unwrap().port())
            .collect();
        for report in &reports {
            let report = TcpReport::decode(report, Endian::Little).unwrap();
            let (local, remote) = (report.local_port, report.remote_port);
            if report.pid == std::process::id() && [local, remote].contains(&port) {
                let other = if local == port { remote } else { local };
                assert!(other == 0 || clients.contains(&other), "{report:?}");
            }
        }
    }
}
