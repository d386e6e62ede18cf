//! The shipped rules on stacks seen on real kernels, and the syntax of rule files.

mod ends;
mod futexes;

use super::*;
use whyslow_testkit::Literal;

/// Class, kernel functions from the leaf on; from Linux 6.18 unless noted.
const STACKS: &[(&str, &str)] = &[
    (
        "disk",
        "__schedule schedule io_schedule bit_wait_io __wait_on_bit out_of_line_wait_on_bit ext4_read_bh ext4_bread __ext4_read_dirblock htree_dirblock_to_tree ext4_htree_fill_tree ext4_readdir iterate_dir __x64_sys_getdents64 do_syscall_64",
    ),
    (
        "cold-read",
        "__schedule schedule io_schedule folio_wait_bit_common filemap_get_pages filemap_read vfs_read ksys_read do_syscall_64",
    ),
    (
        "disk",
        "__schedule schedule schedule_timeout io_schedule_timeout __iomap_dio_rw iomap_dio_rw ext4_file_read_iter vfs_read ksys_read do_syscall_64",
    ),
    (
        "fsync",
        "__schedule schedule schedule_timeout io_schedule_timeout wait_for_completion_io_timeout submit_bio_wait blkdev_issue_flush ext4_sync_file do_fsync __x64_sys_fsync do_syscall_64",
    ),
    (
        "disk",
        "__schedule schedule io_schedule bit_wait_io __wait_on_bit out_of_line_wait_on_bit __ext4_find_entry ext4_lookup path_openat do_filp_open do_open_execat alloc_bprm do_execveat_common.isra.0 __x64_sys_execve",
    ),
    // Linux 5.10
    (
        "cold-read",
        "__schedule schedule io_schedule wait_on_page_bit_common generic_file_buffered_read ext4_file_read_iter new_sync_read vfs_read ksys_read do_syscall_64",
    ),
    (
        "fsync",
        "__schedule schedule io_schedule folio_wait_bit folio_wait_writeback __filemap_fdatawait_range file_write_and_wait_range generic_buffers_fsync_noflush ext4_sync_file do_fsync __x64_sys_fsync",
    ),
    (
        "fsync",
        "__schedule schedule io_schedule bit_wait_io __wait_on_bit out_of_line_wait_on_bit fsync_buffers_list ext4_fsync_nojournal.constprop.0 ext4_sync_file do_fsync",
    ),
    (
        "writeback",
        "__schedule schedule schedule_timeout io_schedule_timeout balance_dirty_pages balance_dirty_pages_ratelimited_flags generic_perform_write ext4_buffered_write_iter vfs_write",
    ),
    (
        "fsync",
        "__schedule schedule jbd2_log_wait_commit jbd2_complete_transaction ext4_sync_file do_fsync __x64_sys_fsync",
    ),
    (
        "journal",
        "__schedule schedule io_schedule bit_wait_io __wait_on_bit out_of_line_wait_on_bit do_get_write_access jbd2_journal_get_write_access __ext4_journal_get_write_access ext4_reserve_inode_write",
    ),
    (
        "cold-read",
        "__schedule schedule io_schedule folio_wait_bit_common filemap_fault __do_fault do_fault __handle_mm_fault handle_mm_fault exc_page_fault asm_exc_page_fault",
    ),
    (
        "page-fault",
        "__schedule schedule io_schedule folio_wait_bit_common exc_page_fault asm_exc_page_fault",
    ),
    (
        "pipe",
        "__schedule schedule anon_pipe_read vfs_read ksys_read do_syscall_64 entry_SYSCALL_64_after_hwframe",
    ),
    (
        "pipe",
        "__schedule schedule pipe_wait_readable pipe_read new_sync_read vfs_read ksys_read",
    ),
    (
        "socket",
        "__schedule schedule schedule_timeout unix_stream_read_generic unix_stream_recvmsg sock_recvmsg __sys_recvfrom __x64_sys_recvfrom do_syscall_64",
    ),
    (
        "accept",
        "__schedule schedule schedule_timeout inet_csk_accept inet_accept do_accept __sys_accept4 do_syscall_64",
    ),
    (
        "accept",
        "__schedule schedule schedule_timeout __skb_wait_for_more_packets __skb_recv_datagram skb_recv_datagram unix_accept do_accept __sys_accept4 do_syscall_64",
    ),
    (
        "socket",
        "__schedule schedule schedule_timeout wait_woken sk_wait_data tcp_recvmsg_locked tcp_recvmsg inet_recvmsg sock_read_iter vfs_read",
    ),
    (
        "poll",
        "__schedule schedule schedule_hrtimeout_range_clock poll_schedule_timeout.constprop.0 do_sys_poll __x64_sys_poll do_syscall_64",
    ),
    (
        "poll",
        "__schedule schedule schedule_hrtimeout_range_clock do_epoll_wait __x64_sys_epoll_wait do_syscall_64",
    ),
    (
        "poll",
        "__schedule schedule schedule_hrtimeout_range_clock poll_schedule_timeout.constprop.0 do_select core_sys_select do_pselect.constprop.0 __x64_sys_pselect6",
    ),
    (
        "sleep",
        "__schedule schedule do_nanosleep hrtimer_nanosleep common_nsleep_timens __x64_sys_clock_nanosleep do_syscall_64",
    ),
    (
        "futex",
        "__schedule schedule futex_do_wait __futex_wait futex_wait do_futex __x64_sys_futex do_syscall_64",
    ),
    (
        "futex",
        "__schedule schedule futex_wait_queue_me futex_wait do_futex __x64_sys_futex do_syscall_64",
    ),
    (
        "child",
        "__schedule schedule do_wait kernel_wait4 do_syscall_64 entry_SYSCALL_64_after_hwframe",
    ),
    (
        "child",
        "__schedule schedule schedule_timeout __wait_for_common wait_for_completion_state kernel_clone __x64_sys_vfork do_syscall_64",
    ),
    (
        "signal",
        "__schedule schedule schedule_hrtimeout_range_clock do_sigtimedwait.isra.0 __x64_sys_rt_sigtimedwait do_syscall_64",
    ),
    (
        "signal",
        "__schedule schedule __x64_sys_pause do_syscall_64",
    ),
    (
        "file-lock",
        "__schedule schedule fcntl_setlk do_fcntl __x64_sys_fcntl do_syscall_64",
    ),
    (
        "file-lock",
        "__schedule schedule locks_lock_inode_wait __do_sys_flock do_syscall_64",
    ),
    (
        "kernel-lock",
        "__schedule schedule schedule_preempt_disabled rwsem_down_write_slowpath down_write_killable vm_mmap_pgoff ksys_mmap_pgoff do_syscall_64",
    ),
    (
        "kernel-lock",
        "__schedule schedule schedule_preempt_disabled __mutex_lock.constprop.0 anon_pipe_write vfs_write ksys_write",
    ),
    (
        "kernel-work",
        "__schedule schedule schedule_timeout wait_for_completion __flush_work __lru_add_drain_all drop_caches_sysctl_handler proc_sys_call_handler",
    ),
    (
        "kernel-work",
        "__schedule schedule schedule_timeout wait_for_completion affine_move_task __set_cpus_allowed_ptr __sched_setaffinity",
    ),
    (
        "exit",
        "__schedule do_task_dead do_exit do_group_exit __x64_sys_exit_group x64_sys_call do_syscall_64",
    ),
    (
        "stopped",
        "__schedule schedule do_signal_stop get_signal arch_do_signal_or_restart exit_to_user_mode_loop do_syscall_64",
    ),
    (
        "idle",
        "__schedule schedule worker_thread kthread ret_from_fork ret_from_fork_asm",
    ),
    (
        "idle",
        "__schedule schedule schedule_timeout rcu_gp_fqs_loop rcu_gp_kthread kthread ret_from_fork ret_from_fork_asm",
    ),
    (
        "idle",
        "__schedule schedule smpboot_thread_fn kthread ret_from_fork ret_from_fork_asm",
    ),
    (
        "disk",
        "__schedule schedule schedule_timeout io_schedule_timeout wait_for_completion_io_timeout submit_bio_wait blkdev_issue_discard ext4_free_blocks ext4_end_io_end process_one_work worker_thread kthread ret_from_fork",
    ),
    (
        "io-uring",
        "__schedule schedule io_cqring_wait __do_sys_io_uring_enter do_syscall_64",
    ),
    (
        "aio",
        "__schedule schedule read_events do_io_getevents __x64_sys_io_getevents do_syscall_64",
    ),
    (
        "fuse",
        "__schedule schedule request_wait_answer __fuse_simple_request fuse_lookup_name.part.0 fuse_lookup path_openat",
    ),
    (
        "scanner",
        "__schedule schedule fanotify_handle_event fsnotify __fsnotify_parent do_dentry_open vfs_open path_openat do_filp_open do_sys_openat2",
    ),
    (
        "terminal",
        "__schedule schedule schedule_timeout wait_woken n_tty_read tty_read vfs_read ksys_read",
    ),
    (
        "rcu",
        "__schedule schedule schedule_timeout wait_for_completion __wait_rcu_gp synchronize_rcu_normal namespace_unlock path_umount",
    ),
    // Windows, from stacks of Windows 7 to 11 in bug reports and documentation.
    (
        "disk",
        "KiSwapContext KiSwapThread KiCommitThreadWait KeWaitForSingleObject NtfsNonCachedIo NtfsCommonRead NtfsFsdRead FltpDispatch IofCallDriver IopSynchronousServiceTail NtReadFile KiSystemServiceCopyEnd",
    ),
    (
        "disk",
        "KiSwapContext KiSwapThread KiCommitThreadWait KeWaitForSingleObject MiWaitForInPageComplete MmCheckCachedPageStates CcFetchDataForRead CcMapAndCopyFromCache CcCopyReadEx NtfsCachedRead NtfsFsdRead IofCallDriver IopSynchronousServiceTail NtReadFile",
    ),
    (
        "network-fs",
        "KiSwapContext KiSwapThread KiCommitThreadWait KeWaitForSingleObject MiWaitForInPageComplete CcMapAndCopyFromCache CcCopyReadEx RxCommonRead RxFsdCommonDispatch IofCallDriver IopSynchronousServiceTail NtReadFile",
    ),
    (
        "writeback",
        "KiSwapContext KiSwapThread KiCommitThreadWait KeWaitForSingleObject IoSynchronousPageWriteEx MiIssueSynchronousFlush MiFlushSectionInternal MmFlushSection CcFlushCachePriv CcCopyWriteEx FppCommonWrite FppFsdWrite IofCallDriver IopSynchronousServiceTail NtWriteFile",
    ),
    (
        "page-fault",
        "KiSwapContext KiSwapThread KiCommitThreadWait KeWaitForSingleObject MiWaitForInPageComplete MiIssueHardFault MmAccessFault KiPageFault",
    ),
    (
        "futex",
        "KiSwapContext KiSwapThread KiCommitThreadWait KeWaitForAlertByThreadId NtWaitForAlertByThreadId KiSystemServiceCopyEnd",
    ),
    (
        "kernel-lock",
        "KiSwapContext KiSwapThread KiCommitThreadWait KeWaitForSingleObject ExpWaitForResource ExpAcquireResourceSharedLite ExEnterCriticalRegionAndAcquireResourceShared EnterSharedCrit NtUserGetQueueStatus KiSystemServiceCopyEnd",
    ),
    (
        "window",
        "KiSwapContext KiSwapThread KiCommitThreadWait KeWaitForSingleObject xxxRealSleepThread xxxSleepThread2 xxxRealInternalGetMessage NtUserGetMessage KiSystemServiceCopyEnd",
    ),
    (
        "ipc",
        "KiSwapContext KiSwapThread KiCommitThreadWait KeWaitForSingleObject AlpcpSignalAndWait AlpcpReceiveSynchronousReply AlpcpProcessSynchronousRequest NtAlpcSendWaitReceivePort KiSystemServiceCopyEnd",
    ),
    (
        "sleep",
        "KiSwapContext KiSwapThread KiCommitThreadWait KeDelayExecutionThread NtDelayExecution KiSystemServiceCopyEnd",
    ),
    (
        "aio",
        "KiSwapContext KiSwapThread KiCommitThreadWait KeRemoveQueueEx IoRemoveIoCompletion NtRemoveIoCompletion KiSystemServiceCopyEnd",
    ),
    (
        "idle",
        "KiSwapContext KiSwapThread KiCommitThreadWait KeRemoveQueueEx IoRemoveIoCompletion NtWaitForWorkViaWorkerFactory KiSystemServiceCopyEnd",
    ),
    (
        "object",
        "KiSwapContext KiSwapThread KiCommitThreadWait KeWaitForMultipleObjects ObWaitForMultipleObjects NtWaitForMultipleObjects KiSystemServiceCopyEnd",
    ),
    (
        "request",
        "KiSwapContext KiSwapThread KiCommitThreadWait KeWaitForSingleObject IopSynchronousServiceTail IopXxxControlFile NtDeviceIoControlFile KiSystemServiceCopyEnd",
    ),
    (
        "other",
        "KiSwapContext KiSwapThread KiCommitThreadWait KeWaitForSingleObject Vendor KiSystemServiceCopyEnd",
    ),
    (
        "poll",
        "schedule_timeout wait_for_completion __flush_work tty_buffer_flush_work n_tty_poll tty_poll do_select \
         core_sys_select do_syscall_64",
    ),
    (
        "other",
        "__schedule schedule some_new_function do_syscall_64",
    ),
    ("unknown", ""),
];

