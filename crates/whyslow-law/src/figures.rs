//! Figures of real numbers: counts, medians, scatter.

/// Returns a number of things as a real one.
#[expect(
    clippy::cast_precision_loss,
    reason = "numbers of operations are far below 2⁵³"
)]
pub fn count(of: usize) -> f64 {
    of as f64
}

/// Returns the median, or 0 of nothing.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    let half = values.len() / 2;
    if values.is_empty() {
        return 0.0;
    }
    let (below, &mut middle, _) = values.select_nth_unstable_by(half, f64::total_cmp);
    if below.len() < half || values.len() % 2 == 1 {
        return middle;
    }
    let lower = values[..half].iter().copied().max_by(f64::total_cmp);
    f64::midpoint(lower.unwrap_or(middle), middle)
}

/// Returns the standard deviation that corresponds to the median absolute deviation of normal
/// noise.
pub(crate) fn deviation(values: &[f64]) -> f64 {
    let middle = median(values);
    let distances: Vec<f64> = values.iter().map(|value| (value - middle).abs()).collect();
    1.4826 * median(&distances)
}

/// Returns how many bins in a row the residuals `left` last, as far as neighbors show it.
pub(crate) fn lasting(left: &[f64]) -> f64 {
    let square: f64 = left.iter().map(|r| r * r).sum();
    let neighbors: f64 = left.windows(2).map(|pair| pair[0] * pair[1]).sum();
    // A fit takes some of what lasts with it; so neighbors look less alike than they are.
    let lost = 4.0 / count(left.len().max(4));
    let like = (neighbors / square.max(f64::MIN_POSITIVE) + lost).clamp(0.0, 0.9);
    (1.0 + like) / (1.0 - like)
}
