//! Who makes the system calls: stacks of a sample by count.

use std::hint::black_box;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use whyslow_bpf::payload::Event;

use crate::{Trial, assert_goes_through, generous, on_trial, tid};

const GETPPID: u64 = 110;
const CONNECT: u64 = 42;
const OFTEN: u64 = 500_000;

#[inline(never)]
#[expect(unsafe_code, reason = "a system call that costs little")]
fn ask_often() {
    for _ in 0..OFTEN {
        // SAFETY: it only returns a number.
        black_box(unsafe { libc::getppid() });
    }
}

/// Runs `ask_often` in a thread of its own, and empties the rings meanwhile; the thread's id.
fn asked(trial: &mut Trial) -> u32 {
    let thread = thread::spawn(|| {
        ask_often();
        tid()
    });
    while !thread.is_finished() {
        trial.drain();
        thread::sleep(Duration::from_millis(1));
    }
    thread.join().unwrap()
}

#[test]
fn sampled_calls_stand_for_all_calls_and_show_who_makes_them() {
    on_trial(&generous(), |trial| {
        let asker = asked(trial);
        let payloads = trial.payloads();
        let of_asker = payloads.iter().filter(|payload| payload.tid == asker);
        let sampled: Vec<_> = of_asker
            .filter_map(|payload| match payload.event {
                Event::Call {
                    system_call,
                    calls,
                    stack,
                } if system_call == GETPPID => Some((calls, stack)),
                _ => None,
            })
            .collect();
        let stand_for: u64 = sampled.iter().map(|(calls, _)| calls).sum();
        // The calls after the last one that was sampled are missing: at most a distance and a half.
        assert!(
            stand_for > OFTEN * 3 / 4 && stand_for < OFTEN + 1000,
            "{stand_for} in {} samples",
            sampled.len()
        );
        let (_, stack) = sampled.last().expect("a sample");
        assert_goes_through(stack, ask_often);
    });
}

/// Tries once to connect to where nobody listens.
#[inline(never)]
fn try_to_connect() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    black_box(TcpStream::connect(address).is_err());
}

#[test]
fn a_single_attempt_to_connect_shows_who_makes_it() {
    on_trial(&generous(), |trial| {
        let thread = thread::spawn(|| {
            try_to_connect();
            tid()
        });
        let caller = thread.join().unwrap();
        let payloads = trial.payloads();
        let of_caller = payloads.iter().filter(|payload| payload.tid == caller);
        let attempts: Vec<_> = of_caller
            .filter_map(|payload| match &payload.event {
                Event::Call {
                    system_call: CONNECT,
                    calls,
                    stack,
                } => Some((*calls, stack)),
                _ => None,
            })
            .collect();
        let [(1, stack)] = attempts[..] else {
            panic!("{} attempts", attempts.len());
        };
        assert_goes_through(stack, try_to_connect);
    });
}
