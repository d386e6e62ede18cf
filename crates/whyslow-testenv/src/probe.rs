//! How the machine is asked. Nothing of ours is run here, but for bare system calls.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// A feature is there, or why not.
type Probed = Result<(), String>;

/// Returns whether a program runs with these arguments, and ends well.
pub(crate) fn runs(program: &str, arguments: &[&str]) -> Probed {
    let mut command = Command::new(program);
    let done = command.args(arguments).stdin(Stdio::null()).output();
    let done = done.map_err(|error| format!("{program}: {error}"))?;
    let said = String::from_utf8_lossy(&done.stderr);
    let said = said.lines().find(|line| !line.trim().is_empty());
    let why = || format!("{program}: {}", said.unwrap_or("it failed"));
    done.status.success().then_some(()).ok_or_else(why)
}

/// Returns whether a program is in the path.
fn is_installed(program: &str) -> Probed {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let usual = ["/usr/sbin", "/sbin"].map(Into::into);
    let mut folders = std::env::split_paths(&path).chain(usual);
    let is_there = folders.any(|folder| folder.join(program).is_file());
    is_there
        .then_some(())
        .ok_or_else(|| format!("{program} is not installed"))
}

/// Returns whether the kernel has a driver of a file system, or can load one.
fn driver(name: &str) -> Probed {
    let known = fs::read_to_string("/proc/filesystems").unwrap_or_default();
    let is_loaded = known
        .lines()
        .any(|line| line.split_whitespace().next_back() == Some(name));
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let aliases = format!("/lib/modules/{}/modules.alias", release.trim());
    let aliases = fs::read_to_string(aliases).unwrap_or_default();
    let alias = format!("alias fs-{name} ");
    let is_known = is_loaded || aliases.lines().any(|line| line.starts_with(&alias));
    let why = || format!("the kernel has no driver {name}");
    is_known.then_some(()).ok_or_else(why)
}

pub(crate) fn directory(path: &str) -> Probed {
    let is_there = Path::new(path).is_dir();
    is_there
        .then_some(())
        .ok_or_else(|| format!("there is no {path}"))
}

pub(crate) fn root() -> Probed {
    let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", "true"];
    runs("setpriv", &nobody)
}

pub(crate) fn kallsyms() -> Probed {
    let symbols = fs::read_to_string("/proc/kallsyms").unwrap_or_default();
    let mut lines = symbols.lines();
    let shown = lines.any(|line| line.ends_with(" _text") && !line.starts_with("0000000000000000"));
    let why = || "/proc/kallsyms shows no addresses".to_owned();
    shown.then_some(()).ok_or_else(why)
}

pub(crate) fn vdso() -> Probed {
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let why = || "this process has none".to_owned();
    maps.contains("[vdso]").then_some(()).ok_or_else(why)
}

pub(crate) fn x86() -> Probed {
    let why = || format!("this is {}", std::env::consts::ARCH);
    cfg!(target_arch = "x86_64").then_some(()).ok_or_else(why)
}

pub(crate) fn exit_tracepoint() -> Probed {
    bpf()?;
    let types = fs::read("/sys/kernel/btf/vmlinux");
    let types = types.map_err(|error| format!("/sys/kernel/btf/vmlinux: {error}"))?;
    let name = b"btf_trace_sched_exit_tp";
    let is_there = types.windows(name.len()).any(|part| part == name);
    let why = || "the kernel has no tracepoint sched_exit_tp".to_owned();
    is_there.then_some(()).ok_or_else(why)
}

pub(crate) fn binutils() -> Probed {
    let tools = ["objdump", "readelf", "nm", "objcopy"];
    tools.iter().try_for_each(|tool| runs(tool, &["--version"]))
}

pub(crate) fn clang() -> Probed {
    runs("clang-16", &["--version"])?;
    runs("llvm-strip-16", &["--version"])
}

pub(crate) fn disk() -> Probed {
    let dir = std::env::temp_dir();
    let output = Command::new("stat")
        .args(["-f", "-c", "%T"])
        .arg(&dir)
        .output();
    let kind = output.map_err(|error| format!("stat: {error}"))?.stdout;
    let kind = String::from_utf8_lossy(&kind).trim().to_owned();
    let why = || format!("{} is on {kind}", dir.display());
    kind.starts_with("ext").then_some(()).ok_or_else(why)
}

pub(crate) fn perf() -> Probed {
    // Not a file that somebody else could have.
    let file = std::env::temp_dir().join(format!("whyslow-probe-{}.data", std::process::id()));
    let path = file.to_string_lossy();
    let options = ["record", "-q", "-B", "-e", "cpu-clock", "-o", &path];
    let found = runs("perf", &[&options[..], &["--", "true"]].concat());
    let _gone = fs::remove_file(&file);
    found
}

pub(crate) fn chromium() -> Probed {
    // Not the profile of whoever runs the tests.
    let profile = std::env::temp_dir().join(format!("whyslow-probe-{}", std::process::id()));
    let own = format!("--user-data-dir={}", profile.display());
    let options = ["--headless", "--no-sandbox", "--disable-gpu", &own];
    let found = runs(
        "chromium",
        &[&options[..], &["--dump-dom", "about:blank"]].concat(),
    );
    let _gone = fs::remove_dir_all(&profile);
    found
}

