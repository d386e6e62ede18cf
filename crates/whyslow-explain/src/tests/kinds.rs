//! Kinds of work that functions of runtimes and libraries tell, and programs that only look like them.

use whyslow_model::tables::FileCallRow;
use whyslow_model::{FileOperation, Named, Table};

use super::*;

/// Returns the share of the time, in percent, that a cause is said to take in a program that computes for a second on
/// these stacks, each for so many milliseconds.
fn share_of(cause: &str, stacks: &[(&str, i64)]) -> Option<i64> {
    about(&computing(stacks), cause).map(|one| one.wall_ns / MS / 10)
}

fn about(trace: &Literal, cause: &str) -> Option<Finding> {
    let mut all = findings(trace, 100).into_iter();
    all.find(|one| one.cause == cause)
}

fn computing(stacks: &[(&str, i64)]) -> Literal {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.play(main, "R1000");
    let mut from = 0;
    for &(stack, ms) in stacks {
        trace.stack(stack, stack);
        trace.sample(main, &(from..from + ms).collect::<Vec<_>>(), stack);
        from += ms;
    }
    trace
}

#[test]
fn expressions_that_go_back_are_named_by_what_a_library_exports() {
    let matches = "?libruby.so.3 < libruby.so.3!onig_search < libruby.so.3!rb_reg_search < check";
    let shares = [(matches, 600), ("check", 400)];
    assert_eq!(share_of("regex", &shares), Some(60));
    assert_eq!(share_of("regex", &[(matches, 100), ("check", 900)]), None);
}

#[test]
fn objects_that_are_spread_into_new_ones_are_copied() {
    let spread = "node!Builtins_CreateDataProperty < node!Builtins_CloneObjectIC_Slow < catalogue";
    let (slice, sort) = (
        "node!Builtins_ArrayPrototypeSlice < sort < main",
        "sort < main",
    );
    let shares = [(spread, 700), ("catalogue", 300)];
    assert_eq!(share_of("copying", &shares), Some(70));
    // Merging sorted halves copies each of them.
    assert_eq!(share_of("copying", &[(slice, 200), (sort, 800)]), None);
}

const LIST: &str = "<alloc::vec::Vec<T,A> as core::clone::Clone>::clone < shop::main";
const ORDER: &str = "libc.so.6!malloc < <shop::Order as core::clone::Clone>::clone";
const DROP: &str = "libc.so.6!free < core::ptr::drop_in_place<shop::Order> < shop::main";

#[test]
fn copies_of_lists_count_with_what_frees_them() {
    let copies = format!("{ORDER} < {LIST}");
    let shares = [(&*copies, 500), (DROP, 300), ("shop::main", 200)];
    assert_eq!(share_of("deep-copy", &shares), Some(80));
    // What takes longer to free than copies take to make was not copied.
    let shares = [(&*copies, 310), (DROP, 400), ("shop::main", 290)];
    assert_eq!(share_of("deep-copy", &shares), Some(31));
}

#[test]
fn texts_that_become_keys_and_shared_references_are_no_deep_copies() {
    let text = "libc.so.6!malloc < <alloc::vec::Vec<u8> as core::clone::Clone>::clone < <alloc::string::String as core::clone::Clone>::clone < shop::main";
    let shared = "<alloc::sync::Arc<T,A> as core::clone::Clone>::clone < shop::main";
    for stack in [text, shared] {
        let shares = [(stack, 600), ("shop::main", 400)];
        assert_eq!(share_of("deep-copy", &shares), None, "{stack}");
    }
    // That objects are freed does not mean that they were copies.
    let shares = [(DROP, 600), ("shop::main", 400)];
    assert_eq!(share_of("deep-copy", &shares), None);
}

const COPY: &str = "runtime.memmove < main.putOnTop < main.main";
const FAULT: &str = "k:clear_page_erms < k:exc_page_fault < k:asm_exc_page_fault < runtime.memmove < main.putOnTop < main.main";

#[test]
fn copying_into_new_memory_is_copying_and_the_page_faults_in_it() {
    let other = ("main.putOnTop < main.main", 500);
    let trace = computing(&[(COPY, 250), (FAULT, 250), other]);
    let finding = about(&trace, "copying").expect("the cause");
    assert_eq!(finding.wall_ns, 500 * MS, "{finding:?}");
    assert_eq!(finding.confidence, Confidence::Likely);
    says(
        &explain_pid(&trace, 100),
        &[
            "It copied memory: 50 % of the time",
            "For 50 % of that time the kernel provided new memory for the copies (page faults).",
        ],
    );
}

