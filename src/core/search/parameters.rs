//! Every tunable of the search, each defined once, with its unit, its source and its gain.
//!
//! A gain is a difference in nodes, in time, in Elo, or in RMS: the root-mean-square difference, in
//! discs, from the values of a deep search. "FFO" means the problems #40 to #49 of the FFO set.
//! Notes such as "With 10 discs: 1 % more nodes" compare another value with the value used here.
//! Where no gain is stated, neighbouring values cost the same. `MEASUREMENTS.md` has the commands,
//! and what was tried without gain.

/// Parameters of the search of a node, in `interior.rs`.
pub(crate) mod node {
    use crate::eval::Value;

    /// If the static value is more than this distance below `alpha`, a null-window node of a solve
    /// orders its moves without their values.
    ///
    /// With 10 discs: the same nodes, and 0.9 % more instructions at 20 and 22 empties. With 4
    /// discs: 1 % more nodes.
    pub(crate) const FAR_BELOW: Value = Value::from_score(6);

    /// Least depth, in plies, at which the transposition table is probed and written.
    ///
    /// With 3: 1.2 % less time per node, but 9 % more nodes.
    pub(crate) const TABLE_DEPTH: u32 = 2;

    /// Least depth, in plies, for the enhanced transposition cut-off (Plaat et al. 1996).
    ///
    /// The cut-off saves 1.2 % of the nodes in the midgame and 9.7 % of the nodes of FFO.
    pub(crate) const ETC_DEPTH: u32 = 5;

    /// Extension: in a search with forward pruning, a leaf with at most this number of legal moves
    /// is searched one ply deeper.
    ///
    /// The static value errs most on positions with few moves: its standard error is up to 2.4
    /// times that of all positions. The extension gains 18 ± 11 Elo at 20,000 nodes per move.
    /// Another limit against no extension: 3 gains 12 ± 12 Elo, 5 gains 14 ± 16, and 6 gains 11 ± 17.
    pub(crate) const FEW_MOVES: u32 = 4;

    /// Largest number of empties of a null-window node that `EndgameSolver` searches.
    ///
    /// With 12: 14 % more time on FFO. With 14: 6 % more time.
    pub(crate) const SMALL_EMPTIES: u32 = 13;
}

