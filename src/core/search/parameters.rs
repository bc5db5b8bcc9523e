//! Every tunable of the search, once, with its unit, its source and what it gains.
//!
//! Gains are differences of nodes, of time, of Elo, or of RMS, the error of values in discs.
//! "FFO" are the problems #40 to #49. `MEASUREMENTS.md` has the commands, and what was tried
//! without gain. Where no gain is stated, the cost of neighbouring values did not differ.

/// Node of the search: `interior.rs`.
pub(crate) mod node {
    use crate::eval::Value;

    /// Distance of the static value below `alpha` from which a null-window node of a solve orders
    /// its moves without their values.
    ///
    /// 10: 0.9 % more instructions with 20 and 22 empties, the same nodes. 4: 1 % more nodes.
    pub(crate) const FAR_BELOW: Value = Value::from_score(6);

    /// Least depth, in plies, at which the transposition table is probed and written.
    ///
    /// From depth 3 on: 1.2 % less time a node, but 9 % more nodes.
    pub(crate) const TABLE_DEPTH: u32 = 2;

    /// Least depth, in plies, for the enhanced transposition cut-off (Plaat et al. 1996).
    ///
    /// It saves 1.2 % of the nodes of the middle game and 9.7 % of FFO.
    pub(crate) const ETC_DEPTH: u32 = 5;

    /// Largest number of empties for `EndgameSolver`, in null windows.
    ///
    /// On FFO, 12 takes 14 % more time, and 14 takes 6 % more.
    pub(crate) const SMALL_EMPTIES: u32 = 13;
}

/// Move ordering: `ordering/`.
pub(crate) mod ordering {
    /// Parameters of move ordering. Weights are in points: moves with more points come first.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct MoveOrder {
        /// Least draft, in plies, of a table entry whose moves are tried first.
        pub(crate) table_moves_from: u32,
        /// Least depths of nodes for values of moves by a search of 0, 1, 2 and 3 plies.
        /// A search of 0 plies is the static value.
        pub(crate) evaluated_from: [u32; 4],
        /// A move is evaluated if its score is at most this many points below the best score.
        pub(crate) evaluated_within: i32,
        /// Deducted for each legal reply of the opponent.
        pub(crate) reply: i32,
        /// Deducted in addition for each corner among the opponent's replies.
        pub(crate) corner_reply: i32,
        /// Deducted for each disc of the child's value for the opponent.
        pub(crate) disc: i32,
        /// Weight of each step of [`static_square_weight`](crate::eval::static_square_weight).
        pub(crate) square: i32,
        /// Deducted for each square of the opponent's potential mobility, corners twice.
        pub(crate) potential: i32,
        /// Added for each own disc on a corner, or on a C square next to an own corner.
        pub(crate) at_corner: i32,
        /// Bonuses of the two killer moves of the ply, the latest first.
        pub(crate) killers: [i32; 2],
        /// Weight of each point of a history counter.
        pub(crate) history: i32,
    }

    /// Order in a search to a depth, tuned on node counts of `bench`.
    pub(crate) const MIDGAME: MoveOrder = MoveOrder {
        table_moves_from: 0,
        // Values from 2 plies on: 7 % less time to depth 22, no more games won.
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

    /// Order in a search to the end of the game, tuned on node counts of endgames.
    pub(crate) const ENDGAME: MoveOrder = MoveOrder {
        // Shallower entries come from the searches that value moves, and their moves mislead.
        // Entries of any depth: 22 % more nodes of FFO #50, #51, #52 and #56, 2 % more of #40-49.
        // Entries from depth 9 on: 6 % more.
        table_moves_from: 6,
        evaluated_from: [14, 18, 21, 24],
        // 60: 1 % more nodes. Without a limit: the same nodes, 3 % more time on FFO #51.
        evaluated_within: 75,
        reply: 15,
        corner_reply: 8,
        disc: 6,
        square: 0,
        // `potential` and `at_corner` together: 5.2 % fewer nodes of FFO, 10 % of #51, 7 % of #52.
        potential: 4,
        at_corner: 6,
        killers: [0, 0],
        history: 0,
    };

    /// Threshold that no node reaches: disables the step.
    const NEVER: u32 = u32::MAX;

    /// Bound of the absolute value of a history counter (Schaeffer 1983), in points of the order.
    ///
    /// The limit is low, so that recent cut-offs outweigh older ones elsewhere in the tree. History
    /// saves 6.2 % of the nodes at depth 14 and 73 % selectivity, 0.4 % at depth 12 and full width.
    pub(crate) const HISTORY_LIMIT: i32 = 128;
}

