"""Replaces a value in an artifact. Two artifacts of specs that differ in one value show its places: each difference must be the
value itself, a text that contains it, or a number that is computed from it."""
import copy
import json
import re
import shlex
from fractions import Fraction

MARK = "\0value\0"
# A text that a shell does not interpret.
SAFE = re.compile(r"[\w@%+=:,./-]+", re.ASCII)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
MEMORY = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
TIME = {"d": 86400, "h": 3600, "m": 60, "s": 1}
# Shorter texts can occur in an artifact by chance.
LONG_ENOUGH = 3


class Impossible(Exception):
    """The value is not in the artifact in a form that this module supports."""


def tree(case):
    """Returns everything that can contain a value: artifacts as parsed values, scripts as lines, and the options that describe
    the cluster."""
    documents = case["mutant"]["documents"]
    files = {}
    for file in case["artifacts"]:
        values = documents.get(file["path"])
        structured = values and file["path"].endswith((".json", ".yaml", ".yml"))
        files[file["path"]] = values if structured else file["text"].split("\n")
    return {"files": files, "options": case["options"]}


def written(case, edited):
    """Returns the artifacts of a tree, in the format of the case. YAML is written as JSON, which is valid YAML."""
    files = []
    for file in case["artifacts"]:
        parts = edited["files"][file["path"]]
        structured = file["path"].endswith((".json", ".yaml", ".yml")) and case["mutant"]["documents"].get(file["path"])
        text = "\n---\n".join(json.dumps(part, ensure_ascii=False) for part in parts) + "\n" if structured else "\n".join(parts)
        files.append({**file, "text": text})
    return files


def places(one, other, first, second):
    """Returns the edits that replace the value `first` in tree `one`; tree `other` has the value `second`."""
    return list(_walk(one, other, *_single(first, second), ()))


def only(one, plain, first):
    """Returns the edits if no second value is accepted. These are all parts that only `one` has and that contain the value."""
    found = list(_new(one, plain, _text(first), first, ()))
    if not found:
        raise Impossible("the value is not in the artifact")
    return found


def applied(one, edits, value, first=None):
    """Returns a copy of the tree with another value."""
    if isinstance(first, list):
        value = _like(first, value)
    made = copy.deepcopy(one)
    # Deeper edits come first, because a renamed key changes the paths below it.
    for path, edit in sorted(edits, key=lambda item: -len(item[0])):
        holder = made
        for step in path[:-1]:
            holder = holder[step]
        if edit[0] == "key":
            named = _filled(edit[1], value)
            items = [(named if key == path[-1] else key, item) for key, item in holder.items()]
            holder.clear()
            holder.update(items)
        else:
            holder[path[-1]] = _put(edit, holder[path[-1]], value)
    return made


def _single(first, second):
    """Returns the element in which two lists differ, if they differ in one element. Returns other values unchanged."""
    if isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        differ = [at for at in range(len(first)) if first[at] != second[at]]
        if len(differ) == 1:
            return first[differ[0]], second[differ[0]]
    if isinstance(first, (list, dict)) or isinstance(second, (list, dict)):
        raise Impossible("it is a block, not a value")
    return first, second


def _like(first, value):
    """Returns the element in which a list differs from another."""
    if isinstance(value, list):
        return _single(value, first)[0]
    raise Impossible("it is no list")


def _walk(one, other, first, second, path):
    if one == other and type(one) is type(other):
        return
    if isinstance(one, dict) and isinstance(other, dict):
        yield from _keys(one, other, first, second, path)
    elif isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            raise Impossible("another value makes another artifact")
        for at, (mine, theirs) in enumerate(zip(one, other)):
            yield from _walk(mine, theirs, first, second, (*path, at))
    elif isinstance(one, (dict, list)) or isinstance(other, (dict, list)):
        raise Impossible("another value makes another artifact")
    else:
        yield path, _edit(one, other, first, second)


def _keys(one, other, first, second, path):
    mine, theirs = [key for key in one if key not in other], [key for key in other if key not in one]
    if len(mine) > 1 or len(mine) != len(theirs):
        raise Impossible("another value makes another artifact")
    for key in one:
        if key not in mine:
            yield from _walk(one[key], other[key], first, second, (*path, key))
    for old, new in zip(mine, theirs):
        yield from _walk(one[old], other[new], first, second, (*path, old))
        yield (*path, old), ("key", _template(old, new, first, second))


def _edit(one, other, first, second):
    if type(one) is type(first) and type(other) is type(second) and (one, other) == (first, second):
        return ("whole",)
    if isinstance(one, str) and isinstance(other, str):
        if (inner := _inner(one, other)) is not None:
            return ("json", list(_walk(*inner, first, second, ())))
        try:
            return ("text", _template(one, other, first, second))
        except Impossible:
            pass
    return ("number", _factor(one, other, first, second))


