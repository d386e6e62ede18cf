//! A small heap as literals: a script with two functions, a frame of the interpreter, compiled code.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::layout::Constants;
use super::*;

mod hostile;
mod inlined;

/// Memory in pieces.
#[derive(Debug, Default)]
struct Pieces(RefCell<BTreeMap<u64, Vec<u8>>>);

impl Pieces {
    fn put(&self, address: u64, bytes: &[u8]) {
        self.0.borrow_mut().insert(address, bytes.to_vec());
    }

    /// Puts an object of words; returns the reference to it.
    fn object(&self, address: u64, words: &[u64]) -> u64 {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.put(address, &bytes);
        address + 1
    }

    /// Puts a map of objects of this kind.
    fn map(&self, address: u64, kind: u16) -> u64 {
        self.object(address, &[META + 1, u64::from(kind) << 32])
    }

    fn text(&self, address: u64, map: u64, text: &str) -> u64 {
        let mut bytes = map.to_le_bytes().to_vec();
        bytes.extend([0; 4]);
        bytes.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
        bytes.extend(text.as_bytes());
        self.put(address, &bytes);
        address + 1
    }
}

impl Memory for Pieces {
    fn read(&self, address: u64, into: &mut [u8]) -> Option<()> {
        let pieces = self.0.borrow();
        let (start, bytes) = pieces.range(..=address).next_back()?;
        let at = usize::try_from(address - start).ok()?;
        into.copy_from_slice(bytes.get(at..at.checked_add(into.len())?)?);
        Some(())
    }
}

const META: u64 = 0x1_0000;
const SHARED_A: u64 = 0x2_0000;
const SHARED_B: u64 = 0x2_1000;
const FUNCTION_A: u64 = 0x2_2000;
const FUNCTION_B: u64 = 0x2_3000;
const BYTECODES_A: u64 = 0x2_4000;
const BYTECODES_B: u64 = 0x2_5000;
const SCRIPT: u64 = 0x3_0000;
const SCOPE: u64 = 0x3_1000;
const CODE: u64 = 0x5_0000;
/// Compiled code of the second function.
const COMPILED: u64 = 0x4_0100;
const COMPILED_BYTES: u64 = 0x80;
const FRAME: u64 = 0x7000;

/// The source: `b` is written in its second line.
const SOURCE: &str = "function a() {}\nconst b = function () {};\n";
const SHARED_KIND: u16 = 300;
const STRING_KIND: u16 = 8;

/// Constants as V8 12 exports them; positions stand before the names where `is_new`.
fn layout(is_new: bool) -> Arc<Layout> {
    let numbers = [
        ("TaggedSize", 8),
        ("IsNotStringMask", -128),
        ("StringRepresentationMask", 7),
        ("StringEncodingMask", 8),
        ("OneByteStringTag", 8),
        ("SeqStringTag", 0),
        ("ConsStringTag", 1),
        ("ExternalStringTag", 2),
        ("SlicedStringTag", 3),
        ("ThinStringTag", 5),
        ("DeoptimizationDataSharedFunctionInfoIndex", 1),
        ("class_Map__instance_type__uint16_t", 12),
        ("class_JSFunction__shared__SharedFunctionInfo", 24),
        ("class_SharedFunctionInfo__name_or_scope_info__Object", 16),
        ("class_SharedFunctionInfo__script__Tagged_HeapObject_", 32),
        (
            "class_SharedFunctionInfo__raw_function_token_offset__int16_t",
            44,
        ),
        ("class_Script__name__Object", 16),
        ("class_Script__source__Object", 8),
        ("class_FixedArray__data__uintptr_t", 16),
        ("class_String__length__int32_t", 12),
        ("class_SeqOneByteString__chars__char", 16),
        ("class_SeqTwoByteString__chars__char", 16),
        ("class_ConsString__first__String", 16),
        ("class_ConsString__second__String", 24),
        ("class_SlicedString__parent__String", 16),
        ("class_SlicedString__offset__SMI", 24),
        ("class_ThinString__actual__String", 16),
        ("class_ExternalString__resource__Object", 16),
        ("class_InstructionStream__instruction_start__uintptr_t", 32),
        ("class_Code__instruction_size__int", 40),
        ("scopeinfo_idx_ncontextlocals", 2),
        ("scopeinfo_idx_first_vars", if is_new { 5 } else { 3 }),
        ("off_fp_context", -8),
        ("off_fp_function", -16),
        ("off_fp_bytecode_array", -32),
        (
            "type_SharedFunctionInfo__SHARED_FUNCTION_INFO_TYPE",
            SHARED_KIND.into(),
        ),
        ("type_Script__SCRIPT_TYPE", 301),
        ("type_ScopeInfo__SCOPE_INFO_TYPE", 302),
        ("type_BytecodeArray__BYTECODE_ARRAY_TYPE", 303),
        ("type_Code__CODE_TYPE", 304),
        ("type_InstructionStream__INSTRUCTION_STREAM_TYPE", 305),
        ("type_FixedArray__FIXED_ARRAY_TYPE", 306),
        ("type_ByteArray__BYTE_ARRAY_TYPE", 308),
        ("DeoptimizationDataInliningPositionsIndex", 2),
        ("DeoptimizationDataLiteralArrayIndex", 3),
    ];
    let numbers = numbers
        .into_iter()
        .map(|(name, number)| (name.to_owned(), number));
    Arc::new(Layout::of(&Constants(numbers.collect())).unwrap())
}