/// Runs a script with mounts, networks and processes of its own.
fn inside(script: &str) -> Probed {
    let own = ["-m", "-n", "-p", "--fork", "--mount-proc", "sh", "-c"];
    runs("unshare", &[&own[..], &[script]].concat())
}

pub(crate) fn namespaces() -> Probed {
    inside("true")
}

pub(crate) fn mount() -> Probed {
    inside("mount -t tmpfs none /tmp")
}

/// Returns whether an image can be attached to a device.
fn loop_device() -> Probed {
    runs("losetup", &["-f"])?;
    inside("mount -t tmpfs none /tmp")
}

pub(crate) fn fuse() -> Probed {
    driver("fuse")?;
    let mut options = fs::OpenOptions::new();
    let opened = options.read(true).write(true).open("/dev/fuse");
    opened.map_err(|error| format!("/dev/fuse: {error}"))?;
    inside("true")
}

pub(crate) fn format(make: &str, name: &str) -> Probed {
    is_installed(make)?;
    driver(name)?;
    loop_device()
}

pub(crate) fn daemon(make: &str, program: &str) -> Probed {
    is_installed(make)?;
    is_installed(program)?;
    driver("fuseblk")?;
    fuse()?;
    loop_device()
}

pub(crate) fn exfat() -> Probed {
    format("mkfs.exfat", "exfat").or_else(|_| daemon("mkfs.exfat", "mount.exfat-fuse"))
}

pub(crate) fn fat() -> Probed {
    format("mkfs.vfat", "vfat").or_else(|_| daemon("mkfs.vfat", "fusefat"))
}

pub(crate) fn quota() -> Probed {
    is_installed("setquota")?;
    format("mke2fs", "ext4")?;
    // Its options name the kinds of quota a kernel has, if it has any.
    let path = Path::new("/proc/sys/fs/quota");
    let why = || "the kernel has no quotas".to_owned();
    path.is_dir().then_some(()).ok_or_else(why)
}

pub(crate) fn server(programs: &[&str]) -> Probed {
    programs
        .iter()
        .try_for_each(|program| is_installed(program))?;
    namespaces()
}

pub(crate) fn data() -> Probed {
    let why = "set WHYSLOW_DATA to the folder that holds etl/";
    crate::data::find()
        .map(|_| ())
        .ok_or_else(|| why.to_owned())
}

#[cfg(target_os = "linux")]
pub(crate) use system_calls::{bpf, recording};

/// Records nothing on other systems.
#[cfg(not(target_os = "linux"))]
pub(crate) fn recording() -> Probed {
    Err("this is no Linux".to_owned())
}

/// The same.
#[cfg(not(target_os = "linux"))]
pub(crate) fn bpf() -> Probed {
    recording()
}

/// System calls that no tool makes for us.
#[cfg(target_os = "linux")]
mod system_calls {
    use std::fs;
    use std::io;
    use std::os::fd::{FromRawFd, OwnedFd};

    use super::Probed;

    pub(crate) fn recording() -> Probed {
        let trees = ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"];
        let id = |tree| fs::read_to_string(format!("{tree}/events/sched/sched_switch/id"));
        let id = trees.into_iter().find_map(|tree| id(tree).ok());
        let id = id.and_then(|id| id.trim().parse().ok());
        let id: u64 = id.ok_or("no tracefs: mount -t tracefs tracefs /sys/kernel/tracing")?;
        // `struct perf_event_attr`: a tracepoint, and the number of it.
        let mut attr = [0_u64; 16];
        attr[0] = u64::from_ne_bytes([2, 0, 0, 0, 128, 0, 0, 0]);
        attr[1] = id;
        #[expect(unsafe_code, reason = "system call that std does not wrap")]
        // SAFETY: the kernel reads the 128 bytes that the structure says it has.
        let file = unsafe { libc::syscall(libc::SYS_perf_event_open, attr.as_ptr(), -1, 0, -1, 8) };
        opened(file, "perf_event_open")
    }

    pub(crate) fn bpf() -> Probed {
        recording()?;
        let types = fs::metadata("/sys/kernel/btf/vmlinux");
        types.map_err(|error| format!("/sys/kernel/btf/vmlinux: {error}"))?;
        // `union bpf_attr` of BPF_MAP_CREATE: an array of one value of four bytes.
        let attr = [2_u32, 4, 4, 1];
        #[expect(unsafe_code, reason = "system call that std does not wrap")]
        // SAFETY: the kernel reads the 16 bytes.
        let file = unsafe { libc::syscall(libc::SYS_bpf, 0, attr.as_ptr(), 16) };
        opened(file, "bpf")
    }

    fn opened(file: libc::c_long, what: &str) -> Probed {
        let number = i32::try_from(file).unwrap_or(-1);
        if number < 0 {
            return Err(format!("{what}: {}", io::Error::last_os_error()));
        }
        #[expect(unsafe_code, reason = "a fresh descriptor")]
        // SAFETY: the kernel has just made it, and nobody else knows it.
        drop(unsafe { OwnedFd::from_raw_fd(number) });
        Ok(())
    }
}
