//! What the eBPF programs say, translated into the file's own events.
//!
//! The programs' layout ([`whyslow_bpf::payload`]) is private to them and the recorder and may
//! change;
//! what is written is described in `whyslow_perfdata::whyslow_events`. User halves of CPU samples
//! are kept until their sample comes, which is the next one of the thread in the same ring.

use whyslow_perfdata::whyslow_events::{
    Affinity, Exec, ExecSource, Exit, UserStack, UserStackEnd, UserStackKind, WakerKind,
};
use whyslow_perfdata::writer::SampleIdentity;

use crate::events::EventKind;
use crate::raw_record::{Fields, u32_at, u64_at};
use crate::switch_layout::SwitchFields;
use crate::transform::{AwaitedHalf, Transform};
use whyslow_bpf::OpenWait;
use whyslow_bpf::payload::{self, Event, Payload, StackDump};

impl Transform {
    /// Takes one sample of what the programs write.
    pub(crate) fn bpf_output(&mut self, ring: usize, record: &[u8], has_chain: bool) {
        let mut fields = Fields::of_sample(record);
        let chain = has_chain.then(|| fields.chain()).flatten();
        let payload = fields.raw().and_then(Payload::parse);
        let Some(payload) = payload else {
            self.bad_outputs += 1;
            return;
        };
        let identity = SampleIdentity {
            pid: payload.pid,
            tid: payload.tid,
            time_ns: u64_at(record, 32),
            cpu: u32_at(record, 40),
            id: 0,
        };
        // Of switches and wake-ups: the time at which their handlers begin, not that at which they write this.
        let begun = SampleIdentity {
            time_ns: payload.time_ns,
            ..identity
        };
        match payload.event {
            Event::Switch(switched) => self.switch(ring, begun, &switched, chain),
            Event::Waking(waking) => self.waking(begun, &waking, chain),
            Event::Sample { stack } => self.keep_half(ring, &payload, &stack),
            Event::Wait(wait) => {
                self.user_stack(ring, identity, of_wait(&wait), wait.stack.as_ref());
            }
            Event::Object(object) => {
                let mut bytes = Vec::new();
                object.encode(&mut bytes);
                self.own_sample(EventKind::WaitObject, identity, &[], &bytes);
            }
            Event::Block { stack } => {
                let user = at(&payload, UserStackKind::Block);
                self.user_stack(ring, identity, user, Some(&stack));
            }
            Event::Preempted { stack } => {
                let user = at(&payload, UserStackKind::Preempted);
                self.user_stack(ring, identity, user, Some(&stack));
            }
            Event::Waker(waker) => {
                self.user_stack(ring, identity, of_waker(&waker), waker.stack.as_ref());
            }
            Event::Call {
                system_call,
                calls,
                stack,
            } => {
                let mut user = at(&payload, UserStackKind::Call);
                user.system_call = i32::try_from(system_call).unwrap_or(-1);
                user.sampled_count = u32::try_from(calls).unwrap_or(u32::MAX);
                self.user_stack(ring, identity, user, Some(&stack));
            }
            Event::Exec {
                arguments,
                total_bytes,
                most_pages,
            } => {
                self.memory_before_exec(identity.pid, most_pages);
                self.exec(identity, arguments, total_bytes);
            }
            Event::Exit {
                wait_status,
                most_pages,
                user,
            } => {
                self.memory_at_exit(identity, most_pages);
                self.exit(identity, wait_status, user);
            }
            Event::Affinity { cpus } => {
                let words = cpus.chunks_exact(8).filter_map(|word| word.try_into().ok());
                self.affinity(identity, false, words.map(u64::from_ne_bytes).collect());
            }
        }
    }

    /// Writes the user stack of a wait that was still open at the end.
    pub(crate) fn open_wait(&mut self, wait: &OpenWait, now_ns: u64) {
        let mut chain = Vec::new();
        let end = self
            .walker
            .append_copy(wait.pid, &wait.regs, &wait.stack, &mut chain);
        let since_ns = wait.since_ns.unwrap_or(0);
        let mut user = UserStack::new(UserStackKind::OpenWait, end, since_ns);
        user.off_cpu_ns = wait
            .since_ns
            .map_or(0, |since| now_ns.saturating_sub(since));
        user.wait_count = 1;
        let time_ns = self.behind_all(now_ns);
        let identity = SampleIdentity {
            pid: wait.pid,
            tid: wait.tid,
            time_ns,
            cpu: 0,
            id: 0,
        };
        if let Some(object) = &wait.object {
            let mut bytes = Vec::new();
            object.encode(&mut bytes);
            self.own_sample(EventKind::WaitObject, identity, &[], &bytes);
        }
        self.write_half(identity, &user, &chain);
        self.tell_generated_code(identity);
    }

    fn exec(&mut self, identity: SampleIdentity, arguments: &[u8], total_bytes: u64) {
        let exec = Exec {
            source: ExecSource::Kernel,
            is_cut: total_bytes > arguments.len() as u64,
            pid: identity.pid,
            parent_pid: 0,
            start_ns: 0,
            arguments: arguments.to_vec(),
        };
        let mut bytes = Vec::new();
        exec.encode(&mut bytes);
        self.own_sample(EventKind::ExecArguments, identity, &[], &bytes);
    }

