//! What a test may need of the machine.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::sync::{Mutex, PoisonError};

use crate::{fresh, probe, tally};

/// Makes the list: the variant, its name, what it means, and how it is found out.
macro_rules! features {
    ($($variant:ident $name:literal $meaning:literal $probe:expr;)*) => {
        /// Something a test may need and a machine may lack.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Feature {
            $(#[doc = $meaning] $variant,)*
        }

        impl Feature {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Returns the name that promises use.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Returns what it means.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Self::$variant => $meaning,)*
                }
            }

            /// Asks the machine.
            fn probe(self) -> Result<(), String> {
                match self {
                    $(Self::$variant => $probe,)*
                }
            }
        }
    };
}

features! {
    Root "root" "Tests run as root, and can become another user." probe::root();
    Recording "recording" "The kernel lets us record the whole machine." probe::recording();
    Bpf "bpf" "The kernel takes eBPF programs, and describes its types." probe::bpf();
    ExitTracepoint "exit-tracepoint" "The kernel tells who comes after a thread that it hides (Linux 6.16)." probe::exit_tracepoint();
    Kallsyms "kallsyms" "The kernel shows the addresses of its functions." probe::kallsyms();
    Vdso "vdso" "Processes have a vdso." probe::vdso();
    X86 "x86-64" "The processor is of this kind." probe::x86();
    Perf "perf" "The perf tool is there, and may record." probe::perf();
    Cc "cc" "A C compiler." probe::runs("cc", &["--version"]);
    Binutils "binutils" "Tools that take object files apart: objdump, readelf, nm, objcopy." probe::binutils();
    Rustc "rustc" "A Rust compiler." probe::runs("rustc", &["--version"]);
    Go "go" "A Go compiler." probe::runs("go", &["version"]);
    Clang "clang" "The compiler of the eBPF programs: clang-16, llvm-strip-16." probe::clang();
    Strace "strace" "The tool strace, and it may trace." probe::runs("strace", &["-o", "/dev/null", "true"]);
    Terminal "terminal" "Tests can have a terminal, by the tool script." probe::runs("script", &["-q", "-e", "-c", "true", "/dev/null"]);
    Realtime "realtime" "Tests can give a process a real-time priority." probe::runs("chrt", &["-f", "1", "true"]);
    Shm "shm" "There is a file system in memory, /dev/shm." probe::directory("/dev/shm");
    Disk "disk" "The temporary directory lies on a disk, with ext4." probe::disk();
    Mount "mount" "Tests can mount a file system in memory." probe::mount();
    Namespaces "namespaces" "Tests can make networks, mounts and processes of their own." probe::namespaces();
    Fuse "fuse" "Tests can be a file system, by /dev/fuse." probe::fuse();
    Quota "quota" "File systems on loop devices can have quotas." probe::quota();
    Ext "ext" "File systems of ext2, ext3 and ext4 can be made and mounted." probe::format("mke2fs", "ext4");
    Fuse2fs "fuse2fs" "The daemon for ext4." probe::daemon("mke2fs", "fuse2fs");
    Xfs "xfs" "File systems of XFS can be made and mounted." probe::format("mkfs.xfs", "xfs");
    Btrfs "btrfs" "File systems of Btrfs can be made and mounted." probe::format("mkfs.btrfs", "btrfs");
    Ntfs "ntfs" "File systems of NTFS can be made, and ntfs-3g serves them." probe::daemon("mkntfs", "ntfs-3g");
    Exfat "exfat" "File systems of exFAT can be made, and mounted or served." probe::exfat();
    Ntfs3 "ntfs3" "File systems of NTFS can be made and mounted." probe::format("mkntfs", "ntfs3");
    Fat "fat" "File systems of FAT can be made, and mounted or served." probe::fat();
    Overlay "overlay" "File systems can lie over one another." probe::format("mke2fs", "overlay");
    Smb "smb" "A server of SMB: smbd." probe::server(&["ip", "smbd"]);
    Nfs "nfs" "A server of NFS: rpcbind, ganesha.nfsd." probe::server(&["ip", "rpcbind", "ganesha.nfsd"]);
    Java "java" "A Java virtual machine with its compiler, in /usr/lib/jvm." probe::runs("javac", &["-version"]);
    Node "node" "Node.js." probe::runs("node", &["--version"]);
    Python "python" "CPython, in a version whose stacks Whyslow can read." probe::runs("python3", &["--version"]);
    Ruby "ruby" "Ruby (MRI), in a version whose stacks Whyslow can read." probe::runs("ruby", &["--version"]);
    Perl "perl" "Perl, in a version whose stacks Whyslow can read." probe::runs("perl", &["--version"]);
    Php "php" "PHP, in a version whose stacks Whyslow can read." probe::runs("php", &["--version"]);
    Chromium "chromium" "The browser Chromium, and it may open pages without a window." probe::chromium();
    Wine "wine" "Wine runs programs and scripts of Windows." probe::runs("/usr/lib/wine/wine64", &["--version"]);
    PowerShell "powershell" "PowerShell." probe::runs("pwsh", &["-Version"]);
    Data "data" "Real traces of Windows." probe::data();
}

impl Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns whether the machine has a feature, and notes that this test needs it. Says `skipped:` and
/// why where it is missing.
///
/// # Panics
///
/// Where it is missing though it is promised.
#[must_use]
pub fn has(feature: Feature) -> bool {
    static KNOWN: Mutex<BTreeMap<Feature, Result<(), String>>> = Mutex::new(BTreeMap::new());
    fresh();
    let found = {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.entry(feature).or_insert_with(|| feature.probe());
        found.clone()
    };
    tally::note(feature, found.err().as_deref())
}

/// The same where the test itself has tried to get what it needs, by tools that are not ours.
///
/// # Panics
///
/// Where it is missing though it is promised.
pub fn need<T>(feature: Feature, tried: Result<T, impl Display>) -> Option<T> {
    match tried {
        Ok(got) => tally::note(feature, None).then_some(got),
        Err(why) => {
            tally::note(feature, Some(&why.to_string()));
            None
        }
    }
}