/// Parameters of move ordering, in `ordering/`.
pub(crate) mod ordering {
    /// Parameters of move ordering. Weights are in points: moves with more points come first.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct MoveOrder {
        /// Least depth, in plies, of a table entry whose moves are tried first.
        pub(crate) table_moves_from: u32,
        /// Index `n` holds the least depth, in plies, of a node whose moves are ordered by a search
        /// of `n` plies. A search of 0 plies returns the static value.
        pub(crate) evaluated_from: [u32; 4],
        /// A move is evaluated if its score is at most this many points below the best score.
        pub(crate) evaluated_within: i32,
        /// Deducted for each legal reply of the opponent.
        pub(crate) reply: i32,
        /// Deducted in addition for each corner among the opponent's replies.
        pub(crate) corner_reply: i32,
        /// Deducted for each disc of the child's value, as seen by the opponent.
        pub(crate) disc: i32,
        /// Added for each unit of [`static_square_weight`](crate::eval::static_square_weight).
        pub(crate) square: i32,
        /// Deducted for each square of the opponent's potential mobility. Corners count twice.
        pub(crate) potential: i32,
        /// Added for each own disc on a corner, or on a C square next to an own corner.
        pub(crate) at_corner: i32,
        /// Added for the two killer moves of the ply, the latest first.
        pub(crate) killers: [i32; 2],
        /// Added for each point of the move's history counter.
        pub(crate) history: i32,
    }

    /// Move order in a search to a depth, tuned on node counts of `bench`.
    pub(crate) const MIDGAME: MoveOrder = MoveOrder {
        table_moves_from: 0,
        // With 2 as the first number and fewer late moves: 27 ± 18 Elo more at equal nodes, but
        // not in equal time.
        evaluated_from: [4, NEVER, NEVER, NEVER],
        evaluated_within: i32::MAX,
        reply: 150,
        corner_reply: 150,
        disc: 300,
        square: 25,
        potential: 0,
        at_corner: 0,
        killers: [100, 60],
        history: 1,
    };

    /// Move order in a search to the end of the game, tuned on node counts of endgames.
    pub(crate) const ENDGAME: MoveOrder = MoveOrder {
        // Entries of fewer than 6 plies come from the shallow searches that order moves (see
        // `evaluated_from`). Their moves mislead a solve.
        // With 0: 2 % more nodes of FFO, and 22 % more of #50, #51, #52 and #56.
        // With 9: 6 % more nodes.
        table_moves_from: 6,
        evaluated_from: [14, 18, 21, 24],
        // With 60: 1 % more nodes. Without a limit: the same nodes, and 3 % more time on FFO #51.
        evaluated_within: 75,
        reply: 15,
        corner_reply: 8,
        disc: 6,
        square: 0,
        // `potential` and `at_corner` together save 5.2 % of the nodes of FFO, 10 % of the nodes of
        // #51 and 7 % of the nodes of #52.
        potential: 4,
        at_corner: 6,
        killers: [0, 0],
        history: 0,
    };

    /// Depth that no node reaches. In `evaluated_from`, it turns a search off.
    const NEVER: u32 = u32::MAX;

    /// Greatest absolute value of a history counter (Schaeffer 1983), in points of the move order.
    ///
    /// The limit is low, so that recent cut-offs outweigh older cut-offs elsewhere in the tree.
    /// History saves 6.2 % of the nodes at depth 14 with 73 % selectivity, and 0.4 % at depth 12 at
    /// full width.
    pub(crate) const HISTORY_LIMIT: i32 = 128;
}

/// Parameters of Multi-ProbCut (Buro 1997) and of static cuts, in `pruning.rs`.
pub(crate) mod probcut {
    /// Interval of each level of selectivity below 100 %, the lowest level first, in standard
    /// deviations.
    ///
    /// The percentage of a level is the probability that a normally distributed error lies within ±
    /// its interval. A cut needs a shallow result at least one interval outside the window.
    pub(crate) const INTERVALS: [f32; 5] = [1.1, 1.5, 2.0, 2.33, 2.58];

    /// Interval of the 99 % level in solves of many empties, in standard deviations: see
    /// [`SURE_STAGE_EMPTIES`](super::root::SURE_STAGE_EMPTIES).
    ///
    /// With an interval of 5 or 6, the stage at 99 % saves fewer nodes.
    pub(crate) const SURE_INTERVAL: f32 = 4.0;

    /// Least depth, in plies, of a node that is cut by a shallow search (ProbCut). Nodes of less
    /// depth are cut by their static value.
    ///
    /// Static cuts at 1 and 2 plies gain 89 ± 32 Elo. Static cuts at 3 plies gain 1 ± 27 Elo more.
    pub(crate) const MIN_SEARCHED_DEPTH: u32 = 3;

    /// Maximum number of shallow searches that are nested in each other.
    pub(crate) const MAX_NESTED_SEARCHES: u32 = 2;
}

/// Parameters of late-move pruning and late-move reductions in null windows, in `pruning.rs`.
pub(crate) mod late_moves {
    /// Maximum number of moves searched at a node, indexed by the depth of the node in plies. Nodes
    /// of greater depth have no limit.
    ///
    /// The limits gain 60 ± 26 Elo at 20,000 nodes per move, and 33 ± 39 Elo at 100,000. A limit of
    /// 6 at depth 3 gains nothing, because moves at depth 3 are ordered without their static
    /// values.
    pub(crate) const MOST_MOVES: [usize; 10] = [ALL, 6, 5, ALL, 4, 4, 5, 5, 6, 6];

