//! From a frame to its function.

use std::collections::HashMap;
use std::sync::Arc;

use super::code::{Code, Piece};
use super::function::{Function, MOST_BYTES, Scripts};
use super::heap::{Heap, Kinds, is_reference};
use super::inlined::{AllInlined, Place};
use super::layout::Layout;
use super::script::MOST_SOURCE_BYTES;
use crate::process_memory::Memory;

/// Functions that are remembered of one process.
const MOST_FUNCTIONS: usize = 64 << 10;
/// Older entries are read again.
const FRESH_NS: u64 = 100_000_000;
/// Words from the stack pointer on among which a piece of code without a frame has its return address.
const MOST_PUSHED: u64 = 16;
/// Where a function's shared part refers to its code: to the bytecodes, or to what refers to them.
const SHARED_DATA: u64 = 8;
const SHARED_DATA_WORDS: usize = 2;
const DATA_WORDS: usize = 6;

/// A frame of code that has no file, or of code in V8's file that has no call frame information.
#[expect(missing_debug_implementations, reason = "it holds a function")]
#[derive(Clone, Copy)]
pub struct FrameAt<'a> {
    /// The instruction pointer or return address.
    pub address: u64,
    /// Whether it was interrupted, not calling.
    pub is_leaf: bool,
    /// Whether the code is in a file.
    pub is_in_file: bool,
    /// The frame pointer and the stack pointer.
    pub frame: u64,
    /// The stack pointer.
    pub stack: u64,
    /// Reads a word of the copied stack.
    pub read: &'a dyn Fn(u64) -> Option<u64>,
}

/// A function that runs, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// The function.
    pub function: Arc<Function>,
    /// The line; where it is not known, that in which the function begins.
    pub line: Option<u32>,
}

/// What a frame is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The functions that run there, the innermost first: all but the last one were inlined.
    pub running: Vec<Running>,
    /// Whether the frame pointer leads to its frame already, or still.
    pub is_complete: bool,
}

/// The shared part of a frame's function, and where in which optimized code it is.
#[derive(Debug, Clone, Copy)]
struct Found {
    shared: u64,
    inside: Option<(Piece, u64)>,
}

impl From<u64> for Found {
    fn from(shared: u64) -> Self {
        let inside = None;
        Self { shared, inside }
    }
}

/// What was read about an address in optimized code.
#[derive(Debug)]
struct Places {
    running: Vec<Running>,
    /// The code that it is in.
    head: [u64; 2],
    checked_ns: u64,
}

/// What was read about a shared part.
#[derive(Debug)]
struct Known {
    function: Option<Arc<Function>>,
    /// Whether its script was read completely, as far as possible.
    is_whole: bool,
    /// By which another one in its place is recognized.
    words: [u64; 2],
    checked_ns: u64,
}

/// The functions of one program, as far as they were met.
#[derive(Debug)]
pub struct Frames {
    layout: Arc<Layout>,
    kinds: Kinds,
    scripts: Scripts,
    code: Code,
    inlined: AllInlined,
    /// By address in optimized code.
    places: HashMap<u64, Places>,
    /// By shared part.
    functions: HashMap<u64, Known>,
    /// The shared part by bytecodes, and when that was looked at last.
    bytecodes: HashMap<u64, (u64, u64)>,
}

impl Frames {
    /// Returns a state without functions, for a program whose engine has this layout.
    pub fn new(layout: Arc<Layout>) -> Self {
        Self {
            layout,
            kinds: Kinds::new(),
            scripts: Scripts::new(MOST_BYTES, MOST_SOURCE_BYTES),
            code: Code::default(),
            inlined: AllInlined::default(),
            places: HashMap::new(),
            functions: HashMap::new(),
            bytecodes: HashMap::new(),
        }
    }

    /// Returns the function of a frame; `None`: it belongs to no script, or is not certain. `now_ns` is
    /// any monotonic clock.
    pub fn at(&mut self, memory: &dyn Memory, now_ns: u64, at: &FrameAt<'_>) -> Option<Frame> {
        let layout = Arc::clone(&self.layout);
        let heap = Heap {
            memory,
            layout: &layout,
        };
        let inside = at.address.wrapping_sub(u64::from(!at.is_leaf));
        let piece = match at.is_in_file {
            true => None,
            false => self.code.at(heap, &mut self.kinds, now_ns, inside),
        };
        let (found, is_complete) = match piece {
            Some(piece) => self.compiled(heap, now_ns, at, &piece)?,
            None => (self.told_by_frame(heap, now_ns, at)?, true),
        };
        let running = match found.inside {
            Some((piece, inside)) => {
                self.optimized(heap, now_ns, (&piece, inside), found.shared)?
            }
            None => vec![Running::at_begin(self.function(
                heap,
                now_ns,
                found.shared,
            )?)],
        };
        Some(Frame {
            running,
            is_complete,
        })
    }

