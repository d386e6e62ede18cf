//! The walk from the leaf to the root of one stack.

use super::cfi::{self, ReadStack};
use super::exits::{self, Budget, ReadCode};
use super::image::Image;
use super::images::{Backing, Images};
use super::regs::{RBP, RIP, RSP, UserRegs};
use super::rule::Rule;
use super::space::{Mapping, Space};
use super::{FrameShape, GeneratedPlace, Runtime, StackEnd, StackParts, Truncated, Walk};

/// An address this far above the dump is taken for more of the same stack; stacks are 8 MB by
/// default and rarely much larger.
const SAME_STACK_BYTES: u64 = 64 << 20;

/// Words of the stack in which the return address to a program's first instructions is looked for.
const ENTRY_WORDS: u64 = 32;

/// Most user frames in the kernel's own call chains (`kernel.perf_event_max_stack`, by default).
const KERNEL_FRAMES: usize = 127;

/// The copied parts of the stack, the inner one from `base` upwards.
struct Dump<'a> {
    base: u64,
    parts: &'a StackParts<'a>,
}

impl ReadStack for Dump<'_> {
    fn read(&self, address: u64) -> Result<u64, Truncated> {
        let part = |bytes: &[u8], start: u64| {
            let offset = address.checked_sub(start);
            offset.and_then(|offset| word(bytes, offset))
        };
        let inner = part(self.parts.inner, self.base);
        let known = inner.or_else(|| part(self.parts.outer, self.parts.outer_start));
        known.ok_or_else(|| match address.checked_sub(self.base) {
            Some(offset) if offset < SAME_STACK_BYTES => Truncated::DumpTooSmall,
            _ => Truncated::BadMemory,
        })
    }
}

fn word(bytes: &[u8], offset: u64) -> Option<u64> {
    let bytes = bytes.get(usize::try_from(offset).ok()?..)?.first_chunk()?;
    Some(u64::from_le_bytes(*bytes))
}

/// What one step did.
enum Step {
    /// `regs` are the caller's; it was interrupted rather than having made a call.
    Caller {
        is_interrupted: bool,
        by_frame_pointer: bool,
    },
    /// This frame is the outermost one.
    Root,
}

/// What is known about the code at an address.
#[derive(Clone, Copy)]
struct Code {
    /// The thread begins there.
    is_root: bool,
    /// It has no CFI, and its compiler keeps frame pointers.
    keeps_frame_pointer: bool,
}

/// What one walk looks at.
pub(super) struct Walker<'a> {
    pub(super) pid: u32,
    pub(super) space: Option<&'a Space>,
    pub(super) images: &'a mut Images,
    pub(super) runtime: Option<&'a mut (dyn Runtime + 'a)>,
    pub(super) budget: Budget,
}

