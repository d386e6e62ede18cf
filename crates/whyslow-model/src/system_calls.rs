//! System calls of Linux and their results, by name.
//!
//! The numbers are those of the column `call` of the table `system_call`: of x86-64, from
//! `arch/x86/entry/syscalls/syscall_64.tbl` of the kernel (up to Linux 6.18); the errors are those
//! of `include/uapi/asm-generic/errno.h`. Numbers not listed are shown as they are.

use crate::codes::Named;
use crate::windows_calls;

/// A system call of Linux on x86-64: its number; for a 32-bit program plus [`SystemCall::BITS_32`],
/// and for an x32 program plus [`SystemCall::X32`]. Or a request to a file system of Windows, as
/// [`windows_calls`] says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SystemCall(pub i32);

/// The result of a system call of Linux: the error number, or 0. Of a request to a file system of
/// Windows: its status as a negative number, or 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SystemCallResult(pub i32);

impl SystemCall {
    /// Added to the numbers of calls of 32-bit programs.
    pub const BITS_32: i32 = 1 << 12;
    /// Added to the numbers of calls of x32 programs.
    pub const X32: i32 = 2 << 12;

    /// The calls that take connections: `accept`, `accept4`.
    pub const ACCEPTS: [Self; 2] = [Self(43), Self(288)];
    /// The calls that wait for any of several things: `poll`, `select`, `epoll_wait`, `pselect6`, `ppoll`, `epoll_pwait`,
    /// `epoll_pwait2`.
    pub const WAIT_FOR_ANY: [Self; 7] = [
        Self(7),
        Self(23),
        Self(232),
        Self(270),
        Self(271),
        Self(281),
        Self(441),
    ];

    /// Returns the name, or the number with the kind of program for calls without one.
    #[must_use]
    pub fn spelled(self) -> String {
        if let Some(name) = windows_calls::request_name(self.0) {
            return name;
        }
        match Self::ALL.binary_search_by_key(&self, |&(call, _)| call) {
            Ok(at) => Self::ALL.get(at).map_or("?", |&(_, name)| name).to_owned(),
            Err(_) if self.0 >= Self::X32 => format!("call {} (x32)", self.0 - Self::X32),
            Err(_) if self.0 >= Self::BITS_32 => {
                format!("call {} (32-bit)", self.0 - Self::BITS_32)
            }
            Err(_) => format!("call {}", self.0),
        }
    }

    /// Returns whether it returns the number of bytes it moved.
    #[must_use]
    pub fn returns_bytes(self) -> bool {
        let listed = match self.0 {
            x32 if x32 >= Self::X32 => &[][..],
            bits_32 if bits_32 >= Self::BITS_32 => RETURN_BYTES_32,
            _ => RETURN_BYTES,
        };
        listed
            .binary_search(&(self.0 & (Self::BITS_32 - 1)))
            .is_ok()
    }
}

impl SystemCallResult {
    /// Returns the name of the error, `ok`, or the number.
    #[must_use]
    pub fn spelled(self) -> String {
        if let Some(name) = windows_calls::status_name(self.0) {
            return name;
        }
        match Self::ALL.binary_search_by_key(&self, |&(result, _)| result) {
            Ok(at) => Self::ALL.get(at).map_or("?", |&(_, name)| name).to_owned(),
            Err(_) => format!("error {}", self.0),
        }
    }
}

/// Calls of x86-64 that return the number of bytes they moved.
#[rustfmt::skip]
const RETURN_BYTES: &[i32] = &[
    0, 1, 17, 18, 19, 20, 40, 44, 45, 46, 47, 78, 79, 89,
    191, 192, 193, 194, 195, 196, 217, 267, 275, 276, 278, 295, 296, 310,
    311, 318, 326, 327, 328,
];

/// Calls of 32-bit programs that return the number of bytes they moved.
#[rustfmt::skip]
const RETURN_BYTES_32: &[i32] = &[
    3, 4, 85, 141, 145, 146, 180, 181, 183, 187, 220, 229, 230, 231,
    232, 233, 234, 239, 305, 313, 315, 316, 333, 334, 347, 348, 355, 369,
    370, 371, 372, 377, 378, 379,
];