#[test]
fn real_stacks_have_the_right_class() {
    let rules = Rules::shipped();
    for (expected, stack) in STACKS {
        let class = rules.classify(stack.split_whitespace(), []);
        assert_eq!(rules.class(class).name, *expected, "{stack}");
    }
}

#[test]
fn the_user_half_tells_locks_from_conditions_and_joins() {
    let rules = Rules::shipped();
    let futex = ["futex_do_wait", "futex_wait", "do_futex"];
    let table = [
        (
            "condition",
            "pthread_cond_wait@@GLIBC_2.3.2 worker start_thread",
        ),
        (
            "lock",
            "__lll_lock_wait ___pthread_mutex_lock work start_thread",
        ),
        (
            "lock",
            "std::sys::sync::mutex::futex::Mutex::lock_contended work main",
        ),
        ("parking", "std::thread::park work main"),
        ("join", "__pthread_clockjoin_ex main"),
        (
            "gil",
            "pthread_cond_timedwait take_gil PyEval_RestoreThread main",
        ),
        (
            "lock",
            "parking_lot_core::parking_lot::park parking_lot::raw_mutex::RawMutex::lock_slow f",
        ),
        ("futex", "do_something main"),
    ];
    for (expected, user) in table {
        let class = rules.classify(futex, user.split_whitespace());
        assert_eq!(rules.class(class).name, expected, "{user}");
    }
}

