//! Waits for things that a test knows: `known_waits FOLDER`. What they are goes to `FOLDER/waits`, a
//! line for each wait of the main thread, in order.
#![expect(unsafe_code, reason = "descriptors are made and replaced by hand")]
#![expect(clippy::expect_used, reason = "a program of a test may stop")]

mod datagrams;
mod permissions;
mod rings;

use std::cell::UnsafeCell;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read, Write as _, pipe};
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// Long enough for every wait to be worth its object.
const WHILE: Duration = Duration::from_millis(100);

fn main() {
    let folder = PathBuf::from(std::env::args_os().nth(1).expect("a folder"));
    let mut more = std::env::args_os().skip(2);
    match (more.next(), more.next()) {
        (Some(_), Some(pid)) => return trace(pid.to_string_lossy().parse().expect("a process")),
        (Some(path), None) => return hold(Path::new(&path)),
        (None, _) => {}
    }
    let mut told = String::new();
    sockets(&folder, &mut told);
    pipes(&mut told);
    selects(&mut told);
    lock(&folder, &mut told);
    shared_lock(&folder, &mut told);
    own_bytes(&folder, &mut told);
    child(&mut told);
    owner(&mut told);
    epoll(&mut told);
    (0..3).for_each(|_| large_epoll(&mut told));
    full_listener(&folder, &mut told);
    datagrams::received(&mut told);
    datagrams::asked(&mut told);
    signal(&mut told);
    tracer(&folder, &mut told);
    permissions::opened(&folder, &mut told);
    rings::requested(&mut told);
    rings::requested_beside(&mut told);
    thread::sleep(WHILE);
    told.push_str("time 100000000\n");
    std::fs::write(folder.join("waits"), told).expect("written");
}

/// Lets the main thread wait for a while, which it may begin late on a busy machine.
fn let_wait() {
    let sleeps = || {
        let stat = std::fs::read_to_string("/proc/self/stat").expect("its state");
        stat.rsplit(") ")
            .next()
            .is_some_and(|rest| rest.starts_with('S'))
    };
    while !sleeps() {
        thread::sleep(Duration::from_millis(1));
    }
    thread::sleep(WHILE);
}

/// Reads a byte that comes after a while.
fn read_late(mut from: impl Read, mut to: impl std::io::Write + Send) {
    thread::scope(|scope| {
        scope.spawn(|| {
            let_wait();
            to.write_all(b"x").expect("written");
        });
        from.read_exact(&mut [0]).expect("a byte");
    });
}

fn sockets(folder: &Path, told: &mut String) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let near = TcpStream::connect(address).expect("connected");
    let (far, _) = listener.accept().expect("accepted");
    read_late(&near, &far);
    writeln!(told, "tcp {address}").expect("memory");
    timed_out(near.as_raw_fd());
    writeln!(told, "poll {address} 40000000").expect("memory");
    let path = folder.join("socket");
    let listener = UnixListener::bind(&path).expect("a socket");
    let near = UnixStream::connect(&path).expect("connected");
    let (far, _) = listener.accept().expect("accepted");
    read_late(&near, &far);
    writeln!(told, "unix {} {}", path.display(), std::process::id()).expect("memory");
}

/// Waits for what does not come.
fn timed_out(descriptor: RawFd) {
    let mut polled = libc::pollfd {
        fd: descriptor,
        events: libc::POLLIN,
        revents: 0,
    };
    // SAFETY: one descriptor, as is said.
    let ready = unsafe { libc::poll(&raw mut polled, 1, 40) };
    assert_eq!(ready, 0, "nothing comes");
}

fn pipes(told: &mut String) {
    let (from, to) = pipe().expect("a pipe");
    let inode = inode(from.as_raw_fd());
    read_late(&from, &to);
    writeln!(told, "pipe {inode}").expect("memory");
    // While it waits, its descriptor becomes one of something else: nobody knows which is meant.
    let other = File::open("/dev/null").expect("a file");
    let (descriptor, replaced) = (other.as_raw_fd(), from.as_raw_fd());
    let mut writer = to;
    thread::scope(|scope| {
        scope.spawn(move || {
            let_wait();
            // SAFETY: both are open, and the pipe's end is not used after that.
            let done = unsafe { libc::dup2(descriptor, replaced) };
            assert_eq!(done, replaced, "replaced");
            writer.write_all(b"x").expect("written");
        });
        (&from).read_exact(&mut [0]).expect("a byte");
    });
    told.push_str("unknown\n");
}