/// Multi-ProbCut (Buro 1997) and static cuts: `pruning.rs`.
pub(crate) mod probcut {
    /// Interval of each level of selectivity below 100 %, in standard deviations.
    ///
    /// A normally distributed error lies within ± this interval with the level's percentage. A cut
    /// needs a result that far outside the window.
    pub(crate) const INTERVALS: [f32; 5] = [1.1, 1.5, 2.0, 2.33, 2.58];

    /// Interval of the 99 % level in solves of many empties, in standard deviations: see
    /// [`SURE_STAGE_EMPTIES`](super::root::SURE_STAGE_EMPTIES).
    ///
    /// 5 and 6 save fewer nodes.
    pub(crate) const SURE_INTERVAL: f32 = 4.0;

    /// Least depth, in plies, for ProbCut by a shallow search. Below it, the static value decides.
    ///
    /// Static cuts at 1 and 2 plies against none: +89 ± 32 Elo. Cuts at 3 plies as well: +1 ± 27.
    pub(crate) const MIN_SEARCHED_DEPTH: u32 = 3;

    /// Maximum nesting of shallow searches within shallow searches.
    pub(crate) const MAX_NESTED_SEARCHES: u32 = 2;
}

/// Late moves of null windows: `pruning.rs`.
pub(crate) mod late_moves {
    /// Number of moves searched at most, by depth in plies. Other depths have no limit.
    ///
    /// These limits against none: +60 ± 26 Elo at 20,000 nodes a move, +33 ± 39 at 100,000. Moves
    /// at depth 3 are ordered without their static values: a limit of 6 there gains nothing.
    pub(crate) const MOST_MOVES: [usize; 10] = [ALL, 6, 5, ALL, 4, 4, 5, 5, 6, 6];

    /// No limit.
    pub(crate) const ALL: usize = usize::MAX;

    /// Least depth, in plies, of a node with late-move reductions.
    ///
    /// The reductions against none: +8.3 ± 6.8 Elo, RMS 1.08 instead of 1.13.
    /// RMS with other values of this and the next two constants: 1.10 to 1.17.
    pub(crate) const REDUCED_DEPTH: u32 = 6;

    /// Number of moves at the front of the order that are searched without a reduction.
    pub(crate) const FULL_DEPTH_MOVES: usize = 3;

    /// Number of plies by which a late move is reduced.
    /// The number is even: values of odd and even depths differ.
    pub(crate) const REDUCTION: u32 = 2;
}

/// Small solver, with at most 13 empties: `endgame/`.
pub(crate) mod endgame {
    use crate::board::Score;

    /// Largest number of empties at which moves are ordered by parity alone.
    ///
    /// 6: 12 % more nodes of FFO in the same time.
    pub(crate) const PARITY_EMPTIES: u32 = 5;

    /// Least number of empties for the enhanced transposition cut-off (Plaat et al. 1996).
    ///
    /// From 10 empties on it saves 3 % of the nodes of FFO, at 9 empties another 2 %, at 8 another
    /// 0.6 %.
    pub(crate) const ETC_EMPTIES: u32 = 8;

    /// Largest number of empties at which a move of low cost is searched before the children of
    /// later moves are made.
    pub(crate) const EARLY_EMPTIES: u32 = 9;

    /// Greatest cost of a move that is searched early (see [`EARLY_EMPTIES`]). Most such moves
    /// leave one reply.
    ///
    /// Early searches: 4 % fewer instructions, 0.3 % more nodes. A cost of 14: as many. 30: 5 %
    /// more nodes.
    pub(crate) const EARLY_COST: i32 = 20;