#[test]
fn the_user_half_tells_what_an_object_is() {
    let rules = Rules::shipped();
    let alert = ["KiSwapThread", "NtWaitForAlertByThreadId"];
    let object = ["KiSwapThread", "NtWaitForSingleObject"];
    let request = ["IopSynchronousServiceTail", "NtDeviceIoControlFile"];
    let table: [(&str, [&str; 2], &str); 10] = [
        (
            "lock",
            alert,
            "ZwWaitForAlertByThreadId RtlpWaitOnAddressWithTimeout RtlpWaitOnAddress RtlpWaitOnCriticalSection RtlpEnterCriticalSectionContended RtlEnterCriticalSection f",
        ),
        (
            "lock",
            alert,
            "ZwWaitForAlertByThreadId RtlAcquireSRWLockExclusive f",
        ),
        (
            "condition",
            alert,
            "ZwWaitForAlertByThreadId RtlpWaitOnAddressWithTimeout RtlpWaitOnAddress RtlWaitOnAddress HampHostSnapshotTerminate",
        ),
        (
            "condition",
            alert,
            "ZwWaitForAlertByThreadId RtlSleepConditionVariableSRW SleepConditionVariableSRW f",
        ),
        ("futex", alert, "ZwWaitForAlertByThreadId f"),
        (
            "lock",
            object,
            "ZwWaitForSingleObject RtlpWaitOnCriticalSection RtlpEnterCriticalSectionContended f",
        ),
        (
            "socket",
            object,
            "ZwWaitForSingleObject SockWaitForSingleObject WSPRecv recv f",
        ),
        (
            "poll",
            object,
            "ZwWaitForSingleObject SockWaitForSingleObject WSPSelect select f",
        ),
        (
            "object",
            object,
            "ZwWaitForSingleObject WaitForSingleObjectEx f",
        ),
        ("socket", request, "NtDeviceIoControlFile WSPSend send f"),
    ];
    for (expected, kernel, user) in table {
        let class = rules.classify(kernel, user.split_whitespace());
        assert_eq!(rules.class(class).name, expected, "{user}");
    }
}