#[test]
fn new_memory_that_is_hardly_copied_to_is_not_copying() {
    let other = ("main.putOnTop < main.main", 580);
    let hardly = [(COPY, 20), (FAULT, 400), other];
    assert_eq!(share_of("copying", &hardly), None);
    // Faults elsewhere have nothing to do with the copies.
    let elsewhere = "k:clear_page_erms < k:exc_page_fault < main.fill < main.main";
    let apart = [(COPY, 200), (elsewhere, 220), other];
    assert_eq!(share_of("copying", &apart), None);
    let little = [(COPY, 100), (FAULT, 100), other];
    assert_eq!(share_of("copying", &little), None);
}

#[test]
fn zeroing_huge_pages_is_told_from_other_page_faults() {
    let huge = "k:clear_page_erms < k:folio_zero_user < k:vma_alloc_anon_folio_pmd < k:do_huge_pmd_anonymous_page \
                < k:handle_mm_fault < k:exc_page_fault < k:asm_exc_page_fault < prime_wall < main";
    let small = "k:clear_page_erms < k:do_anonymous_page < k:handle_mm_fault < k:exc_page_fault < prime_wall < main";
    let other = ("paint < main", 400);
    let trace = computing(&[(huge, 600), other]);
    says(
        &explain_pid(&trace, 100),
        &[
            "It zeroed huge pages of new memory (page faults): 60 % of the time",
            "prime_wall",
            "transparent_hugepage",
        ],
    );
    assert_eq!(share_of("page-faults", &[(huge, 600), other]), None);
    assert_eq!(share_of("huge-pages", &[(small, 600), other]), None);
    assert!(share_of("page-faults", &[(small, 600), other]).is_some());
    // Some of it is usual.
    assert_eq!(
        share_of("huge-pages", &[(huge, 350), ("paint < main", 650)]),
        None
    );
}

/// The function that most time goes into goes round a `select`, in so many of these milliseconds, beside one that
/// computes.
fn dispatching(asks: i64, works: i64) -> Option<Finding> {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let other = trace.thread(app, "app");
    trace.stack("thinks", "main.think < main.engine");
    let asked = "runtime.empty < runtime.chanrecv < runtime.selectnbrecv";
    trace.stack("asks", &format!("{asked} < main.dispatch < main.main"));
    trace.stack("works", "main.move < main.dispatch < main.main");
    trace.play(main, "R1000");
    trace.play(other, "R1000");
    trace.sample(main, &(0..1000).collect::<Vec<_>>(), "thinks");
    trace.sample(other, &(0..asks).collect::<Vec<_>>(), "asks");
    trace.sample(other, &(asks..asks + works).collect::<Vec<_>>(), "works");
    about(&trace, "spin")
}

#[test]
fn a_select_with_a_default_goes_round_beside_what_computes() {
    let finding = dispatching(900, 50).expect("the cause");
    assert_eq!(finding.wall_ns, 950 * MS, "{finding:?}");
    let place = match finding.fact("place") {
        Some(Value::Place(place)) => place.functions().map(str::to_owned).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    assert!(place[0].ends_with("dispatch"), "{place:?}");
}

#[test]
fn looking_at_a_channel_between_pieces_of_work_is_no_waiting() {
    // A worker that looks whether it shall stop.
    assert_eq!(dispatching(300, 700).map(|one| one.wall_ns), None);
    assert_eq!(dispatching(100, 0).map(|one| one.wall_ns), None);
}

/// Returns the share of the time that loading is said to take in a program of Node that computes on `stack` for two
/// thirds of it.
fn loading(stack: &str) -> Option<i64> {
    let mut trace = computing(&[(stack, 660), ("app.js!work < app.js!(top level)", 340)]);
    for module in &mut trace.modules {
        let name = module.name.clone();
        module.path = match &*name {
            "node" => "/usr/bin/node".to_owned(),
            "perf-100.map" => "/tmp/perf-100.map".to_owned(),
            name if name.starts_with("node:") => name.to_owned(),
            name if name.starts_with("lint") => format!("/app/node_modules/{name}"),
            name => format!("/app/{name}"),
        };
        if name.starts_with("node:") || name.ends_with(".js") {
            "javascript".clone_into(&mut module.kind);
        }
    }
    about(&trace, "startup").map(|one| one.wall_ns / MS / 10)
}

const LOADER: &str = "node:internal/modules/cjs/loader!Module._load < node:internal/modules/helpers!require < app.js!(top level)";

#[test]
fn modules_of_node_that_are_loaded_are_startup() {
    let compiles =
        "node!v8::internal::Parser::ParseProgram < node:internal/modules/cjs/loader!wrapSafe";
    assert_eq!(loading(&format!("{compiles} < {LOADER}")), Some(66));
    let worker = "?perf-100.map < node!Builtins_JSEntry < node!node::Realm::RunBootstrapping < node!node::worker::Worker::Run";
    assert_eq!(loading(worker), Some(66));
}

#[test]
fn what_a_module_does_while_it_is_loaded_is_not_loading() {
    // The user's own code, a package's, and code without a name.
    for stack in [
        "node!work < shop.js!(top level)",
        "lint/cli.js!check < lint/cli.js!(top level)",
        "?perf-100.map",
    ] {
        assert_eq!(loading(&format!("{stack} < {LOADER}")), None, "{stack}");
    }
}

/// Returns the finding about threads that run one after another, each for so long, on this stack.
fn threads_of(count: i64, each_ms: i64, stack: &str) -> Option<Finding> {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "node", 100, None, (0, 1000));
    trace.stack("join", "k:futex_wait < k:do_futex < pthread_join < main");
    trace.stack("runs", stack);
    let lived = count * each_ms;
    for n in 0..count {
        let (from, to) = (n * each_ms, (n + 1) * each_ms);
        let one = trace.thread(app, &format!("worker-{n}"));
        let row = &mut trace.threads[one.index()];
        (row.start_ns, row.end_ns) = (Some(from * MS), Some(to * MS));
        trace.start(one, from);
        trace.play(one, &format!("R{each_ms}"));
        trace.sample(one, &(from..to).collect::<Vec<_>>(), "runs");
        trace.play(main, &format!("W{each_ms}:join<worker-{n}"));
    }
    trace.play(main, &format!("R{}", 1000 - lived));
    about(&trace, "thread-storm")
}