/// The inode of a pipe.
fn inode(of: RawFd) -> u64 {
    let link = format!("/proc/self/fd/{of}");
    std::fs::metadata(link).expect("its end").ino()
}

/// Waits in vain for any of some descriptors.
fn select(read: &[RawFd], write: &[RawFd]) {
    let all = || read.iter().chain(write);
    let count = all().max().map_or(0, |last| last + 1);
    let mut limit = libc::timeval {
        tv_sec: 0,
        tv_usec: 40_000,
    };
    // SAFETY: zero is one of the values of sets, and the descriptors fit into them.
    let ready = unsafe {
        let mut sets: [libc::fd_set; 2] = std::mem::zeroed();
        let [of_read, of_write] = &mut sets;
        read.iter().for_each(|&one| libc::FD_SET(one, of_read));
        write.iter().for_each(|&one| libc::FD_SET(one, of_write));
        let none = std::ptr::null_mut();
        libc::select(count, of_read, of_write, none, &raw mut limit)
    };
    assert_eq!(ready, 0, "nothing comes");
}

/// Waits in vain for some descriptors, as `poll` takes them.
fn poll(descriptors: &[RawFd]) {
    let polled = descriptors.iter().map(|&fd| libc::pollfd {
        fd,
        events: libc::POLLIN,
        revents: 0,
    });
    let mut polled: Vec<_> = polled.collect();
    let count = polled.len() as libc::nfds_t;
    // SAFETY: so many descriptors, as is said.
    let ready = unsafe { libc::poll(polled.as_mut_ptr(), count, 40) };
    assert_eq!(ready, 0, "nothing comes");
}

/// Waits for descriptors to write to, for high ones, and for none at all.
fn selects(told: &mut String) {
    let (_full, mut to) = pipe().expect("a pipe");
    let (empty, _to) = pipe().expect("a pipe");
    // SAFETY: descriptors that are open.
    let high = unsafe {
        let flags = libc::fcntl(to.as_raw_fd(), libc::F_GETFL);
        libc::fcntl(to.as_raw_fd(), libc::F_SETFL, flags | libc::O_NONBLOCK);
        libc::fcntl(empty.as_raw_fd(), libc::F_DUPFD, 300)
    };
    assert!(high >= 300, "room for descriptors");
    while to.write(&[0; 4096]).is_ok() {}
    let (full, empty) = (to.as_raw_fd(), empty.as_raw_fd());
    select(&[], &[full]);
    writeln!(told, "select {} 0", inode(full)).expect("memory");
    select(&[high], &[]);
    writeln!(told, "select {} 0", inode(high)).expect("memory");
    select(&[high, empty], &[full]);
    let (low, next) = (full.min(empty), full.max(empty));
    writeln!(
        told,
        "poll 3: pipe {}, pipe {}, pipe {}",
        inode(low),
        inode(next),
        inode(high)
    )
    .expect("memory");
    select(&[], &[]);
    told.push_str("nothing 40000000\n");
    poll(&[-1, high, -1, full]);
    writeln!(told, "poll 2: pipe {}, pipe {}", inode(high), inode(full)).expect("memory");
    let many: Vec<RawFd> = (0..40).map(|at| [high, full][at % 2]).collect();
    poll(&many);
    let several = [high, full, high, full].map(|one| format!("pipe {}", inode(one)));
    writeln!(told, "poll 40: {}", several.join(", ")).expect("memory");
    // More than are looked at, and all but one of these are none.
    let mut hardly_any = [-1; 70];
    hardly_any[5] = high;
    poll(&hardly_any);
    writeln!(told, "poll 39: pipe {}", inode(high)).expect("memory");
    poll(&[-1]);
    told.push_str("nothing 40000000\n");
    // SAFETY: made above, and used no more.
    unsafe { libc::close(high) };
}

