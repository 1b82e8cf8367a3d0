//! Positions of values in a sorted array whose values are mostly multiples of a common step: 1, 0.1, 0.01,
//! ...
//!
//! A table with one entry per step replaces most binary searches: the step count of a value, rounded, is an
//! index into it. The entry is only a candidate, so that rounding errors and values off the grid are
//! harmless: the value found there is compared with the one looked up.

/// A table over the evenly spaced leading part of the sorted values.
#[derive(Clone, Copy, Debug)]
pub struct Steps<'a> {
    /// Steps per unit, the reciprocal of the step size.
    pub each: i64,
    /// The first value, in steps.
    pub first: i64,
    /// The position of the value at each step from the first on; arbitrary where the array has none.
    pub places: &'a [i32],
}

/// A numeric type that can be looked up.
pub trait Searchable: Copy + PartialOrd {
    /// The approximate number of steps above the first value; arbitrary for values off the grid.
    fn steps_above(self, first: i64, each: i64) -> u64;
}

impl Searchable for f64 {
    #[inline]
    fn steps_above(self, first: i64, each: i64) -> u64 {
        (self * each as f64 - first as f64 + 0.5) as i64 as u64
    }
}

impl Searchable for i64 {
    #[inline]
    fn steps_above(self, first: i64, _: i64) -> u64 {
        self.wrapping_sub(first) as u64
    }
}

/// The position of each value in `sorted`, or -1 if it isn't there.
pub fn places<T: Searchable>(values: &[T], sorted: &[T], steps: Option<Steps<'_>>) -> Vec<i64> {
    let search = |value: T| sorted.partition_point(|known| *known < value);
    let place = |value: T| {
        let near = steps.and_then(|Steps { each, first, places }| {
            places.get(usize::try_from(value.steps_above(first, each)).ok()?)
        });
        near.map_or_else(|| search(value), |&place| place as usize)
    };
    let found = |value: T| {
        let place = place(value);
        if sorted.get(place).is_some_and(|known| *known == value) { place as i64 } else { -1 }
    };
    values.iter().map(|&value| found(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow<T: Searchable>(values: &[T], sorted: &[T]) -> Vec<i64> {
        let place = |value: &T| sorted.iter().position(|known| known == value);
        values.iter().map(|value| place(value).map_or(-1, |place| place as i64)).collect()
    }

    #[test]
    fn doubles_are_found_with_steps_and_without() {
        let sorted: Vec<f64> = (-30..300).step_by(3).map(|n| f64::from(n) / 100.0).chain([1e9]).collect();
        let mut table = vec![0; 328];
        (0..110).for_each(|place| table[3 * place as usize] = place);
        let mut values: Vec<f64> = (-500..500).map(|n| f64::from(n) / 100.0).collect();
        values.extend([
            1e9,
            -0.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            0.03 + 1e-17,
            0.1 + 0.2,
            1e300,
        ]);
        let steps = Steps { each: 100, first: -30, places: &table };
        assert_eq!(places(&values, &sorted, Some(steps)), slow(&values, &sorted));
        assert_eq!(places(&values, &sorted, None), slow(&values, &sorted));
    }

    #[test]
    fn whole_numbers_are_found_with_steps_and_without() {
        let (sorted, values) = ([-7, -5, 0, 1, i64::MAX], [-7, -6, -5, 0, 1, 2, i64::MIN, i64::MAX, 1 << 40]);
        let steps = Steps { each: 1, first: -7, places: &[0, 0, 1, 0, 0, 0, 0, 2, 3] };
        assert_eq!(places(&values, &sorted, Some(steps)), slow(&values, &sorted));
        assert_eq!(places(&values, &sorted, None), slow(&values, &sorted));
        assert_eq!(places(&[5], &[], None), [-1]);
    }
}