#[test]
fn a_user_half_alone_tells_where_its_call_waits_for_one_thing() {
    let rules = Rules::shipped();
    let table = [
        ("child", "__GI___wait4 waitchld main"),
        (
            "condition",
            "__futex_abstimed_wait_common pthread_cond_wait@@GLIBC_2.3.2 f",
        ),
        (
            "semaphore",
            "__futex_abstimed_wait_common __new_sem_wait_slow64 f",
        ),
        (
            "sleep",
            "clock_nanosleep@GLIBC_2.2.5 __nanosleep xnanosleep main",
        ),
        ("poll", "__pselect jobserver_acquire main"),
        ("unknown", "read main"),
        ("unknown", "Future::poll main"),
    ];
    for (expected, user) in table {
        let class = rules.classify([], user.split_whitespace());
        assert_eq!(rules.class(class).name, expected, "{user}");
        let mut trace = Literal::new(10);
        let id = trace.stack(
            "s",
            &user.split_whitespace().collect::<Vec<_>>().join(" < "),
        );
        let trace = trace.raw("t");
        let stacks = Stacks::read(&trace).expect("stacks");
        let classes = Classes::new(&stacks, rules);
        assert_eq!(classes.of_stack(&stacks, Some(id)), class, "{user}");
    }
}

#[test]
fn the_pass_over_the_tree_agrees_with_single_stacks() {
    let mut trace = Literal::new(10);
    let user = [
        "pthread_cond_wait < run",
        "lock_slow < run",
        "read < main",
        "main",
    ];
    let mut expected = Vec::new();
    for (number, (_, kernel)) in STACKS.iter().enumerate() {
        let kernel: Vec<&str> = kernel.split_whitespace().collect();
        if kernel.is_empty() {
            continue;
        }
        let user = user[number % user.len()];
        let frames: Vec<String> = kernel.iter().map(|f| format!("k:{f}")).collect();
        let id = trace.stack("s", &format!("{} < {user}", frames.join(" < ")));
        let rules = Rules::shipped();
        expected.push((id, rules.classify(kernel, user.split(" < "))));
    }
    let trace = trace.raw("t");
    let stacks = Stacks::read(&trace).expect("stacks");
    let classes = Classes::new(&stacks, Rules::shipped());
    for (id, class) in expected {
        assert_eq!(classes.of_stack(&stacks, Some(id)), class);
    }
}

