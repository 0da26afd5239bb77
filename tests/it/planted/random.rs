//! Random selection of the faults of a mutant.
use super::planter::Planter;

/// Selection of further faults.
#[derive(Clone, Copy)]
enum Choice {
    Anywhere,
    /// On the line of the first fault.
    Line,
    /// On nearby lines.
    Block,
    /// In the other file.
    Across,
}

const CHOICES: [Choice; 4] = [Choice::Anywhere, Choice::Line, Choice::Block, Choice::Across];

/// SplitMix64 (Steele, Lea, and Flood).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }
}

/// Returns one to eight faults of different codes that can be combined.
pub fn mutant(seed: u64, planters: &[&'static Planter]) -> Vec<&'static Planter> {
    let mut random = Random(seed);
    let wanted = 1 + seed as usize % 8;
    let choice = CHOICES[(seed / 8) as usize % CHOICES.len()];
    let first = planters[random.below(planters.len())];
    let mut chosen = vec![first];
    let near: Vec<_> = planters.iter().copied().filter(|other| is_near(choice, first, other)).collect();
    for attempt in 0..wanted * 8 {
        // If there are too few planters nearby, any other planter is used.
        let from = if attempt < wanted * 4 && !near.is_empty() { &near[..] } else { planters };
        let next = from[random.below(from.len())];
        let fits = |other: &&Planter| other.code != next.code && !other.touches(next);
        if chosen.len() < wanted && chosen.iter().all(fits) {
            chosen.push(next);
        }
    }
    chosen
}

fn is_near(choice: Choice, first: &Planter, other: &Planter) -> bool {
    let lines = |planter: &Planter| {
        let change = &planter.changes()[0];
        (change.file, change.file.text()[..change.range.start].matches('\n').count())
    };
    let ((file, line), (other_file, other_line)) = (lines(first), lines(other));
    match choice {
        Choice::Anywhere => true,
        Choice::Line => file == other_file && line == other_line,
        Choice::Block => file == other_file && line.abs_diff(other_line) <= 5,
        Choice::Across => file != other_file,
    }
}
