/// Decimals of an entered number that count; what is finer is rounded away.
const DECIMALS: f64 = 1e6;
pub const MILLION: i128 = 1_000_000;

/// Far beyond every amount a field accepts, and far within what a later product can hold.
const LARGEST_MILLIONTHS: f64 = 1e18;

/// An entered number in millionths; not a number counts as 0.
pub fn millionths(value: f64) -> i128 {
    (value * DECIMALS).round().clamp(-LARGEST_MILLIONTHS, LARGEST_MILLIONTHS) as i128
}

/// `a / b` for b > 0, rounded half away from zero, within the range of stored integers.
pub fn divide(a: i128, b: i128) -> i64 {
    let rounded = (a.abs() * 2 + b) / (b * 2) * a.signum();
    i64::try_from(rounded).unwrap_or(if rounded < 0 { i64::MIN } else { i64::MAX })
}