    /// Least number of empties at which the ordering evaluation is used.
    ///
    /// 11: 2 % more nodes of six problems of FFO, 1 % fewer instructions.
    pub(crate) const EVALUATED_EMPTIES: u32 = 10;

    /// A move is evaluated if its cost is at most this many points above the least cost.
    ///
    /// 32: 0.4 % more nodes. Without a limit: 0.2 % fewer nodes.
    pub(crate) const EVALUATED_WITHIN: i32 = 40;

    /// Cost of each legal reply of the opponent, in points of the order.
    pub(crate) const REPLY: i32 = 18;
    /// Additional cost of each corner among the opponent's replies.
    pub(crate) const CORNER_REPLY: i32 = 12;
    /// Discount for a move into a quadrant with an odd number of empties. It saves 2 % of the time.
    pub(crate) const ODD_QUADRANT: i32 = 6;
    /// Discount for each step of [`static_square_weight`](crate::eval::static_square_weight).
    /// It saves 2.5 % of the time.
    pub(crate) const SQUARE: i32 = 1;
    /// Cost of each disc of the child's value for the opponent, by the ordering evaluation.
    pub(crate) const DISC: i32 = 5;

    /// Least `alpha`, in discs, for a test of stable discs.
    /// Below it the test costs as much as it saves.
    pub(crate) const MIN_ALPHA: Score = 6;

    /// Number of discs that the opponent must have beyond the stable discs that a cut-off needs.
    ///
    /// With fewer discs, nearly all of them would have to be stable: 0.7 % of the tests cut.
    pub(crate) const SPARE_DISCS: u32 = 3;

    /// Least number of stable edge discs for which the stable discs of the whole board are counted.
    ///
    /// Together with [`MAX_STABLE`], it misses 1 % of the cuts of FFO and saves a third of the
    /// counts.
    pub(crate) const MIN_ON_EDGES: u32 = 6;

    /// Assumed maximum of stable discs away from the edges.
    pub(crate) const MAX_STABLE: i32 = 15;

    /// Assumed maximum of stable discs that one move adds.
    ///
    /// 12: 2 % fewer nodes of FFO and 4 % more time.
    pub(crate) const MAX_ADDED: i32 = 8;

    /// log2 of the number of entries in the small table.
    ///
    /// 12 or 16: 2 to 3 % more time.
    pub(crate) const BITS: u32 = 14;

    /// Least number of empties of boards that are stored in the transposition table instead, which
    /// is larger and shared by all threads.
    ///
    /// It saves 1.6 % of the nodes of FFO, and a third of the nodes that 16 threads add.
    pub(crate) const SHARED_EMPTIES: u32 = 11;
}

/// Iterations: `deepening.rs`.
pub(crate) mod root {
    use crate::eval::Value;

    /// Half width of the first aspiration window in the midgame.
    ///
    /// Aspiration saves 0.5 to 1.5 % of the nodes, and 14 % of the nodes of FFO.
    pub(crate) const ASPIRATION: Value = Value::from_score(2);

    /// Half width of the first aspiration window when the game is solved.
    pub(crate) const ENDGAME_ASPIRATION: Value = Value::from_score(1);

    /// Factor by which the aspiration window grows after each fail-high or fail-low.
    pub(crate) const WIDENING: i32 = 3;

    /// Distance in plies from an iteration to the end of the game at which solving begins.
    ///
    /// An exact search reaches this many plies deeper at the same cost, thanks to its cut-offs. The
    /// constant applies to searches without a depth limit. With enough time, solving begins
    /// earlier.
    ///
    /// 6: 12 ± 13 Elo less at 20,000 nodes a move.
    pub(crate) const EXACT_LEAD: u32 = 4;

    /// Distance in plies to the end of the game at which a requested solve begins.
    ///
    /// The constant also applies where the time is estimated to be enough for a solve.
    /// The iterations before the solve fill the table with moves to try first.
    pub(crate) const SOLVE_LEAD: u32 = 8;

