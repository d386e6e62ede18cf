//! What a thread waited for: a class per wait, by rules over the kernel functions of its stack.
//!
//! The D state does not say: a thread in D may wait for a disk, a mutex, or a page. The stack does,
//! so the rules are a text file that people can read, check and replace ([`Rules::shipped_text`]
//! explains its syntax). What ended a wait follows from the same file ([`Ends`]).

mod ends;
mod kernel_half;
mod parse;

use std::sync::OnceLock;

use whyslow_model::{StackId, ThreadState, WaitReason};

use crate::error::QueryError;
use crate::interval::Interval;
use crate::pattern::Pattern;
use crate::stacks::Stacks;
use crate::tree::NO_PARENT;

use kernel_half::KernelHalves;

pub use ends::{EndId, Ends, WaitEnd};

static SHIPPED: &str = include_str!("../rules/wait.rules");

/// Number of a class in [`Rules::classes`].
pub type ClassId = u8;

/// A class of waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitClass {
    /// The name, such as `file-lock`.
    pub name: String,
    /// The end of the sentence "it waited for …".
    pub phrase: String,
    /// Who or what such a wait is for.
    pub nature: Nature,
}

/// Who or what waits of a class are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nature {
    /// Another thread, wherever it runs: the thread that ends the wait is what was waited for.
    Others,
    /// A thing, such as a disk or time: the thread that handles its interrupt is not what was
    /// waited for.
    Thing,
    /// Something to do: a request, a task, its user. Nothing is slow in the meantime.
    Work,
}

/// A set of rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// The classes, in the order they are declared.
    pub classes: Vec<WaitClass>,
    /// What may end a wait, in the order of declaration.
    pub ends: Vec<WaitEnd>,
    rules: Vec<Rule>,
    end_rules: Vec<ends::EndRule>,
    helpers: Option<Pattern>,
    fixed: Fixed,
    fixed_ends: ends::FixedEnds,
}

/// The classes that do not come from a rule alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fixed {
    idle: ClassId,
    other: ClassId,
    unknown: ClassId,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    class: ClassId,
    strength: Strength,
    patterns: Pattern,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strength {
    /// `=`
    Strong,
    /// `~`
    Weak,
    /// `/`: a user function turns a wait of the rule's class into one of this class.
    Finer(ClassId),
    /// `in`: the same, for a kernel function anywhere on the stack.
    Within(ClassId),
}

impl Strength {
    /// Returns the class that a wait gets by such a rule, if it is not the function's own class.
    fn finer(self) -> Option<ClassId> {
        match self {
            Self::Finer(finer) | Self::Within(finer) => Some(finer),
            Self::Strong | Self::Weak => None,
        }
    }
}