    /// No limit: all moves are searched.
    pub(crate) const ALL: usize = usize::MAX;

    /// Least depth, in plies, of a node with late-move reductions.
    ///
    /// The reductions gain 8.3 ± 6.8 Elo, and lower the RMS from 1.13 to 1.08.
    /// With other values of this constant and the next two, the RMS is 1.10 to 1.17.
    pub(crate) const REDUCED_DEPTH: u32 = 6;

    /// Number of moves at the front of the move order that are searched to full depth.
    pub(crate) const FULL_DEPTH_MOVES: usize = 3;

    /// Number of plies by which the search of a late move is reduced.
    /// The number is even, because values of odd and even depths differ.
    pub(crate) const REDUCTION: u32 = 2;
}

/// Parameters of the solvers for at most 13 empties, in `endgame/`.
pub(crate) mod endgame {
    use crate::board::Score;

    /// Largest number of empties at which moves are ordered by parity alone.
    ///
    /// With 6: 12 % more nodes of FFO in the same time.
    pub(crate) const PARITY_EMPTIES: u32 = 5;

    /// Least number of empties for the enhanced transposition cut-off (Plaat et al. 1996).
    ///
    /// The cut-off saves 3 % of the nodes of FFO with 10, another 2 % with 9, and another 0.6 %
    /// with 8.
    pub(crate) const ETC_EMPTIES: u32 = 8;

    /// Largest number of empties at which a move that costs at most [`EARLY_COST`] is searched
    /// early: before the children of later moves are made. A cut-off then saves making them.
    pub(crate) const EARLY_EMPTIES: u32 = 9;

    /// Greatest cost of a move that is searched early (see [`EARLY_EMPTIES`]), in points of the
    /// move order. Most such moves leave one reply.
    ///
    /// Early searches save 4 % of the instructions, and add 0.3 % to the nodes. With 14: the same
    /// number of nodes. With 30: 5 % more nodes.
    pub(crate) const EARLY_COST: i32 = 20;

    /// Least number of empties at which the static values of the children also order the moves. A
    /// cheap evaluation, the ordering evaluation, gives these values.
    ///
    /// With 11: 2 % more nodes of six problems of FFO, and 1 % fewer instructions.
    pub(crate) const EVALUATED_EMPTIES: u32 = 10;

    /// A move is evaluated if its cost is at most this many points above the least cost.
    ///
    /// With 32: 0.4 % more nodes. Without a limit: 0.2 % fewer nodes, but more evaluations.
    pub(crate) const EVALUATED_WITHIN: i32 = 40;

    /// Cost of each legal reply of the opponent, in points of the move order.
    pub(crate) const REPLY: i32 = 18;
    /// Additional cost, in points, of each corner among the opponent's replies.
    pub(crate) const CORNER_REPLY: i32 = 12;
    /// Discount, in points, for a move into a quadrant with an odd number of empties. It saves 2 %
    /// of the time.
    pub(crate) const ODD_QUADRANT: i32 = 6;
    /// Discount, in points, for each unit of
    /// [`static_square_weight`](crate::eval::static_square_weight). It saves 2.5 % of the time.
    pub(crate) const SQUARE: i32 = 1;
    /// Cost, in points, of each disc of the child's static value as seen by the opponent.
    pub(crate) const DISC: i32 = 5;

    /// Least `alpha`, in discs, for a test of stable discs.
    /// With a smaller `alpha`, the test costs as much as it saves.
    pub(crate) const MIN_ALPHA: Score = 6;

    /// If a cut-off needs `n` stable discs of the opponent, they are counted only if the opponent
    /// has at least `n + SPARE_DISCS` discs.
    ///
    /// With fewer discs, nearly all of the opponent's discs would have to be stable. Such counts
    /// cause a cut-off in only 0.7 % of the cases.
    pub(crate) const SPARE_DISCS: u32 = 3;

