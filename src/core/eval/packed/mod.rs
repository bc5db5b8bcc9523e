//! Packed form of the embedded weights: an arithmetic code of their tables.
//!
//! The build script includes these files and unpacks the weights. The example `pack` of the crate
//! `emilia-train` packs new ones.

pub mod coder;
pub mod file;
mod filter;
pub mod table;
