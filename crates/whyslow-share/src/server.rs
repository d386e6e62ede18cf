//! A file server of the experiment's own, in namespaces of its own.
//!
//! ```text
//! whyslow ──stdin──► unshare ─► sh (the first process of its namespace) ─► smbd, or rpcbind, ganesha
//! ```
//!
//! The shell waits for the end of its input, which comes when we close it or are gone, whatever the
//! reason. With it the kernel ends every other process of the namespace, and with the last of them
//! network and mounts are gone. On the machine itself there is nothing to remove.

use std::fs::File;
use std::io::{self, Read};
use std::marker::PhantomData;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::geteuid;
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use crate::delay::Delay;
use crate::error::Error;
use crate::share::{Access, EXPORT, Protocol, SHARE, Share, greetings};
use crate::smb::Dialect;

/// How long a server may take until it answers.
const START: Duration = Duration::from_secs(30);

/// How long a server may be silent in the middle of the work, beside the added delay.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server that runs; it ends with this.
#[derive(Debug)]
pub struct Server {
    child: Child,
    complaints: Arc<Mutex<Vec<u8>>>,
    network: File,
    home: File,
    access: Access,
    software: String,
    _ways: Vec<Delay>,
}

/// While it is there, this thread and what it starts are in the server's network.
#[derive(Debug)]
pub struct Inside<'a> {
    server: &'a Server,
    /// It is this thread that has to go home.
    _thread: PhantomData<*const ()>,
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        // What once worked works back again.
        let _left = enter(&self.server.home);
    }
}

impl Protocol {
    /// Returns the program that serves it.
    fn program(self) -> &'static str {
        match self {
            Self::Smb => "smbd",
            Self::Nfs => "ganesha.nfsd",
        }
    }

    /// Returns the software of its server with the version.
    fn software(self) -> Option<String> {
        let (option, before, name) = match self {
            Self::Smb => ("--version", "Version ", "Samba"),
            Self::Nfs => ("-v", "NFS-Ganesha Release = V", "NFS-Ganesha"),
        };
        let line = format!("{} {option}", self.program());
        let said = shell(&line).stdout(Stdio::piped()).output().ok()?;
        let said = String::from_utf8_lossy(&said.stdout).into_owned();
        let version = said.lines().find_map(|line| line.strip_prefix(before));
        let version = version.and_then(|version| version.split_whitespace().next());
        Some(version.map_or(name.to_owned(), |version| format!("{name} {version}")))
    }

    /// Returns what this machine lacks for a server; `None` if it can have one.
    pub fn lacks(self) -> Option<String> {
        if !geteuid().is_root() {
            return Some("only root may start a server in a network of its own".to_owned());
        }
        let needed = match self {
            Self::Smb => &["unshare", "ip", "smbd"][..],
            Self::Nfs => &["unshare", "ip", "rpcbind", "ganesha.nfsd"],
        };
        let there = |program: &str| {
            let found = shell(&format!("command -v {program}")).status();
            found.is_ok_and(|status| status.success())
        };
        let missing = needed.iter().find(|program| !there(program));
        missing.map(|program| format!("the program {program} is not installed"))
    }
}

/// Lets a shell look also where servers are and a user's path may not lead.
const SYSTEM: &str = "PATH=$PATH:/usr/sbin:/sbin";

/// Returns a shell that does `line`, in silence.
fn shell(line: &str) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("{SYSTEM}\n{line}")])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

impl Server {
    /// Starts a server for `share` and waits until it answers, or until `stop` is up. It serves the
    /// directory `dir`, or one in memory; the caller keeps it as long as the server. The server does not
    /// hold mounts whose path contains `/`, `released`, then no other `/`, and ends in `.mnt`.
    ///
    /// # Errors
    /// When the machine lacks what it takes, or the server does not answer in time.
    pub fn start(
        share: &Share,
        dir: Option<&Path>,
        released: &str,
        stop: &AtomicBool,
    ) -> Result<Self, Error> {
        let program = share.protocol.program();
        if let Some(lack) = share.protocol.lacks() {
            let protocol = share.protocol.name();
            return Err(Error::Lacks { protocol, lack });
        }
        let home = Path::new("/proc/thread-self/ns/net");
        let home_file = File::open(home).map_err(Error::io("open", home))?;
        let mut child = Command::new("unshare")
            .args(["--net", "--mount", "--pid", "--fork", "--kill-child"])
            // What is unmounted outside meanwhile is not kept busy here.
            .args(["--propagation", "slave"])
            .args(["sh", "-c", &script(share, dir.is_some(), released)])
            .current_dir(dir.unwrap_or(Path::new("/")))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            // Ctrl-C is for us: we end it when its work is done.
            .process_group(0)
            .spawn()
            .map_err(Error::io("start", Path::new(program)))?;
        let complaints = Arc::default();
        listen(&mut child, &complaints);
        let network = network(&mut child, stop);
        let mut server = Self {
            child,
            complaints,
            network: home_file.try_clone().map_err(Error::io("open", home))?,
            home: home_file,
            access: access(share),
            software: share.protocol.software().unwrap_or_default(),
            _ways: Vec::new(),
        };
        server.network = match network {
            Err(_) if stop.load(Ordering::Relaxed) => return Err(Error::Interrupted),
            network => network.map_err(|error| server.failed(program, error))?,
        };
        server.answers(program, stop)?;
        if !share.rtt.is_zero() {
            server.move_away(share.rtt)?;
        }
        Ok(server)
    }