    /// Least number of stable edge discs for which the stable discs of the whole board are counted.
    ///
    /// This limit and [`MAX_STABLE`] together miss 1 % of the cuts of FFO and save a third of the
    /// counts.
    pub(crate) const MIN_ON_EDGES: u32 = 6;

    /// Assumed maximum number of stable discs away from the edges. If even this number would not
    /// cause a cut-off, these discs are not counted.
    pub(crate) const MAX_STABLE: i32 = 15;

    /// Assumed maximum number of stable discs that one move adds. If even this number would not
    /// cause a cut-off, no stable discs are counted after the moves.
    ///
    /// With 12: 2 % fewer nodes of FFO, and 4 % more time.
    pub(crate) const MAX_ADDED: i32 = 8;

    /// log2 of the number of entries in the small table: each thread's own hash table for boards
    /// with few empties.
    ///
    /// With 12 or 16: 2 to 3 % more time.
    pub(crate) const BITS: u32 = 14;

    /// Boards with at least this number of empties are stored in the transposition table, which is
    /// larger and shared by all threads, and not in the small table.
    ///
    /// This saves 1.6 % of the nodes of FFO. 16 threads visit more nodes than one thread: this also
    /// saves a third of the excess.
    pub(crate) const SHARED_EMPTIES: u32 = 11;
}

/// Parameters of iterative deepening, in `deepening.rs`.
pub(crate) mod root {
    use crate::eval::Value;

    /// Half width of the first aspiration window in the midgame.
    ///
    /// Aspiration saves 0.5 to 1.5 % of the nodes in the midgame, and 14 % of the nodes of FFO.
    pub(crate) const ASPIRATION: Value = Value::from_score(2);

    /// Half width of the first aspiration window when the game is solved.
    pub(crate) const ENDGAME_ASPIRATION: Value = Value::from_score(1);

    /// Factor by which the aspiration window grows after each fail-high or fail-low.
    pub(crate) const WIDENING: i32 = 3;

    /// In a search without a depth limit, solving begins when the last iteration ended this number
    /// of plies before the end of the game.
    ///
    /// An exact search has more cut-offs, and reaches about this number of plies deeper at the same
    /// cost. If the time left is enough for a solve, solving begins earlier: see [`SOLVE_LEAD`].
    ///
    /// With 6: 12 ± 13 Elo less at 20,000 nodes per move.
    pub(crate) const EXACT_LEAD: u32 = 4;

    /// A requested solve begins when the last iteration ended this number of plies before the end
    /// of the game.
    ///
    /// The constant also applies if the time left is estimated to be enough for a solve.
    /// The iterations before the solve fill the table with moves to try first.
    pub(crate) const SOLVE_LEAD: u32 = 8;

    /// Depth in plies after which a requested solve begins, even before [`SOLVE_LEAD`] is reached.
    ///
    /// With 14: 11 % more nodes of FFO. With 17: 4 % more nodes.
    pub(crate) const MAX_DEPTH_BEFORE_SOLVING: u32 = 16;

    /// Least number of empties of a solve that goes through [`SOLVE_STAGES`]. With fewer empties, a
    /// solve begins at full width.
    pub(crate) const STAGED_EMPTIES: u32 = 20;

    /// Pairs of a depth in plies and the lowest selectivity level, in percent, of iterations from
    /// that depth on. Level 100 prunes nothing.
    ///
    /// Short searches gain more from depth, long searches more from confidence.
    ///
    /// Together with [`EXACT_LEAD`], these levels gain 28 ± 28 Elo at 1 s per move. At 25 empties,
    /// 76 % of the moves played are best moves, instead of 71 %.
    pub(crate) const LEAST_SELECTIVITY: [(u32, u32); 2] = [(14, 87), (17, 95)];