    /// Depth in plies after which a requested solve begins, even before [`SOLVE_LEAD`] is reached.
    ///
    /// 14: FFO takes 11 % more nodes. 17: 4 % more.
    pub(crate) const MAX_DEPTH_BEFORE_SOLVING: u32 = 16;

    /// Least number of empties of a solve in [`SOLVE_STAGES`]. With fewer empties, a solve begins
    /// at full width.
    pub(crate) const STAGED_EMPTIES: u32 = 20;

    /// Least selectivity, in percent, of the iterations from a depth in plies on.
    ///
    /// Short searches gain more from depth, long searches more from confidence.
    ///
    /// Together with [`EXACT_LEAD`]: +28 ± 28 Elo at 1 s a move, and 76 instead of 71 % best moves
    /// at 25 empties.
    pub(crate) const LEAST_SELECTIVITY: [(u32, u32); 2] = [(14, 87), (17, 95)];

    /// Selectivities, in percent, of the successive searches to the end of the game.
    ///
    /// They apply where the search is sure to reach the last of them. Otherwise every level is a
    /// stage. Each stage fills the table with moves for the next and provides its aspiration value.
    /// The stage at 98 % saves 25 % of the nodes of FFO #40-44, 5 % of 20 empties.
    pub(crate) const SOLVE_STAGES: [u32; 3] = [73, 98, 100];

    /// Least number of empties of a solve that has one more stage, at 99 % with the margin
    /// [`SURE_INTERVAL`](super::probcut::SURE_INTERVAL).
    ///
    /// Nodes of FFO #51 to #54 and #56 to #58 with the stage, as a multiple of the nodes without
    /// it: 0.92, 0.79, 0.99, 1.02, 1.01, 0.98, 0.69. With 20 to 26 empties it costs up to 7 % more
    /// nodes.
    pub(crate) const SURE_STAGE_EMPTIES: u32 = 27;
}

/// Parallel search: `parallel.rs` and `team.rs`.
pub(crate) mod parallel {
    use crate::eval::Value;

    /// Least depth, in plies, of a node to split in a search to a depth.
    ///
    /// 4: a third more splits, but two threads take no less time.
    pub(crate) const MIDGAME_DEPTH: u32 = 5;

    /// Least number of empties of a node to split in a search to the end of the game.
    ///
    /// With 16 threads, nodes of FFO #46, #48 and #49: 15: 2 % fewer and 9 % longer, 18: 14 % fewer
    /// and 24 % longer.
    pub(crate) const ENDGAME_EMPTIES: u32 = 14;

    /// Distance of the static value above `alpha` from which a null-window node of a solve may be a
    /// cut node. It is then split only after its second move.
    ///
    /// With 14 to 17 threads: 8 % fewer nodes of FFO #46, #48 and #49. 2 or 8 discs save less.
    pub(crate) const MAY_CUT: Value = Value::from_score(4);

    /// Spin iterations before an idle thread sleeps: about as long as waking it up takes.
    pub(crate) const SPIN_ITERATIONS: u32 = 1000;

    /// Polling interval in nodes, for the clock and the stop flags: well under a millisecond.
    pub(crate) const NODES_PER_POLL: u64 = 1024;

    /// Polling interval in nodes with several threads.
    /// Shorter than with one, because a cut-off by another thread can make this work useless.
    pub(crate) const NODES_PER_POLL_IN_TEAM: u64 = 256;
}

/// Tables: `table/`.
pub(crate) mod table {
    /// Number of entries of the cache of static values, of 8 bytes each, for each thread.
    ///
    /// The entries fit in the second-level cache of a core: 14 % less time to depth 22 than without
    /// a cache.
    /// 2^13 entries: 5 % less time. 2^16: 8 % less. 2^18: 13 % more.
    pub(crate) const CACHED_VALUES: usize = 1 << 15;