impl Walker<'_> {
    /// One walk; see [`super::Unwinder::unwind`].
    pub(super) fn walk(
        &mut self,
        regs: &UserRegs,
        parts: &StackParts<'_>,
        max_depth: usize,
        out: &mut Vec<u64>,
    ) -> Walk {
        let dump = Dump {
            base: regs.sp(),
            parts,
        };
        let mut regs = *regs;
        let mut frame_pointer_frames = 0;
        // A return address may be the first byte of the next function; the call is what counts.
        let mut back = 0;
        out.push(regs.ip());
        let end = loop {
            if out.len() >= max_depth {
                break StackEnd::Truncated(Truncated::DepthLimit);
            }
            let is_leaf = back == 0;
            match self.step(is_leaf, &mut regs, &dump, out) {
                Ok(Step::Root) => break StackEnd::Root,
                Ok(Step::Caller {
                    is_interrupted,
                    by_frame_pointer,
                }) => {
                    back = u64::from(!is_interrupted);
                    frame_pointer_frames += u32::from(by_frame_pointer);
                }
                Err(why) => break StackEnd::Truncated(why),
            }
            if regs.ip() == 0 {
                break StackEnd::Truncated(Truncated::BadMemory);
            }
            out.push(regs.ip());
        };
        Walk {
            end,
            frame_pointer_frames,
        }
    }

    fn step(
        &mut self,
        is_leaf: bool,
        regs: &mut UserRegs,
        dump: &Dump<'_>,
        out: &mut Vec<u64>,
    ) -> Result<Step, Truncated> {
        let address = regs.ip().wrapping_sub(u64::from(!is_leaf));
        let space = self.space.ok_or(Truncated::UnknownMapping)?;
        let mapping = space.find(address).ok_or(Truncated::UnknownMapping)?;
        let (image, context) = match self.images.backing(self.pid, mapping) {
            Backing::Image(image, context) => (image, context),
            Backing::Code => return self.generated(space, (is_leaf, false), regs, dump, out),
            Backing::Unreadable => return Err(Truncated::NoUnwindInfo),
        };
        let address = file_address(image, mapping, address).ok_or(Truncated::NoUnwindInfo)?;
        match cfi::rule(image, context, address) {
            Rule::Frame(frame) => {
                frame.apply(regs, dump)?;
                Ok(Step::Caller {
                    is_interrupted: false,
                    by_frame_pointer: false,
                })
            }
            Rule::Full => {
                let caller = cfi::full(image, context, address, regs, dump)?;
                Ok(Step::Caller {
                    is_interrupted: caller.is_interrupted,
                    by_frame_pointer: false,
                })
            }
            Rule::Root => Ok(Step::Root),
            Rule::None if image.is_entry(address) => Ok(Step::Root),
            Rule::None => {
                let ip = address.wrapping_add(u64::from(!is_leaf));
                if let Some(step) = by_code(space, image, ip, regs, dump, &mut self.budget) {
                    return Ok(step);
                }
                let begin = caller_at_entry(image, ip, regs, dump);
                let step = self.generated(space, (is_leaf, true), regs, dump, out);
                match (step, begin) {
                    (Err(Truncated::NoUnwindInfo), Some(begin)) => {
                        *regs = begin;
                        Ok(Step::Caller {
                            is_interrupted: false,
                            by_frame_pointer: false,
                        })
                    }
                    (step, _) => step,
                }
            }
        }
    }

    /// One step through code without call frame information, in a file or not: as its runtime knows, or by
    /// the frame pointer.
    fn generated(
        &mut self,
        space: &Space,
        (is_leaf, is_in_file): (bool, bool),
        regs: &mut UserRegs,
        dump: &Dump<'_>,
        out: &mut Vec<u64>,
    ) -> Result<Step, Truncated> {
        let Some(runtime) = &mut self.runtime else {
            return by_frame_pointer(space, regs, dump, is_in_file);
        };
        let read = |address| dump.read(address).ok();
        let place = GeneratedPlace {
            pid: self.pid,
            regs,
            is_leaf,
            is_in_file,
            read: &read,
        };
        let mut functions = Vec::new();
        let shape = runtime.frame(&place, &mut functions);
        if !functions.is_empty() {
            out.pop();
            out.append(&mut functions);
        }
        match shape {
            Some(shape) => by_shape(space, shape, is_leaf, regs, dump),
            None => by_frame_pointer(space, regs, dump, is_in_file),
        }
    }

    /// See [`super::Unwinder::continue_by_chain`].
    pub(super) fn continue_by_chain(
        &mut self,
        chain: &[u64],
        max_depth: usize,
        out: &mut Vec<u64>,
    ) -> Option<StackEnd> {
        let [_, .., last] = out.as_slice() else {
            return None;
        };
        let rest = chain.get(chain.iter().rposition(|ip| ip == last)? + 1..)?;
        let mut rest = rest.iter().copied();
        let before = out.len();
        let end = loop {
            let code = self.code(out.last()?.wrapping_sub(1));
            if code.is_some_and(|code| code.is_root) {
                break StackEnd::Root;
            }
            if !code.is_some_and(|code| code.keeps_frame_pointer) {
                break StackEnd::Truncated(Truncated::NoUnwindInfo);
            }
            let Some(next) = rest.next() else {
                break if chain.len() < KERNEL_FRAMES {
                    StackEnd::Root
                } else {
                    StackEnd::Truncated(Truncated::DepthLimit)
                };
            };
            if !self.is_executable(next.wrapping_sub(1)) {
                break StackEnd::Truncated(Truncated::UnknownMapping);
            }
            if out.len() >= max_depth {
                break StackEnd::Truncated(Truncated::DepthLimit);
            }
            out.push(next);
        };
        (out.len() > before).then_some(end)
    }

    fn is_executable(&self, address: u64) -> bool {
        self.space
            .is_some_and(|space| space.find(address).is_some())
    }

    /// See [`super::Unwinder::is_root_function`].
    pub(super) fn is_root_function(&mut self, address: u64) -> bool {
        self.code(address).is_some_and(|code| code.is_root)
    }

    /// What is known about the code at an address in a file.
    fn code(&mut self, address: u64) -> Option<Code> {
        let mapping = self.space?.find(address)?;
        let Backing::Image(image, context) = self.images.backing(self.pid, mapping) else {
            return None;
        };
        let address = file_address(image, mapping, address)?;
        let (is_root, keeps_frame_pointer) = match cfi::rule(image, context, address) {
            Rule::Root => (true, false),
            Rule::None => (image.is_entry(address), image.is_go),
            Rule::Frame(_) | Rule::Full => (false, image.go.is_some()),
        };
        Some(Code {
            is_root,
            keeps_frame_pointer,
        })
    }
}

