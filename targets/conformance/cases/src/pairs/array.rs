//! The covering array of strength 2: every pair of levels of two factors is in a row that the gate accepts, or is
//! refused. The algorithm is greedy: each row starts with an open pair, and each factor gets the level that closes the most
//! pairs. If the gate refuses a row, the smallest refused part of it is searched and remembered.
use super::document::Row;
use crate::mutants::Random;
use std::collections::BTreeMap;

/// A factor and one of its levels.
pub type Cell = (usize, usize);

/// Accepts or refuses rows.
pub trait Oracle {
    /// Returns why a row is refused, with the factors of the refusal; `None` if it is accepted.
    fn refused(&mut self, row: &Row) -> Option<(String, Vec<usize>)>;
}

/// State of a pair.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Covered,
    Refused,
}

/// The array.
pub struct Array {
    /// The rows that are accepted.
    pub rows: Vec<Row>,
    /// The pairs that are refused although each level alone is accepted, with the reasons.
    pub refused: BTreeMap<(Cell, Cell), String>,
    /// Number of pairs that are in a row.
    pub covered: usize,
    /// Number of pairs of levels that are accepted alone.
    pub pairs: usize,
}

/// The array under construction.
struct Builder<'o, O> {
    oracle: &'o mut O,
    random: Random,
    /// The first cell of each factor; the last is the number of cells.
    starts: Vec<usize>,
    /// The levels of each factor that are accepted alone.
    levels: Vec<Vec<usize>>,
    states: Vec<State>,
    /// Number of open pairs of each level.
    open: Vec<usize>,
    refused: BTreeMap<(Cell, Cell), String>,
    /// Larger combinations that are refused.
    larger: Vec<Vec<Cell>>,
}

/// Returns the covering array of these levels (per factor, those that are accepted alone), with at most `most` rows.
pub fn cover(oracle: &mut impl Oracle, levels: Vec<Vec<usize>>, seed: u64, most: usize) -> Array {
    let mut starts = vec![0];
    for own in &levels {
        starts.push(starts.last().unwrap_or(&0) + own.iter().max().map_or(0, |last| last + 1));
    }
    let cells = starts.last().copied().unwrap_or(0);
    let states = vec![State::Open; cells * cells];
    let (random, open) = (Random::new(seed), vec![0; cells]);
    let (refused, larger) = (BTreeMap::new(), Vec::new());
    let mut builder = Builder { oracle, random, starts, levels, states, open, refused, larger };
    let all = builder.all_pairs();
    let mut rows = Vec::new();
    while rows.len() < most
        && let Some((a, b)) = builder.first_open()
    {
        rows.extend(builder.row(a, b));
    }
    let covered = all.iter().filter(|(a, b)| builder.state(*a, *b) == State::Covered).count();
    Array { rows, refused: builder.refused, covered, pairs: all.len() }
}

