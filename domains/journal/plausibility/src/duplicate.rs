const TWENTY_MINUTES_US: i64 = 20 * 60 * 1_000_000;

/// `duplicate_suspect`, for two meals of one user-day whose times are known: at most 20 minutes apart, and energies that
/// differ by at most 2 % of the larger. Times are microseconds, energies tenths of a kcal.
pub fn duplicate_suspect(one: (i64, i64), other: (i64, i64)) -> bool {
    let ((one_us, one_kcal), (other_us, other_kcal)) = (one, other);
    let near = one_us.abs_diff(other_us) <= TWENTY_MINUTES_US.unsigned_abs();
    let apart = (one_kcal - other_kcal).abs();
    near && apart * 50 <= one_kcal.max(other_kcal)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60_000_000;

    #[test]
    fn the_same_energy_within_twenty_minutes_is_suspect() {
        assert!(duplicate_suspect((0, 5_000), (20 * MINUTE, 5_000)));
        assert!(duplicate_suspect((20 * MINUTE, 4_900), (0, 5_000)));
        assert!(!duplicate_suspect((0, 5_000), (20 * MINUTE + 1, 5_000)));
        assert!(!duplicate_suspect((0, 5_000), (0, 4_899)));
        assert!(duplicate_suspect((0, 0), (0, 0)));
    }
}
