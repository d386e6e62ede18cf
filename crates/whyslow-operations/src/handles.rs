//! Handles of kernel objects: from when a process gets one until it is closed.

use std::collections::BTreeMap;

use whyslow_model::tables::HandleRow;
use whyslow_model::{FastMap, HandleOrigin, LabelId, NULL_I64, Named, ProblemKind, RawRow};

use crate::tracker::{NO_THREAD, Scene, Tracker};

/// Something happened to a handle, or it was listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HandleEvent {
    /// The process whose handle it is.
    pub pid: u32,
    /// Whether it was this process that did it.
    pub is_own: bool,
    /// The handle: a number that the process uses.
    pub handle: u32,
    /// Address of the object.
    pub object: u64,
    /// Name of the object's type.
    pub kind: Option<LabelId>,
    /// Name of the object.
    pub name: Option<LabelId>,
    /// What happened.
    pub phase: HandlePhase,
}

/// What happened to a handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandlePhase {
    /// The process got it, in one of these ways.
    Open(HandleOrigin),
    /// It is there.
    Listed,
    /// It was closed.
    Close,
}

/// A process: its id, and some thread of it, because ids are used again.
type Owner = (u32, u32);

/// The bit of handles that are the kernel's own: any thread may open or close them.
const OF_KERNEL: u32 = 1 << 31;

/// The owner of the kernel's handles.
const KERNEL: Owner = (0, 0);

/// A handle that is open.
#[derive(Debug, Clone, Copy)]
struct Open {
    ns: i64,
    thread: u32,
    stack: i64,
    object: u64,
    kind: Option<LabelId>,
    name: Option<LabelId>,
    origin: HandleOrigin,
}

/// An open handle takes this part (one in so many) of the memory that the limit on operations under way is made for.
const SMALLER: usize = 8;

/// The handles that are open.
#[derive(Debug)]
pub struct Handles {
    of: FastMap<Owner, BTreeMap<u32, Open>>,
    count: usize,
    most: usize,
    refused: u64,
    used_again: u64,
}

impl Tracker for Handles {
    type Event = HandleEvent;

    fn new(most_open: u32) -> Self {
        Self {
            of: FastMap::default(),
            count: 0,
            most: usize::try_from(most_open)
                .unwrap_or(usize::MAX)
                .saturating_mul(SMALLER),
            refused: 0,
            used_again: 0,
        }
    }

    fn event(&mut self, event: &Self::Event, scene: &mut dyn Scene) {
        let some_thread = scene.thread_of_process(event.pid);
        let owner = match event.handle & OF_KERNEL {
            0 => (event.pid, some_thread),
            _ => KERNEL,
        };
        self.has_threads_now(owner);
        match event.phase {
            HandlePhase::Open(origin) => {
                self.open(owner, event, (origin, some_thread), scene);
            }
            HandlePhase::Listed => {
                let known = self.of.get_mut(&owner);
                let known = known.and_then(|known| known.get_mut(&event.handle));
                match known.filter(|known| known.object == event.object) {
                    Some(known) => known.name = known.name.or(event.name),
                    None => self.open(owner, event, (HandleOrigin::Listed, some_thread), scene),
                }
            }
            // What was there before may not have been listed.
            HandlePhase::Close => {
                let known = self
                    .of
                    .get(&owner)
                    .and_then(|known| known.get(&event.handle));
                let is_it = |known: &Open| {
                    event.handle & OF_KERNEL != 0
                        || known.object == event.object
                        || known.object == 0
                        || event.object == 0
                };
                // A handle that another process duplicates, and closes, may have the same number.
                if known.is_some_and(is_it) {
                    self.close(owner, event.handle, scene);
                }
            }
        }
    }

    fn loss(&mut self) {}

    /// What is open now was not closed.
    fn end(&mut self, scene: &mut dyn Scene) {
        let mut processes: Vec<_> = self.of.drain().collect();
        processes.sort_by_key(|(owner, _)| *owner);
        for (handle, open) in processes.into_iter().flat_map(|(_, open)| open) {
            push(handle, &open, None, scene);
        }
        scene.problem(
            ProblemKind::LimitReached,
            self.refused,
            "handles: too many open at once",
        );
        scene.problem(
            ProblemKind::UnmatchedEnd,
            self.used_again,
            "handles whose closing is not in the trace: their numbers are used again",
        );
    }
}

impl Handles {
    /// What a process got before it had threads is its own from its first thread on.
    fn has_threads_now(&mut self, owner: Owner) {
        let before = (owner.0, NO_THREAD);
        if owner == before {
            return;
        }
        if let Some(mut open) = self.of.remove(&before) {
            for one in open.values_mut().filter(|one| one.thread == NO_THREAD) {
                one.thread = owner.1;
            }
            let own = self.of.entry(owner).or_default();
            let both = own.len() + open.len();
            own.extend(open);
            self.count -= both - own.len();
        }
    }

    /// Begins a handle; if its number is in use, that one was closed unseen.
    fn open(
        &mut self,
        owner: Owner,
        event: &HandleEvent,
        (origin, some_thread): (HandleOrigin, u32),
        scene: &mut dyn Scene,
    ) {
        self.used_again += u64::from(self.close(owner, event.handle, scene));
        if self.count >= self.most {
            self.refused += 1;
            return;
        }
        // A stack is one of the process that did it.
        let (thread, stack) = match event.is_own {
            true => (scene.event_thread(), scene.stack()),
            false => (some_thread, NULL_I64),
        };
        let open = Open {
            ns: scene.ns(),
            thread,
            stack,
            object: event.object,
            kind: event.kind,
            name: event.name,
            origin,
        };
        self.count += 1;
        self.of.entry(owner).or_default().insert(event.handle, open);
    }

    /// Pushes a handle that is closed now; returns whether it was open.
    fn close(&mut self, owner: Owner, handle: u32, scene: &mut dyn Scene) -> bool {
        let known = self.of.get_mut(&owner);
        let Some(open) = known.and_then(|known| known.remove(&handle)) else {
            return false;
        };
        self.count -= 1;
        push(handle, &open, Some(scene.ns()), scene);
        true
    }
}

fn push(handle: u32, open: &Open, end_ns: Option<i64>, scene: &mut dyn Scene) {
    let mut row = RawRow::<HandleRow, _>::new();
    row.set(HandleRow::time_ns, open.ns);
    let duration_ns = end_ns.map(|end_ns| end_ns.saturating_sub(open.ns).max(0));
    row.set(HandleRow::duration_ns, duration_ns);
    row.set(HandleRow::origin, open.origin.code());
    row.set(HandleRow::handle, i64::from(handle));
    row.set(HandleRow::object, open.object.cast_signed());
    row.set(HandleRow::kind, open.kind);
    row.set(HandleRow::name, open.name);
    row.set_provisional(HandleRow::stack, open.stack);
    scene.push(open.thread, &row);
}