impl<O: Oracle> Builder<'_, O> {
    /// Every pair.
    fn all_pairs(&mut self) -> Vec<(Cell, Cell)> {
        let cells = self.all_cells();
        let mut pairs = Vec::new();
        for (place, a) in cells.iter().enumerate() {
            pairs.extend(cells[place..].iter().filter(|b| b.0 != a.0).map(|b| (*a, *b)));
        }
        for (a, b) in &pairs {
            let (a, b) = (self.number(*a), self.number(*b));
            self.open[a] += 1;
            self.open[b] += 1;
        }
        pairs
    }

    fn all_cells(&self) -> Vec<Cell> {
        let own = |(factor, own): (usize, &Vec<usize>)| {
            own.iter().map(move |level| (factor, *level)).collect::<Vec<_>>()
        };
        self.levels.iter().enumerate().flat_map(own).collect()
    }

    /// Returns an open pair of the level with the most open pairs.
    fn first_open(&mut self) -> Option<(Cell, Cell)> {
        let cells = self.all_cells();
        let start = self.random.below(cells.len().max(1));
        let most =
            |cells: &mut dyn Iterator<Item = Cell>| cells.max_by_key(|cell| self.open[self.number(*cell)]);
        let mut turned = cells.iter().cycle().skip(start).take(cells.len()).copied();
        let a = most(&mut turned).filter(|cell| self.open[self.number(*cell)] > 0)?;
        let b = most(&mut cells.iter().copied().filter(|b| b.0 != a.0 && self.state(a, *b) == State::Open))?;
        Some((a, b))
    }

    /// Returns a row with the pair; `None` if the pair is refused.
    fn row(&mut self, a: Cell, b: Cell) -> Option<Row> {
        let mut row = pair(a, b, self.levels.len());
        self.fill(&mut row);
        while let Some((why, named)) = self.oracle.refused(&row) {
            let culprits = self.culprits(&row, &named);
            let others: Vec<Cell> =
                culprits.iter().copied().filter(|cell| *cell != a && *cell != b).collect();
            match (culprits.as_slice(), others.last()) {
                (_, None) => {
                    self.refuse(a, b, why);
                    return None;
                }
                ([x, y], Some(last)) => {
                    let (x, y, last) = (*x, *y, *last);
                    self.refuse(x, y, why);
                    self.neighbors(x, y);
                    row[last.0] = None;
                }
                (_, Some(last)) => {
                    row[last.0] = None;
                    if culprits.len() > 2 {
                        self.larger.push(culprits);
                    }
                }
            }
        }
        let held: Vec<Cell> = cells(&row).collect();
        for (place, x) in held.iter().enumerate() {
            for y in &held[place + 1..] {
                self.set(*x, *y, State::Covered);
            }
        }
        Some(row)
    }

    /// Gives each factor the level that closes the most open pairs with the row, if any.
    fn fill(&mut self, row: &mut Row) {
        let mut order: Vec<(usize, usize)> = Vec::new();
        for factor in (0..row.len()).filter(|factor| row[*factor].is_none()) {
            let open = self.levels[factor].iter().map(|level| self.open[self.number((factor, *level))]).max();
            order.push((open.unwrap_or(0) * 4 + self.random.below(4), factor));
        }
        order.sort_unstable_by(|a, b| b.cmp(a));
        for (_, factor) in order {
            let held: Vec<Cell> = cells(row).collect();
            let mut best = (0, None);
            for level in &self.levels[factor] {
                let cell = (factor, *level);
                let states = held.iter().map(|other| self.state(cell, *other));
                let open = states.clone().filter(|state| *state == State::Open).count();
                let refused = states.clone().any(|state| state == State::Refused);
                if !refused && open > best.0 && !self.completes_larger(&held, cell) {
                    best = (open, Some(*level));
                }
            }
            row[factor] = best.1;
        }
    }

    fn completes_larger(&self, held: &[Cell], cell: Cell) -> bool {
        let holds = |other: &Cell| *other == cell || held.contains(other);
        self.larger.iter().any(|set| set.contains(&cell) && set.iter().all(holds))
    }

    /// Returns a minimal part of a refused row that is also refused.
    fn culprits(&mut self, row: &Row, named: &[usize]) -> Vec<Cell> {
        let all: Vec<Cell> = cells(row).collect();
        // Two of the factors that the refusal names often suffice.
        let likely: Vec<Cell> =
            all.iter().copied().filter(|(factor, _)| named.contains(factor)).take(8).collect();
        for (place, x) in likely.iter().enumerate() {
            for y in &likely[place + 1..] {
                if self.are_refused(&[*x, *y], row.len()) {
                    return vec![*x, *y];
                }
            }
        }
        self.smallest(&[], &all, row.len())
    }

    /// `QuickXplain`: returns a minimal part of `cells` that is refused together with `given`.
    fn smallest(&mut self, given: &[Cell], cells: &[Cell], width: usize) -> Vec<Cell> {
        if cells.len() < 2 {
            return cells.to_vec();
        }
        let (left, right) = cells.split_at(cells.len() / 2);
        let with = |a: &[Cell], b: &[Cell]| [a, b].concat();
        if self.are_refused(&with(given, left), width) {
            return self.smallest(given, left, width);
        }
        if self.are_refused(&with(given, right), width) {
            return self.smallest(given, right, width);
        }
        let second = self.smallest(&with(given, left), right, width);
        let first = self.smallest(&with(given, &second), left, width);
        with(&first, &second)
    }

    fn are_refused(&mut self, cells: &[Cell], width: usize) -> bool {
        let mut row = vec![None; width];
        cells.iter().for_each(|(factor, level)| row[*factor] = Some(*level));
        self.oracle.refused(&row).is_some()
    }

    /// Tries other levels of two factors whose levels are refused together: they often are too.
    fn neighbors(&mut self, x: Cell, y: Cell) {
        let width = self.levels.len();
        let columns = self.levels[y.0].iter().map(|level| (x, (y.0, *level)));
        let rows = self.levels[x.0].iter().map(|level| ((x.0, *level), y));
        for (a, b) in columns.chain(rows).collect::<Vec<_>>() {
            if self.state(a, b) == State::Open
                && let Some((why, _)) = self.oracle.refused(&pair(a, b, width))
            {
                self.refuse(a, b, why);
            }
        }
    }

    /// Returns the reason for the pair alone: other values of the row can hide it.
    fn refuse(&mut self, a: Cell, b: Cell, why: String) {
        let why = self.oracle.refused(&pair(a, b, self.levels.len())).map_or(why, |(why, _)| why);
        self.set(a, b, State::Refused);
        self.refused.insert((a.min(b), a.max(b)), why);
    }

    fn number(&self, cell: Cell) -> usize {
        self.starts[cell.0] + cell.1
    }

    fn place(&self, a: Cell, b: Cell) -> usize {
        let last = self.starts.last().copied().unwrap_or(0);
        self.number(a.min(b)) * last + self.number(a.max(b))
    }

    fn state(&self, a: Cell, b: Cell) -> State {
        self.states[self.place(a, b)]
    }

    fn set(&mut self, a: Cell, b: Cell, state: State) {
        let place = self.place(a, b);
        if self.states[place] == State::Open {
            let (a, b) = (self.number(a), self.number(b));
            self.open[a] -= 1;
            self.open[b] -= 1;
        }
        if self.states[place] != State::Refused {
            self.states[place] = state;
        }
    }
}