impl Named for SystemCall {
    #[rustfmt::skip]
    const ALL: &'static [(Self, &'static str)] = &[
        (Self(0), "read"), (Self(1), "write"), (Self(2), "open"), (Self(3), "close"),
        (Self(4), "stat"), (Self(5), "fstat"), (Self(6), "lstat"), (Self(7), "poll"),
        (Self(8), "lseek"), (Self(9), "mmap"), (Self(10), "mprotect"), (Self(11), "munmap"),
        (Self(12), "brk"), (Self(13), "rt_sigaction"), (Self(14), "rt_sigprocmask"),
        (Self(15), "rt_sigreturn"), (Self(16), "ioctl"), (Self(17), "pread64"),
        (Self(18), "pwrite64"), (Self(19), "readv"), (Self(20), "writev"), (Self(21), "access"),
        (Self(22), "pipe"), (Self(23), "select"), (Self(24), "sched_yield"), (Self(25), "mremap"),
        (Self(26), "msync"), (Self(27), "mincore"), (Self(28), "madvise"), (Self(29), "shmget"),
        (Self(30), "shmat"), (Self(31), "shmctl"), (Self(32), "dup"), (Self(33), "dup2"),
        (Self(34), "pause"), (Self(35), "nanosleep"), (Self(36), "getitimer"), (Self(37), "alarm"),
        (Self(38), "setitimer"), (Self(39), "getpid"), (Self(40), "sendfile"), (Self(41), "socket"),
        (Self(42), "connect"), (Self(43), "accept"), (Self(44), "sendto"), (Self(45), "recvfrom"),
        (Self(46), "sendmsg"), (Self(47), "recvmsg"), (Self(48), "shutdown"), (Self(49), "bind"),
        (Self(50), "listen"), (Self(51), "getsockname"), (Self(52), "getpeername"),
        (Self(53), "socketpair"), (Self(54), "setsockopt"), (Self(55), "getsockopt"),
        (Self(56), "clone"), (Self(57), "fork"), (Self(58), "vfork"), (Self(59), "execve"),
        (Self(60), "exit"), (Self(61), "wait4"), (Self(62), "kill"), (Self(63), "uname"),
        (Self(64), "semget"), (Self(65), "semop"), (Self(66), "semctl"), (Self(67), "shmdt"),
        (Self(68), "msgget"), (Self(69), "msgsnd"), (Self(70), "msgrcv"), (Self(71), "msgctl"),
        (Self(72), "fcntl"), (Self(73), "flock"), (Self(74), "fsync"), (Self(75), "fdatasync"),
        (Self(76), "truncate"), (Self(77), "ftruncate"), (Self(78), "getdents"),
        (Self(79), "getcwd"), (Self(80), "chdir"), (Self(81), "fchdir"), (Self(82), "rename"),
        (Self(83), "mkdir"), (Self(84), "rmdir"), (Self(85), "creat"), (Self(86), "link"),
        (Self(87), "unlink"), (Self(88), "symlink"), (Self(89), "readlink"), (Self(90), "chmod"),
        (Self(91), "fchmod"), (Self(92), "chown"), (Self(93), "fchown"), (Self(94), "lchown"),
        (Self(95), "umask"), (Self(96), "gettimeofday"), (Self(97), "getrlimit"),
        (Self(98), "getrusage"), (Self(99), "sysinfo"), (Self(100), "times"), (Self(101), "ptrace"),
        (Self(102), "getuid"), (Self(103), "syslog"), (Self(104), "getgid"), (Self(105), "setuid"),
        (Self(106), "setgid"), (Self(107), "geteuid"), (Self(108), "getegid"),
        (Self(109), "setpgid"), (Self(110), "getppid"), (Self(111), "getpgrp"),
        (Self(112), "setsid"), (Self(113), "setreuid"), (Self(114), "setregid"),
        (Self(115), "getgroups"), (Self(116), "setgroups"), (Self(117), "setresuid"),
        (Self(118), "getresuid"), (Self(119), "setresgid"), (Self(120), "getresgid"),
        (Self(121), "getpgid"), (Self(122), "setfsuid"), (Self(123), "setfsgid"),
        (Self(124), "getsid"), (Self(125), "capget"), (Self(126), "capset"),
        (Self(127), "rt_sigpending"), (Self(128), "rt_sigtimedwait"),
        (Self(129), "rt_sigqueueinfo"), (Self(130), "rt_sigsuspend"), (Self(131), "sigaltstack"),
        (Self(132), "utime"), (Self(133), "mknod"), (Self(134), "uselib"),
        (Self(135), "personality"), (Self(136), "ustat"), (Self(137), "statfs"),
        (Self(138), "fstatfs"), (Self(139), "sysfs"), (Self(140), "getpriority"),
        (Self(141), "setpriority"), (Self(142), "sched_setparam"), (Self(143), "sched_getparam"),
        (Self(144), "sched_setscheduler"), (Self(145), "sched_getscheduler"),
        (Self(146), "sched_get_priority_max"), (Self(147), "sched_get_priority_min"),
        (Self(148), "sched_rr_get_interval"), (Self(149), "mlock"), (Self(150), "munlock"),
        (Self(151), "mlockall"), (Self(152), "munlockall"), (Self(153), "vhangup"),
        (Self(154), "modify_ldt"), (Self(155), "pivot_root"), (Self(156), "_sysctl"),
        (Self(157), "prctl"), (Self(158), "arch_prctl"), (Self(159), "adjtimex"),
        (Self(160), "setrlimit"), (Self(161), "chroot"), (Self(162), "sync"), (Self(163), "acct"),
        (Self(164), "settimeofday"), (Self(165), "mount"), (Self(166), "umount2"),
        (Self(167), "swapon"), (Self(168), "swapoff"), (Self(169), "reboot"),
        (Self(170), "sethostname"), (Self(171), "setdomainname"), (Self(172), "iopl"),
        (Self(173), "ioperm"), (Self(174), "create_module"), (Self(175), "init_module"),
        (Self(176), "delete_module"), (Self(177), "get_kernel_syms"), (Self(178), "query_module"),
        (Self(179), "quotactl"), (Self(180), "nfsservctl"), (Self(181), "getpmsg"),
        (Self(182), "putpmsg"), (Self(183), "afs_syscall"), (Self(184), "tuxcall"),
        (Self(185), "security"), (Self(186), "gettid"), (Self(187), "readahead"),
        (Self(188), "setxattr"), (Self(189), "lsetxattr"), (Self(190), "fsetxattr"),
        (Self(191), "getxattr"), (Self(192), "lgetxattr"), (Self(193), "fgetxattr"),
        (Self(194), "listxattr"), (Self(195), "llistxattr"), (Self(196), "flistxattr"),
        (Self(197), "removexattr"), (Self(198), "lremovexattr"), (Self(199), "fremovexattr"),
        (Self(200), "tkill"), (Self(201), "time"), (Self(202), "futex"),
        (Self(203), "sched_setaffinity"), (Self(204), "sched_getaffinity"),
        (Self(205), "set_thread_area"), (Self(206), "io_setup"), (Self(207), "io_destroy"),
        (Self(208), "io_getevents"), (Self(209), "io_submit"), (Self(210), "io_cancel"),
        (Self(211), "get_thread_area"), (Self(212), "lookup_dcookie"), (Self(213), "epoll_create"),
        (Self(214), "epoll_ctl_old"), (Self(215), "epoll_wait_old"),
        (Self(216), "remap_file_pages"), (Self(217), "getdents64"), (Self(218), "set_tid_address"),
        (Self(219), "restart_syscall"), (Self(220), "semtimedop"), (Self(221), "fadvise64"),
        (Self(222), "timer_create"), (Self(223), "timer_settime"), (Self(224), "timer_gettime"),
        (Self(225), "timer_getoverrun"), (Self(226), "timer_delete"), (Self(227), "clock_settime"),
        (Self(228), "clock_gettime"), (Self(229), "clock_getres"), (Self(230), "clock_nanosleep"),
        (Self(231), "exit_group"), (Self(232), "epoll_wait"), (Self(233), "epoll_ctl"),
        (Self(234), "tgkill"), (Self(235), "utimes"), (Self(236), "vserver"), (Self(237), "mbind"),
        (Self(238), "set_mempolicy"), (Self(239), "get_mempolicy"), (Self(240), "mq_open"),
        (Self(241), "mq_unlink"), (Self(242), "mq_timedsend"), (Self(243), "mq_timedreceive"),
        (Self(244), "mq_notify"), (Self(245), "mq_getsetattr"), (Self(246), "kexec_load"),
        (Self(247), "waitid"), (Self(248), "add_key"), (Self(249), "request_key"),
        (Self(250), "keyctl"), (Self(251), "ioprio_set"), (Self(252), "ioprio_get"),
        (Self(253), "inotify_init"), (Self(254), "inotify_add_watch"),
        (Self(255), "inotify_rm_watch"), (Self(256), "migrate_pages"), (Self(257), "openat"),
        (Self(258), "mkdirat"), (Self(259), "mknodat"), (Self(260), "fchownat"),
        (Self(261), "futimesat"), (Self(262), "newfstatat"), (Self(263), "unlinkat"),
        (Self(264), "renameat"), (Self(265), "linkat"), (Self(266), "symlinkat"),
        (Self(267), "readlinkat"), (Self(268), "fchmodat"), (Self(269), "faccessat"),
        (Self(270), "pselect6"), (Self(271), "ppoll"), (Self(272), "unshare"),
        (Self(273), "set_robust_list"), (Self(274), "get_robust_list"), (Self(275), "splice"),
        (Self(276), "tee"), (Self(277), "sync_file_range"), (Self(278), "vmsplice"),
        (Self(279), "move_pages"), (Self(280), "utimensat"), (Self(281), "epoll_pwait"),
        (Self(282), "signalfd"), (Self(283), "timerfd_create"), (Self(284), "eventfd"),
        (Self(285), "fallocate"), (Self(286), "timerfd_settime"), (Self(287), "timerfd_gettime"),
        (Self(288), "accept4"), (Self(289), "signalfd4"), (Self(290), "eventfd2"),
        (Self(291), "epoll_create1"), (Self(292), "dup3"), (Self(293), "pipe2"),
        (Self(294), "inotify_init1"), (Self(295), "preadv"), (Self(296), "pwritev"),
        (Self(297), "rt_tgsigqueueinfo"), (Self(298), "perf_event_open"), (Self(299), "recvmmsg"),
        (Self(300), "fanotify_init"), (Self(301), "fanotify_mark"), (Self(302), "prlimit64"),
        (Self(303), "name_to_handle_at"), (Self(304), "open_by_handle_at"),
        (Self(305), "clock_adjtime"), (Self(306), "syncfs"), (Self(307), "sendmmsg"),
        (Self(308), "setns"), (Self(309), "getcpu"), (Self(310), "process_vm_readv"),
        (Self(311), "process_vm_writev"), (Self(312), "kcmp"), (Self(313), "finit_module"),
        (Self(314), "sched_setattr"), (Self(315), "sched_getattr"), (Self(316), "renameat2"),
        (Self(317), "seccomp"), (Self(318), "getrandom"), (Self(319), "memfd_create"),
        (Self(320), "kexec_file_load"), (Self(321), "bpf"), (Self(322), "execveat"),
        (Self(323), "userfaultfd"), (Self(324), "membarrier"), (Self(325), "mlock2"),
        (Self(326), "copy_file_range"), (Self(327), "preadv2"), (Self(328), "pwritev2"),
        (Self(329), "pkey_mprotect"), (Self(330), "pkey_alloc"), (Self(331), "pkey_free"),
        (Self(332), "statx"), (Self(333), "io_pgetevents"), (Self(334), "rseq"),
        (Self(424), "pidfd_send_signal"), (Self(425), "io_uring_setup"),
        (Self(426), "io_uring_enter"), (Self(427), "io_uring_register"), (Self(428), "open_tree"),
        (Self(429), "move_mount"), (Self(430), "fsopen"), (Self(431), "fsconfig"),
        (Self(432), "fsmount"), (Self(433), "fspick"), (Self(434), "pidfd_open"),
        (Self(435), "clone3"), (Self(436), "close_range"), (Self(437), "openat2"),
        (Self(438), "pidfd_getfd"), (Self(439), "faccessat2"), (Self(440), "process_madvise"),
        (Self(441), "epoll_pwait2"), (Self(442), "mount_setattr"), (Self(443), "quotactl_fd"),
        (Self(444), "landlock_create_ruleset"), (Self(445), "landlock_add_rule"),
        (Self(446), "landlock_restrict_self"), (Self(447), "memfd_secret"),
        (Self(448), "process_mrelease"), (Self(449), "futex_waitv"),
        (Self(450), "set_mempolicy_home_node"), (Self(451), "cachestat"), (Self(452), "fchmodat2"),
        (Self(453), "map_shadow_stack"), (Self(454), "futex_wake"), (Self(455), "futex_wait"),
        (Self(456), "futex_requeue"), (Self(457), "statmount"), (Self(458), "listmount"),
        (Self(459), "lsm_get_self_attr"), (Self(460), "lsm_set_self_attr"),
        (Self(461), "lsm_list_modules"), (Self(462), "mseal"), (Self(463), "setxattrat"),
        (Self(464), "getxattrat"), (Self(465), "listxattrat"), (Self(466), "removexattrat"),
        (Self(467), "open_tree_attr"), (Self(468), "file_getattr"), (Self(469), "file_setattr"),
    ];

    fn code(self) -> i32 {
        self.0
    }
}