#[test]
fn threads_that_only_start_a_runtime_are_a_storm() {
    let starts = "libnode.so!node::Realm::RunBootstrapping < libnode.so!node::worker::Worker::Run";
    let finding = threads_of(30, 30, starts).expect("the cause");
    assert_eq!(finding.fact("count"), Some(&Value::Count(30)));
    assert_eq!(finding.fact("starting"), Some(&Value::Share(100.0)));
    // A few of them, and threads that compute for as long, are no storm.
    assert!(threads_of(10, 30, starts).is_none());
    assert!(threads_of(30, 30, "work < libnode.so!node::worker::Worker::Run").is_none());
}

#[test]
fn a_heap_of_java_that_is_too_small_is_reported_with_its_limit_and_the_pauses() {
    let mut trace = Literal::new(1300);
    let (java, main) = process(&mut trace, "java", 100, None, (0, 1300));
    let line = "java -cp lib -Xmx80m Shop 400000";
    trace.processes[java.index()].command_line = Some(line.to_owned());
    let collector = trace.thread(java, "vm");
    trace.stack(
        "stopped",
        "k:futex_wait < k:do_futex < SafepointSynchronize::block < render < main",
    );
    trace.stack(
        "copy",
        "DefNewGeneration::collect < VM_GenCollectForAllocation::doit",
    );
    trace.play(
        main,
        &("R50 W50:stopped<vm ".repeat(10) + "W290:stopped<vm R10"),
    );
    trace.threads[collector.index()].name = Some("VM Thread".to_owned());
    trace.play(collector, &("W50 R50 ".repeat(10) + "W200 R90 W10"));
    // The last collection happens while the program waits for the virtual machine to end: most of that wait is not a
    // pause.
    let at = (0..1000).filter(|ms| ms % 100 >= 50).chain(1200..1290);
    trace.sample(collector, &at.collect::<Vec<_>>(), "copy");
    says(
        &explain_pid(&trace, 100),
        &[
            "It collected garbage: 45 % of the time",
            "The collector stopped the program 10 times, typically for 50 ms, at most for 50 ms.",
            "Its command line limits the heap: -Xmx80m.",
            "Raise the heap limit (-Xmx), or create fewer objects.",
        ],
    );
}

#[test]
fn a_program_that_goes_through_many_files_says_how_many_while_it_waits_for_the_disk() {
    let answer = |opens: i64| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "updatedb", 100, None, (0, 1000));
        trace.stack(
            "list",
            "k:io_schedule < k:__wait_on_buffer < k:ext4_bread < k:ext4_readdir < readdir < main",
        );
        trace.play(main, &"R1 D9:list<! ".repeat(100));
        trace.tables.push(Table::from_rows([FileCallRow {
            from_ns: 0,
            process: Some(app),
            thread: Some(main),
            duration_ns: 1000 * MS,
            file: None,
            operation: FileOperation::Open.code(),
            result: 0,
            flags: 0,
            count: opens,
            bytes: None,
            time_ns: Some(MS),
            longest_ns: Some(MS),
            timed_count: opens,
        }]));
        explain_pid(&trace, 100)
    };
    says(
        &answer(5000),
        &[
            "for the disk: 90 %",
            "It opened files or folders 5000 times.",
        ],
    );
    assert!(!answer(500).contains("folders"));
}
