//! Tests of the conversion of versioned structs.

use super::*;

/// A struct whose last two fields were added in later versions.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Grown {
    size: u32,
    old: u32,
    new: u32,
    newest: u32,
}

// SAFETY: `repr(C)` with four 32-bit numbers has no padding.
unsafe impl Versioned for Grown {
    const NAME: &'static str = "grown";
    const FIRST_SIZE: usize = 8;
}

/// Memory of a caller whose struct has `size` bytes. The bytes after it must stay unchanged.
fn of_caller(size: u32) -> [u32; 6] {
    [size, 11, 12, 13, 0, 15]
}

#[test]
fn structs_of_all_versions_are_converted() {
    for (size, read_as, written) in [
        (8, [11, 0, 0], [8, 1, 12, 13, 0, 15]),
        (12, [11, 12, 0], [12, 1, 2, 13, 0, 15]),
        (16, [11, 12, 13], [16, 1, 2, 3, 0, 15]),
        (20, [11, 12, 13], [20, 1, 2, 3, 0, 15]),
    ] {
        let mut memory = of_caller(size);
        let at = memory.as_mut_ptr().cast::<Grown>();
        // SAFETY: the memory has 24 bytes, which is at least the size in its first field.
        let Ok(value) = (unsafe { read(at.cast_const()) }) else {
            panic!("{size} is refused");
        };
        assert_eq!([value.old, value.new, value.newest], read_as);
        let answer = Grown {
            size: 0,
            old: 1,
            new: 2,
            newest: 3,
        };
        // SAFETY: the memory has 24 bytes, which is at least the size in its first field.
        assert!(unsafe { write(at, &answer) }.is_ok());
        assert_eq!(memory, written);
    }
    // Sizes below the first version are refused, and so is a nonzero field beyond this one.
    for size in [0, 4, 7, 24] {
        let memory = of_caller(size);
        // SAFETY: the memory has 24 bytes, which is at least the size in its first field.
        let refused = unsafe { read(memory.as_ptr().cast::<Grown>()) };
        assert!(refused.is_err(), "{size}");
    }
}
