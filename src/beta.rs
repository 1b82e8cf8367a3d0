//! The incomplete beta function's continued fraction, for tails of the binomial law and Student's t.

/// Stands for a denominator of 0.
const TINY: f64 = 1e-300;
const MOST_STEPS: u32 = 100_000;

fn not_zero(value: f64) -> f64 {
    if value == 0.0 { TINY } else { value }
}

/// The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method. It converges fast for
/// `x` up to (a + 1) / (a + b + 2), in about the square root of the larger of `a` and `b` steps.
pub fn fraction(a: f64, b: f64, x: f64) -> f64 {
    let both = a + b;
    let mut c = 1.0;
    let mut d = 1.0 / not_zero(1.0 - both * x / (a + 1.0));
    let mut value = d;
    for m in (1..MOST_STEPS).map(f64::from) {
        let place = a + 2.0 * m;
        let odd = m * (b - m) * x / ((place - 1.0) * place);
        let even = -(a + m) * (both + m) * x / (place * (place + 1.0));
        d = 1.0 / not_zero(1.0 + odd * d);
        c = not_zero(1.0 + odd / c);
        value *= c * d;
        d = 1.0 / not_zero(1.0 + even * d);
        c = not_zero(1.0 + even / c);
        let change = c * d;
        value *= change;
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With `b` = 1 the function is x^a, whose front factor is a x^a (1 - x): the fraction is 1 / (1 - x).
    #[test]
    fn a_power_of_x_has_a_closed_form() {
        for (a, x) in [(1.0, 0.25), (3.0, 0.5), (40.0, 0.875), (1e6, 0.5)] {
            assert!((fraction(a, 1.0, x) * (1.0 - x) - 1.0).abs() < 1e-13, "{a} {x}");
        }
    }
}
