//! Gaps between switches, and the payload of what fills them.

use whyslow_perfdata::whyslow_events::UNKNOWN_STATE;

use super::{SwitchChain, SwitchLayout, Watch, little_known};
use crate::switch_layout::FIELDS;

const FORMAT: &str = "\
name: sched_switch
ID: 372
format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;
\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;
\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;
\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;
\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;
\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;
\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;

print fmt: \"prev_comm=%s\", REC->prev_comm
";

fn chain() -> SwitchChain {
    SwitchChain::new(SwitchLayout::parse(FORMAT).unwrap(), 2, Vec::new())
}

fn switch(leaver: u32, comer: u32) -> Vec<u8> {
    SwitchLayout::parse(FORMAT)
        .unwrap()
        .payload(&little_known(leaver, comer))
}

#[test]
fn payload_is_laid_out_as_the_format_says() {
    for (leaver, state) in [(7, UNKNOWN_STATE), (0, 0)] {
        let payload = switch(leaver, 75);
        assert_eq!(payload.len(), 64);
        assert_eq!(payload[..2], 372_u16.to_ne_bytes());
        assert_eq!(payload[4..8], leaver.to_ne_bytes());
        assert_eq!(payload[24..28], leaver.to_ne_bytes());
        assert_eq!(payload[28..32], 120_u32.to_ne_bytes());
        assert_eq!(payload[32..40], state.to_ne_bytes());
        assert_eq!(payload[56..60], 75_u32.to_ne_bytes());
    }
}

#[test]
fn format_without_a_field_is_refused() {
    for field in FIELDS {
        assert_eq!(SwitchLayout::parse(&FORMAT.replace(field, "other")), None);
    }
    assert_eq!(SwitchLayout::parse(""), None);
}

fn watch(chain: &SwitchChain) -> Vec<Watch> {
    chain.rings.iter().map(|ring| ring.watch).collect()
}

#[test]
fn unbroken_chain_needs_no_help() {
    let mut chain = chain();
    assert_eq!(
        chain.comes(0, 9, (8, 8)),
        None,
        "before the first switch nothing is missing"
    );
    chain.switch(0, &switch(1, 2));
    assert_eq!(chain.comes(0, 2, (1, 1)), None);
    chain.switch(0, &switch(2, 3));
    assert_eq!(chain.comes(0, u32::MAX, (2, 2)), None, "it is ending");
    // The same switch without stack, and another CPU.
    chain.switch(0, &switch(2, 3));
    chain.switch(1, &switch(7, 8));
    for now_ns in [1, 100_000_000, 300_000_000] {
        chain.adjust(now_ns).unwrap();
    }
    assert_eq!(watch(&chain), [Watch::Off; 2]);
    assert_eq!(chain.reported(), 0);
}

#[test]
fn gap_behind_a_hidden_thread_is_filled() {
    let mut chain = chain();
    chain.switch(1, &switch(1, 0));
    let unreported = chain.comes(1, 5, (0, 0)).unwrap();
    assert_eq!(unreported.leaver_tid, 0);
    assert_eq!(unreported.payload, switch(0, 5));
    chain.switch(1, &switch(5, 1));
    chain.switch(0, &switch(7, 8));
    for now_ns in [1, 2, 300_000_000] {
        chain.adjust(now_ns).unwrap();
    }
    assert_eq!(
        watch(&chain),
        [Watch::On; 2],
        "a hidden thread may come to the other CPU, too"
    );
}

#[test]
fn gap_seen_later_turns_the_records_on_again() {
    let mut chain = chain();
    chain.adjust(1).unwrap();
    chain.adjust(300_000_000).unwrap();
    assert_eq!(watch(&chain)[0], Watch::Off);
    chain.switch(0, &switch(1, 2));
    chain.switch(0, &switch(3, 4));
    chain.adjust(400_000_000).unwrap();
    assert_eq!(watch(&chain)[0], Watch::On);
}
