//! Makes every call about files that there is, and calls with paths that are none: `known_operations FOLDER`.
#![expect(
    unsafe_code,
    reason = "system calls as they are, without a library's additions"
)]
#![expect(clippy::expect_used, reason = "a program of a test may stop")]

use std::ffi::{CStr, CString, c_long};
use std::os::unix::ffi::OsStringExt;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use libc::{AT_FDCWD, O_CREAT, O_RDONLY, O_RDWR};

fn main() {
    let folder = std::env::args_os().nth(1).expect("a folder");
    let folder = CString::new(folder.into_vec()).expect("a path");
    call(libc::SYS_chdir, &[text(&folder)]);
    data();
    lists_and_questions();
    names();
    changes();
    long_paths();
    unmapped();
    page_end();
    changing();
}

/// Makes a call.
fn call(number: c_long, arguments: &[c_long]) -> c_long {
    let at = |place: usize| arguments.get(place).copied().unwrap_or(0);
    // SAFETY: the callers give what their calls want, or what the kernel refuses.
    unsafe { libc::syscall(number, at(0), at(1), at(2), at(3), at(4), at(5)) }
}

/// Makes a call so many times.
fn calls(count: u32, number: c_long, arguments: &[c_long]) {
    for _ in 0..count {
        call(number, arguments);
    }
}

fn text(name: &CStr) -> c_long {
    address(name.as_ptr())
}

fn address<T>(of: *const T) -> c_long {
    of.addr() as c_long
}

const HERE: c_long = AT_FDCWD as c_long;

fn open(name: &CStr) -> c_long {
    let flags = c_long::from(O_CREAT | O_RDWR);
    call(libc::SYS_openat, &[HERE, text(name), flags, 0o600])
}

/// Reading and writing in all ways, what makes it last, and what makes room.
fn data() {
    let file = open(c"data");
    let mut bytes = [7_u8; 64];
    let buffer = address(bytes.as_mut_ptr());
    let parts = [
        libc::iovec {
            iov_base: bytes.as_mut_ptr().cast(),
            iov_len: 3,
        },
        libc::iovec {
            iov_base: bytes.as_mut_ptr().cast(),
            iov_len: 4,
        },
    ];
    let parts = address(parts.as_ptr());
    // Each kind of call another number of times and bytes: 1 + 2 × 2 … are told apart in the sums.
    calls(1, libc::SYS_write, &[file, buffer, 1]);
    calls(2, libc::SYS_pwrite64, &[file, buffer, 10, 0]);
    calls(3, libc::SYS_writev, &[file, parts, 2]);
    calls(4, libc::SYS_pwritev, &[file, parts, 2, 0, 0]);
    calls(5, libc::SYS_pwritev2, &[file, parts, 2, 0, 0, 0]);
    call(libc::SYS_lseek, &[file, 0, 0]);
    calls(1, libc::SYS_read, &[file, buffer, 2]);
    calls(2, libc::SYS_pread64, &[file, buffer, 5, 0]);
    call(libc::SYS_lseek, &[file, 0, 0]);
    calls(3, libc::SYS_readv, &[file, parts, 2]);
    calls(4, libc::SYS_preadv, &[file, parts, 2, 0, 0]);
    calls(5, libc::SYS_preadv2, &[file, parts, 2, 0, 0, 0]);
    // The end of the file, and a descriptor that may not be written to.
    calls(2, libc::SYS_pread64, &[file, buffer, 5, 1 << 20]);
    let only_read = call(libc::SYS_open, &[text(c"data"), c_long::from(O_RDONLY)]);
    calls(6, libc::SYS_write, &[only_read, buffer, 5]);
    calls(1, libc::SYS_fsync, &[file]);
    calls(2, libc::SYS_fdatasync, &[file]);
    calls(3, libc::SYS_sync_file_range, &[file, 0, 0, 0]);
    calls(4, libc::SYS_syncfs, &[file]);
    calls(1, libc::SYS_ftruncate, &[file, 100]);
    calls(2, libc::SYS_fallocate, &[file, 0, 0, 200]);
    calls(3, libc::SYS_truncate, &[text(c"data"), 300]);
    calls(1, libc::SYS_flock, &[file, c_long::from(libc::LOCK_EX)]);
    // SAFETY: zero is one of its values.
    let mut lock: libc::flock = unsafe { std::mem::zeroed() };
    lock.l_type = libc::F_WRLCK as libc::c_short;
    let set = c_long::from(libc::F_SETLK);
    calls(2, libc::SYS_fcntl, &[file, set, address(&raw const lock)]);
    // Questions about the descriptor are not about the file.
    calls(9, libc::SYS_fcntl, &[file, c_long::from(libc::F_GETFD)]);
    let (read, shared) = (
        c_long::from(libc::PROT_READ),
        c_long::from(libc::MAP_SHARED),
    );
    calls(4, libc::SYS_mmap, &[0, 4096, read, shared, file, 0]);
    let mut ends = [0; 2];
    // SAFETY: room for two.
    unsafe { libc::pipe(ends.as_mut_ptr()) };
    let from = 0_i64;
    let to = c_long::from(ends[1]);
    calls(
        1,
        libc::SYS_splice,
        &[file, address(&raw const from), to, 0, 9, 0],
    );
}