    /// Moves this thread into the server's network.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn enter(&self) -> Result<Inside<'_>, Error> {
        let path = Path::new("the network of the server");
        enter(&self.network).map_err(Error::io("enter", path))?;
        Ok(Inside {
            server: self,
            _thread: PhantomData,
        })
    }

    /// Returns how to get to its share.
    pub fn access(&self) -> &Access {
        &self.access
    }

    /// Returns the software with its version, and the protocol it speaks with our client.
    pub fn software(&self) -> &str {
        &self.software
    }

    /// Waits until a client gets on with it.
    fn answers(&mut self, program: &'static str, stop: &AtomicBool) -> Result<(), Error> {
        let end = Instant::now() + START;
        loop {
            let connected = {
                let _inside = self.enter()?;
                self.access.connect(stop)
            };
            let fault = match connected {
                Ok(remote) => {
                    self.software = format!("{} {}", self.software, remote.protocol());
                    return Ok(());
                }
                Err(fault) => fault,
            };
            if stop.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            if ended(&mut self.child) {
                return Err(self.failed(program, io::Error::other(fault.to_string())));
            }
            if Instant::now() > end {
                return Err(Error::Client { program, fault });
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Puts a longer way before every port.
    fn move_away(&mut self, rtt: Duration) -> Result<(), Error> {
        let _inside = self.enter()?;
        let mut ways = Vec::new();
        let mut far = |port: u16| {
            let server = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
            let way = Delay::start(server, rtt);
            let way = way.map_err(Error::io("listen before", Path::new("the server")))?;
            let port = way.port();
            ways.push(way);
            Ok::<u16, Error>(port)
        };
        let port = far(self.access.port)?;
        let mount = match self.access.mount {
            0 => 0,
            mount => far(mount)?,
        };
        let patience = self.access.patience + rtt.saturating_mul(4);
        drop(_inside);
        (self.access.port, self.access.mount) = (port, mount);
        self.access.patience = patience;
        self._ways = ways;
        Ok(())
    }

    /// Returns why the server did not get ready, in its own words if it said some.
    fn failed(&self, program: &str, otherwise: io::Error) -> Error {
        // Its last words may still be on their way.
        std::thread::sleep(Duration::from_millis(50));
        let said = self.complaints.lock();
        let said = said.unwrap_or_else(PoisonError::into_inner);
        let said = String::from_utf8_lossy(&said);
        let line = said.lines().rfind(|line| !line.trim().is_empty());
        let why = line.map_or(otherwise, |line| io::Error::other(line.trim().to_owned()));
        Error::io("start", Path::new(program))(why)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The end of its input ends the shell, and so all of it.
        drop(self.child.stdin.take());
        let end = Instant::now() + Duration::from_secs(5);
        while !ended(&mut self.child) && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(2));
        }
        let _gone = self.child.kill();
        let _status = self.child.wait();
    }
}

fn ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

fn enter(network: &File) -> io::Result<()> {
    let moved = move_into_link_name_space(network.as_fd(), Some(LinkNameSpaceType::Network));
    moved.map_err(io::Error::from)
}

/// Keeps the beginning of what a server says.
fn listen(child: &mut Child, complaints: &Arc<Mutex<Vec<u8>>>) {
    const MOST: usize = 16 << 10;
    let Some(mut said) = child.stderr.take() else {
        return;
    };
    let complaints = Arc::clone(complaints);
    std::thread::spawn(move || {
        let mut buffer = [0; 1024];
        while let Ok(got @ 1..) = said.read(&mut buffer) {
            let mut kept = complaints.lock().unwrap_or_else(PoisonError::into_inner);
            let room = MOST.saturating_sub(kept.len()).min(got);
            kept.extend(buffer.get(..room).unwrap_or_default());
        }
    });
}

