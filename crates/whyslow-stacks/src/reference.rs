//! A stack in the form that an event carries.

use super::tree::NodeId;

/// Both halves of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackRef {
    /// The kernel half.
    pub kernel: HalfRef,
    /// The user half.
    pub user: HalfRef,
}

impl StackRef {
    /// No stack at all.
    pub const NONE: Self = Self {
        kernel: HalfRef::Absent,
        user: HalfRef::Absent,
    };
}

/// One half of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HalfRef {
    /// Not recorded, or not yet.
    Absent,
    /// There is none: an interrupt has no user half.
    Impossible,
    /// Known.
    Node(NodeId),
    /// Named by a key that is defined later.
    Key(u64),
    /// The user half that comes when this thread returns to its own code (`UserTarget::Pending` of
    /// the import).
    Pending {
        /// The thread.
        tid: u32,
    },
}

impl HalfRef {
    /// Returns the half of a node, if there is one.
    #[must_use]
    pub fn of(node: Option<NodeId>) -> Self {
        node.map_or(Self::Absent, Self::Node)
    }
}