/// What asks, and lists.
fn lists_and_questions() {
    let room = [0_u8; 4096];
    let (room, name) = (address(room.as_ptr()), text(c"asked"));
    let file = open(c"asked");
    calls(1, libc::SYS_stat, &[name, room]);
    calls(2, libc::SYS_lstat, &[name, room]);
    calls(3, libc::SYS_fstat, &[file, room]);
    calls(4, libc::SYS_newfstatat, &[HERE, name, room, 0]);
    calls(5, libc::SYS_statx, &[HERE, name, 0, 0, room]);
    let empty = c_long::from(libc::AT_EMPTY_PATH);
    calls(6, libc::SYS_newfstatat, &[file, text(c""), room, empty]);
    calls(1, libc::SYS_access, &[name, 0]);
    calls(2, libc::SYS_faccessat, &[HERE, name, 0]);
    calls(3, libc::SYS_faccessat2, &[HERE, name, 0, 0]);
    call(libc::SYS_symlink, &[text(c"anything"), text(c"link")]);
    calls(4, libc::SYS_readlink, &[text(c"link"), room, 100]);
    calls(5, libc::SYS_readlinkat, &[HERE, text(c"link"), room, 100]);
    calls(2, libc::SYS_readlink, &[name, room, 100]);
    calls(1, libc::SYS_statfs, &[name, room]);
    calls(2, libc::SYS_fstatfs, &[file, room]);
    attributes(file, name);
    let watcher = call(libc::SYS_inotify_init1, &[]);
    let changes = c_long::from(libc::IN_MODIFY);
    calls(3, libc::SYS_inotify_add_watch, &[watcher, name, changes]);
}

/// Extended attributes, which not every file system has: empty names are refused before the file system is asked. And
/// calls that are refused because the file is not a folder, or because nothing watches it.
fn attributes(file: c_long, name: c_long) {
    let none = text(c"");
    calls(1, libc::SYS_setxattr, &[name, none]);
    calls(2, libc::SYS_lsetxattr, &[name, none]);
    calls(3, libc::SYS_fsetxattr, &[file, none]);
    calls(4, libc::SYS_removexattr, &[name, none]);
    calls(5, libc::SYS_lremovexattr, &[name, none]);
    calls(6, libc::SYS_fremovexattr, &[file, none]);
    calls(1, libc::SYS_getxattr, &[name, none]);
    calls(2, libc::SYS_lgetxattr, &[name, none]);
    calls(3, libc::SYS_fgetxattr, &[file, none]);
    calls(2, libc::SYS_fchdir, &[file]);
    let (nobody, add) = (-1, 1);
    calls(4, libc::SYS_fanotify_mark, &[nobody, add, 2, HERE, name]);
}

/// What makes and removes names.
fn names() {
    calls(2, libc::SYS_creat, &[text(c"made"), 0o600]);
    let how = [O_CREAT as u64 | O_RDWR as u64, 0o600, 0];
    calls(
        3,
        libc::SYS_openat2,
        &[HERE, text(c"made"), address(how.as_ptr()), 24],
    );
    call(libc::SYS_mkdir, &[text(c"folder"), 0o700]);
    calls(4, libc::SYS_mkdir, &[text(c"folder"), 0o700]);
    calls(2, libc::SYS_mkdirat, &[HERE, text(c"folder"), 0o700]);
    let pipe = c_long::from(libc::S_IFIFO | 0o600);
    call(libc::SYS_mknod, &[text(c"pipe"), pipe, 0]);
    call(libc::SYS_mknodat, &[HERE, text(c"pipe"), pipe, 0]);
    call(libc::SYS_link, &[text(c"made"), text(c"second")]);
    call(
        libc::SYS_linkat,
        &[HERE, text(c"made"), HERE, text(c"third"), 0],
    );
    call(
        libc::SYS_symlinkat,
        &[text(c"made"), HERE, text(c"symbolic")],
    );
    call(libc::SYS_rename, &[text(c"second"), text(c"renamed")]);
    call(
        libc::SYS_renameat,
        &[HERE, text(c"third"), HERE, text(c"renamed-2")],
    );
    call(
        libc::SYS_renameat2,
        &[HERE, text(c"renamed"), HERE, text(c"renamed-3"), 0],
    );
    call(libc::SYS_unlink, &[text(c"renamed-2")]);
    calls(2, libc::SYS_unlinkat, &[HERE, text(c"renamed-3"), 0]);
    calls(3, libc::SYS_rmdir, &[text(c"folder")]);
}

