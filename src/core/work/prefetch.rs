//! Cache prefetch for data that is read soon, such as a transposition table bucket.

#![allow(unsafe_code, reason = "prefetch intrinsic")]

/// Prefetches the first cache line of `value`. Does nothing on processors other than x86-64.
#[inline]
pub fn prefetch<T>(value: &T) {
    let address: *const T = value;
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch is a hint and reads no value. The address belongs to a live value.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}
