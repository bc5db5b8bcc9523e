//! Simulated clock for the threads of a search: measures more threads than there are cores.
//! Tests only.
//!
//! One thread runs at a time: always the one with the least virtual time. Virtual time is the
//! work of a thread plus its waiting. Its unit is the cost of a node with at most 13 empties.
//! The search takes the course that it would take with a core for each thread at these costs,
//! and is deterministic.
//! Outside the tests [`VirtualTime`] is empty, and its calls compile to nothing.

#[cfg(not(test))]
pub(in crate::search) use absent::VirtualTime;
#[cfg(test)]
pub(in crate::search) use present::{Statistics, VirtualTime};

#[cfg(not(test))]
mod absent {
    /// No virtual time: the threads of the team run side by side.
    #[derive(Debug, Default)]
    pub(in crate::search) struct VirtualTime(());

    /// No count of work.
    #[derive(Debug)]
    pub(in crate::search) struct Work;

    // Calls are the same with and without virtual time.
    #[allow(clippy::unused_self)]
    impl VirtualTime {
        pub(in crate::search) fn begin(&self, _worker: usize) {}
        pub(in crate::search) fn end(&self) {}
        pub(in crate::search) fn pass(&self, _visited: u64, _small: u64) {}
        pub(in crate::search) fn lock(&self) {}
        pub(in crate::search) fn wake(&self) {}
        pub(in crate::search) fn wait(&self) -> bool {
            false
        }
        pub(in crate::search) fn open(&self, _empties: u32) {}
        pub(in crate::search) fn join(&self, _empties: u32) {}
        pub(in crate::search) fn work(&self) -> Work {
            Work
        }
        pub(in crate::search) fn discard(&self, _before: Work) {}
    }
}

#[cfg(test)]
mod present {
    use std::cell::Cell;
    use std::sync::{Condvar, Mutex, MutexGuard};

    /// Cost of a node that `SmallSolver` does not search, in units.
    /// A unit is the cost of one of its nodes (13 empties and fewer): about 40 ns.
    const VISIT: u64 = 7;

    /// Least time, in units, between two changes of the running thread.
    const QUANTUM: u64 = 512;

    /// Time, in units, until a waiting thread runs again after a signal.
    const WAKING: u64 = 400;

    /// Time, in units, of one lock of a mutex.
    const LOCK: u64 = 5;

    thread_local! {
        /// Index of this worker, and its units of time that are not counted yet.
        static WORKER: Cell<(usize, u64)> = const { Cell::new((0, 0)) };
    }

    /// Virtual time of a team, or none where its threads run side by side.
    #[derive(Debug, Default)]
    pub(in crate::search) struct VirtualTime(Option<Turns>);

    #[derive(Debug)]
    struct Turns {
        state: Mutex<State>,
        /// Signals of the workers that their turn has come.
        signals: Vec<Condvar>,
    }

    #[derive(Debug)]
    struct State {
        /// The worker that runs.
        turn: usize,
        workers: Vec<Worker>,
        statistics: Statistics,
    }

    #[derive(Clone, Debug, Default)]
    struct Worker {
        time: u64,
        worked: u64,
        /// Work on moves whose search ended early, because another move had caused a cut-off.
        discarded: u64,
        /// Whether the worker waits for a signal, or has ended.
        waits: bool,
        has_ended: bool,
    }