/// What changes owners, permissions and times.
fn changes() {
    let (file, name) = (open(c"changed"), text(c"changed"));
    let same = -1;
    calls(1, libc::SYS_chmod, &[name, 0o600]);
    calls(1, libc::SYS_fchmod, &[file, 0o600]);
    calls(1, libc::SYS_fchmodat, &[HERE, name, 0o600]);
    calls(1, libc::SYS_chown, &[name, same, same]);
    calls(1, libc::SYS_fchown, &[file, same, same]);
    calls(1, libc::SYS_lchown, &[name, same, same]);
    calls(1, libc::SYS_fchownat, &[HERE, name, same, same, 0]);
    calls(1, libc::SYS_utime, &[name, 0]);
    calls(1, libc::SYS_utimes, &[name, 0]);
    calls(1, libc::SYS_futimesat, &[HERE, name, 0]);
    calls(1, libc::SYS_utimensat, &[HERE, name, 0, 0]);
}

/// The longest paths that there may be, and longer ones.
fn long_paths() {
    let path = |bytes: usize| {
        let mut path = "./".repeat(bytes / 2 - 2).into_bytes();
        path.resize(bytes, b'x');
        CString::new(path).expect("a path")
    };
    let room = [0_u8; 256];
    let room = address(room.as_ptr());
    calls(3, libc::SYS_lstat, &[text(&path(4095)), room]);
    calls(4, libc::SYS_lstat, &[text(&path(4096)), room]);
    let name = CString::new(vec![b'n'; 255]).expect("a name");
    calls(5, libc::SYS_lstat, &[text(&name), room]);
    // Deeper than the kernel's longest path, by its folders' descriptors.
    let part = CString::new(vec![b'd'; 200]).expect("a name");
    let mut folder = HERE;
    for _ in 0..30 {
        call(libc::SYS_mkdirat, &[folder, text(&part), 0o700]);
        let flags = c_long::from(libc::O_DIRECTORY);
        folder = call(libc::SYS_openat, &[folder, text(&part), flags]);
    }
    calls(
        7,
        libc::SYS_newfstatat,
        &[folder, text(c"deepest"), room, 0],
    );
}

/// Paths in memory that is not there.
fn unmapped() {
    let flags = c_long::from(O_RDONLY);
    calls(3, libc::SYS_open, &[0, flags]);
    calls(4, libc::SYS_open, &[8, flags]);
    calls(5, libc::SYS_open, &[-4096, flags]);
}

/// A path that ends where memory ends, and one that goes on there.
fn page_end() {
    let anonymous = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    let rights = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: new memory of two pages, of which the second is taken away; writes go to the first one.
    let pages: *mut u8 = unsafe {
        let pages = libc::mmap(std::ptr::null_mut(), 8192, rights, anonymous, -1, 0);
        let pages: *mut u8 = pages.cast();
        libc::munmap(pages.add(4096).cast(), 4096);
        pages.add(4091).copy_from(c"edge".as_ptr().cast(), 5);
        pages
    };
    let room = [0_u8; 256];
    let room = address(room.as_ptr());
    // SAFETY: inside of the first page.
    let name = unsafe { pages.add(4091) };
    calls(6, libc::SYS_lstat, &[address(name), room]);
    // SAFETY: the same.
    unsafe { pages.add(4095).write(b'!') };
    calls(8, libc::SYS_lstat, &[address(name), room]);
}

/// A path that another thread changes all the time between two.
fn changing() {
    let name = [AtomicU8::new(b'p'), AtomicU8::new(b'1'), AtomicU8::new(0)];
    let is_done = AtomicBool::new(false);
    let room = [0_u8; 256];
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                for digit in [b'2', b'1'] {
                    name[1].store(digit, Ordering::Relaxed);
                }
            }
        });
        calls(
            2000,
            libc::SYS_lstat,
            &[address(name.as_ptr()), address(room.as_ptr())],
        );
        is_done.store(true, Ordering::Relaxed);
    });
}