/// Waits for a lock of the C library that another thread holds.
fn owner(told: &mut String) {
    struct Lock(UnsafeCell<libc::pthread_mutex_t>);
    // SAFETY: such a lock is made to be shared.
    unsafe impl Sync for Lock {}
    let lock = Lock(UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER));
    let lock = &lock;
    let (held, is_held) = channel();
    thread::scope(|scope| {
        scope.spawn(move || {
            // SAFETY: a lock that lives longer than this thread, and this thread's number.
            let tid = unsafe {
                libc::pthread_mutex_lock(lock.0.get());
                libc::gettid()
            };
            held.send(tid).expect("told");
            let_wait();
            // SAFETY: it holds it.
            unsafe { libc::pthread_mutex_unlock(lock.0.get()) };
        });
        let tid = is_held.recv().expect("its number");
        // SAFETY: as above.
        unsafe {
            libc::pthread_mutex_lock(lock.0.get());
            libc::pthread_mutex_unlock(lock.0.get());
        }
        writeln!(told, "owner {tid}").expect("memory");
    });
}

/// Waits for any of several things.
fn epoll(told: &mut String) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let (from, _to) = pipe().expect("a pipe");
    let inode = inode(from.as_raw_fd());
    // SAFETY: plain calls, with memory that lives longer.
    let (epoll, event) = unsafe { (libc::epoll_create1(0), libc::eventfd(0, 0)) };
    let add = |descriptor: RawFd| watch(epoll, descriptor);
    let wait = || wait_for_any(epoll);
    [event, from.as_raw_fd(), listener.as_raw_fd()]
        .into_iter()
        .for_each(add);
    wait();
    writeln!(
        told,
        "epoll 3: {address} listening, pipe {inode}, [eventfd]"
    )
    .expect("memory");
    // More than are described, and more than are counted.
    let many: Vec<File> = (0..70).map(|_| pipe_end(&from)).collect();
    many.iter().take(7).for_each(|one| add(one.as_raw_fd()));
    wait();
    writeln!(
        told,
        "epoll 10: {address} listening, pipe {inode}, [eventfd], pipe {inode}"
    )
    .expect("memory");
    many.iter().skip(7).for_each(|one| add(one.as_raw_fd()));
    wait();
    writeln!(
        told,
        "epoll 64: {address} listening, pipe {inode}, [eventfd], pipe {inode}"
    )
    .expect("memory");
    // SAFETY: made above, and used no more.
    unsafe { (libc::close(epoll), libc::close(event)) };
}

/// Waits for more things than are counted: where among them those with the lowest descriptors are is left to chance.
fn large_epoll(told: &mut String) {
    let listen = |_| TcpListener::bind("127.0.0.1:0").expect("a port");
    let listeners: Vec<TcpListener> = (0..4).map(listen).collect();
    let (from, _to) = pipe().expect("a pipe");
    let many: Vec<File> = (0..70).map(|_| pipe_end(&from)).collect();
    // SAFETY: a plain call.
    let epoll = unsafe { libc::epoll_create1(0) };
    let all = many.iter().map(AsRawFd::as_raw_fd);
    all.chain(listeners.iter().map(AsRawFd::as_raw_fd))
        .for_each(|one| watch(epoll, one));
    wait_for_any(epoll);
    let address = |one: &TcpListener| one.local_addr().expect("an address");
    let names = listeners
        .iter()
        .map(|one| format!("{} listening", address(one)));
    let names: Vec<String> = names.collect();
    writeln!(told, "epoll 64: {}", names.join(", ")).expect("memory");
    // SAFETY: made above, and used no more.
    unsafe { libc::close(epoll) };
}

/// Adds a descriptor to what an epoll watches.
fn watch(epoll: RawFd, descriptor: RawFd) {
    let mut wanted = libc::epoll_event {
        events: libc::EPOLLIN.cast_unsigned(),
        u64: 0,
    };
    let operation = libc::EPOLL_CTL_ADD;
    // SAFETY: a plain call, with memory that lives longer.
    let done = unsafe { libc::epoll_ctl(epoll, operation, descriptor, &raw mut wanted) };
    assert_eq!(done, 0, "watched");
}

/// Waits in vain for what an epoll watches.
fn wait_for_any(epoll: RawFd) {
    let mut ready = libc::epoll_event { events: 0, u64: 0 };
    // SAFETY: a plain call, with memory that lives longer.
    let count = unsafe { libc::epoll_wait(epoll, &raw mut ready, 1, 40) };
    assert_eq!(count, 0, "nothing comes");
}

fn pipe_end(of: &std::io::PipeReader) -> File {
    File::from(std::os::fd::OwnedFd::from(
        of.try_clone().expect("another descriptor"),
    ))
}