impl Named for SystemCallResult {
    #[rustfmt::skip]
    const ALL: &'static [(Self, &'static str)] = &[
        (Self(0), "ok"), (Self(1), "EPERM"), (Self(2), "ENOENT"), (Self(3), "ESRCH"),
        (Self(4), "EINTR"), (Self(5), "EIO"), (Self(6), "ENXIO"), (Self(7), "E2BIG"),
        (Self(8), "ENOEXEC"), (Self(9), "EBADF"), (Self(10), "ECHILD"), (Self(11), "EAGAIN"),
        (Self(12), "ENOMEM"), (Self(13), "EACCES"), (Self(14), "EFAULT"), (Self(15), "ENOTBLK"),
        (Self(16), "EBUSY"), (Self(17), "EEXIST"), (Self(18), "EXDEV"), (Self(19), "ENODEV"),
        (Self(20), "ENOTDIR"), (Self(21), "EISDIR"), (Self(22), "EINVAL"), (Self(23), "ENFILE"),
        (Self(24), "EMFILE"), (Self(25), "ENOTTY"), (Self(26), "ETXTBSY"), (Self(27), "EFBIG"),
        (Self(28), "ENOSPC"), (Self(29), "ESPIPE"), (Self(30), "EROFS"), (Self(31), "EMLINK"),
        (Self(32), "EPIPE"), (Self(33), "EDOM"), (Self(34), "ERANGE"), (Self(35), "EDEADLK"),
        (Self(36), "ENAMETOOLONG"), (Self(37), "ENOLCK"), (Self(38), "ENOSYS"),
        (Self(39), "ENOTEMPTY"), (Self(40), "ELOOP"), (Self(42), "ENOMSG"), (Self(43), "EIDRM"),
        (Self(44), "ECHRNG"), (Self(45), "EL2NSYNC"), (Self(46), "EL3HLT"), (Self(47), "EL3RST"),
        (Self(48), "ELNRNG"), (Self(49), "EUNATCH"), (Self(50), "ENOCSI"), (Self(51), "EL2HLT"),
        (Self(52), "EBADE"), (Self(53), "EBADR"), (Self(54), "EXFULL"), (Self(55), "ENOANO"),
        (Self(56), "EBADRQC"), (Self(57), "EBADSLT"), (Self(59), "EBFONT"), (Self(60), "ENOSTR"),
        (Self(61), "ENODATA"), (Self(62), "ETIME"), (Self(63), "ENOSR"), (Self(64), "ENONET"),
        (Self(65), "ENOPKG"), (Self(66), "EREMOTE"), (Self(67), "ENOLINK"), (Self(68), "EADV"),
        (Self(69), "ESRMNT"), (Self(70), "ECOMM"), (Self(71), "EPROTO"), (Self(72), "EMULTIHOP"),
        (Self(73), "EDOTDOT"), (Self(74), "EBADMSG"), (Self(75), "EOVERFLOW"),
        (Self(76), "ENOTUNIQ"), (Self(77), "EBADFD"), (Self(78), "EREMCHG"), (Self(79), "ELIBACC"),
        (Self(80), "ELIBBAD"), (Self(81), "ELIBSCN"), (Self(82), "ELIBMAX"), (Self(83), "ELIBEXEC"),
        (Self(84), "EILSEQ"), (Self(85), "ERESTART"), (Self(86), "ESTRPIPE"), (Self(87), "EUSERS"),
        (Self(88), "ENOTSOCK"), (Self(89), "EDESTADDRREQ"), (Self(90), "EMSGSIZE"),
        (Self(91), "EPROTOTYPE"), (Self(92), "ENOPROTOOPT"), (Self(93), "EPROTONOSUPPORT"),
        (Self(94), "ESOCKTNOSUPPORT"), (Self(95), "EOPNOTSUPP"), (Self(96), "EPFNOSUPPORT"),
        (Self(97), "EAFNOSUPPORT"), (Self(98), "EADDRINUSE"), (Self(99), "EADDRNOTAVAIL"),
        (Self(100), "ENETDOWN"), (Self(101), "ENETUNREACH"), (Self(102), "ENETRESET"),
        (Self(103), "ECONNABORTED"), (Self(104), "ECONNRESET"), (Self(105), "ENOBUFS"),
        (Self(106), "EISCONN"), (Self(107), "ENOTCONN"), (Self(108), "ESHUTDOWN"),
        (Self(109), "ETOOMANYREFS"), (Self(110), "ETIMEDOUT"), (Self(111), "ECONNREFUSED"),
        (Self(112), "EHOSTDOWN"), (Self(113), "EHOSTUNREACH"), (Self(114), "EALREADY"),
        (Self(115), "EINPROGRESS"), (Self(116), "ESTALE"), (Self(117), "EUCLEAN"),
        (Self(118), "ENOTNAM"), (Self(119), "ENAVAIL"), (Self(120), "EISNAM"),
        (Self(121), "EREMOTEIO"), (Self(122), "EDQUOT"), (Self(123), "ENOMEDIUM"),
        (Self(124), "EMEDIUMTYPE"), (Self(125), "ECANCELED"), (Self(126), "ENOKEY"),
        (Self(127), "EKEYEXPIRED"), (Self(128), "EKEYREVOKED"), (Self(129), "EKEYREJECTED"),
        (Self(130), "EOWNERDEAD"), (Self(131), "ENOTRECOVERABLE"), (Self(132), "ERFKILL"),
        (Self(133), "EHWPOISON"), (Self(512), "ERESTARTSYS"), (Self(513), "ERESTARTNOINTR"),
        (Self(514), "ERESTARTNOHAND"), (Self(515), "ENOIOCTLCMD"),
        (Self(516), "ERESTART_RESTARTBLOCK"),
    ];

    fn code(self) -> i32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_in_order() {
        assert!(SystemCall::ALL.is_sorted_by_key(|&(call, _)| call));
        assert!(SystemCallResult::ALL.is_sorted_by_key(|&(result, _)| result));
        assert!(RETURN_BYTES.is_sorted() && RETURN_BYTES_32.is_sorted());
    }

    #[test]
    fn calls_and_results_have_names_or_numbers() {
        let names = [17, 999, SystemCall::BITS_32 + 3, SystemCall::X32 + 520];
        let names = names.map(|number| SystemCall(number).spelled());
        let expected = ["pread64", "call 999", "call 3 (32-bit)", "call 520 (x32)"];
        assert_eq!(names, expected);
        let results = [0, 2, 514, 4000].map(|number| SystemCallResult(number).spelled());
        assert_eq!(results, ["ok", "ENOENT", "ERESTARTNOHAND", "error 4000"]);
    }

    #[test]
    fn some_calls_return_bytes() {
        assert!(SystemCall(0).returns_bytes());
        assert!(!SystemCall(3).returns_bytes());
        assert!(SystemCall(SystemCall::BITS_32 + 3).returns_bytes());
    }
}
