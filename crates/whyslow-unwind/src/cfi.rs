//! Call frame information → how to get from one frame to its caller.
//!
//! For nearly all code a row of the CFI table is "CFA = register + offset; the return address is
//! just below the CFA; some callee-saved registers are at offsets from it". That fits in a small
//! [`Rule`], worked out once per address and file. What does not fit (signal frames, PLT stubs,
//! realigned stacks) is evaluated in full each time. Sources: DWARF 5 section 6.4, x86-64 psABI.

use gimli::{
    BaseAddresses, CfaRule, EhFrame, EndianSlice, Evaluation, EvaluationResult, Expression,
    FrameDescriptionEntry, LittleEndian, Register, RegisterRule, UnwindContext, UnwindSection,
    UnwindTableRow, Value,
};

use whyslow_symbols::go_table::GoFrame;

use super::Truncated;
use super::image::{FrameSection, Image};
use super::regs::{COUNT, RBP, RIP, RSP, UserRegs};
use super::rule::{CALLEE_SAVED, Frame, Rule, SAME};

type Slice<'a> = EndianSlice<'a, LittleEndian>;
type Row = UnwindTableRow<usize>;

/// Operations of one DWARF expression before it is given up.
const MAX_OPERATIONS: u32 = 256;
/// Frame descriptions indexed of a file without search table.
const MAX_INDEXED: usize = 1 << 20;

/// Reads eight bytes of stack memory.
pub(super) trait ReadStack {
    fn read(&self, address: u64) -> Result<u64, Truncated>;
}

/// What a full evaluation found out about the frame.
pub(super) struct Caller {
    /// The frame was pushed by the kernel: the caller's address is the interrupted instruction,
    /// not a return address.
    pub(super) is_interrupted: bool,
}

/// The rule for the instruction at `address` of `image`.
pub(super) fn rule(image: &mut Image, context: &mut UnwindContext<usize>, address: u64) -> Rule {
    if let Some(rule) = image.rules.get(&address) {
        return *rule;
    }
    let rule = compile(image, context, address);
    let rule = rule.or_else(|| of_go(image, address)).unwrap_or(Rule::None);
    image.remember(address, rule);
    rule
}

/// The rule by Go's own table: the frame's size shows where the return address is, and the frame pointer
/// of the caller is below that. `None` for functions that change stacks.
fn of_go(image: &Image, address: u64) -> Option<Rule> {
    let table = image.go.as_ref()?;
    let size = match table.frame(table.function_at(address)?, address)? {
        GoFrame::Bytes(size) => i32::try_from(size).ok()?,
        GoFrame::Top => return Some(Rule::Root),
        GoFrame::Other => return None,
    };
    let mut saved = [SAME; 6];
    if let Some(slot) = CALLEE_SAVED.iter().position(|&register| register == RBP)
        && size > 0
    {
        saved[slot] = -2;
    }
    Some(Rule::Frame(Frame {
        cfa_register: u8::try_from(RSP).ok()?,
        cfa_offset: size.checked_add(8)?,
        saved,
    }))
}

fn compile(image: &Image, context: &mut UnwindContext<usize>, address: u64) -> Option<Rule> {
    let (frames, bases, entry) = entry(image, address)?;
    let row = entry
        .unwind_info_for_address(&frames, &bases, context, address)
        .ok()?;
    let return_address = entry.cie().return_address_register();
    match row.register(return_address) {
        Some(RegisterRule::Undefined) => return Some(Rule::Root),
        Some(RegisterRule::Offset(-8)) => {}
        _ => return Some(Rule::Full),
    }
    if usize::from(return_address.0) != RIP || entry.is_signal_trampoline() {
        return Some(Rule::Full);
    }
    Some(simple(row).map_or(Rule::Full, Rule::Frame))
}