    /// Measurements of one search. Times are in units.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(in crate::search) struct Statistics {
        /// Time of the main thread.
        pub(in crate::search) time: u64,
        pub(in crate::search) idle: u64,
        /// Work of all workers, and the part of it that was called off.
        pub(in crate::search) work: u64,
        pub(in crate::search) discarded: u64,
        pub(in crate::search) locks: u64,
        /// Numbers of splits, and of threads that joined them, by empties.
        pub(in crate::search) opened: [u64; 64],
        pub(in crate::search) joined: [u64; 64],
    }

    impl Default for Statistics {
        fn default() -> Statistics {
            Statistics::of_one_thread(0, 0)
        }
    }

    impl Statistics {
        /// Returns the measurements of a search by one thread: `small` nodes by `SmallSolver`,
        /// and `visited` others.
        pub(in crate::search) fn of_one_thread(visited: u64, small: u64) -> Statistics {
            let time = VISIT * visited + small;
            Statistics {
                time,
                idle: 0,
                work: time,
                discarded: 0,
                locks: 0,
                opened: [0; 64],
                joined: [0; 64],
            }
        }

        /// Adds the measurements of another search.
        pub(in crate::search) fn add(&mut self, other: &Statistics) {
            self.time += other.time;
            self.idle += other.idle;
            self.work += other.work;
            self.discarded += other.discarded;
            self.locks += other.locks;
            for empties in 0..64 {
                self.opened[empties] += other.opened[empties];
                self.joined[empties] += other.joined[empties];
            }
        }
    }

    impl VirtualTime {
        /// Creates the virtual time of a team of `workers`.
        pub(in crate::search) fn of(workers: usize) -> VirtualTime {
            VirtualTime(Some(Turns {
                state: Mutex::new(State {
                    turn: 0,
                    workers: vec![Worker::default(); workers],
                    statistics: Statistics::default(),
                }),
                signals: (0..workers).map(|_| Condvar::new()).collect(),
            }))
        }

        pub(in crate::search) fn statistics(&self) -> Statistics {
            let state = self.0.as_ref().unwrap().state.lock().unwrap();
            let workers = &state.workers;
            let mut statistics = state.statistics.clone();
            statistics.time = workers[0].time;
            statistics.work = workers.iter().map(|worker| worker.worked).sum();
            statistics.discarded = workers.iter().map(|worker| worker.discarded).sum();
            statistics.idle = statistics.time * workers.len() as u64 - statistics.work;
            statistics
        }

        /// Begins the work of a helper, when its turn has come.
        pub(in crate::search) fn begin(&self, worker: usize) {
            WORKER.set((worker, 0));
            if let Some(turns) = &self.0 {
                turns.wait_for_turn(turns.state.lock().unwrap());
            }
        }

        /// Ends the work of this thread.
        pub(in crate::search) fn end(&self) {
            self.with(|state, worker| state.workers[worker].has_ended = true);
            if let Some(turns) = &self.0 {
                turns.hand_over(&mut turns.state.lock().unwrap());
            }
        }

        /// Adds nodes to the time of this thread, and lets threads with less time run first.
        pub(in crate::search) fn pass(&self, visited: u64, small: u64) {
            let Some(turns) = &self.0 else { return };
            let (worker, pending) = WORKER.get();
            let pending = pending + VISIT * visited + small;
            WORKER.set((worker, pending));
            if pending >= QUANTUM {
                self.with(|_, _| {});
                let mut state = turns.state.lock().unwrap();
                turns.hand_over(&mut state);
                turns.wait_for_turn(state);
            }
        }

        /// Counts a lock of a mutex.
        pub(in crate::search) fn lock(&self) {
            self.with(|state, worker| {
                state.statistics.locks += 1;
                state.workers[worker].time += LOCK;
            });
        }

        /// Ends the waiting of all threads.
        pub(in crate::search) fn wake(&self) {
            self.with(|state, worker| {
                let now = state.workers[worker].time;
                for other in state.workers.iter_mut().filter(|worker| worker.waits) {
                    other.waits = false;
                    other.time = other.time.max(now + WAKING);
                }
            });
        }

        /// Waits until another thread calls `wake`. Returns `false` without virtual time.
        pub(in crate::search) fn wait(&self) -> bool {
            self.with(|state, worker| state.workers[worker].waits = true);
            if let Some(turns) = &self.0 {
                let mut state = turns.state.lock().unwrap();
                turns.hand_over(&mut state);
                turns.wait_for_turn(state);
            }
            self.0.is_some()
        }

        /// Counts a split of a node with this number of empties.
        pub(in crate::search) fn open(&self, empties: u32) {
            self.with(|state, _| state.statistics.opened[empties as usize] += 1);
        }

        /// Counts a thread that joins the split of a node with this number of empties.
        pub(in crate::search) fn join(&self, empties: u32) {
            self.with(|state, _| state.statistics.joined[empties as usize] += 1);
        }

        /// Returns the work of this thread so far, and the part of it that was called off.
        pub(in crate::search) fn work(&self) -> (u64, u64) {
            let mut work = (0, 0);
            self.with(|state, worker| {
                let worker = &state.workers[worker];
                work = (worker.worked, worker.discarded);
            });
            work
        }

        /// Counts the work of this thread since it was `before` as called off.
        pub(in crate::search) fn discard(&self, before: (u64, u64)) {
            self.with(|state, worker| {
                let worker = &mut state.workers[worker];
                worker.discarded = before.1 + worker.worked - before.0;
            });
        }

        /// Counts the pending time of this thread and calls `action` with its index.
        fn with(&self, action: impl FnOnce(&mut State, usize)) {
            if let Some(turns) = &self.0 {
                let (worker, pending) = WORKER.get();
                WORKER.set((worker, 0));
                let mut state = turns.state.lock().unwrap();
                state.workers[worker].time += pending;
                state.workers[worker].worked += pending;
                action(&mut state, worker);
            }
        }
    }

    impl Turns {
        /// Gives the turn to the thread with the least time.
        fn hand_over(&self, state: &mut State) {
            let runs = |&(_, worker): &(usize, &Worker)| !worker.waits && !worker.has_ended;
            let workers = state.workers.iter().enumerate().filter(runs);
            if let Some((next, _)) = workers.min_by_key(|(_, worker)| worker.time) {
                state.turn = next;
                self.signals[next].notify_one();
            }
        }

        fn wait_for_turn(&self, mut state: MutexGuard<State>) {
            let (worker, _) = WORKER.get();
            while state.turn != worker {
                state = self.signals[worker].wait(state).unwrap();
            }
        }
    }
}
