//! A stack as one value of a row, until rows are settled.
//!
//! ```text
//!  63            32 31             0
//! ┌────────────────┬────────────────┐    half: 0           nothing recorded
//! │  kernel half   │   user half    │          1           there is none (interrupt)
//! └────────────────┴────────────────┘          2 …         node of the tree
//!                                              bit 31 set  handle of a key
//! ```

use whyslow_model::NULL_I64;

use super::tree::NodeId;

/// One half of a [`StackWord`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct HalfWord(u32);

const HANDLE: u32 = 1 << 31;

impl HalfWord {
    /// Nothing was recorded.
    pub const ABSENT: Self = Self(0);
    /// There is no such half: an interrupt has no user half.
    pub const IMPOSSIBLE: Self = Self(1);

    /// Returns the word of a node of the tree.
    pub fn node(node: NodeId) -> Self {
        Self(node.0)
    }

    /// Returns the word of handle number `handle`; handles count from 1.
    pub fn of_handle(handle: u32) -> Self {
        Self(handle | HANDLE)
    }

    /// Returns the number of the handle, if it is one.
    pub fn handle(self) -> Option<u32> {
        (self.0 & HANDLE != 0).then_some(self.0 & !HANDLE)
    }

    /// Returns the node, if it is one.
    pub fn as_node(self) -> Option<NodeId> {
        (self.0 & HANDLE == 0 && self.0 > 1).then_some(NodeId(self.0))
    }

    /// Returns whether nothing was recorded.
    pub fn is_absent(self) -> bool {
        self == Self::ABSENT
    }
}

/// Both halves of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StackWord {
    /// The kernel half.
    pub kernel: HalfWord,
    /// The user half.
    pub user: HalfWord,
}

impl StackWord {
    /// No stack at all.
    pub const NONE: Self = Self {
        kernel: HalfWord::ABSENT,
        user: HalfWord::ABSENT,
    };

    /// Returns the provisional number for a row, null if neither half was recorded.
    pub fn to_column(self) -> i64 {
        if self.is_none() {
            return NULL_I64;
        }
        let word = (u64::from(self.kernel.0) << 32) | u64::from(self.user.0);
        word.cast_signed()
    }

    /// Returns the stack a column holds.
    pub fn from_column(value: i64) -> Self {
        let word = value.cast_unsigned();
        let half = |bits: u64| HalfWord(u32::try_from(bits & u64::from(u32::MAX)).unwrap_or(0));
        Self {
            kernel: half(word >> 32),
            user: half(word),
        }
    }

    /// Returns whether neither half was recorded.
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }
}
