//! What ended a wait.

use whyslow_model::{ProcessId, StateFlags, ThreadId};

use super::*;
use crate::interval::Waker;

/// What ended the wait, the kind of waker (thread, soft interrupt, interrupt), functions of the
/// waker from the leaf on; from Linux 6.18.
const ENDS: &[(&str, &str, &str)] = &[
    (
        "timeout",
        "interrupt",
        "try_to_wake_up hrtimer_wakeup __hrtimer_run_queues hrtimer_interrupt __sysvec_apic_timer_interrupt",
    ),
    (
        "timeout",
        "softirq",
        "try_to_wake_up process_timeout call_timer_fn run_timer_softirq handle_softirqs __irq_exit_rcu",
    ),
    // The same, where the compiler turned the last call into a jump.
    (
        "timeout",
        "softirq",
        "try_to_wake_up call_timer_fn __run_timers run_timer_softirq handle_softirqs __irq_exit_rcu",
    ),
    (
        "timer",
        "softirq",
        "try_to_wake_up __queue_work call_timer_fn __run_timers run_timer_softirq handle_softirqs __irq_exit_rcu",
    ),
    (
        "timer",
        "interrupt",
        "try_to_wake_up ep_poll_callback __wake_up_common timerfd_tmrproc __hrtimer_run_queues hrtimer_interrupt",
    ),
    (
        "signal",
        "interrupt",
        "try_to_wake_up complete_signal posixtimer_send_sigqueue posix_timer_fn __hrtimer_run_queues hrtimer_interrupt",
    ),
    (
        "signal",
        "thread",
        "try_to_wake_up complete_signal __send_signal_locked do_send_sig_info kill_pid_info_type __x64_sys_kill",
    ),
    (
        "exit",
        "thread",
        "try_to_wake_up zap_other_threads do_group_exit __x64_sys_exit_group",
    ),
    (
        "disk",
        "interrupt",
        "try_to_wake_up wake_page_function __wake_up_common folio_wake_bit __read_end_io blk_update_request blk_mq_end_request blk_done_softirq",
    ),
    (
        "network",
        "softirq",
        "try_to_wake_up sock_def_readable tcp_data_queue tcp_v4_rcv __netif_receive_skb_one_core napi_gro_receive virtnet_poll __napi_poll net_rx_action handle_softirqs __irq_exit_rcu",
    ),
    (
        "thread",
        "softirq",
        "try_to_wake_up sock_def_readable tcp_data_queue tcp_v4_rcv process_backlog __napi_poll net_rx_action handle_softirqs do_softirq.part.0 __local_bh_enable_ip __dev_queue_xmit tcp_sendmsg",
    ),
    (
        "thread",
        "thread",
        "try_to_wake_up wake_up_q futex_wake do_futex __x64_sys_futex",
    ),
    (
        "thread",
        "thread",
        "try_to_wake_up __wake_up_parent do_notify_parent exit_notify do_exit do_group_exit",
    ),
    (
        "interrupt",
        "interrupt",
        "try_to_wake_up strange_device_handler",
    ),
    ("interrupt", "interrupt", ""),
    ("unknown", "nobody", ""),
];

#[test]
fn what_ended_a_wait_is_told_by_who_woke_and_where() {
    let waker = ThreadId(7);
    for (expected, kind, functions) in ENDS {
        let mut trace = Literal::new(10);
        let frames: Vec<String> = functions
            .split_whitespace()
            .map(|name| format!("k:{name}"))
            .collect();
        let stack = (!frames.is_empty()).then(|| trace.stack("s", &frames.join(" < ")));
        let trace = trace.raw("t");
        let stacks = Stacks::read(&trace).expect("stacks");
        let rules = Rules::shipped();
        let ends = Ends::new(&stacks, rules);
        let mut wait = wait_until(match *kind {
            "thread" => Waker::Thread(waker),
            "softirq" => Waker::Softirq(waker),
            "interrupt" => Waker::Interrupt,
            _ => Waker::Unknown,
        });
        wait.waker_stack = stack;
        let (end, by) = ends.of(&stacks, &wait);
        assert_eq!(rules.end(end).name, *expected, "{kind} {functions}");
        // A thread that only ran below an interrupt woke nobody.
        let own = *expected == "thread" || *kind == "thread";
        assert_eq!(by == Waker::Thread(waker), own, "{kind} {functions}");
        wait.flags = StateFlags::OPEN_END;
        let (end, by) = ends.of(&stacks, &wait);
        assert_eq!(
            (rules.end(end).name.as_str(), by),
            ("recording", Waker::Unknown)
        );
    }
}

#[test]
fn a_wait_that_nobody_ended_and_that_took_as_long_as_asked_timed_out() {
    let trace = Literal::new(10).raw("t");
    let stacks = Stacks::read(&trace).expect("stacks");
    let rules = Rules::shipped();
    let ends = Ends::new(&stacks, rules);
    for (timeout_ns, waker, expected) in [
        (Some(10), Waker::Unknown, "timeout"),
        (Some(11), Waker::Unknown, "unknown"),
        (Some(0), Waker::Unknown, "unknown"),
        (None, Waker::Unknown, "unknown"),
        (Some(10), Waker::Thread(ThreadId(7)), "thread"),
        (Some(10), Waker::Interrupt, "interrupt"),
    ] {
        let wait = Interval {
            timeout_ns,
            ..wait_until(waker)
        };
        let (end, _) = ends.of(&stacks, &wait);
        assert_eq!(rules.end(end).name, expected, "{timeout_ns:?} {waker:?}");
    }
}

fn wait_until(waker: Waker) -> Interval {
    Interval {
        start_ns: 0,
        end_ns: 10,
        process: ProcessId(0),
        thread: ThreadId(0),
        state: ThreadState::Waiting,
        stack: None,
        reason: WaitReason::Interruptible,
        waker,
        waker_stack: None,
        ready: None,
        cpu: None,
        cpu_ns: 0,
        recorder_ns: None,
        object: None,
        timeout_ns: None,
        priority: None,
        flags: StateFlags::default(),
        cut_start: false,
        cut_end: false,
    }
}