/// The row as a [`Frame`], if it is that simple.
fn simple(row: &Row) -> Option<Frame> {
    let CfaRule::RegisterAndOffset { register, offset } = row.cfa() else {
        return None;
    };
    let cfa_register = u8::try_from(register.0)
        .ok()
        .filter(|r| usize::from(*r) < COUNT)?;
    let mut frame = Frame {
        cfa_register,
        cfa_offset: i32::try_from(*offset).ok()?,
        saved: [SAME; 6],
    };
    for (register, rule) in row.registers() {
        let number = usize::from(register.0);
        let Some(slot) = CALLEE_SAVED.iter().position(|r| *r == number) else {
            // A rule for the stack pointer is rare and wants care; others are not followed.
            if number == RSP {
                return None;
            }
            continue;
        };
        match rule {
            RegisterRule::SameValue => {}
            RegisterRule::Offset(offset) if offset % 8 == 0 => {
                frame.saved[slot] = i16::try_from(offset / 8).ok().filter(|o| *o != SAME)?;
            }
            _ => return None,
        }
    }
    Some(frame)
}

impl Frame {
    /// Replaces `regs` by those of the caller.
    pub(super) fn apply(
        &self,
        regs: &mut UserRegs,
        stack: &impl ReadStack,
    ) -> Result<(), Truncated> {
        let base = regs
            .get(usize::from(self.cfa_register))
            .ok_or(Truncated::NoUnwindInfo)?;
        let cfa = base.wrapping_add_signed(i64::from(self.cfa_offset));
        let sp = regs.sp();
        if cfa <= sp {
            return Err(Truncated::BadMemory);
        }
        let return_address = stack.read(cfa.wrapping_sub(8))?;
        for (slot, register) in self.saved.iter().zip(CALLEE_SAVED) {
            if *slot == SAME {
                continue;
            }
            let at = cfa.wrapping_add_signed(i64::from(*slot) * 8);
            // Epilogues pop a register without saying so: its slot is below the stack pointer and
            // the register has its value already.
            if at >= sp {
                regs.set(register, stack.read(at).ok());
            }
        }
        regs.leave_caller_saved();
        regs.set(RSP, Some(cfa));
        regs.set(RIP, Some(return_address));
        Ok(())
    }
}

/// Replaces `regs` by those of the caller, by evaluating the whole row for `address`.
pub(super) fn full(
    image: &Image,
    context: &mut UnwindContext<usize>,
    address: u64,
    regs: &mut UserRegs,
    stack: &impl ReadStack,
) -> Result<Caller, Truncated> {
    let (frames, bases, entry) = entry(image, address).ok_or(Truncated::NoUnwindInfo)?;
    let is_interrupted = entry.is_signal_trampoline();
    let rules = RowRules {
        frames,
        encoding: entry.cie().encoding(),
        regs: *regs,
        stack,
    };
    let row = entry
        .unwind_info_for_address(&frames, &bases, context, address)
        .map_err(|_| Truncated::NoUnwindInfo)?;
    let cfa = rules.cfa(row.cfa())?;
    if cfa <= regs.sp() && !is_interrupted {
        return Err(Truncated::BadMemory);
    }
    if usize::from(entry.cie().return_address_register().0) != RIP {
        return Err(Truncated::NoUnwindInfo);
    }
    let mut caller = *regs;
    caller.leave_caller_saved();
    caller.set(RSP, Some(cfa));
    caller.set(RIP, None);
    for register in 0..COUNT {
        let Some(rule) = row.register(Register(u16::try_from(register).unwrap_or(0))) else {
            continue;
        };
        match rules.register(register, &rule, cfa) {
            Ok(value) => caller.set(register, value),
            Err(why) if register == RIP => return Err(why),
            Err(_) => caller.set(register, None),
        }
    }
    if caller.get(RIP).is_none() || caller.get(RSP).is_none() {
        return Err(Truncated::NoUnwindInfo);
    }
    *regs = caller;
    Ok(Caller { is_interrupted })
}

type Entry<'a> = (
    EhFrame<Slice<'a>>,
    BaseAddresses,
    FrameDescriptionEntry<Slice<'a>>,
);

/// The frame description that covers `address`.
fn entry(image: &Image, address: u64) -> Option<Entry<'_>> {
    let (number, offset) = image.frame_description(address)?;
    let (frames, bases) = section(image.frames.get(number)?);
    let entry = frames
        .fde_from_offset(&bases, offset.into(), EhFrame::cie_from_offset)
        .ok()?;
    entry.contains(address).then_some((frames, bases, entry))
}