fn pair(a: Cell, b: Cell, width: usize) -> Row {
    let mut row = vec![None; width];
    row[a.0] = Some(a.1);
    row[b.0] = Some(b.1);
    row
}

/// Returns the levels of a row.
pub fn cells(row: &Row) -> impl Iterator<Item = Cell> + '_ {
    row.iter().enumerate().filter_map(|(factor, level)| level.map(|level| (factor, level)))
}

#[cfg(test)]
mod tests {
    use super::{Array, Oracle, Row, cells, cover};

    /// Refuses rows that contain all cells of one of its sets.
    struct Sets(&'static [&'static [super::Cell]]);

    impl Oracle for Sets {
        fn refused(&mut self, row: &Row) -> Option<(String, Vec<usize>)> {
            let holds =
                |set: &&&[super::Cell]| set.iter().all(|(factor, level)| row[*factor] == Some(*level));
            self.0.iter().find(holds).map(|_| ("refused".to_owned(), Vec::new()))
        }
    }

    fn made(sets: &'static [&'static [super::Cell]], most: usize) -> Array {
        cover(
            &mut Sets(sets),
            vec![(0..5).collect(), (0..4).collect(), (0..3).collect(), vec![0, 2]],
            1,
            most,
        )
    }

    #[test]
    fn every_pair_is_in_a_row() {
        let array = made(&[], usize::MAX);
        assert_eq!((array.covered, array.pairs), (71, 71));
        for a in 0..5 {
            for b in 0..4 {
                assert!(array.rows.iter().any(|row| row[0] == Some(a) && row[1] == Some(b)), "{a} with {b}");
            }
        }
        assert!(array.rows.len() < 40, "{} rows for 20 pairs of the two longest factors", array.rows.len());
    }

    #[test]
    fn a_refused_pair_is_found_and_a_refused_triple_hides_none() {
        let array = made(&[&[(0, 1), (2, 2)], &[(0, 0), (1, 0), (2, 0)]], usize::MAX);
        assert_eq!(array.refused.keys().collect::<Vec<_>>(), [&((0, 1), (2, 2))]);
        assert_eq!((array.covered, array.pairs), (70, 71));
        let refused =
            |row: &Row| Sets(&[&[(0, 1), (2, 2)], &[(0, 0), (1, 0), (2, 0)]]).refused(row).is_some();
        assert!(!array.rows.iter().any(refused));
    }

    #[test]
    fn the_first_rows_are_those_of_the_whole() {
        let (all, first) = (made(&[], usize::MAX), made(&[], 5));
        assert_eq!(all.rows[..5], first.rows);
        assert!(first.covered < first.pairs);
        assert!(all.rows.iter().all(|row| cells(row).count() > 1));
    }
}