impl Rules {
    /// Returns the rules that come with the program.
    pub fn shipped() -> &'static Self {
        static RULES: OnceLock<Rules> = OnceLock::new();
        RULES.get_or_init(|| Self::parse(SHIPPED).unwrap_or_else(|_| Self::none()))
    }

    /// Returns the text of the rules that come with the program, comments and all.
    pub fn shipped_text() -> &'static str {
        SHIPPED
    }

    /// Returns the rules that `text` states; its syntax is explained in the shipped text.
    ///
    /// # Errors
    /// When a line is not a rule; the error names it.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        parse::rules(text)
    }

    /// Returns rules that know no function.
    pub fn none() -> Self {
        let names = ["stopped", "idle", "other", "unknown"];
        let class = |name: &&str| WaitClass {
            name: (*name).to_owned(),
            phrase: (*name).to_owned(),
            nature: Nature::Others,
        };
        let mut ends = Vec::new();
        Self {
            classes: names.iter().map(class).collect(),
            fixed_ends: ends::FixedEnds::among(&mut ends),
            ends,
            rules: Vec::new(),
            end_rules: Vec::new(),
            helpers: None,
            fixed: Fixed {
                idle: 1,
                other: 2,
                unknown: 3,
            },
        }
    }

    /// Returns a class.
    pub fn class(&self, id: ClassId) -> &WaitClass {
        &self.classes[usize::from(id)]
    }

    /// Returns the class called `name`.
    pub fn find(&self, name: &str) -> Option<ClassId> {
        let at = self.classes.iter().position(|class| class.name == name)?;
        ClassId::try_from(at).ok()
    }

    /// Returns the class of a stack, given as functions from the leaf on: first kernel, then user
    /// functions.
    pub fn classify<'a>(
        &self,
        kernel: impl IntoIterator<Item = &'a str>,
        user: impl IntoIterator<Item = &'a str>,
    ) -> ClassId {
        let kernel: Vec<&str> = kernel.into_iter().collect();
        let told = || kernel.iter().filter_map(|name| self.kernel_rule(name));
        let mut strong = told().filter(|(_, strength)| *strength == Strength::Strong);
        let none = match kernel.is_empty() {
            true => self.fixed.unknown,
            false => self.fixed.other,
        };
        let nearest = strong.next().or_else(|| told().next());
        let class = nearest.map_or(none, |(class, _)| class);
        let user = user.into_iter();
        let by_user = user.filter_map(|function| self.finer_rule(class, function, false));
        let kernel = kernel.iter();
        let by_kernel = kernel.filter_map(|function| self.finer_rule(class, function, true));
        let rank = by_user.chain(by_kernel).min();
        rank.map_or(class, |rank| self.finer(rank))
    }

    /// Returns, per class, whether the thread that ends a wait of the class is what was waited for:
    /// a thread that releases a lock, fills a pipe, or exits, not one that handles a disk's or a
    /// timer's interrupt.
    pub fn followed(&self) -> Vec<bool> {
        let classes = self.classes.iter();
        classes.map(|class| class.nature != Nature::Thing).collect()
    }

    /// Returns whether a wait of the class is a wait for something to do.
    pub fn is_for_work(&self, class: ClassId) -> bool {
        self.class(class).nature == Nature::Work
    }

    /// Returns, per class, whether it is `broad` or a finer class of it.
    pub fn kinds_of(&self, broad: &str) -> Vec<bool> {
        let mut kinds: Vec<bool> = self
            .classes
            .iter()
            .map(|class| class.name == broad)
            .collect();
        for rule in &self.rules {
            if let Some(finer) = rule.strength.finer()
                && self.class(rule.class).name == broad
            {
                kinds[usize::from(finer)] = true;
            }
        }
        kinds
    }

    /// Returns whether threads with this name do a runtime's own work, such as garbage collection.
    pub fn is_helper(&self, thread: &str) -> bool {
        let helpers = self.helpers.as_ref();
        helpers.is_some_and(|names| names.matches(thread))
    }

    fn kernel_rule(&self, function: &str) -> Option<(ClassId, Strength)> {
        let function = base_name(function);
        let mut rules = self.rules.iter();
        let hit = |rule: &&Rule| rule.strength.finer().is_none() && rule.patterns.matches(function);
        rules.find(hit).map(|rule| (rule.class, rule.strength))
    }

    /// Returns the first rule by which this function turns a wait of `class` into a finer one.
    fn finer_rule(&self, class: ClassId, function: &str, of_kernel: bool) -> Option<usize> {
        let function = if of_kernel {
            base_name(function)
        } else {
            function
        };
        let hit = |rule: &Rule| {
            let fits = match rule.strength {
                Strength::Finer(_) => !of_kernel,
                Strength::Within(_) => of_kernel,
                Strength::Strong | Strength::Weak => false,
            };
            fits && rule.class == class && rule.patterns.matches(function)
        };
        self.rules.iter().position(hit)
    }

    /// Returns what a function means by itself, and whether the rule is a strong one.
    pub fn of_function(&self, function: &str) -> Option<(ClassId, bool)> {
        let (class, strength) = self.kernel_rule(function)?;
        Some((class, strength == Strength::Strong))
    }

    fn finer(&self, rank: usize) -> ClassId {
        let rule = &self.rules[rank];
        rule.strength.finer().unwrap_or(rule.class)
    }
}

/// Removes the suffixes that compilers append to names.
fn base_name(function: &str) -> &str {
    let suffixes = [
        ".isra",
        ".constprop",
        ".part",
        ".cold",
        ".llvm",
        ".lto_priv",
    ];
    let ends = suffixes.iter().filter_map(|suffix| function.find(suffix));
    let end = ends.min().unwrap_or(function.len());
    function.get(..end).unwrap_or(function)
}

/// The class of every stack of a trace.
#[derive(Debug)]
pub struct Classes<'a> {
    /// The rules they are based on.
    pub rules: &'a Rules,
    of_node: Vec<ClassId>,
    /// The classes that follow from the system's reasons alone.
    of_reason: Vec<(WaitReason, ClassId)>,
}

/// Classes that follow from a reason of the system if there is no stack.
const REASONS: [(WaitReason, &str); 8] = [
    (WaitReason::Stopped, "stopped"),
    (WaitReason::Idle, "idle"),
    (WaitReason::Sleep, "sleep"),
    (WaitReason::PageFault, "page-fault"),
    (WaitReason::Memory, "memory"),
    (WaitReason::Lock, "lock"),
    (WaitReason::KernelLock, "kernel-lock"),
    (WaitReason::Message, "ipc"),
];