    /// Zeroing a new table may take at most this fraction of the time of a move or on the clock:
    /// `1 / TABLE_SHARE`. Zeroing a large table at once would take longer than a move of 0.1 s.
    ///
    /// Without zeroing, the first search of 0.05 s has 455 to 68,000 nodes instead of 270,000.
    pub(crate) const TABLE_SHARE: u32 = 8;
}

/// Time of a move: `time/`.
pub(crate) mod time {
    use crate::eval::Value;
    use std::time::Duration;

    /// Maximum latency held back when another process measures the time of a move.
    pub(crate) const LATENCY: Duration = Duration::from_millis(100);

    /// A fixed time per move replaces a clock whose remaining time is enough for at least this
    /// number of such moves.
    pub(crate) const MIN_MOVES_LEFT: u32 = 20;

    /// Time held back for each move, for the protocol's own overhead.
    pub(crate) const PROTOCOL_RESERVE: Duration = Duration::from_millis(10);

    /// [`PROTOCOL_RESERVE`] is at most `1 / RESERVE_SHARE` of a fixed time per move.
    ///
    /// At 0.1 s a move twice the time is worth 100 Elo, so 10 ms held back would cost 15.
    pub(crate) const RESERVE_SHARE: u32 = 50;

    /// A move gets at least `1 / MIN_SHARE` of its even share of the clock, whatever the reserves.
    pub(crate) const MIN_SHARE: u32 = 4;

    /// Maximum time of a move, as a multiple of its optimum.
    pub(crate) const STRETCH: u32 = 3;

    /// A move uses at most `1 / MAX_SHARE` of the clock plus the increment.
    pub(crate) const MAX_SHARE: u32 = 3;

    /// A move that solves uses at most `1 / SOLVING_SHARE` of the clock plus the increment. This is
    /// more than the usual maximum, because later moves of a solved game cost almost no time.
    pub(crate) const SOLVING_SHARE: u32 = 2;

    /// Number of own moves at the end of the game that get no share of the clock.
    /// Once the game is solved, time changes no move.
    ///
    /// 13 uses 90 % of a clock of 10 s, 11 uses 87 %, and 6 uses 66 %.
    pub(crate) const FREE_MOVES: u32 = 13;

    /// Minimum number of shares that the clock is divided into.
    pub(crate) const MIN_SHARES: u32 = 3;

    /// Time held back from the clock, in case the machine is busy when the move is sent.
    pub(crate) const STALL: Duration = Duration::from_millis(150);

    /// [`STALL`] is at most `1 / STALL_SHARE` of the clock.
    pub(crate) const STALL_SHARE: u32 = 2;

    /// Expected time after the next iteration, as a multiple of the time elapsed before it.
    pub(crate) const NEXT_ITERATION_FACTOR: u32 = 2;

    /// Percentage of the optimum to use when the last iteration changed the best move.
    pub(crate) const UNSTABLE: u32 = 140;

    /// Percentage of the optimum to use after a drop of the value by [`FALL`]. [`UNSTABLE`] may
    /// apply as well.
    pub(crate) const FALLING: u32 = 130;

    /// Drop of the value over two iterations, in discs, from which [`FALLING`] applies.
    /// Values two iterations apart are compared, because odd and even depths differ.
    pub(crate) const FALL: Value = Value::from_score(1);

    /// log10 of the cost of a solve at 0 empties, as a number of midgame nodes.
    ///
    /// A solve is estimated to take at most as long as 10^(`SOLVE_BASE` + [`SOLVE_PER_EMPTY`] ×
    /// empties) nodes of a midgame search.
    /// The estimate held for 1,007 of 1,019 positions of tournament games with 13 to 24 empties.
    /// For half of these positions, the solve took less than 0.15 of the estimate.
    pub(crate) const SOLVE_BASE: f64 = -0.638;

    /// Growth of log10 of the cost of a solve for each further empty square: 2.2 times the time.
    pub(crate) const SOLVE_PER_EMPTY: f64 = 0.347;

    /// Least number of nodes from which the speed of a search can be estimated.
    pub(crate) const MIN_SAMPLE: u64 = 1000;
}
