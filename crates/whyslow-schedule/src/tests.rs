//! What the tracker keeps in memory.

use whyslow_model::{OwnerRef, RawTable, RowSink, SinkError, WaitReason};

use super::*;

struct NoSink;

impl RowSink for NoSink {
    fn push(&mut self, _: RawTable, _: OwnerRef, _: &[i64]) -> Result<(), SinkError> {
        Ok(())
    }
}

#[test]
fn threads_that_once_held_many_waits_give_the_memory_back() {
    let mut sink = NoSink;
    let mut out = Output::new(&mut sink);
    let mut schedule = Schedule::new(Recorded {
        switches: true,
        wake_ups: false,
        all_wake_ups: false,
        whole_machine: true,
        late_halves: true,
    });
    let mut ns = 0;
    for number in 0..200 {
        let slot = schedule.add(Live::new(number, number + 1, 0, true));
        for _ in 0..1000 {
            ns += 2;
            let at = |ns| At { ns, cpu: 0 };
            schedule.enter(at(ns), slot, StackWord::NONE, &mut out);
            let off = Off::because(WaitReason::Interruptible);
            schedule.leave(at(ns + 1), slot, off, &mut out);
        }
    }
    let room: usize = schedule.live.iter().map(|live| live.held.capacity()).sum();
    assert!(room <= 2 * held::MAX_TOTAL, "room for {room} stretches");
}

#[test]
fn a_loss_counts_whatever_cpu_it_names() {
    for cpu in [0, 1, MAX_CPUS, u32::MAX - 1, NONE] {
        let mut sink = NoSink;
        let mut out = Output::new(&mut sink);
        let mut schedule = Schedule::new(Recorded {
            switches: true,
            wake_ups: true,
            all_wake_ups: true,
            whole_machine: true,
            late_halves: false,
        });
        schedule.tick(3, Some(0));
        schedule.lose(cpu, Some(5), 9, &mut out);
        assert_eq!(schedule.loss.first_in(4, 10), Some(5), "on {cpu}");
    }
}
