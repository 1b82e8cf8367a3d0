//! Aggregation of values by key.

use super::interner::{Internable, Interner};

/// Rows grouped by key.
#[derive(Debug)]
pub struct Groups<K> {
    /// The index of each row's key among the sorted keys.
    places: Vec<u32>,
    keys: Vec<K>,
}

impl<K: Internable + Ord> Groups<K> {
    /// Groups rows by key.
    pub fn new(rows: &[K]) -> Self {
        let mut table = Interner::default();
        let mut last = None;
        let mut places: Vec<u32> = Vec::with_capacity(rows.len());
        for &key in rows {
            let number = match last {
                Some((known, number)) if known == key => number,
                _ => table.number(key) as u32,
            };
            last = Some((key, number));
            places.push(number);
        }
        let mut order: Vec<(K, u32)> = table.keys().iter().copied().zip(0..).collect();
        // Keys of known groups come sorted, followed by new ones: a stable sort merges the two runs.
        order.sort_by_key(|&(key, _)| key);
        let mut place_of = vec![0; order.len()];
        for (place, &(_, number)) in (0..).zip(&order) {
            place_of[number as usize] = place;
        }
        places.iter_mut().for_each(|number| *number = place_of[*number as usize]);
        let keys = order.into_iter().map(|(key, _)| key).collect();
        Self { places, keys }
    }

    /// The keys in ascending order.
    pub fn into_keys(self) -> Vec<K> {
        self.keys
    }

    /// Folds the values of each key with `add`, starting from its neutral element.
    pub fn join<T: Copy>(&self, values: &[T], neutral: T, add: impl Fn(T, T) -> T) -> Vec<T> {
        let mut together = vec![neutral; self.keys.len()];
        for (&place, &value) in self.places.iter().zip(values) {
            let sum = &mut together[place as usize];
            *sum = add(*sum, value);
        }
        together
    }
}

/// How often each number below `most` occurs; others aren't counted.
pub fn count_numbers<T: Copy + TryInto<usize>>(numbers: &[T], most: usize) -> Vec<i64> {
    // Where rows are often the same, adding to one count would wait for the addition before: four take turns.
    const TURNS: usize = 4;
    let mut counts = vec![[0; TURNS]; most];
    for (row, &number) in numbers.iter().enumerate() {
        if let Some(count) = number.try_into().ok().and_then(|number| counts.get_mut(number)) {
            count[row % TURNS] += 1;
        }
    }
    counts.into_iter().map(|turns| turns.into_iter().sum()).collect()
}

/// The rows at which a key's value changes.
#[derive(Debug, Default, PartialEq)]
pub struct Changes {
    /// The first and last row of each key, in order of appearance.
    pub ends: Vec<(usize, usize)>,
    /// The rows whose value differs from the previous row with the same key.
    pub rows: Vec<usize>,
}

impl Changes {
    /// Finds the changes of `values` by key.
    pub fn of<K: Internable, V: PartialEq>(keys: &[K], values: &[V]) -> Self {
        let (mut table, mut found) = (Interner::default(), Self::default());
        for (row, (&key, value)) in keys.iter().zip(values).enumerate() {
            let number = table.number(key);
            match found.ends.get_mut(number) {
                Some((_, last)) => {
                    if values[*last] != *value {
                        found.rows.push(row);
                    }
                    *last = row;
                }
                None => found.ends.push((row, row)),
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_joined_by_key() {
        let groups = Groups::new(&[5, -1, 5, 5, i64::MIN]);
        let values = [1, 2, 3, -4, i64::MAX];
        assert_eq!(groups.join(&values, 0, i64::wrapping_add), [i64::MAX, 2, 0]);
        assert_eq!(groups.join(&values, i64::MAX, i64::min), [i64::MAX, 2, -4]);
        assert_eq!(groups.join(&[0.5, 1.5, 2.5, -0.5, 3.5], f64::NEG_INFINITY, f64::max), [3.5, 1.5, 2.5]);
        assert_eq!(groups.into_keys(), [i64::MIN, -1, 5]);
        assert!(Groups::<i64>::new(&[]).into_keys().is_empty());
    }

    #[test]
    fn numbers_are_counted_below_a_limit() {
        let numbers = [3, 0, 3, -1, 3, 4, i64::MIN, 3, 3, 0, i64::MAX];
        assert_eq!(count_numbers(&numbers, 4), [2, 0, 0, 5]);
        assert_eq!(count_numbers(&[255u8, 1, 255], 256)[254..], [0, 2]);
        assert!(count_numbers(&numbers, 0).is_empty());
    }

    #[test]
    fn changes_are_those_of_each_key() {
        let found = Changes::of(&[7i64, 7, 0, 7, 0, 7], &[1, 1, 1, 2, 1, 1]);
        assert_eq!(found, Changes { ends: vec![(0, 5), (2, 4)], rows: vec![3, 5] });
    }
}
