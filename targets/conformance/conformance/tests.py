"""Tests of the comparison. It must not ignore a lost environment variable, or put a value into a wrong place."""
import base64
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

from . import agreement, compare, edits, engines, pairs, refusals

sys.path.insert(0, str(engines.HERE / "jvm"))
import launch  # noqa: E402

CONTRACT = {"path": "contract.json", "text": '{"env": [[\\"PATH\\",[{\\"text\\":\\"/opt\\"}]]]}', "executable": False}


def differences(claimed, seen, partial=False, artifacts=()):
    """Returns the disagreements of a task whose claimed environment is `claimed` and whose real environment is `seen`."""
    case = {"artifacts": list(artifacts), "tasks": [{"role": "a", "index": 0, "env": claimed, "argv": ["x"]}]}
    task = {"role": "a", "index": 0, "env": seen, "argv": ["x"], "partial": partial}
    return compare.disagreements(case, {"tasks": [task]})


class Compare(unittest.TestCase):
    """A variable is ignored only if the shim would set it and was not started."""

    def test_no_shell_is_an_excuse(self):
        for name in ("PWD", "OLDPWD", "SHLVL", "_"):
            self.assertTrue(differences({name: "ml"}, {name: "/tmp"}), name)
            self.assertTrue(differences({name: "ml"}, {name: "/tmp"}, partial=True), name)

    def test_a_variable_of_the_platform_is_the_shims_only_by_its_contract(self):
        for name in ("HOME", "PATH", "USER", "LANG", "CLASSPATH", "LD_LIBRARY_PATH"):
            self.assertTrue(differences({name: "/opt"}, {name: "/bin"}), name)
            self.assertTrue(differences({name: "/opt"}, {name: "/bin"}, partial=True), name)
        self.assertTrue(differences({"PATH": "/opt"}, {"PATH": "/bin"}, artifacts=[CONTRACT]))
        self.assertTrue(differences({"HOME": "/opt"}, {"HOME": "/bin"}, partial=True, artifacts=[CONTRACT]))
        self.assertFalse(differences({"PATH": "/opt"}, {"PATH": "/bin"}, partial=True, artifacts=[CONTRACT]))

    def test_a_contract_in_base64_is_read(self):
        inner = base64.b64encode(b'{"roles": [{"env": [["PWD", [{"text": "ml"}]]], "more": "and more text, so that it is long"}]}')
        carried = [{"path": "marathon.json", "text": '{"C": "' + inner.decode() + '"}', "executable": False}]
        self.assertFalse(differences({"PWD": "ml"}, {"PWD": "/tmp"}, partial=True, artifacts=carried))
        self.assertTrue(differences({"PWD": "ml"}, {"PWD": "/tmp"}, artifacts=carried))
        self.assertTrue(differences({"more": "ml"}, {"more": "/tmp"}, partial=True, artifacts=carried))
        self.assertTrue(differences({"SHLVL": "ml"}, {"SHLVL": "1"}, partial=True, artifacts=carried))

    def test_only_the_former_value_of_the_variable_may_be_empty(self):
        for former in ("", ":/before"):
            self.assertFalse(differences({"P": "/${USER}/x:${P}"}, {"P": "/${USER}/x" + former}), former)
        self.assertTrue(differences({"P": "/${USER}/x:${P}"}, {"P": "/${USR}/x"}))


class Edits(unittest.TestCase):
    """A value is replaced only in places that two artifacts show."""

    def edited(self, one, other, first, second, value):
        return edits.applied([one], edits.places([one], [other], first, second), value, first)[0]

    def test_a_value_alone_in_a_text_and_as_a_key(self):
        self.assertEqual(self.edited({"a": "x"}, {"a": "y"}, "x", "y", 5), {"a": 5})
        self.assertEqual(self.edited({"a": "n/x/b"}, {"a": "n/y/b"}, "x", "y", "z z"), {"a": "n/z z/b"})
        self.assertEqual(self.edited({"x": {"k": 1}}, {"y": {"k": 1}}, "x", "y", "z"), {"z": {"k": 1}})

    def test_a_shell_gets_it_quoted(self):
        self.assertEqual(self.edited("run x y", "run z y", "x", "z", "it's"), "run 'it'\"'\"'s' y")
        self.assertEqual(self.edited("run 'x' y", "run 'z' y", "x", "z", "it's"), "run 'it'\\''s' y")

    def test_amounts_keep_their_unit(self):
        self.assertEqual(self.edited(4096, 1024, "4GiB", "1GiB", "2GiB"), 2048)
        self.assertEqual(self.edited("4096Mi", "1024Mi", "4GiB", "1GiB", "0GiB"), "0Mi")
        self.assertEqual(self.edited([31], [61], "30s", "1m", "10s"), [11])

    def test_what_differs_otherwise_is_not_guessed(self):
        for one, other in (("p", "q"), ([1], [1, 2]), ({"a": 1}, {"a": 1, "b": 2}), ("x p", "y q")):
            with self.assertRaises(edits.Impossible):
                self.edited({"v": "x", "w": one}, {"v": "y", "w": other}, "x", "y", "z")