/// Waits in vain for room at a socket that nobody takes connections from.
fn full_listener(folder: &Path, told: &mut String) {
    let path = folder.join("full");
    let listener = UnixListener::bind(&path).expect("a socket");
    // SAFETY: a socket that is open.
    let done = unsafe { libc::listen(listener.as_raw_fd(), 0) };
    assert_eq!(done, 0, "no room but for one");
    let _first = UnixStream::connect(&path).expect("the one");
    let limit = libc::timeval {
        tv_sec: 0,
        tv_usec: 100_000,
    };
    // SAFETY: zero is one of its values.
    let mut address: libc::sockaddr_un = unsafe { std::mem::zeroed() };
    address.sun_family = libc::AF_UNIX as libc::sa_family_t;
    let text = path.as_os_str().as_encoded_bytes();
    for (to, from) in address.sun_path.iter_mut().zip(text) {
        *to = from.cast_signed();
    }
    let bytes = |of: usize| libc::socklen_t::try_from(of).expect("few");
    // SAFETY: plain calls, with memory that lives longer.
    unsafe {
        let near = libc::socket(libc::AF_UNIX, libc::SOCK_STREAM, 0);
        let option = (&raw const limit).cast();
        let room = bytes(size_of_val(&limit));
        libc::setsockopt(near, libc::SOL_SOCKET, libc::SO_SNDTIMEO, option, room);
        let to = (&raw const address).cast();
        // Without the zero at its end.
        let done = libc::connect(near, to, bytes(2 + text.len()));
        assert_eq!(done, -1, "it waits in vain");
        libc::close(near);
    }
    writeln!(told, "connect {}", path.display()).expect("memory");
}

/// Waits for a signal, which this process sends.
fn signal(told: &mut String) {
    // SAFETY: plain calls, with memory that lives longer.
    unsafe {
        let mut wanted: libc::sigset_t = std::mem::zeroed();
        libc::sigaddset(&raw mut wanted, libc::SIGUSR1);
        libc::pthread_sigmask(libc::SIG_BLOCK, &raw const wanted, std::ptr::null_mut());
        thread::scope(|scope| {
            scope.spawn(|| {
                let_wait();
                libc::kill(libc::getpid(), libc::SIGUSR1)
            });
            let mut which: libc::siginfo_t = std::mem::zeroed();
            libc::sigwaitinfo(&raw const wanted, &raw mut which);
        });
    }
    writeln!(told, "signal {} {}", libc::SIGUSR1, std::process::id()).expect("memory");
}

/// Is stopped by another process as it begins a call.
fn tracer(folder: &Path, told: &mut String) {
    let own = std::env::current_exe().expect("this program");
    let pid = std::process::id().to_string();
    let mut child = Command::new(own);
    child.arg(folder).arg("trace").arg(pid);
    let mut child = child.spawn().expect("a child");
    // SAFETY: plain calls.
    unsafe { libc::prctl(libc::PR_SET_PTRACER, u64::from(child.id())) };
    let status = loop {
        // SAFETY: a plain call.
        unsafe { libc::getppid() };
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
    };
    assert!(status.success(), "it traces");
    writeln!(told, "tracer {}", child.id()).expect("memory");
}

/// Stops another process as it begins a call, for a while.
fn trace(pid: i32) {
    let none = std::ptr::null_mut::<libc::c_void>();
    let mut status = 0;
    // SAFETY: plain calls, with memory that lives longer.
    unsafe {
        while libc::ptrace(libc::PTRACE_SEIZE, pid, none, libc::PTRACE_O_TRACESYSGOOD) != 0 {
            thread::sleep(Duration::from_millis(1));
        }
        libc::ptrace(libc::PTRACE_INTERRUPT, pid, none, none);
        libc::waitpid(pid, &raw mut status, 0);
        let mut info: libc::ptrace_syscall_info = std::mem::zeroed();
        while info.op != libc::PTRACE_SYSCALL_INFO_ENTRY {
            libc::ptrace(libc::PTRACE_SYSCALL, pid, none, none);
            libc::waitpid(pid, &raw mut status, 0);
            let room = size_of_val(&info);
            libc::ptrace(libc::PTRACE_GET_SYSCALL_INFO, pid, room, &raw mut info);
        }
        thread::sleep(WHILE);
        let done = libc::ptrace(libc::PTRACE_DETACH, pid, none, none);
        assert_eq!(done, 0, "let go");
    }
}

