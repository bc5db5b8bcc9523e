//! Node of the search tree, and its copy for other threads.

use super::ordering::LegalMove;
use super::window::Window;
use crate::board::{Bitboard, Board};

/// Node of the search tree, as seen by the side to move.
#[derive(Debug)]
pub(super) struct Node<'a, S> {
    pub(super) board: &'a Board,
    /// Incremental state of the evaluation for `board`.
    pub(super) state: &'a S,
    /// Distance from the root in plies.
    pub(super) ply: usize,
    /// Depth to search in plies. The number of empties in a search to the end of the game.
    pub(super) depth: u32,
    pub(super) window: Window,
    /// Legal moves of `board`.
    pub(super) moves: Bitboard,
}

impl<S> Clone for Node<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Node<'_, S> {}

impl<S> Node<'_, S> {
    /// Returns whether the search of this node reaches the end of the game: its [`Phase`].
    #[inline]
    pub(super) fn is_endgame(&self) -> bool {
        self.depth >= self.board.empty_count()
    }

    /// Returns the node for a search to the end of the game.
    #[inline]
    pub(super) fn to_the_end(self) -> Self {
        Node {
            depth: self.board.empty_count(),
            window: self.window.in_discs(),
            ..self
        }
    }

    /// Returns the node after a move, with its evaluation state, in the same window.
    #[inline]
    pub(super) fn child<'b>(&self, mv: &'b LegalMove, state: &'b S) -> Node<'b, S> {
        Node {
            board: &mv.child,
            state,
            ply: self.ply + 1,
            depth: self.depth - 1,
            window: -self.window,
            moves: mv.replies,
        }
    }
}

/// Node with its own board and evaluation state, which other threads may search.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnedNode<S> {
    board: Board,
    state: S,
    ply: usize,
    depth: u32,
    window: Window,
    moves: Bitboard,
}

impl<S: Copy> From<&Node<'_, S>> for OwnedNode<S> {
    fn from(node: &Node<'_, S>) -> Self {
        let &Node {
            board,
            state,
            ply,
            depth,
            window,
            moves,
        } = node;
        OwnedNode {
            board: *board,
            state: *state,
            ply,
            depth,
            window,
            moves,
        }
    }
}

impl<S> OwnedNode<S> {
    pub(super) fn node(&self) -> Node<'_, S> {
        let OwnedNode { board, state, .. } = self;
        Node {
            board,
            state,
            ply: self.ply,
            depth: self.depth,
            window: self.window,
            moves: self.moves,
        }
    }
}