    /// Returns the functions that run at an address in optimized code of a function.
    fn optimized(
        &mut self,
        heap: Heap<'_>,
        now_ns: u64,
        (piece, inside): (&Piece, u64),
        shared: u64,
    ) -> Option<Vec<Running>> {
        let known = self.places.get(&inside);
        if let Some(known) = known.filter(|known| known.head == piece.head) {
            let is_fresh = now_ns.saturating_sub(known.checked_ns) < FRESH_NS;
            if is_fresh || heap.word(shared, 0).is_none() {
                return Some(known.running.clone());
            }
        }
        let kinds = &mut self.kinds;
        let inlined = self.inlined.of(heap, kinds, now_ns, piece);
        let places = inlined.and_then(|all| all.at(inside.checked_sub(piece.start)?, shared));
        let running = places.and_then(|places| {
            let running = places.iter().map(|place| self.running(heap, now_ns, place));
            running.collect::<Option<Vec<_>>>()
        });
        let running = match running {
            Some(running) => running,
            None => vec![Running::at_begin(self.function(heap, now_ns, shared)?)],
        };
        if self.places.len() >= MOST_FUNCTIONS {
            self.places.clear();
        }
        let known = Places {
            running: running.clone(),
            head: piece.head,
            checked_ns: now_ns,
        };
        self.places.insert(inside, known);
        Some(running)
    }

    fn running(&mut self, heap: Heap<'_>, now_ns: u64, place: &Place) -> Option<Running> {
        let function = self.function(heap, now_ns, place.shared)?;
        let line = place.letter.and_then(|letter| {
            let at = (place.shared, letter);
            function.line_of(heap, &mut self.kinds, &mut self.scripts, at)
        });
        let line = line.or(function.line);
        Some(Running { function, line })
    }

    /// Returns the function of a frame in a piece of code, and whether the frame is there.
    fn compiled(
        &mut self,
        heap: Heap<'_>,
        now_ns: u64,
        at: &FrameAt<'_>,
        piece: &Piece,
    ) -> Option<(Found, bool)> {
        let is_complete = !at.is_leaf || piece.has_frame(heap, at.address);
        let inside = at.address.wrapping_sub(u64::from(!at.is_leaf));
        let optimized = piece.shared.map(|shared| Found {
            shared,
            inside: Some((*piece, inside)),
        });
        if piece.is_sized {
            let interpreted = || self.interpreted(heap, now_ns, at).map(Found::from);
            return Some((optimized.or_else(interpreted)?, is_complete));
        }
        // The address may be after the code: only a complete frame shows it.
        if !is_complete {
            return None;
        }
        if piece.shared.is_some() && piece.shared == called(heap, at) {
            return Some((optimized?, true));
        }
        if piece.shared.is_some() {
            self.code.doubt(piece.start);
        }
        Some((self.told_by_frame(heap, now_ns, at)?, true))
    }

    /// Returns the function that a frame names and its code, or code it called from, too.
    fn told_by_frame(&mut self, heap: Heap<'_>, now_ns: u64, at: &FrameAt<'_>) -> Option<Found> {
        let interpreted = self.interpreted(heap, now_ns, at).map(Found::from);
        interpreted.or_else(|| self.helped(heap, now_ns, at))
    }

    /// Returns the shared part of the function whose bytecodes the frame at the frame pointer holds: one of
    /// the interpreter, or of code that was compiled of bytecodes one by one.
    fn interpreted(&mut self, heap: Heap<'_>, now_ns: u64, at: &FrameAt<'_>) -> Option<u64> {
        let below = |bytes: u64| (at.read)(at.frame.wrapping_sub(bytes));
        let layout = heap.layout;
        // Frames of other kinds have a number there that identifies them.
        let context = below(layout.frame_context)?;
        let bytecodes = below(layout.frame_bytecodes)?;
        if !is_reference(context) || !is_reference(bytecodes) {
            return None;
        }
        if let Some(&(shared, checked_ns)) = self.bytecodes.get(&bytecodes) {
            let is_fresh = now_ns.saturating_sub(checked_ns) < FRESH_NS;
            if is_fresh || self.is_of(heap, shared, bytecodes) != Some(false) {
                self.remember(bytecodes, shared, now_ns);
                return Some(shared);
            }
        }
        if !heap.is(&mut self.kinds, bytecodes, layout.bytecodes_kind) {
            return None;
        }
        let function = below(layout.frame_function)?;
        let shared = heap.word(function, layout.function_shared)?;
        if self.is_of(heap, shared, bytecodes) != Some(true) {
            return None;
        }
        self.remember(bytecodes, shared, now_ns);
        Some(shared)
    }