    /// Stages of a solve: selectivities, in percent, of the successive searches to the end of the
    /// game.
    ///
    /// These stages apply if no limit can end the search before the stage at 100 %. Otherwise every
    /// level is a stage.
    ///
    /// Each stage fills the table with moves for the next stage, and its value is the centre of the
    /// next aspiration window.
    /// The stage at 98 % saves 25 % of the nodes of FFO #40 to #44, and 5 % of the nodes at 20
    /// empties.
    pub(crate) const SOLVE_STAGES: [u32; 3] = [73, 98, 100];

    /// Least number of empties of a solve that has one more stage, at 99 % with the interval
    /// [`SURE_INTERVAL`](super::probcut::SURE_INTERVAL).
    ///
    /// Nodes of FFO #51 to #54 and #56 to #58 with the stage, as a multiple of the nodes without
    /// the stage: 0.92, 0.79, 0.99, 1.02, 1.01, 0.98, 0.69. At 20 to 26 empties, the stage costs up
    /// to 7 % more nodes.
    pub(crate) const SURE_STAGE_EMPTIES: u32 = 27;
}

/// Parameters of the parallel search, in `parallel.rs` and `team.rs`.
pub(crate) mod parallel {
    use crate::eval::Value;

    /// Least depth, in plies, of a node that is split in a search to a depth.
    ///
    /// With 4: a third more splits, but two threads take no less time.
    pub(crate) const MIDGAME_DEPTH: u32 = 5;

    /// Least number of empties of a node that is split in a search to the end of the game.
    ///
    /// Measured with 16 threads on FFO #46, #48 and #49. With 15: 2 % fewer nodes, but 9 % more
    /// time. With 18: 14 % fewer nodes, but 24 % more time.
    pub(crate) const ENDGAME_EMPTIES: u32 = 14;

    /// If the static value is at least this distance above `alpha`, a null-window node of a solve
    /// may be a cut node. Such a node is split only after its second move.
    ///
    /// This saves 8 % of the nodes of FFO #46, #48 and #49 with 14 to 17 threads. Distances of 2
    /// and 8 discs save less.
    pub(crate) const MAY_CUT: Value = Value::from_score(4);

    /// Number of spin iterations before an idle thread sleeps. They take about as long as waking
    /// the thread up.
    pub(crate) const SPIN_ITERATIONS: u32 = 1000;

    /// Number of nodes between two polls of the clock and the stop flags. The interval takes well
    /// under a millisecond.
    pub(crate) const NODES_PER_POLL: u64 = 1024;

    /// Number of nodes between two polls in a search with several threads.
    /// Polls are more frequent than with one thread, because a cut-off by another thread can make
    /// the work of this thread useless.
    pub(crate) const NODES_PER_POLL_IN_TEAM: u64 = 256;
}

/// Parameters of the transposition table and of the cache of static values, in `table/`.
pub(crate) mod table {
    /// Number of entries in a thread's cache of static values. An entry has 8 bytes.
    ///
    /// The entries fit in the second-level cache of a core. Time to depth 22, compared with no
    /// cache of static values: 14 % less with 2^15 entries, 5 % less with 2^13, 8 % less with 2^16,
    /// and 13 % more with 2^18.
    pub(crate) const CACHED_VALUES: usize = 1 << 15;

    /// Zeroing a new table may take at most `1 / TABLE_SHARE` of a fixed time per move, or of the
    /// time left on a clock. Zeroing a large table at once would take longer than a move of 0.1 s.
    ///
    /// If the table is not zeroed before the search, the first search of 0.05 s visits 455 to
    /// 68,000 nodes instead of 270,000.
    pub(crate) const TABLE_SHARE: u32 = 8;
}

/// Parameters of the time manager, in `time/`.
pub(crate) mod time {
    use crate::eval::Value;
    use std::time::Duration;

    /// Maximum time held back from a move for latency, if another process measures the move's time.
    pub(crate) const LATENCY: Duration = Duration::from_millis(100);