#[test]
fn the_shipped_file_is_sound_and_bad_files_are_refused_by_line() {
    let rules = Rules::parse(Rules::shipped_text()).expect("shipped rules");
    assert!(rules.classes.len() > 25);
    let table = [
        ("disk = submit_bio", 1, "not declared"),
        ("class a: x\n\n# y\nwhat is this", 4, "neither"),
        ("class a: x\na =", 2, "needs a function"),
        ("class a", 1, "colon"),
        ("class a: x\na / b = f", 2, "not declared"),
        ("class a [odd]: x", 1, "neither [thing] nor [work]"),
        ("timeout < hrtimer_wakeup", 1, "not declared"),
        ("end timeout: x\ntimeout <", 2, "needs a function"),
        ("end timeout", 1, "colon"),
    ];
    for (text, line, why) in table {
        let error = Rules::parse(text).expect_err(text).to_string();
        assert!(
            error.contains(&format!("line {line}")) && error.contains(why),
            "{error}"
        );
    }
    let own = Rules::parse("class mine: me\nmine = my_* # comment\n other_fn").expect("rules");
    let name = |f: &'static str| own.class(own.classify([f], [])).name.clone();
    assert_eq!(name("my_wait.cold"), "mine");
    assert_eq!(name("other_fn"), "mine");
    assert_eq!(name("else"), "other");
}

#[test]
fn a_set_of_functions_stands_for_them_in_rules_of_several_classes() {
    let text = "class disk: d\nclass journal: j\nclass safe: s\nset calls = do_sync *_fsync\n\
                disk = submit\njournal = commit\ndisk, journal in safe = @calls other";
    let rules = Rules::parse(text).expect("rules");
    let name = |functions: &[&str]| {
        let class = rules.classify(functions.iter().copied(), []);
        rules.class(class).name.clone()
    };
    assert_eq!(name(&["submit", "ext4_fsync"]), "safe");
    assert_eq!(name(&["commit", "other"]), "safe");
    assert_eq!(name(&["commit", "write"]), "journal");
    assert!(Rules::parse("class a: a\na = @unheard").is_err());
}