/// Waits for a child that ends when it has nothing more to read.
fn child(told: &mut String) {
    let mut child = Command::new("cat");
    let mut child = child.stdin(Stdio::piped()).spawn().expect("a child");
    let input = child.stdin.take();
    thread::scope(|scope| {
        scope.spawn(move || {
            let_wait();
            drop(input);
        });
        child.wait().expect("its end");
    });
    writeln!(told, "child {}", child.id()).expect("memory");
}

fn lock(folder: &Path, told: &mut String) {
    let path = folder.join("lock");
    let held = File::create(&path).expect("a file");
    held.lock().expect("locked");
    let wanted = File::open(&path).expect("the same file");
    thread::scope(|scope| {
        scope.spawn(move || {
            let_wait();
            drop(held);
        });
        wanted.lock().expect("locked");
    });
    writeln!(told, "lock {} {}", path.display(), std::process::id()).expect("memory");
}

/// Holds a shared lock until there is nothing more to read.
fn hold(path: &Path) {
    let held = File::open(path).expect("a file");
    held.lock_shared().expect("locked");
    std::io::stdout().write_all(b"held\n").expect("told");
    std::io::stdin()
        .read_to_end(&mut Vec::new())
        .expect("its end");
}

/// Starts a process that holds a shared lock.
fn holder(folder: &Path, path: &Path) -> Child {
    let own = std::env::current_exe().expect("this program");
    let mut child = Command::new(own);
    child.arg(folder).arg(path);
    child.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = child.spawn().expect("a child");
    let output = child.stdout.as_mut().expect("its output");
    output.read_exact(&mut [0; 5]).expect("that it holds it");
    child
}

/// Waits for a lock that two processes hold, then for one that one of them holds. A process's own shared
/// lock does not keep it waiting.
fn shared_lock(folder: &Path, told: &mut String) {
    let path = folder.join("shared");
    let wanted = File::create(&path).expect("a file");
    for count in [2, 1] {
        wanted.lock_shared().expect("locked");
        let mut holders: Vec<Child> = (0..count).map(|_| holder(folder, &path)).collect();
        let inputs: Vec<_> = holders.iter_mut().map(|one| one.stdin.take()).collect();
        let known = holders.first().filter(|_| count == 1).map_or(0, Child::id);
        thread::scope(|scope| {
            scope.spawn(move || {
                let_wait();
                drop(inputs);
            });
            wanted.lock().expect("locked");
        });
        writeln!(told, "lock {} {known}", path.display()).expect("memory");
        wanted.unlock().expect("unlocked");
        for mut holder in holders {
            holder.wait().expect("its end");
        }
    }
}

/// Waits for bytes of a file, others of which another process has locked, too: that is not the one.
fn own_bytes(folder: &Path, told: &mut String) {
    let path = folder.join("bytes");
    let file = File::create(&path).expect("a file");
    let script = "import fcntl, os, sys\n\
        f = open(sys.argv[1], 'r+b')\n\
        fcntl.lockf(f, fcntl.LOCK_EX, 8, int(sys.argv[2]))\n\
        print('held', flush=True)\n\
        sys.stdin.read()\n";
    let mut holders: Vec<Child> = ["0", "100"]
        .iter()
        .filter_map(|start| {
            let mut child = Command::new("python3");
            child.args(["-c", script]).arg(&path).arg(start);
            child.stdin(Stdio::piped()).stdout(Stdio::piped());
            child.spawn().ok()
        })
        .collect();
    if holders.is_empty() {
        return;
    }
    for holder in &mut holders {
        let output = holder.stdout.as_mut().expect("its output");
        output.read_exact(&mut [0; 5]).expect("that it holds it");
    }
    let known = holders.get(1).map_or(0, Child::id);
    let input = holders.get_mut(1).map(|one| one.stdin.take());
    // SAFETY: all zero is one of its values.
    let mut bytes: libc::flock = unsafe { std::mem::zeroed() };
    (bytes.l_type, bytes.l_start, bytes.l_len) = (libc::F_WRLCK as libc::c_short, 104, 1);
    thread::scope(|scope| {
        scope.spawn(move || {
            let_wait();
            drop(input);
        });
        // SAFETY: an open file, and a lock as the call wants it.
        let done = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETLKW, &raw const bytes) };
        assert_eq!(done, 0, "locked");
    });
    writeln!(told, "lock {} {known}", path.display()).expect("memory");
    for mut holder in holders {
        drop(holder.stdin.take());
        holder.wait().expect("its end");
    }
}
