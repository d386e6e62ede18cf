//! Uses files in ways that a test knows: `known_files FOLDER`.
#![expect(
    unsafe_code,
    reason = "system calls as they are, without a library's additions"
)]
#![expect(clippy::expect_used, reason = "a program of a test may stop")]

use std::ffi::{CStr, CString};
use std::os::unix::ffi::OsStringExt;

use libc::{AT_FDCWD, O_CREAT, O_DIRECTORY, O_DSYNC, O_RDONLY, O_RDWR, O_WRONLY, c_int};

fn main() {
    let folder = std::env::args_os().nth(1).expect("a folder");
    let folder = CString::new(folder.into_vec()).expect("a path");
    enter(&folder);
    odd_name();
    absent();
    descriptors();
    folders();
    many();
    moved();
    copied();
    read_twice();
    unix_sockets();
    mapped();
    removed();
}

/// Writes a file back that is mapped into memory: both of its pages, then the second one. To ask for it without
/// waiting does nothing.
fn mapped() {
    const PAGE: usize = 4096;
    let file = open(c"mapped", O_CREAT | O_RDWR);
    write(file, &[0; 2 * PAGE]);
    // SAFETY: a new mapping of the file, of its length, and calls about parts of it.
    unsafe {
        let none = std::ptr::null_mut();
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let pages = libc::mmap(none, 2 * PAGE, access, libc::MAP_SHARED, file, 0);
        assert_ne!(pages, libc::MAP_FAILED, "mapped");
        let second = pages.byte_add(PAGE);
        pages.cast::<u8>().write_volatile(1);
        libc::msync(pages, 2 * PAGE, libc::MS_SYNC);
        second.cast::<u8>().write_volatile(1);
        libc::msync(second, PAGE, libc::MS_SYNC);
        libc::msync(second, PAGE, libc::MS_ASYNC);
    }
}

/// A Unix socket in a folder, and one that is not there. The addresses do not end with a zero.
fn unix_sockets() {
    let address = |name: &[u8]| {
        // SAFETY: zero is one of its values.
        let mut address: libc::sockaddr_un = unsafe { std::mem::zeroed() };
        address.sun_family = libc::AF_UNIX as libc::sa_family_t;
        // What lies behind is not of the name.
        address.sun_path = [b'?'.cast_signed(); 108];
        for (to, from) in address.sun_path.iter_mut().zip(name) {
            *to = from.cast_signed();
        }
        (address, (2 + name.len()) as libc::socklen_t)
    };
    // SAFETY: plain numbers.
    let socket = || unsafe { libc::socket(libc::AF_UNIX, libc::SOCK_STREAM, 0) };
    let (own, bytes) = address(b"socket");
    let listening = socket();
    // SAFETY: an address of so many bytes.
    unsafe { libc::bind(listening, (&raw const own).cast(), bytes) };
    // SAFETY: a descriptor of its own.
    unsafe { libc::listen(listening, 8) };
    // SAFETY: an address of so many bytes.
    times(2, || unsafe {
        libc::connect(socket(), (&raw const own).cast(), bytes)
    });
    let (absent, bytes) = address(b"nobody");
    // SAFETY: an address of so many bytes.
    times(3, || unsafe {
        libc::connect(socket(), (&raw const absent).cast(), bytes)
    });
}

/// A file whose name is no text: written, synced, read.
fn odd_name() {
    let file = open(c"odd \n\xff", O_CREAT | O_RDWR);
    times(10, || write(file, b"seven b"));
    // SAFETY: a descriptor of its own.
    times(5, || unsafe { libc::fdatasync(file) });
    let mut three = [0_u8; 3];
    // SAFETY: the buffer is as long as it says.
    times(20, || unsafe {
        libc::pread(file, three.as_mut_ptr().cast(), 3, 0) as c_int
    });
    // SAFETY: a descriptor of its own.
    times(8, || unsafe { libc::flock(file, libc::LOCK_EX) });
    let durable = open(c"durable", O_CREAT | O_WRONLY | O_DSYNC);
    times(6, || write(durable, b"safe"));
}

/// Names that are not there.
fn absent() {
    let mut stat = [0_u8; 256];
    // SAFETY: the buffer is larger than a `stat`.
    times(200, || unsafe {
        libc::fstatat(AT_FDCWD, c"missing".as_ptr(), stat.as_mut_ptr().cast(), 0)
    });
    times(30, || open(c"/missing//at/./all", O_RDONLY));
    let nothing = [std::ptr::null()];
    // SAFETY: the lists end with a null.
    times(3, || unsafe {
        libc::execve(
            c"no-such-program".as_ptr(),
            nothing.as_ptr(),
            nothing.as_ptr(),
        )
    });
}