class Pairs(unittest.TestCase):
    """No pair counts twice, because that could hide a missing pair."""

    A, B, C, D = (0, 0), (0, 1), (1, 0), (1, 1)

    def test_a_pair_that_is_refused_alone_and_accepted_in_a_row_counts_once(self):
        all_of = {"pairs": 4, "beside": {"guarded": 3, "wanted": 5}, "refused together": [[[0, 0], [1, 0]], [[0, 0], [1, 1]]]}
        accepted = {(self.A, self.C), (self.B, self.C)}
        self.assertEqual(pairs.numbers(accepted, all_of), (6, 9))
        self.assertEqual(pairs.numbers(accepted | {(self.B, self.D)}, all_of), (7, 9))

    def test_the_sources_of_a_row_are_its_own(self):
        digests = {target: pairs.sources(target) for target in engines.PLATFORMS}
        self.assertEqual(len(set(digests.values())), len(digests))
        row = "| `{0}` | all, 1 | {1} |".format
        part = "\n".join(["| target | N, S | sources |", row("yarn", digests["yarn"]), row("spark", "none"), row("dcos", digests["yarn"])])
        self.assertEqual(pairs.stale(part), ["dcos", "spark"])


class Table(unittest.TestCase):
    """A run of one target keeps the parts of the document about the others."""

    def test_nothing_asked_changes_nothing(self):
        document = (engines.HERE / "AGREEMENT.md").read_text(encoding="utf-8")
        before = document.split("\n## Pairs of values\n", 1)[0]
        rows = lambda text: [line for line in text.splitlines() if line.startswith(("| ", "## "))]
        self.assertEqual(rows(agreement.table([], 1, 1, before)), rows(before))

    def test_one_target_replaces_its_own_rows_alone(self):
        before = agreement.table([], 1, 1, "\n".join(f"| `{name}` | old |\n| `{name}` | 1 |" for name in ("yarn", "dcos"))
                                 + "".join(f"\n\n{agreement.REFUSED}`{name}`\n\n| 1 | old {name} |" for name in ("yarn", "dcos")))
        with unittest.mock.patch.object(agreement, "written", lambda one: ["| `yarn` | new |", "| `yarn` | 2 |",
                                                                          f"{agreement.REFUSED}`yarn`\n\n| 2 | new yarn |"]):
            text = agreement.table([type("One", (), {"target": "yarn"})], 1, 1, before)
        for line in ("| `yarn` | new |", "| `yarn` | 2 |", "| 2 | new yarn |", "| `dcos` | old |", "| `dcos` | 1 |", "| 1 | old dcos |"):
            self.assertEqual(text.count(line), 1, line)
        self.assertNotIn("| 1 | old yarn |", text)


class Rows(unittest.TestCase):
    """A row of refusals.d matches only its own property, code, and message."""

    def test_a_row_is_narrow(self):
        row = {"property": ["env.A"], "rule": "bad-value", "says": "is no", "of": "yarn"}
        one = {"property": "role.worker.env.A", "why": "bad-value: yarn: it is no text", "language": False}
        self.assertTrue(refusals.speaks(row, one))
        for other in ({"property": "env.B"}, {"why": "text-too-long: yarn: it is no text"}, {"why": "bad-value: yarn: it is"},
                      {"language": True}):
            self.assertFalse(refusals.speaks(row, {**one, **other}), other)

    def test_each_table_can_be_read(self):
        for target in ("yarn", "kubernetes", "dcos", "spark"):
            self.assertTrue(refusals.rows(target))


class Builds(unittest.TestCase):
    """The classes of an engine are compiled again if something has changed from which they are compiled."""

    def compiled(self, room, target, base):
        """Builds an engine with programs that only record their calls. Returns the class path, and whether `javac` has run."""
        calls = []
        with unittest.mock.patch.object(launch, "_run", lambda *words: calls.append(words[0])), \
                unittest.mock.patch.object(launch.shutil, "which", lambda program: program):
            path = launch.build(room, target, base=base)
        return path, "javac" in calls

    def test_classes_depend_on_sources_and_on_the_engine_that_they_use(self):
        with tempfile.TemporaryDirectory() as folder:
            room, target = pathlib.Path(folder, "room"), pathlib.Path(folder, "target")
            (room / "java").mkdir(parents=True)
            (room / "pom.xml").write_text("<project/>")
            (room / "java/A.java").write_text("class A {}")
            first, compiles = self.compiled(room, target, "/yarn/classes-1:/yarn/jars-1/*")
            self.assertTrue(compiles)
            self.assertEqual(self.compiled(room, target, "/yarn/classes-1:/yarn/jars-1/*"), (first, False))
            other, compiles = self.compiled(room, target, "/yarn/classes-2:/yarn/jars-1/*")
            self.assertTrue(compiles)
            self.assertNotEqual(other.split(":")[0], first.split(":")[0])
            (room / "java/A.java").write_text("class A { int a; }")
            self.assertTrue(self.compiled(room, target, "/yarn/classes-2:/yarn/jars-1/*")[1])


if __name__ == "__main__":
    unittest.main()
