//! Figures of order: medians and other percentiles of whole numbers.

/// Returns the median, the lower one of two; 0 of nothing.
pub fn median_u64(values: &[u64]) -> u64 {
    let mut values = values.to_vec();
    let Some(half) = values.len().checked_sub(1).map(|last| last / 2) else {
        return 0;
    };
    *values.select_nth_unstable(half).1
}

/// Returns the values below which `percent` of `sorted` lie, each one that was measured.
pub fn percentile(sorted: &[u64], percent: u64) -> u64 {
    let len = u64::try_from(sorted.len()).unwrap_or(u64::MAX);
    let rank = (len.saturating_mul(percent)).div_ceil(100).max(1) - 1;
    let at = usize::try_from(rank).unwrap_or(usize::MAX);
    sorted.get(at).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_were_measured() {
        let sorted: Vec<u64> = (1..=200).collect();
        assert_eq!(percentile(&sorted, 50), 100);
        assert_eq!(percentile(&sorted, 95), 190);
        assert_eq!(percentile(&sorted, 100), 200);
        assert_eq!(percentile(&[7], 99), 7);
        assert_eq!(percentile(&[], 99), 0);
        assert_eq!(median_u64(&[3, 1, 2]), 2);
        assert_eq!(median_u64(&[4, 1, 3, 2]), 2);
        assert_eq!(median_u64(&[]), 0);
    }
}