/// One file by a copy of its descriptor, in a child, and in a thread.
fn descriptors() {
    let file = open(c"shared", O_CREAT | O_WRONLY);
    // SAFETY: a descriptor of its own.
    let copy = unsafe { libc::dup2(file, 100) };
    times(4, || write(copy, b"4"));
    // SAFETY: the child makes system calls only, and ends.
    let child = unsafe { libc::fork() };
    if child == 0 {
        times(6, || write(file, b"66"));
        // SAFETY: ends the child.
        unsafe { libc::_exit(0) };
    }
    // SAFETY: waits for the child, whose status is of no interest.
    unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) };
    let thread = std::thread::spawn(move || times(9, || write(copy, b"999")));
    thread.join().expect("it ends");
}

/// A folder that is listed, and a file that is opened from it.
fn folders() {
    make(c"list");
    let folder = open(c"list", O_RDONLY | O_DIRECTORY);
    let mut entries = [0_u8; 1024];
    // SAFETY: the buffer is as long as it says.
    times(2, || unsafe {
        libc::syscall(libc::SYS_getdents64, folder, entries.as_mut_ptr(), 1024) as c_int
    });
    // SAFETY: a name with its end.
    times(7, || unsafe {
        libc::openat(folder, c"inner".as_ptr(), O_CREAT | O_WRONLY, 0o600)
    });
}

/// More files than a thread has counts for.
fn many() {
    for number in 0..100 {
        let name = CString::new(format!("many-{number}")).expect("a name");
        times(3, || {
            let file = open(&name, O_CREAT | O_WRONLY);
            // SAFETY: a descriptor of its own.
            unsafe { libc::close(file) }
        });
    }
}

/// A file whose folder gets another name.
fn moved() {
    make(c"before");
    times(11, || open(c"before/file", O_CREAT | O_WRONLY));
    // SAFETY: names with their ends.
    unsafe { libc::rename(c"before".as_ptr(), c"after".as_ptr()) };
    times(12, || open(c"after/file", O_WRONLY));
}

/// Bytes from one file to others, and further names.
fn copied() {
    let from = open(c"source", O_CREAT | O_RDWR);
    write(from, b"0123456789");
    let mut hundred = [0_u8; 100];
    // SAFETY: the buffer is as long as it says.
    unsafe { libc::pread(from, hundred.as_mut_ptr().cast(), 100, 3) };
    let sent = open(c"sent", O_CREAT | O_WRONLY);
    let mut place = 2_i64;
    // SAFETY: descriptors of its own, and a place in memory.
    unsafe { libc::sendfile(sent, from, &raw mut place, 4) };
    let copy = open(c"copy", O_CREAT | O_WRONLY);
    let mut place = 1_i64;
    // SAFETY: descriptors of its own, and a place in memory.
    unsafe { libc::copy_file_range(from, &raw mut place, copy, std::ptr::null_mut(), 5, 0) };
    // SAFETY: names with their ends.
    unsafe { libc::link(c"source".as_ptr(), c"linked".as_ptr()) };
    // SAFETY: names with their ends.
    unsafe { libc::rename(c"sent".as_ptr(), c"received".as_ptr()) };
    // SAFETY: descriptors of its own.
    times(1, || unsafe { libc::close(copy) });
}

/// A file that is read when the system has forgotten it, and when it knows it.
fn read_twice() {
    let file = open(c"cold", O_CREAT | O_RDWR);
    let mut bytes = [7_u8; 8192];
    write(file, &bytes);
    // SAFETY: a descriptor of its own.
    unsafe { libc::fsync(file) };
    // SAFETY: a descriptor of its own.
    unsafe { libc::posix_fadvise(file, 0, 0, libc::POSIX_FADV_DONTNEED) };
    // SAFETY: the buffer is as long as it says.
    times(2, || unsafe {
        libc::pread(file, bytes.as_mut_ptr().cast(), 8192, 0) as c_int
    });
}

/// A file without a name, and a working folder without one.
fn removed() {
    let file = open(c"removed", O_CREAT | O_WRONLY);
    // SAFETY: a name with its end.
    unsafe { libc::unlink(c"removed".as_ptr()) };
    times(5, || write(file, b"5"));
    make(c"gone");
    enter(c"gone");
    // SAFETY: a name with its end.
    unsafe { libc::rmdir(c"../gone".as_ptr()) };
    // SAFETY: a name with its end.
    times(13, || unsafe { libc::access(c"x".as_ptr(), 0) });
}

fn times(count: u32, mut work: impl FnMut() -> c_int) {
    for _ in 0..count {
        work();
    }
}

fn open(name: &CStr, flags: c_int) -> c_int {
    // SAFETY: a name with its end.
    unsafe { libc::openat(AT_FDCWD, name.as_ptr(), flags, 0o600) }
}

fn write(file: c_int, bytes: &[u8]) -> c_int {
    // SAFETY: the buffer is as long as it says.
    unsafe { libc::write(file, bytes.as_ptr().cast(), bytes.len()) as c_int }
}

fn make(folder: &CStr) {
    // SAFETY: a name with its end.
    unsafe { libc::mkdir(folder.as_ptr(), 0o700) };
}

fn enter(folder: &CStr) {
    // SAFETY: a name with its end.
    unsafe { libc::chdir(folder.as_ptr()) };
}