fn small(number: u32) -> u64 {
    u64::from(number) << 32
}

/// Puts a function with its shared part, whose bytecodes are at `bytecodes`, and its scope.
fn put_function(
    memory: &Pieces,
    maps: &BTreeMap<u16, u64>,
    is_new: bool,
    (function, shared, bytecodes): (u64, u64, u64),
    (name, start, end, distance): (u64, u32, u32, u64),
) {
    let around = memory.object(0x3_9000, &[maps[&302], 0, 0, 0]);
    let positions = [small(start), small(end)];
    let mut scope = vec![maps[&302], small(0), small(0), small(1)];
    let (early, late) = match is_new {
        true => (&positions[..], &[][..]),
        false => (&[][..], &positions[..]),
    };
    scope.extend(early);
    // A local with what it is; the name; where its variable is.
    scope.extend([name, small(3), name, small(u32::MAX)]);
    scope.extend(late);
    scope.push(around);
    let scope = memory.object(SCOPE + 0x100 * u64::from(start), &scope);
    let bytecodes = memory.object(bytecodes, &[maps[&303], small(4)]);
    let words = [
        maps[&SHARED_KIND],
        bytecodes,
        scope,
        0,
        SCRIPT + 1,
        distance << 32,
    ];
    let shared = memory.object(shared, &words);
    memory.object(function, &[maps[&307], 0, 0, shared]);
}

/// Puts the heap.
fn heap(is_new: bool) -> Pieces {
    let memory = Pieces::default();
    memory.object(META, &[META + 1, 0]);
    let kinds = (300..=308).chain([STRING_KIND]);
    let maps: BTreeMap<u16, u64> = kinds
        .map(|kind| (kind, memory.map(META + 0x10 * u64::from(kind), kind)))
        .collect();
    let file = memory.text(0x3_2000, maps[&STRING_KIND], "file:///app/x.js");
    let source = memory.text(0x3_3000, maps[&STRING_KIND], SOURCE);
    let [a, b] = [("a", 0x3_4000), ("b", 0x3_5000)]
        .map(|(name, at)| memory.text(at, maps[&STRING_KIND], name));
    memory.object(SCRIPT, &[maps[&301], source, file, 0]);
    // From the parameters on; the name and what is before it are the distance.
    let of_a = (FUNCTION_A, SHARED_A, BYTECODES_A);
    put_function(&memory, &maps, is_new, of_a, (a, 10, 15, 10));
    let of_b = (FUNCTION_B, SHARED_B, BYTECODES_B);
    put_function(&memory, &maps, is_new, of_b, (b, 35, 40, 9));

    let data = memory.object(0x5_1000, &[maps[&306], small(2), 0, SHARED_B + 1]);
    let start = COMPILED + 32;
    let mut code = vec![maps[&304], data, 0, COMPILED + 1, start, COMPILED_BYTES];
    code.resize(12, 0);
    let code = memory.object(CODE, &code);
    // Blocks of memory are read whole.
    let mut block = vec![0; 4096];
    let words = [maps[&305], code, 0, 0];
    let words: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    block[0x100..0x120].copy_from_slice(&words);
    block[0x128..0x12c].copy_from_slice(&[0x55, 0x48, 0x89, 0xe5]);
    memory.put(COMPILED - 0x100, &block);
    memory
}

