//! What is said of a server that does one thing for long while others wait.

use whyslow_model::tables::{LabelRow, TcpConnectionRow};
use whyslow_model::{LabelId, Named, Table, TcpSide};

use super::connections::made;
use super::*;

const EPOLL_WAIT: i32 = 232;
const ACCEPT: i32 = 43;

/// What a client does within a turn of 200 ms in which the server answers at once for 140 ms, and then computes.
const ASKS_AGAIN_AND_AGAIN: &str = "R1 W1:reply<node ";
const SLEEPS: &str = "Z140:nap<!@timer ";

/// A server that answers at once for 140 ms, and then computes for 60 ms, five times, with what its clients do
/// meanwhile: they end a turn with a wait for as long as it computes.
fn server(clients: &[(&str, String)]) -> (Literal, ThreadId) {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "node", 100, None, (0, 1000));
    trace.stack(
        "hash",
        "libcrypto.so.3!PBKDF2 < app.js!logIn < uv_run < main",
    );
    trace.stack(
        "poll",
        "k:ep_poll < k:do_epoll_wait < epoll_wait < uv__io_poll < uv_run < main",
    );
    trace.stack("nap", "k:do_nanosleep < clock_nanosleep < main");
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.stack(
        "reply",
        "k:tcp_recvmsg < k:__x64_sys_recvfrom < recv < ask < main",
    );
    trace.play(main, "R1000");
    for ((name, turn), pid) in clients.iter().zip(200..) {
        let (_, client) = process(&mut trace, name, pid, None, (0, 1000));
        trace.play(client, &turn.repeat(5));
    }
    let at = |is_hash: bool| (0..1000).filter(move |ms| (ms % 200 >= 140) == is_hash);
    for page in 0..4 {
        let stack = format!("page_{page}");
        trace.stack(&stack, &format!("app.js!{stack} < uv_run < main"));
        let of_page = at(false).filter(|ms| ms % 4 == page);
        trace.sample(main, &of_page.collect::<Vec<_>>(), &stack);
    }
    trace.sample(main, &at(true).collect::<Vec<_>>(), "hash");
    for module in &mut trace.modules {
        if !module.name.ends_with(".js") {
            module.path = format!("/usr/lib/{}", module.name);
        }
    }
    trace.calls(main, (EPOLL_WAIT, 0), 5000, None, 0);
    trace.calls(main, (ACCEPT, 0), 5000, None, 0);
    (trace, main)
}

/// Two clients: one asks all the time, the other one sleeps before it asks for what takes long.
fn two_clients() -> (Literal, ThreadId) {
    server(&[
        (
            "ab",
            format!("{} W60:reply<node ", ASKS_AGAIN_AND_AGAIN.repeat(70)),
        ),
        ("curl", format!("{SLEEPS}W60:reply<node ")),
    ])
}

fn held(trace: &Literal) -> Option<Finding> {
    let mut all = findings(trace, 100).into_iter();
    all.find(|one| one.cause == "blocked-loop")
}

#[test]
fn a_server_that_others_wait_for_while_it_computes_says_what_fills_that_time() {
    let (trace, _) = two_clients();
    says(
        &explain_pid(&trace, 100),
        &[
            "1 It blocked its event loop for about 60 ms at a time, 5 times: 30 % of the time  likely\n",
            "    logIn (app.js:",
            "    Most of that was in PBKDF2.\n    Meanwhile ab and curl waited for it.\n",
            "    Move this work to another thread or process",
        ],
    );
}

#[test]
fn a_server_that_works_for_the_only_one_who_waits_holds_nobody_up() {
    let (trace, _) = server(&[
        (
            "ab",
            format!("{} {}", ASKS_AGAIN_AND_AGAIN.repeat(70), "Z60:nap<!@timer "),
        ),
        ("curl", format!("{SLEEPS}W60:reply<node ")),
    ]);
    assert_eq!(held(&trace), None);
}

#[test]
fn a_server_that_answers_meanwhile_holds_nobody_up() {
    // It answers again after 30 ms.
    let (trace, _) = server(&[
        (
            "ab",
            format!(
                "{} W30:reply<node W30:reply<node ",
                ASKS_AGAIN_AND_AGAIN.repeat(70)
            ),
        ),
        ("curl", format!("{SLEEPS}W60:reply<node ")),
    ]);
    assert_eq!(held(&trace), None);
    // It looks for requests all the time, and serves clients elsewhere; those here wait for something else.
    let (mut trace, main) = two_clients();
    trace.called_from(
        main,
        &(0..100).map(|at| at * 10).collect::<Vec<_>>(),
        (EPOLL_WAIT, 50),
        "poll",
    );
    assert_eq!(held(&trace), None);
    // It sends and receives all the time.
    const SENDTO: i32 = 44;
    let (mut trace, main) = two_clients();
    trace.called_from(
        main,
        &(0..100).map(|at| at * 10).collect::<Vec<_>>(),
        (SENDTO, 50),
        "poll",
    );
    assert_eq!(held(&trace), None);
}

#[test]
fn who_takes_no_connections_or_sees_no_waiter_is_no_server() {
    let (mut trace, main) = server(&[]);
    assert_eq!(held(&trace), None);
    (trace, _) = two_clients();
    assert!(held(&trace).is_some());
    trace = {
        let (mut trace, _) = two_clients();
        trace.capabilities = whyslow_model::Capabilities::default();
        for &capability in Capability::ALL {
            if capability != Capability::SystemCalls {
                trace.capabilities.set(capability);
            }
        }
        trace
    };
    assert_eq!(held(&trace), None, "{main:?}");
}

#[test]
fn a_client_that_waits_in_pieces_waits_all_the_time() {
    let (trace, _) = server(&[
        (
            "ab",
            format!(
                "{} W30:reply<!@timer W30:reply<node ",
                ASKS_AGAIN_AND_AGAIN.repeat(70)
            ),
        ),
        ("curl", format!("{SLEEPS}W60:reply<node ")),
    ]);
    assert!(held(&trace).is_some());
}

#[test]
fn one_client_with_several_connections_holds_up_itself() {
    let found = |connections: i32, replies: i64, reply_ms: i64| {
        let one = format!("{} W60:reply<node ", ASKS_AGAIN_AND_AGAIN.repeat(70));
        let (mut trace, main) = server(&[("ab", one)]);
        let address = LabelRow {
            id: LabelId::from_index(0).expect("few"),
            text: "127.0.0.1".to_owned(),
        };
        let rows = (0..connections).flat_map(|at| {
            let client = TcpConnectionRow {
                process: ProcessId::from_index(1),
                thread: ThreadId::from_index(1),
                local_port: Some(40_000 + at),
                duration_ns: None,
                replies: Some(if at == 0 { 20 } else { replies }),
                reply_ns: Some(reply_ms * MS),
                ..made()
            };
            let its_end = TcpConnectionRow {
                process: ProcessId::from_index(0),
                thread: Some(main),
                side: TcpSide::In.code(),
                local_port: client.remote_port,
                remote_port: client.local_port,
                ..client
            };
            [client, its_end]
        });
        let rows: Vec<_> = rows.collect();
        trace.tables.push(Table::from_rows([address]));
        trace.tables.push(Table::from_rows(rows));
        held(&trace).is_some()
    };
    assert!(!found(1, 20, 800));
    assert!(found(2, 20, 800));
    // The second one was not used.
    assert!(!found(2, 0, 800));
    // It used one after the other.
    assert!(!found(2, 20, 450));
}