/// Waits until `child` is in a network of its own; returns that.
fn network(child: &mut Child, stop: &AtomicBool) -> io::Result<File> {
    let path = format!("/proc/{}/ns/net", child.id());
    let ours = std::fs::read_link("/proc/thread-self/ns/net")?;
    let end = Instant::now() + START;
    while Instant::now() < end && !stop.load(Ordering::Relaxed) && !ended(child) {
        if std::fs::read_link(&path).is_ok_and(|its| its != ours) {
            return File::open(&path);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Err(io::Error::other("it got no network of its own"))
}

fn access(share: &Share) -> Access {
    let newest = share.dialect.unwrap_or(Dialect::V311);
    let (port, mount, offer) = match (share.protocol, share.dialect) {
        (Protocol::Smb, Some(only)) => (445, 0, vec![only]),
        (Protocol::Smb, None) => (445, 0, newest.and_older()),
        (Protocol::Nfs, _) => (2049, 20_491, Vec::new()),
    };
    Access {
        protocol: share.protocol,
        port,
        mount,
        offer,
        greetings: greetings(share.protocol),
        patience: PATIENCE,
    }
}

/// Returns what the shell does: memory over the directories that servers write to, the share, no hold
/// on what other runs have mounted, then the server, until it ends or our end of the input is closed.
fn script(share: &Share, has_dir: bool, released: &str) -> String {
    let (settings, serve) = match share.protocol {
        Protocol::Smb => (samba(share), "smbd -F --no-process-group -s /tmp/conf"),
        Protocol::Nfs => (
            ganesha(),
            "ganesha.nfsd -F -L /tmp/log -f /tmp/conf -p /tmp/pid",
        ),
    };
    let before = match share.protocol {
        Protocol::Smb => "",
        Protocol::Nfs => "mkdir -p /run/ganesha /run/sendsigs.omit.d\nrpcbind -w </dev/null\n",
    };
    // The directory, and what is to be released, may lie where the new memory will be: they are
    // reached before that. By its path the directory would be looked for in the new memory.
    let hold = "mkdir /run/lab\nmount --no-canonicalize --bind . /run/lab";
    let bind = format!("mount --bind /run/lab {EXPORT}\numount -l /run/lab");
    let (hold, bind) = match has_dir {
        true => (hold, bind.as_str()),
        false => ("", ""),
    };
    format!(
        "{SYSTEM}
set -e
exec 3<&0
ip link set lo up
mount -t tmpfs -o mode=755 whyslow /run
{hold}
for point in $(cut -d' ' -f5 /proc/self/mountinfo | grep '/{released}[^/]*[.]mnt' | sort -r); do
umount -l \"$(printf %b \"$point\")\" 2>/dev/null || true
done
[ ! -d /var/lib/nfs ] || mount -t tmpfs -o mode=755 whyslow /var/lib/nfs
mount -t tmpfs -o mode=755,nr_inodes=4000000 whyslow /tmp
mkdir {EXPORT}
{bind}
cat >/tmp/conf <<'END'
{settings}
END
{before}{serve} </dev/null >/tmp/out 2>&1 &
server=$!
(cat <&3 >/dev/null; kill -KILL $server) &
wait $server || true
tail -n 3 /tmp/out /tmp/log* >&2
"
    )
}

fn samba(share: &Share) -> String {
    let newest = share.dialect.unwrap_or(Dialect::V311).samba();
    let case = if share.case_sensitive { "yes" } else { "auto" };
    format!(
        "[global]
server role = standalone
smb ports = 445
disable netbios = yes
bind interfaces only = no
map to guest = bad user
guest account = root
server signing = disabled
server min protocol = SMB2_02
server max protocol = {newest}
load printers = no
disable spoolss = yes
printcap name = /dev/null
log file = /tmp/log
private dir = /tmp
lock directory = /tmp
state directory = /tmp
cache directory = /tmp
pid directory = /tmp
ncalrpc dir = /tmp
[{SHARE}]
path = {EXPORT}
guest ok = yes
read only = no
force user = root
case sensitive = {case}"
    )
}

fn ganesha() -> String {
    format!(
        "NFS_CORE_PARAM {{ Protocols = 3; NFS_Port = 2049; MNT_Port = 20491; Enable_NLM = false; \
         Enable_RQUOTA = false; Enable_UDP = false; }}
EXPORT_DEFAULTS {{ Squash = No_Root_Squash; SecType = sys, none; Access_Type = RW; \
         Transports = TCP; Protocols = 3; }}
EXPORT {{ Export_Id = 1; Path = {EXPORT}; Pseudo = /{SHARE}; FSAL {{ Name = VFS; }} }}"
    )
}