/// A frame at the frame pointer: its function and bytecodes.
fn frame_of(function: u64, bytecodes: u64) -> impl Fn(u64) -> Option<u64> {
    move |address| match address {
        address if address == FRAME - 8 => Some(0x1001),
        address if address == FRAME - 16 => Some(function + 1),
        address if address == FRAME - 32 => Some(bytecodes + 1),
        _ => None,
    }
}

fn at<'a>(address: u64, is_leaf: bool, read: &'a dyn Fn(u64) -> Option<u64>) -> FrameAt<'a> {
    FrameAt {
        address,
        is_leaf,
        is_in_file: address < 0x1000,
        frame: FRAME,
        stack: FRAME - 0x100,
        read,
    }
}

/// Name, file and line.
fn told(frame: &Frame) -> (&str, &str, Option<u32>) {
    let outermost = frame.running.last().unwrap();
    let function = &outermost.function;
    (&function.name, &function.file, outermost.line)
}

#[test]
fn a_frame_of_the_interpreter_tells_its_function() {
    for is_new in [false, true] {
        let memory = heap(is_new);
        let mut frames = Frames::new(layout(is_new));
        let of_a = frame_of(FUNCTION_A, BYTECODES_A);
        let frame = frames.at(&memory, 0, &at(0x500, false, &of_a)).unwrap();
        assert_eq!(told(&frame), ("a", "/app/x.js", Some(1)), "{is_new}");
        let of_b = frame_of(FUNCTION_B, BYTECODES_B);
        let frame = frames.at(&memory, 0, &at(0x500, true, &of_b)).unwrap();
        assert_eq!(told(&frame), ("b", "/app/x.js", Some(2)), "{is_new}");
    }
}

#[test]
fn a_function_that_moved_is_not_believed() {
    let memory = heap(false);
    let mut frames = Frames::new(layout(false));
    // Another function is where the frame's was.
    let moved = frame_of(FUNCTION_B, BYTECODES_A);
    assert_eq!(frames.at(&memory, 0, &at(0x500, false, &moved)), None);
    // Where the bytecodes were met before, they tell.
    let of_a = frame_of(FUNCTION_A, BYTECODES_A);
    assert!(frames.at(&memory, 1, &at(0x500, false, &of_a)).is_some());
    let frame = frames.at(&memory, 1_000_000_000, &at(0x500, false, &moved));
    assert_eq!(told(&frame.unwrap()).0, "a");
}

#[test]
fn compiled_code_names_its_function() {
    let memory = heap(false);
    let mut frames = Frames::new(layout(false));
    let nothing = |_| None;
    let start = COMPILED + 32;
    let frame = frames.at(&memory, 0, &at(start + 0x40, false, &nothing));
    let frame = frame.unwrap();
    assert_eq!(told(&frame), ("b", "/app/x.js", Some(2)));
    assert!(frame.is_complete);
    // Before it made its frame, and behind its end.
    let begun = frames.at(&memory, 0, &at(start + 4, true, &nothing));
    assert!(!begun.unwrap().is_complete);
    let behind = at(start + COMPILED_BYTES + 1, false, &nothing);
    assert_eq!(frames.at(&memory, 0, &behind), None);
    // Code that V8 brings, called from it, has no frame of its own.
    let helper = |address| match address {
        address if address == FRAME - 8 => Some(0x1001),
        address if address == FRAME - 16 => Some(FUNCTION_B + 1),
        address if address == FRAME - 0x100 => Some(start + 0x40),
        _ => Some(0),
    };
    let frame = frames.at(&memory, 0, &at(0x500, true, &helper)).unwrap();
    assert_eq!(told(&frame).0, "b");
}

#[test]
fn other_frames_are_not_functions() {
    let memory = heap(false);
    let mut frames = Frames::new(layout(false));
    // A frame of V8's own code has a number where others have their context.
    let stub = |address| (address == FRAME - 8).then_some(0x22);
    assert_eq!(frames.at(&memory, 0, &at(0x500, false, &stub)), None);
    // A process that has ended.
    let of_a = frame_of(FUNCTION_A, BYTECODES_A);
    let gone = Pieces::default();
    assert_eq!(frames.at(&gone, 0, &at(0x500, false, &of_a)), None);
}

#[test]
fn a_layout_is_whole_or_none() {
    let none = Layout::of(&Constants::default());
    assert_eq!(none, Err(NoLayout::Absent));
    let compressed = Constants([("TaggedSize".to_owned(), 4)].into());
    assert!(matches!(Layout::of(&compressed), Err(NoLayout::Missing(_))));
}