    fn exit(&mut self, identity: SampleIdentity, wait_status: u32, user: u32) {
        let exit = Exit {
            pid: identity.pid,
            tid: identity.tid,
            wait_status,
            is_process: true,
            user: Some(user),
        };
        let mut bytes = Vec::with_capacity(Exit::BYTES);
        exit.encode(&mut bytes);
        self.own_sample(EventKind::ExitCode, identity, &[], &bytes);
    }

    /// Writes which CPUs a thread may use.
    pub(crate) fn affinity(&mut self, identity: SampleIdentity, is_rundown: bool, cpus: Vec<u64>) {
        let affinity = Affinity {
            is_rundown,
            pid: identity.pid,
            tid: identity.tid,
            cpus,
        };
        let mut bytes = Vec::new();
        affinity.encode(&mut bytes);
        self.own_sample(EventKind::Affinity, identity, &[], &bytes);
    }

    fn user_stack(
        &mut self,
        ring: usize,
        identity: SampleIdentity,
        mut user: UserStack,
        stack: Option<&StackDump<'_>>,
    ) {
        let mut chain = Vec::new();
        // An interrupt or a kernel thread has no user half that could be missing.
        let has_user_half = !matches!(user.waker, WakerKind::Interrupt | WakerKind::KernelThread);
        if stack.is_some() || has_user_half {
            user.end = self.walker.append_parts(identity.pid, stack, &mut chain);
        }
        let python = self.python.as_ref();
        if stack.is_some() && python.is_some_and(|python| python.has(identity.pid)) {
            self.await_frames(
                ring,
                AwaitedHalf {
                    identity,
                    user,
                    chain,
                },
            );
        } else {
            self.write_half(identity, &user, &chain);
        }
    }

    /// Writes a user half that came separately from its kernel half.
    pub(crate) fn write_half(&mut self, identity: SampleIdentity, user: &UserStack, chain: &[u64]) {
        let mut bytes = Vec::with_capacity(UserStack::BYTES);
        user.encode(&mut bytes);
        self.own_sample(EventKind::UserStack, identity, chain, &bytes);
    }

    fn switch(
        &mut self,
        ring: usize,
        identity: SampleIdentity,
        switched: &payload::Switched,
        chain: Option<&[u8]>,
    ) {
        let Some(layout) = &self.switch_layout else {
            self.bad_outputs += 1;
            return;
        };
        let bytes = layout.payload(&SwitchFields {
            leaver_tid: identity.tid,
            leaver_name: switched.prev_comm,
            leaver_priority: switched.prev_prio,
            state: switched.prev_state,
            comer_tid: switched.next_tid,
            comer_name: switched.next_comm,
            comer_priority: switched.next_prio,
            sites: [switched.site, switched.next_waker_site],
            cpu_ns: switched.cpu_ns,
            recorder_ns: switched.recorder_ns,
        });
        self.follow(ring, EventKind::Switch, &bytes);
        let chain = self.chain_of_handler(chain.unwrap_or_default());
        if switched.is_unseen {
            self.unseen_switches += 1;
        } else if chain.is_empty() && identity.tid != 0 {
            // An idle thread always leaves at the same place.
            self.count_without_stack(EventKind::Switch, switched.site != 0);
        }
        self.own_sample(EventKind::Switch, identity, &chain, &bytes);
    }

    fn waking(&mut self, identity: SampleIdentity, waking: &payload::Waking, chain: Option<&[u8]>) {
        let Some(layout) = &self.waking_layout else {
            self.bad_outputs += 1;
            return;
        };
        let bytes = layout.payload(identity.tid, waking);
        let chain = self.chain_of_handler(chain.unwrap_or_default());
        if chain.is_empty() {
            self.count_without_stack(EventKind::Waking, true);
        }
        self.own_sample(EventKind::Waking, identity, &chain, &bytes);
    }

    fn keep_half(&mut self, ring: usize, payload: &Payload<'_>, stack: &StackDump<'_>) {
        let mut chain = Vec::new();
        self.walker
            .append_parts(payload.pid, Some(stack), &mut chain);
        if let Some(cpu) = self.cpus.get_mut(ring) {
            cpu.copied.set(payload.tid, chain);
        }
    }
}

fn at(payload: &Payload<'_>, kind: UserStackKind) -> UserStack {
    UserStack::new(kind, UserStackEnd::NotCaptured, payload.time_ns)
}

fn of_wait(wait: &payload::Wait<'_>) -> UserStack {
    let nothing = UserStackEnd::NotCaptured;
    UserStack {
        is_exiting: wait.is_exiting,
        system_call: wait.system_call,
        off_cpu_ns: wait.wait_ns,
        wait_count: wait.wait_count,
        sampled_ns: wait.sampled_ns,
        sampled_count: wait.sampled_count,
        ..UserStack::new(UserStackKind::Wait, nothing, wait.since_ns)
    }
}

fn of_waker(waker: &payload::Waker<'_>) -> UserStack {
    let kind = match waker.kind {
        payload::WakerKind::Thread => WakerKind::Thread,
        payload::WakerKind::KernelThread => WakerKind::KernelThread,
        payload::WakerKind::Interrupt => WakerKind::Interrupt,
        payload::WakerKind::Unknown => WakerKind::Unknown,
    };
    UserStack {
        waker: kind,
        other_pid: waker.target_pid,
        other_tid: waker.target_tid,
        ..UserStack::new(
            UserStackKind::Waker,
            UserStackEnd::NotCaptured,
            waker.wait_start_ns,
        )
    }
}
