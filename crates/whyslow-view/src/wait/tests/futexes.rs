//! What waits on a futex are for.

use super::*;

/// Class, user functions from the leaf on, as seen in futex waits of glibc 2.36, Rust 1.95, Go 1.25
/// and CPython 3.11.
const FUTEX_WAITS: &[(&str, &str)] = &[
    (
        "lock",
        "__GI___lll_lock_wait | pthread_mutex_lock@@GLIBC_2.2.5 | main",
    ),
    (
        "lock",
        "__futex_abstimed_wait_common | pthread_rwlock_rdlock@GLIBC_2.2.5 | main",
    ),
    (
        "lock",
        "syscall | <std::sys::sync::rwlock::futex::RwLock>::read_contended | m::main",
    ),
    (
        "semaphore",
        "__futex_abstimed_wait_common | __new_sem_wait_slow64.constprop.0 | main",
    ),
    ("barrier", "pthread_barrier_wait@@GLIBC_2.34 | main"),
    (
        "barrier",
        "syscall | <std::sync::barrier::Barrier>::wait | m::main",
    ),
    ("once", "__pthread_once_slow | main"),
    (
        "once",
        "syscall | <std::sys::sync::once::futex::Once>::call | m::main",
    ),
    // Every Rust program begins below a `FnOnce::call_once`; it is not an initialization.
    (
        "join",
        "syscall | std::thread::scoped::scope | m::main | core::ops::function::FnOnce::call_once",
    ),
    (
        "channel",
        "syscall | <std::sync::mpsc::SyncSender<u32>>::send | m::main | <fn() as core::ops::function::FnOnce<()>>::call_once",
    ),
    (
        "condition",
        "syscall | <std::sys::sync::condvar::futex::Condvar>::wait | m::main",
    ),
    (
        "condition",
        "__futex_abstimed_wait_common | pthread_cond_timedwait@@GLIBC_2.3.2 | main",
    ),
    (
        "parking",
        "syscall | std::thread::functions::park | m::main",
    ),
    (
        "channel",
        "syscall | <std::thread::thread::Thread>::park | \
         std::sync::mpmc::list::Channel<T>::recv::{{closure}} | m::main",
    ),
    (
        "join",
        "syscall | <std::thread::thread::Thread>::park | std::thread::scoped::scope | m::main",
    ),
    (
        "join",
        "__futex_abstimed_wait_common | __pthread_clockjoin_ex | \
         <std::sys::thread::unix::Thread>::join | std::thread::lifecycle::JoinInner<T>::join",
    ),
    (
        "gil",
        "__futex_abstimed_wait_common | pthread_cond_timedwait@@GLIBC_2.3.2 | take_gil | \
         PyEval_RestoreThread | acquire_timed | lock_PyThread_acquire_lock",
    ),
    (
        "python-lock",
        "__futex_abstimed_wait_common | __new_sem_wait_slow64.constprop.0 | \
         PyThread_acquire_lock_timed | acquire_timed | lock_PyThread_acquire_lock",
    ),
    (
        "work",
        "runtime.futex.abi0 | runtime.notesleep | runtime.stopm | runtime.findRunnable | \
         runtime.schedule | runtime.park_m | runtime.mcall",
    ),
    (
        "work",
        "runtime.futex.abi0 | runtime.notetsleep_internal | runtime.notetsleep | runtime.sysmon",
    ),
    (
        "work",
        "runtime.futex.abi0 | runtime.notesleep | runtime.templateThread",
    ),
    (
        "semaphore",
        "PyThread_acquire_lock_timed | acquire_timed | lock_PyThread_acquire_lock | Condition.wait | \
         Semaphore.acquire | fetch",
    ),
    (
        "database-lock",
        "__futex_abstimed_wait_common | pthread_cond_timedwait@@GLIBC_2.3.2 | MDL_wait::timed_wait | \
         MDL_context::acquire_lock | open_tables | do_command",
    ),
    (
        "sleep",
        "pthread_cond_timedwait@@GLIBC_2.3.2 | Interruptible_wait::wait | Item_func_sleep::val_int | JOIN::exec",
    ),
    (
        "lock",
        "__futex_abstimed_wait_common | __new_sem_wait_slow64.constprop.0 | PGSemaphoreLock | LWLockAcquire | \
         XLogInsertRecord | PostgresMain",
    ),
    // Java's own locks wait in a condition variable.
    (
        "lock",
        "__futex_abstimed_wait_common | pthread_cond_wait@@GLIBC_2.3.2 | Parker::park | Unsafe_Park | \
         java.util.concurrent.locks.LockSupport.park | java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire | \
         java.util.concurrent.locks.ReentrantLock$Sync.lock | java.util.concurrent.locks.ReentrantLock.lock | Main.main",
    ),
    (
        "condition",
        "pthread_cond_wait@@GLIBC_2.3.2 | Unsafe_Park | java.util.concurrent.locks.LockSupport.park | \
         java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await | Main.main",
    ),
    (
        "semaphore",
        "pthread_cond_wait@@GLIBC_2.3.2 | Unsafe_Park | java.util.concurrent.Semaphore.acquire | Main.main",
    ),
    (
        "work",
        "pthread_cond_wait@@GLIBC_2.3.2 | Unsafe_Park | \
         java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await | \
         java.util.concurrent.LinkedBlockingQueue.take | java.util.concurrent.ThreadPoolExecutor.getTask",
    ),
    ("futex", "syscall | my_own_lock | main"),
    ("futex", ""),
];

#[test]
fn the_user_half_of_a_futex_says_what_it_is() {
    let rules = Rules::shipped();
    let kernel = ["futex_do_wait", "__futex_wait", "futex_wait", "do_futex"];
    for (expected, user) in FUTEX_WAITS {
        let class = rules.classify(kernel, user.split(" | ").filter(|name| !name.is_empty()));
        assert_eq!(rules.class(class).name, *expected, "{user}");
    }
    let epoll = ["schedule_hrtimeout_range_clock", "do_epoll_wait"];
    let table = [
        (
            "goroutines",
            "runtime.netpoll runtime.findRunnable runtime.schedule",
        ),
        (
            "loop",
            "epoll_pwait uv__io_poll uv_run node::SpinEventLoopInternal",
        ),
        ("poll", "epoll_wait serve main"),
        ("terminal", "rl_getc rl_read_key readline main"),
        // A Ruby method that reads a line of a reply.
        (
            "poll",
            "ppoll rb_io_wait rbuf_fill readline read_status_line",
        ),
    ];
    for (expected, user) in table {
        let class = rules.classify(epoll, user.split_whitespace());
        assert_eq!(rules.class(class).name, expected, "{user}");
    }
}

#[test]
fn waits_for_work_and_for_things_are_told_from_those_for_others() {
    let rules = Rules::shipped();
    let nature = |name| rules.class(rules.find(name).expect(name)).nature;
    for name in ["idle", "work", "accept", "terminal", "loop"] {
        assert_eq!(nature(name), Nature::Work, "{name}");
    }
    for name in ["disk", "sleep", "page-fault"] {
        assert_eq!(nature(name), Nature::Thing, "{name}");
    }
    for name in ["lock", "socket", "poll", "goroutines", "futex"] {
        assert_eq!(nature(name), Nature::Others, "{name}");
    }
    assert!(rules.is_helper("GC Thread#1") && rules.is_helper("libuv-worker"));
    assert!(!rules.is_helper("java") && !rules.is_helper("worker-1"));
}
