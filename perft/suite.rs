//! Runs the suites of move generation beside this file.