def _inner(one, other):
    """Returns the parsed values of two texts that contain JSON, such as TF_CONFIG."""
    if not one.startswith(("{", "[")) or not other.startswith(("{", "[")):
        return None
    try:
        return json.loads(one), json.loads(other)
    except ValueError:
        return None


def _template(one, other, first, second):
    first, second = _text(first), _text(second)
    if first and second:
        found = one.replace(first, MARK)
        if MARK in found and found == other.replace(second, MARK):
            return found
    raise Impossible("another value makes another artifact")


def _factor(one, other, first, second):
    """Returns how a number is computed from the value: a factor and a summand."""
    counts, wanted = [_only_number(one), _only_number(other)], [quantity(first), quantity(second)]
    if None in counts or None in wanted or _around(one) != _around(other):
        raise Impossible("another value makes another artifact")
    if wanted[0] and wanted[1] and counts[0] / wanted[0] == counts[1] / wanted[1]:
        return counts[0] / wanted[0], Fraction(0)
    if counts[0] - wanted[0] == counts[1] - wanted[1]:
        return Fraction(1), counts[0] - wanted[0]
    raise Impossible("another value makes another artifact")


def _only_number(value):
    found = NUMBER.findall(_text(value)) if not isinstance(value, bool) else []
    return Fraction(found[0]) if len(found) == 1 else None


def _around(value):
    return type(value) is str, NUMBER.sub("", _text(value))


def quantity(value):
    """Returns a value as a number. Amounts of memory become bytes, and times become seconds. Returns None for other values."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        return Fraction(str(value))
    if isinstance(value, str):
        if memory := re.fullmatch(r"(\d+)([KMGT]iB)", value):
            return Fraction(memory[1]) * MEMORY[memory[2]]
        if re.fullmatch(r"(\d+[dhms])+", value):
            return sum((Fraction(number) * TIME[unit] for number, unit in re.findall(r"(\d+)([dhms])", value)), Fraction(0))
    return None


def _new(one, plain, text, first, path):
    if one == plain:
        return
    if isinstance(one, dict):
        for key, value in one.items():
            inner = plain.get(key) if isinstance(plain, dict) else None
            yield from _new(value, inner, text, first, (*path, key))
            if len(text) >= LONG_ENOUGH and text in key and not (isinstance(plain, dict) and key in plain):
                yield (*path, key), ("key", key.replace(text, MARK))
    elif isinstance(one, list):
        for at, value in enumerate(one):
            inner = plain[at] if isinstance(plain, list) and at < len(plain) else None
            yield from _new(value, inner, text, first, (*path, at))
    elif type(one) is type(first) and one == first and path:
        yield path, ("whole",)
    elif isinstance(one, str) and len(text) >= LONG_ENOUGH and text in one:
        yield path, ("text", one.replace(text, MARK))


def _put(edit, old, value):
    match edit:
        case ("whole",):
            return value
        case ("text", template):
            return _filled(template, value)
        case ("json", edits):
            return json.dumps(applied([json.loads(old)], [((0, *path), one) for path, one in edits], value)[0])
        case ("number", (times, plus)):
            found = quantity(value)
            if found is None:
                raise Impossible("it is no amount")
            made = found * times + plus
            number = int(made) if made.denominator == 1 else float(made)
            return NUMBER.sub(lambda _: str(number), old, count=1) if isinstance(old, str) else number
    raise AssertionError(edit)


def _filled(template, value):
    """Returns a text with the value inserted. In a shell command, the value is quoted for its place."""
    text = _text(value)
    if SAFE.fullmatch(text) or not re.search(r"[\s'\"]", template):
        return template.replace(MARK, text)
    parts = template.split(MARK)
    made, open_quote = parts[0], _quote(parts[0], None)
    for part in parts[1:]:
        made += _quoted(text, open_quote) + part
        open_quote = _quote(part, open_quote)
    return made


def _quoted(text, open_quote):
    if open_quote == "'":
        return text.replace("'", "'\\''")
    if open_quote == '"':
        return re.sub(r'([\\"$`])', r"\\\1", text)
    return shlex.quote(text)


def _quote(text, state):
    """Returns the quote that is open at the end of a part of a shell command."""
    at = 0
    while at < len(text):
        char = text[at]
        if char == "\\" and state != "'":
            at += 1
        elif char in "'\"" and state in (None, char):
            state = None if state else char
        at += 1
    return state


def _text(value):
    return value if isinstance(value, str) else json.dumps(value)
