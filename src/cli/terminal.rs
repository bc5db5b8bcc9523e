//! Widths of the terminal, as the reports of commands use them.

pub(super) use crate::view::{status_width, width, wrapped};
