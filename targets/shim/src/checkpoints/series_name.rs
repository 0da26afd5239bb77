//! Checkpoint names of one series: `ckpt-3` and `ckpt-12`, `cp-0003.ckpt` and `cp-0004.ckpt`,
//! `weights.03-0.31` and `weights.04-0.27`.
use std::cmp::Ordering;

/// Whether `name` is in the series of `first` and later than `first`. An example is a checkpoint that a killed program had not
/// listed yet. With `any`, `name` need not be later.
pub fn follows(name: &str, first: &str, any: bool) -> bool {
    if let Some((stem, latest)) = counted(first) {
        return counted(name).is_some_and(|(other, number)| other == stem && (any || number > latest));
    }
    let (shape, numbers) = shape(name);
    let (other, latest) = self::shape(first);
    shape == other && !numbers.is_empty() && (any || later(&numbers, &latest) == Ordering::Greater)
}

/// Splits a name in the default form of TensorFlow, such as `ckpt-3`, into stem and number. `None` for any other name.
fn counted(name: &str) -> Option<(&str, u64)> {
    let (stem, number) = name.rsplit_once('-')?;
    Some((stem, number.parse().ok()?))
}

/// Returns the name with `#` for each number, and the numbers without leading zeros.
fn shape(name: &str) -> (String, Vec<&str>) {
    let (mut shape, mut numbers, mut rest) = (String::new(), Vec::new(), name);
    while let Some(begin) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, digits) = rest.split_at(begin);
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let (number, behind) = digits.split_at(end);
        shape.push_str(before);
        shape.push('#');
        numbers.push(number.trim_start_matches('0'));
        rest = behind;
    }
    shape.push_str(rest);
    (shape, numbers)
}

/// Compares lists of numbers that are written without leading zeros.
fn later(numbers: &[&str], others: &[&str]) -> Ordering {
    let pairs = numbers.iter().zip(others);
    let by_size = |(one, other): (&&str, &&str)| one.len().cmp(&other.len()).then_with(|| one.cmp(other));
    pairs.map(by_size).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::follows;

    #[test]
    fn names_of_one_series_are_known_by_their_numbers() {
        for (earlier, later) in [
            ("ckpt-3", "ckpt-12"),
            ("cp-0003.ckpt", "cp-0010.ckpt"),
            ("weights.03-0.31", "weights.04-0.27"),
            ("model_9.ckpt", "model_10.ckpt"),
        ] {
            assert!(follows(later, earlier, false) && !follows(earlier, later, false), "{earlier} {later}");
            assert!(follows(earlier, later, true), "{earlier} {later}");
        }
        for (one, other) in
            [("a-1", "b-2"), ("fold1-100", "fold2-50"), ("best", "last"), ("ckpt-4", "cp-0004.ckpt")]
        {
            assert!(!follows(one, other, true) && !follows(other, one, true), "{one} {other}");
        }
    }
}