    /// Applies to a game with a clock in which the user has also set a fixed time per move. The
    /// fixed time is used only while the clock has time for at least this number of such moves.
    pub(crate) const MIN_MOVES_LEFT: u32 = 20;

    /// Time held back for each move, for the protocol's own overhead.
    pub(crate) const PROTOCOL_RESERVE: Duration = Duration::from_millis(10);

    /// At most `1 / RESERVE_SHARE` of a fixed time per move is held back, even if
    /// [`PROTOCOL_RESERVE`] is longer.
    ///
    /// Without this cap, 10 ms of a move of 0.1 s would be held back and cost 15 Elo: twice that
    /// time is worth 100 Elo.
    pub(crate) const RESERVE_SHARE: u32 = 50;

    /// Time is held back from the clock for each of the remaining moves. Whatever the sum of these
    /// reserves, the usable time is at least `1 / MIN_SHARE` of the clock divided by the number of
    /// remaining moves.
    pub(crate) const MIN_SHARE: u32 = 4;

    /// Maximum time of a move, as a multiple of its optimum. The optimum is the time after which
    /// the search should end.
    pub(crate) const STRETCH: u32 = 3;

    /// A move uses at most the increment plus `1 / MAX_SHARE` of the usable time of the clock.
    pub(crate) const MAX_SHARE: u32 = 3;

    /// A move whose search solves the game uses at most the increment plus `1 / SOLVING_SHARE` of
    /// the usable time of the clock. This is more than the usual maximum, because later moves of a
    /// solved game cost almost no time.
    pub(crate) const SOLVING_SHARE: u32 = 2;

    /// Number of own moves at the end of the game that get no share of the clock, because they need
    /// no time once the game is solved.
    ///
    /// With 13, games use 90 % of a clock of 10 s. With 11: 87 %. With 6: 66 %.
    pub(crate) const FREE_MOVES: u32 = 13;

    /// Minimum number of shares that the clock is divided into.
    pub(crate) const MIN_SHARES: u32 = 3;

    /// Time held back from the clock, in case the machine is busy when the move is sent.
    pub(crate) const STALL: Duration = Duration::from_millis(150);

    /// [`STALL`] is at most `1 / STALL_SHARE` of the clock.
    pub(crate) const STALL_SHARE: u32 = 2;

    /// Expected time elapsed at the end of the next iteration, as a multiple of the time elapsed at
    /// its start.
    pub(crate) const NEXT_ITERATION_FACTOR: u32 = 2;

    /// The optimum is multiplied by this percentage if the last iteration changed the best move.
    pub(crate) const UNSTABLE: u32 = 140;

    /// The optimum is multiplied by this percentage if the value has dropped by at least [`FALL`].
    /// [`UNSTABLE`] may apply as well.
    pub(crate) const FALLING: u32 = 130;

    /// Drop of the value over two iterations, in discs, from which on [`FALLING`] applies.
    /// The values compared are two iterations apart, because values of odd and even depths differ.
    pub(crate) const FALL: Value = Value::from_score(1);

    /// log10 of the estimated cost of a solve at 0 empties. [`SOLVE_PER_EMPTY`] is added for each
    /// empty square. The cost is a number of nodes: the solve takes at most as long as this number
    /// of nodes in a midgame search.
    ///
    /// The estimate held for 1,007 of 1,019 positions of tournament games with 13 to 24 empties.
    /// For half of these positions, the solve took less than 0.15 times the estimate.
    pub(crate) const SOLVE_BASE: f64 = -0.638;

    /// Increase of log10 of the estimated cost for each additional empty square: the cost is 2.2
    /// times as high.
    pub(crate) const SOLVE_PER_EMPTY: f64 = 0.347;

    /// Least number of nodes of a search from which its speed can be estimated.
    pub(crate) const MIN_SAMPLE: u64 = 1000;
}
