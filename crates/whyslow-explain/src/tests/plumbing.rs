//! Places are the user's own functions, not the way in which a runtime or a program of the system works.

use super::*;

/// Returns the place of a process that waits once for a second, and whose program is at `path`.
fn waits_once(name: &str, path: &str, stack: &str) -> String {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, name, 100, None, (0, 1000));
    trace.processes[app.index()].path = Some(path.to_owned());
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.stack("nap", stack);
    trace.play(main, "W1000:nap<!@timer");
    for module in &mut trace.modules {
        if module.name == name {
            path.clone_into(&mut module.path);
        }
        if module.name.starts_with("perf-") {
            "jit".clone_into(&mut module.kind);
        }
    }
    place_of(&trace, "sleep")
}

/// Returns the place of a finding.
fn place_of(trace: &Literal, cause: &str) -> String {
    let all = findings(trace, 100);
    let wanted = all.iter().find(|one| one.cause == cause);
    let wanted = wanted.unwrap_or_else(|| panic!("{all:?}"));
    match wanted.fact("place") {
        Some(Value::Place(place)) => place.to_string(),
        _ => String::new(),
    }
}

#[test]
fn a_nameless_function_of_the_system_has_no_offset() {
    let nap = "k:do_nanosleep < k:__x64_sys_nanosleep < libc.so.6!nanosleep < ?sleep";
    let said = waits_once("sleep", "/usr/bin/sleep", nap);
    assert_eq!(said, "sleep → nanosleep");
    // Who wrote the program may look it up.
    let said = waits_once("sleep", "/home/me/sleep", nap);
    assert!(said.contains("sleep+0x"), "{said}");
}

#[test]
fn code_that_a_runtime_made_is_called_that() {
    let nap = "k:do_nanosleep < k:__x64_sys_nanosleep < libc.so.6!nanosleep < ?perf-100.map";
    let said = waits_once("mono-sgen", "/usr/bin/mono-sgen", nap);
    assert_eq!(said, "generated code → nanosleep");
}

#[test]
fn what_only_calls_a_lambda_of_java_is_not_shown() {
    let nap = "k:do_nanosleep < k:__x64_sys_nanosleep < java.base.java!java.lang.Thread.sleep \
               < Shop.java!Shop.lambda$main$0 < Shop.java!Shop$$Lambda.run < Shop.java!Shop.main";
    let said = waits_once("java", "/usr/bin/java", nap);
    assert!(said.starts_with("Shop.main → Shop.lambda$main$0"), "{said}");
}

/// A program of Node.js that waits for replies of a server, and computes in `stack` before.
fn asks(stack: &str) -> String {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "node", 100, None, (0, 1000));
    let (_, server) = process(&mut trace, "server", 200, None, (0, 1000));
    trace.stack(
        "loop",
        "k:ep_poll < k:do_epoll_wait < libc.so.6!epoll_pwait < node!uv__io_poll < node!uv_run \
         < node!node::Start",
    );
    trace.stack("ask", stack);
    trace.play(main, &"R20 W80:loop<server ".repeat(10));
    trace.play(server, &"W20:loop<node R80 ".repeat(10));
    let when = (0..10).flat_map(|at| (0..20).map(move |ms| at * 100 + ms));
    trace.sample(main, &when.collect::<Vec<_>>(), "ask");
    for module in &mut trace.modules {
        match &*module.name {
            "node" => "/usr/bin/node".clone_into(&mut module.path),
            name if name.starts_with("node:") => {
                name.clone_into(&mut module.path);
                "javascript".clone_into(&mut module.kind);
            }
            _ => {}
        }
    }
    place_of(&trace, "slow-peer")
}

#[test]
fn an_event_loop_waits_for_what_the_users_function_asked() {
    let ask = "node:net!connect < node:_http_client!ClientRequest < app.js!ask < app.js!askAll \
               < node!node::Start";
    let place = asks(ask);
    assert!(place.starts_with("askAll → ask"), "{place}");
    // How the engine waits is no place.
    assert_eq!(asks("app.js!parse < node!node::Start"), "");
}

#[test]
fn the_largest_part_is_named_if_no_place_has_most() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "node", 100, None, (0, 1000));
    let pool = "node!ThreadPoolWork < libc.so.6!start_thread";
    trace.stack(
        "pack",
        &format!("node!deflate_slow < node!Zlib::work < {pool}"),
    );
    trace.stack("hash", "node!sha512 < node!Pbkdf2");
    trace.stack("other", "node!scavenge");
    trace.play(main, "R1000");
    for (stack, part) in [("pack", 0..450), ("hash", 450..720), ("other", 720..1000)] {
        trace.sample(main, &part.collect::<Vec<_>>(), stack);
    }
    for module in &mut trace.modules {
        if module.name == "node" {
            "/usr/bin/node".clone_into(&mut module.path);
        }
    }
    let place = place_of(&trace, "cpu");
    assert!(place.ends_with("Zlib::work → deflate_slow"), "{place}");
}

#[test]
fn a_thread_of_an_interpreter_waits_in_a_function_of_its_language() {
    let place = |packages: &[&str], stack: &str| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "python3", 100, None, (0, 1000));
        trace.processes[app.index()].path = Some("/usr/bin/python3".to_owned());
        trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
        trace.stack("nap", stack);
        trace.play(main, "W1000:nap<!@timer");
        for module in &mut trace.modules {
            let of_package = packages.iter().any(|one| module.name.starts_with(one));
            let folder = if of_package { "site-packages/" } else { "" };
            module.path = format!("/usr/lib/python3.11/{folder}{}", module.name);
        }
        place_of(&trace, "sleep")
    };
    let in_interpreter = "k:do_nanosleep < k:__x64_sys_nanosleep < libc.so.6!nanosleep \
                          < libpython3.11.so.1.0!pysleep < libpython3.11.so.1.0!time_sleep";
    let begins = "concurrent/futures/thread.py!_worker < threading.py!Thread.run \
                  < libpython3.11.so.1.0!method_vectorcall";
    let retries = "docs/load.py!load_one < docs/load.py!load < docs/load.py!load_all";
    let stack = format!(
        "{in_interpreter} < http_client/retry.py!Retry.pause < libpython3.11.so.1.0!method_vectorcall \
         < http_client/api.py!get < {retries} < {begins}"
    );
    let said = place(&["docs", "http_client"], &stack);
    assert!(said.starts_with("load → load_one (docs/load.py:"), "{said}");
    assert!(said.ends_with(" → get"), "{said}");
    // The language's own library says more than its interpreter.
    let said = place(&[], &format!("{in_interpreter} < {begins}"));
    assert_eq!(said, "Thread.run → _worker → time_sleep");
}
