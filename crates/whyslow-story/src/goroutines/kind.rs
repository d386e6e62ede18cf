//! What a goroutine waits for, by the functions on its stack.

use whyslow_model::StackId;
use whyslow_query::frames::FunctionId;
use whyslow_query::wait::{ClassId, Rules};

use crate::code::{Code, Whose};

/// What a goroutine waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A mutex, of either kind.
    Lock,
    /// A place among a limited number.
    Semaphore,
    /// Time.
    Sleep,
    /// A connection.
    Talk,
    /// A message or its own timer, whichever comes first.
    Select,
    /// A message of another goroutine, or of a timer.
    Receive,
    /// Room in a channel, or a goroutine that takes a message from it.
    Send,
    /// Another goroutine, to signal.
    Message,
    /// The end of a garbage collection that it asked for itself.
    Collection,
    /// A part of a garbage collection that it has to do before it gets memory.
    Assist,
    /// The end of others.
    Join,
}

/// Functions that say what a wait is for, anywhere on the stack; `None`: it has nothing to do.
const ANYWHERE: &[(&str, Option<Kind>)] = &[
    ("runtime.GC", Some(Kind::Collection)),
    ("runtime.gcAssistAlloc", Some(Kind::Assist)),
    ("internal/poll.(*FD).Accept", None),
    ("os/signal.", None),
    ("net/http.(*Server).Shutdown", Some(Kind::Select)),
    ("net/http.(*Server).", None),
    ("golang.org/x/sync/semaphore.", Some(Kind::Semaphore)),
    ("database/sql.(*DB).conn", Some(Kind::Semaphore)),
    ("net.(*Resolver).Lookup", Some(Kind::Talk)),
    ("net.Lookup", Some(Kind::Talk)),
    ("net/http.(*Transport).roundTrip", Some(Kind::Talk)),
    ("internal/poll.", Some(Kind::Talk)),
];

/// The same, the nearest to the leaf first.
const NEAREST: &[(&str, Kind)] = &[
    ("time.Sleep", Kind::Sleep),
    ("sync.(*Mutex).", Kind::Lock),
    ("sync.(*RWMutex).", Kind::Lock),
    ("internal/sync.(*Mutex).", Kind::Lock),
    ("sync.(*WaitGroup).Wait", Kind::Join),
    ("sync.(*Cond).Wait", Kind::Message),
    ("runtime.selectgo", Kind::Select),
    ("runtime.chanrecv", Kind::Receive),
    ("runtime.chansend", Kind::Send),
    ("runtime.block", Kind::Message),
];

impl Kind {
    /// Returns its class of waits, if it is one that says why nothing continued.
    pub(super) fn class(self, rules: &Rules) -> Option<ClassId> {
        match self {
            Self::Lock => rules.find("lock"),
            Self::Semaphore | Self::Send => rules.find("semaphore"),
            Self::Sleep => rules.find("sleep"),
            Self::Talk | Self::Select | Self::Receive | Self::Message | Self::Join => None,
            Self::Collection | Self::Assist => None,
        }
    }

    /// Returns whether a goroutine that does this keeps others waiting, instead of being kept
    /// waiting.
    pub(super) fn is_deed(self) -> bool {
        matches!(self, Self::Sleep | Self::Talk)
    }

    /// Returns whether it waits for the garbage collector.
    pub(super) fn is_collection(self) -> bool {
        matches!(self, Self::Collection | Self::Assist)
    }

    /// Returns whether it admits others one by one, or a few at a time.
    pub(super) fn is_gate(self) -> bool {
        matches!(self, Self::Lock | Self::Semaphore)
    }
}

/// Functions on the stack of a goroutine that answers a request.
const SERVES: [&str; 2] = [
    "net/http.(*conn).serve",
    "net/http.(*http2serverConn).runHandler",
];

/// Returns whether a goroutine answers a request.
pub(super) fn serves(code: &Code<'_>, stack: StackId) -> bool {
    let functions = functions(code, stack).into_iter();
    let mut names = functions.map(|id| &*code.stacks.frames.function(id).name);
    names.any(|name| SERVES.contains(&name))
}

fn functions(code: &Code<'_>, stack: StackId) -> Vec<FunctionId> {
    let tree = &code.stacks.tree;
    let nodes = tree.path(tree.node(Some(stack)));
    nodes
        .flat_map(|node| tree.functions(node))
        .copied()
        .collect()
}

/// Returns what a goroutine waits for, and the user's functions on its stack, the nearest to the leaf first.
/// `None`: there are none of those, it has nothing to do, or what it waits for is not known.
pub(super) fn of(code: &Code<'_>, stack: StackId) -> Option<(Kind, Vec<FunctionId>)> {
    let frames = &code.stacks.frames;
    let functions = functions(code, stack);
    let own = functions.iter().copied();
    let own: Vec<_> = own.filter(|&id| code.whose(id) == Whose::Own).collect();
    if own.is_empty() {
        return None;
    }
    let names = || functions.iter().map(|&id| &*frames.function(id).name);
    let anywhere =
        |(prefix, _): &&(&str, Option<Kind>)| names().any(|name| name.starts_with(prefix));
    if let Some((_, kind)) = ANYWHERE.iter().find(anywhere) {
        return kind.map(|kind| (kind, own));
    }
    let nearest = |name: &str| {
        let mut all = NEAREST.iter();
        all.find(|(prefix, _)| name.starts_with(prefix))
    };
    names().find_map(nearest).map(|&(_, kind)| (kind, own))
}
