"""Finds the values that cause a complaint of the engine. Compares rows that have the complaint with rows that do not, and lets
the engine judge the likely values."""
import collections
import dataclasses
import itertools

# Maximum number of guesses for each complaint: of single values, and of pairs. The engine judges the guesses of all complaints in
# one start.
SINGLE, TWO = 6, 24


@dataclasses.dataclass
class Cause:
    """The values that cause a kind of complaint."""

    levels: list
    # Whether the engine has the same complaint about a spec with only these values.
    sure: bool
    # The complaint about one of the specs, and the number of specs that have it.
    words: str
    times: int


def of(bad, good, shown):
    """Returns the causes of all complaints. `shown` returns the kinds of complaint for lists of levels."""
    rows = collections.defaultdict(list)
    for case, words in bad:
        for kind, line in words.items():
            rows[kind].append((levels(case), line))
    fine, causes = Rows([levels(case) for case in good]), []
    for last in (False, False, True):
        guesses = [(kind, guess) for kind, own in rows.items() for guess in guessed([cells for cells, _ in own], fine)]
        said = shown([list(guess) for _, guess in guesses]) if guesses else []
        sure = {}
        for (kind, guess), kinds in zip(guesses, said):
            if kind in kinds and (kind not in sure or len(guess) < len(sure[kind])):
                sure[kind] = guess
        again = {}
        for kind, own in rows.items():
            held = [line for cells, line in own if kind in sure and set(sure[kind]) <= cells]
            rest = [(cells, line) for cells, line in own if kind not in sure or not set(sure[kind]) <= cells]
            if held:
                causes.append(Cause(list(sure[kind]), True, held[0], len(held)))
            if rest and held and not last:
                # The remaining rows have another cause, which the next round searches.
                again[kind] = rest
            elif rest:
                causes.append(Cause(sorted(min((cells for cells, _ in rest), key=len)), False, rest[0][1], len(rest)))
        rows = again
    return causes


class Rows:
    """The rows that contain each value, as the bits of a number."""

    def __init__(self, rows):
        self.bits = collections.defaultdict(int)
        for number, cells in enumerate(rows):
            for cell in cells:
                self.bits[cell] |= 1 << number

    def hold(self, cells):
        """Returns the number of rows that contain all of these values."""
        bits = [self.bits.get(cell, 0) for cell in cells]
        both = bits[0]
        for other in bits[1:]:
            both &= other
        return both.bit_count()


def guessed(rows, fine):
    """Returns guesses: the plain job, then values and pairs of values that most of these rows contain and none of the others."""
    singles = collections.Counter(cell for cells in rows for cell in cells)
    alone = [cell for cell, _ in singles.most_common() if fine.hold([cell]) == 0][:SINGLE]
    yield ()
    yield from ((cell,) for cell in alone)
    # A few rows are enough, because each of them contains the values that cause the complaint.
    often = collections.Counter(pair for cells in rows[:200] for pair in itertools.combinations(sorted(cells), 2)
                                if fine.hold(pair) == 0)
    best = sorted(often, key=lambda pair: (-often[pair], -min(singles[cell] for cell in pair)))
    yield from best[:TWO]


def levels(case):
    """Returns the values of a row."""
    return frozenset(map(tuple, case["mutant"]["levels"]))