    fn remember(&mut self, bytecodes: u64, shared: u64, now_ns: u64) {
        if self.bytecodes.len() >= MOST_FUNCTIONS {
            self.bytecodes.clear();
        }
        self.bytecodes.insert(bytecodes, (shared, now_ns));
    }

    /// Returns whether the bytecodes are those of a function; `None`: its memory cannot be read.
    fn is_of(&mut self, heap: Heap<'_>, shared: u64, bytecodes: u64) -> Option<bool> {
        let map = heap.word(shared, 0)?;
        if heap.kind_of_map(&mut self.kinds, map) != Some(heap.layout.shared_kind) {
            return Some(false);
        }
        let data = heap.words(shared, SHARED_DATA, SHARED_DATA_WORDS)?;
        let leads = |&data: &u64| {
            let refers = |words: Vec<u64>| words.contains(&bytecodes);
            let is_inside = || heap.words(data, 8, DATA_WORDS).is_some_and(refers);
            data == bytecodes || is_reference(data) && is_inside()
        };
        Some(data.iter().any(leads))
    }

    /// Returns the function whose compiled code called a piece of V8's own code that has no frame of its own:
    /// the frame pointer still leads to the function's.
    fn helped(&mut self, heap: Heap<'_>, now_ns: u64, at: &FrameAt<'_>) -> Option<Found> {
        if !at.is_leaf {
            return None;
        }
        let shared = called(heap, at)?;
        let words = (0..MOST_PUSHED).map(|word| at.stack.wrapping_add(8 * word));
        for address in words.take_while(|&address| address < at.frame) {
            let word = (at.read)(address)?;
            let inside = word.wrapping_sub(1);
            let piece: Option<Piece> = self.code.known(now_ns, inside);
            if let Some(piece) = piece.filter(|piece| piece.shared == Some(shared)) {
                return Some(Found {
                    shared,
                    inside: Some((piece, inside)),
                });
            }
        }
        None
    }

    fn function(&mut self, heap: Heap<'_>, now_ns: u64, shared: u64) -> Option<Arc<Function>> {
        let words = || {
            let name = heap.word(shared, heap.layout.shared_name)?;
            Some([name, heap.word(shared, heap.layout.shared_script)?])
        };
        let mut before = None;
        if let Some(known) = self.functions.get_mut(&shared) {
            if now_ns.saturating_sub(known.checked_ns) < FRESH_NS {
                return known.function.clone();
            }
            let words = words();
            if words.is_none_or(|words| words == known.words && known.is_whole) {
                known.checked_ns = now_ns;
                return known.function.clone();
            }
            before = known.function.take();
        }
        let words = words()?;
        self.scripts.is_now(now_ns);
        let function = Function::read(heap, &mut self.kinds, &mut self.scripts, shared);
        // An equal one is kept.
        let same = before.filter(|before| Some(&**before) == function.as_ref());
        let function = same.or_else(|| function.map(Arc::new));
        let known = Known {
            words,
            function: function.clone(),
            is_whole: !self.scripts.is_put_off(),
            checked_ns: now_ns,
        };
        if self.functions.len() >= MOST_FUNCTIONS {
            self.functions.clear();
        }
        self.functions.insert(shared, known);
        function
    }
}

impl Running {
    /// A function whose place is not known.
    fn at_begin(function: Arc<Function>) -> Self {
        let line = function.line;
        Self { function, line }
    }
}

/// Returns the shared part of the function that the frame at the frame pointer names.
fn called(heap: Heap<'_>, at: &FrameAt<'_>) -> Option<u64> {
    let below = |bytes: u64| (at.read)(at.frame.wrapping_sub(bytes));
    let context = below(heap.layout.frame_context)?;
    let function = below(heap.layout.frame_function)?;
    if !is_reference(context) || !is_reference(function) {
        return None;
    }
    heap.word(function, heap.layout.function_shared)
}