impl<'a> Classes<'a> {
    /// Classifies every stack in one pass from the roots to the leaves.
    pub fn new(stacks: &Stacks, rules: &'a Rules) -> Self {
        let halves = KernelHalves::new(stacks, |name| rules.of_function(name));
        let of_node = (0..stacks.tree.len()).map(|node| match stacks.tree.kernel[node] {
            true => halves.of(node).unwrap_or(rules.fixed.other),
            false => rules.fixed.unknown,
        });
        let of_node = of_node.collect();
        let reasons = REASONS.iter();
        let of_reason = reasons.filter_map(|&(reason, name)| Some((reason, rules.find(name)?)));
        let mut classes = Self {
            rules,
            of_node,
            of_reason: of_reason.collect(),
        };
        classes.refine(stacks);
        classes
    }

    /// Applies the rules for finer classes to the stacks whose class has such rules.
    fn refine(&mut self, stacks: &Stacks) {
        let rules = self.rules;
        let finer = rules.rules.iter();
        let finer = finer.filter_map(|rule| rule.strength.finer().and(Some(rule.class)));
        let mut finer: Vec<ClassId> = finer.collect();
        finer.sort_unstable();
        finer.dedup();
        for class in finer {
            let mut ranks = Ranks::new(stacks, rules, class);
            for node in 0..self.of_node.len() {
                if self.of_node[node] == class
                    && let Some(rank) = ranks.of(u32::try_from(node).unwrap_or(NO_PARENT))
                {
                    self.of_node[node] = rules.finer(rank);
                }
            }
        }
    }

    /// Returns the class of a wait by its stack alone.
    pub fn of_stack(&self, stacks: &Stacks, stack: Option<StackId>) -> ClassId {
        self.of_node[stacks.tree.node(stack) as usize]
    }

    /// Returns the class of a wait or stop.
    pub fn of(&self, stacks: &Stacks, interval: &Interval) -> ClassId {
        let fixed = &self.rules.fixed;
        let by_stack = self.of_stack(stacks, interval.stack);
        let silent = by_stack == fixed.unknown || by_stack == fixed.other;
        if !silent {
            return by_stack;
        }
        let reason = match interval.state {
            ThreadState::Stopped => WaitReason::Stopped,
            _ => interval.reason,
        };
        let mut told = self.of_reason.iter();
        let told = told.find(|&&(of, _)| of == reason);
        told.map_or(by_stack, |&(_, class)| class)
    }

    /// Returns whether a class is not a wait for anything: an idle worker, a stopped thread.
    pub fn is_idle(&self, class: ClassId) -> bool {
        class == self.rules.fixed.idle
    }
}

/// Looks up the first rule for finer classes that matches a stack.
struct Ranks<'a> {
    stacks: &'a Stacks,
    rules: &'a Rules,
    class: ClassId,
    /// By function, for the user half and the kernel half.
    by_function: [Vec<Option<Option<usize>>>; 2],
    by_node: Vec<Option<Option<usize>>>,
}

impl<'a> Ranks<'a> {
    fn new(stacks: &'a Stacks, rules: &'a Rules, class: ClassId) -> Self {
        Self {
            stacks,
            rules,
            class,
            by_function: std::array::from_fn(|_| vec![None; stacks.frames.functions.len()]),
            by_node: vec![None; stacks.tree.len()],
        }
    }

    /// Returns the rule that comes first in the file, among those that match a node of the stack.
    fn of(&mut self, node: u32) -> Option<usize> {
        let (tree, frames) = (&self.stacks.tree, &self.stacks.frames);
        let unknown = |node: &u32| self.by_node[*node as usize].is_none();
        let path: Vec<u32> = tree.path(node).take_while(unknown).collect();
        let top = path
            .last()
            .map_or(NO_PARENT, |&top| tree.parent[top as usize]);
        let mut best = match top {
            _ if path.is_empty() => self.by_node[node as usize].flatten(),
            NO_PARENT => None,
            top => self.by_node[top as usize].flatten(),
        };
        for &node in path.iter().rev() {
            let of_kernel = tree.kernel[node as usize];
            for &function in tree.functions(node) {
                let known = &mut self.by_function[usize::from(of_kernel)][function as usize];
                let name = &frames.function(function).name;
                let (rules, class) = (self.rules, self.class);
                let rank = *known.get_or_insert_with(|| rules.finer_rule(class, name, of_kernel));
                best = [best, rank].into_iter().flatten().min();
            }
            self.by_node[node as usize] = Some(best);
        }
        best
    }
}

#[cfg(test)]
mod tests;