fn section(section: &FrameSection) -> (EhFrame<Slice<'_>>, BaseAddresses) {
    let mut frames = EhFrame::new(&section.data, LittleEndian);
    frames.set_address_size(8);
    (
        frames,
        BaseAddresses::default().set_eh_frame(section.address),
    )
}

/// The search table of files that come without one: (start of code, address of description).
pub(super) fn build_index(sections: &[FrameSection]) -> Vec<(u64, u64)> {
    let mut index = Vec::new();
    for one in sections {
        let (frames, bases) = section(one);
        let mut entries = frames.entries(&bases);
        while let Ok(Some(entry)) = entries.next() {
            let gimli::CieOrFde::Fde(partial) = entry else {
                continue;
            };
            if let Ok(fde) = partial.parse(EhFrame::cie_from_offset) {
                index.push((
                    fde.initial_address(),
                    one.address.wrapping_add(fde.offset() as u64),
                ));
            }
            if index.len() >= MAX_INDEXED {
                break;
            }
        }
    }
    index.sort_unstable();
    index
}

/// What DWARF expressions may look at.
struct RowRules<'a, S> {
    frames: EhFrame<Slice<'a>>,
    encoding: gimli::Encoding,
    regs: UserRegs,
    stack: &'a S,
}

impl<'a, S: ReadStack> RowRules<'a, S> {
    fn cfa(&self, rule: &CfaRule<usize>) -> Result<u64, Truncated> {
        match rule {
            CfaRule::RegisterAndOffset { register, offset } => {
                let base = self.regs.get(usize::from(register.0));
                Ok(base
                    .ok_or(Truncated::NoUnwindInfo)?
                    .wrapping_add_signed(*offset))
            }
            CfaRule::Expression(expression) => {
                let expression = expression.get(&self.frames);
                self.evaluate(expression.map_err(|_| Truncated::NoUnwindInfo)?, None)
            }
        }
    }

    /// The caller's value of a register; `None` if it is lost.
    fn register(
        &self,
        register: usize,
        rule: &RegisterRule<usize>,
        cfa: u64,
    ) -> Result<Option<u64>, Truncated> {
        let value = match rule {
            RegisterRule::SameValue => return Ok(self.regs.get(register)),
            RegisterRule::Offset(offset) => self.stack.read(cfa.wrapping_add_signed(*offset))?,
            RegisterRule::ValOffset(offset) => cfa.wrapping_add_signed(*offset),
            RegisterRule::Register(other) => return Ok(self.regs.get(usize::from(other.0))),
            RegisterRule::Expression(expression) => {
                let expression = expression.get(&self.frames);
                let expression = expression.map_err(|_| Truncated::NoUnwindInfo)?;
                self.stack.read(self.evaluate(expression, Some(cfa))?)?
            }
            RegisterRule::ValExpression(expression) => {
                let expression = expression.get(&self.frames);
                self.evaluate(expression.map_err(|_| Truncated::NoUnwindInfo)?, Some(cfa))?
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    fn evaluate(
        &self,
        expression: Expression<Slice<'a>>,
        initial: Option<u64>,
    ) -> Result<u64, Truncated> {
        let give_up = |_| Truncated::NoUnwindInfo;
        let mut evaluation = Evaluation::new(expression.0, self.encoding);
        evaluation.set_max_iterations(MAX_OPERATIONS);
        if let Some(value) = initial {
            evaluation.set_initial_value(value);
        }
        let mut result = evaluation.evaluate().map_err(give_up)?;
        loop {
            result = match result {
                EvaluationResult::Complete => break,
                EvaluationResult::RequiresRegister { register, .. } => {
                    let value = self.regs.get(usize::from(register.0));
                    let value = Value::Generic(value.ok_or(Truncated::NoUnwindInfo)?);
                    evaluation.resume_with_register(value).map_err(give_up)?
                }
                EvaluationResult::RequiresMemory {
                    address,
                    size: 8,
                    space: None,
                    ..
                } => {
                    let value = Value::Generic(self.stack.read(address)?);
                    evaluation.resume_with_memory(value).map_err(give_up)?
                }
                _ => return Err(Truncated::NoUnwindInfo),
            };
        }
        let value = evaluation.value_result().ok_or(Truncated::NoUnwindInfo)?;
        value.to_u64(u64::MAX).map_err(give_up)
    }
}