/// The address in the file's own terms of an address in a mapping.
fn file_address(image: &Image, mapping: &Mapping, address: u64) -> Option<u64> {
    let start = image.address_of_offset(mapping.file_offset)?;
    Some(start.wrapping_add(address.wrapping_sub(mapping.start)))
}

/// Finds the caller of a function without CFI by its own code; `ip` is the address in the file. Accepted only if
/// the return address is executable, and follows a call.
fn by_code(
    space: &Space,
    image: &mut Image,
    ip: u64,
    regs: &mut UserRegs,
    dump: &Dump<'_>,
    budget: &mut Budget,
) -> Option<Step> {
    let read = |address| dump.read(address).ok();
    let mut caller = match image.way_out(ip) {
        Some(way) => way.as_ref()?.follow(regs, &read),
        None => {
            let found = exits::at_return(image, ip, regs, &read, budget);
            if let Some(way) = found.way {
                image.remember_way_out(ip, way);
            }
            found.regs?
        }
    };
    let return_address = read(caller.sp())?;
    space.find(return_address.wrapping_sub(1))?;
    // What is in another file is not known.
    let in_file = return_address.wrapping_add(ip).wrapping_sub(regs.ip());
    if image.bytes(in_file).is_some() && !exits::is_behind_call(image, in_file) {
        return None;
    }
    caller.leave_caller_saved();
    caller.set(RSP, Some(caller.sp().wrapping_add(8)));
    caller.set(RIP, Some(return_address));
    *regs = caller;
    Some(Step::Caller {
        is_interrupted: false,
        by_frame_pointer: false,
    })
}

/// The caller of a function that has no CFI and never returns, if that is where the program begins: its first instructions
/// call only once, so their return address is on the stack only there. musl begins so: `_start` calls what ends with a
/// call of `exit`.
fn caller_at_entry(image: &Image, ip: u64, regs: &UserRegs, dump: &Dump<'_>) -> Option<UserRegs> {
    let to_file = ip.wrapping_sub(regs.ip());
    let places = (0..ENTRY_WORDS).map(|at| regs.sp().wrapping_add(8 * at));
    let mut found = places.map_while(|place| Some((place, dump.read(place).ok()?)));
    let (place, return_address) = found.find(|(_, word)| {
        let address = word.wrapping_add(to_file);
        image.is_entry(address.wrapping_sub(1)) && exits::is_behind_call(image, address)
    })?;
    let mut caller = *regs;
    caller.leave_caller_saved();
    caller.set(RBP, None);
    caller.set(RSP, Some(place.wrapping_add(8)));
    caller.set(RIP, Some(return_address));
    Some(caller)
}

/// Follows the frame pointer of code without CFI. Believed only if it leads towards the root and
/// to executable memory. A zero frame pointer is the ABI's mark of the outermost frame, which is
/// believed of files (`is_file`) but not of generated code.
fn by_frame_pointer(
    space: &Space,
    regs: &mut UserRegs,
    dump: &Dump<'_>,
    is_file: bool,
) -> Result<Step, Truncated> {
    let frame_pointer = regs.get(RBP).ok_or(Truncated::NoUnwindInfo)?;
    if frame_pointer == 0 && is_file {
        return Ok(Step::Root);
    }
    if frame_pointer < regs.sp() || frame_pointer % 8 != 0 {
        return Err(Truncated::NoUnwindInfo);
    }
    let too_far = |why| match why {
        Truncated::DumpTooSmall => Truncated::DumpTooSmall,
        _ => Truncated::NoUnwindInfo,
    };
    let next = dump.read(frame_pointer).map_err(too_far)?;
    let return_address = dump.read(frame_pointer.wrapping_add(8)).map_err(too_far)?;
    if space.find(return_address.wrapping_sub(1)).is_none() {
        return Err(Truncated::NoUnwindInfo);
    }
    regs.leave_caller_saved();
    regs.set(RBP, Some(next));
    regs.set(RSP, Some(frame_pointer.wrapping_add(16)));
    regs.set(RIP, Some(return_address));
    Ok(Step::Caller {
        is_interrupted: false,
        by_frame_pointer: true,
    })
}

/// Finds the caller of a frame whose shape its runtime knows. Believed only if the return address is
/// executable. A function that has just begun or is about to return has nothing but the return address, or
/// that and the caller's frame pointer.
fn by_shape(
    space: &Space,
    shape: FrameShape,
    is_leaf: bool,
    regs: &mut UserRegs,
    dump: &Dump<'_>,
) -> Result<Step, Truncated> {
    let stack = regs.sp();
    let fallback = [(stack, None), (stack.wrapping_add(8), Some(stack))];
    let (known, fallback) = match shape {
        FrameShape::Sized { bytes } => {
            let end = stack.wrapping_add(bytes);
            let known = (end.wrapping_sub(8), Some(end.wrapping_sub(16)));
            (
                Some((known, None)),
                if is_leaf { &fallback[..] } else { &[] },
            )
        }
        FrameShape::FramePointer { caller_stack } => {
            let frame = regs.get(RBP).ok_or(Truncated::NoUnwindInfo)?;
            let known = (frame.wrapping_add(8), Some(frame));
            let is_further = |&at: &u64| at > frame && at % 8 == 0;
            (Some((known, caller_stack.filter(is_further))), &[][..])
        }
        FrameShape::Begun => (None, &fallback[..]),
    };
    let known = known.into_iter();
    let all = known.chain(fallback.iter().map(|&at| (at, None)));
    let mut why = Truncated::NoUnwindInfo;
    for ((return_at, pointer_at), caller_stack) in all {
        if return_at < stack {
            continue;
        }
        let return_address = match dump.read(return_at) {
            Ok(address) => address,
            Err(Truncated::DumpTooSmall) => {
                why = Truncated::DumpTooSmall;
                continue;
            }
            Err(_) => continue,
        };
        if space.find(return_address.wrapping_sub(1)).is_none() {
            continue;
        }
        let pointer = match pointer_at {
            Some(at) => dump.read(at).ok(),
            None => regs.get(RBP),
        };
        regs.leave_caller_saved();
        regs.set(RBP, pointer);
        regs.set(RSP, Some(caller_stack.unwrap_or(return_at.wrapping_add(8))));
        regs.set(RIP, Some(return_address));
        return Ok(Step::Caller {
            is_interrupted: false,
            by_frame_pointer: matches!(shape, FrameShape::FramePointer { .. }),
        });
    }
    Err(why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leaf_may_have_kept_something_below_its_stack_pointer() {
        let (stack, below) = ([7_u8; 16], [5_u8; 128]);
        let parts = StackParts {
            inner: &stack,
            outer_start: 0x1000 - 128,
            outer: &below,
        };
        let dump = Dump {
            base: 0x1000,
            parts: &parts,
        };
        assert_eq!(dump.read(0x1000), Ok(0x0707_0707_0707_0707));
        assert_eq!(dump.read(0xff8), Ok(0x0505_0505_0505_0505));
        assert_eq!(dump.read(0x1010), Err(Truncated::DumpTooSmall));
        assert_eq!(dump.read(0xf78), Err(Truncated::BadMemory));
    }
}
