"""Writes the public interface of a module as text, one line for each declaration, and compares two such files.

    public_interface.py lines MODULE... <INTERFACE    turns the output of swift-synthesize-interface into sorted lines; leaves out the names of these modules
    public_interface.py breaks OLD NEW                prints the lines of OLD that NEW breaks

A line is the full name and the declaration, or the full name with a colon and what the type conforms to:

    Emitter class Emitter<Value> where Value : Sendable
    Emitter.send func send(_ value: Value)
    Emitter.send func send() (where Value == ())
    Emitter: Sendable

The condition in parentheses is that of the extension. `requirement` begins a requirement of a protocol, and `defaulted requirement` one with a default
implementation without a condition. The lines leave out what makes no difference to a caller's source: `public`, `final`, `@inlinable`, `deinit`, whether a
property is stored, and what the compiler derives from a conformance, such as `hash(into:)`.

`breaks` prints "SUBJECT<tab>WHAT" for each break, and indented below it the old and the new declaration. An upgrade note has to name the subject.
"""

import difflib
import re
import sys
from collections import defaultdict
from dataclasses import dataclass

TYPES = ("actor", "class", "enum", "protocol", "struct")
KEYWORDS = (*TYPES, "associatedtype", "case", "deinit", "extension", "func", "import", "init", "let", "macro", "operator", "subscript", "typealias", "var")
MODIFIERS = (
    "borrowing consuming convenience dynamic final indirect infix isolated lazy mutating nonisolated nonmutating open override postfix prefix public required "
    "static unowned weak"
).split()
# Words without effect on a caller's source.
IGNORED = ("@frozen", "@inlinable", "@inline", "@usableFromInline", "dynamic", "final", "indirect", "lazy", "public")

ATTRIBUTE = re.compile(r"@\w+")
NAME = re.compile(r"`?\w+`?|[^\s\w(]+")
# Inherited protocols of the standard library: a type that conforms to one conforms to these too.
INHERITED = {"Codable": {"Decodable", "Encodable"}, "Comparable": {"Equatable"}, "Error": {"Sendable"}, "Hashable": {"Equatable"}}

# A label and the name that a parameter has inside the function.
INNER_NAME = re.compile(r"([(,] ?)(`?\w+`?) `?\w+`?(?=:)")
INNER_NAME_REMOVED = r"\1\2"
MESSAGE = re.compile(r', message: "(?:[^"\\]|\\.)*"')


def fail(message):
    sys.exit(f"error: {message}")


def end_of_group(text, start):
    """Returns the index after the bracket that closes the one at `start`, or None."""
    depth, i = 0, start
    while i < len(text):
        if text[i] == '"':
            i += 1
            while i < len(text) and text[i] != '"':
                i += 2 if text[i] == "\\" else 1
        elif text[i] in "([{<":
            depth += 1
        elif text[i] in ")]}" or text[i] == ">" and text[i - 1] != "-":
            depth -= 1
            if depth == 0:
                return i + 1
        i += 1
    return None


def split(text, separator):
    """Splits text at a separator that is outside all brackets."""
    parts, start, i = [], 0, 0
    while i < len(text):
        if text[i] in '(["{<':
            i = (end_of_group(text, i) or len(text)) if text[i] != '"' else text.index('"', i + 1) + 1
        elif text.startswith(separator, i):
            parts.append(text[start:i])
            i = start = i + len(separator)
        else:
            i += 1
    return [*parts, text[start:]]


@dataclass
class Declaration:
    """A declaration as swift-synthesize-interface prints it: `words` before the keyword, the name, and the rest."""

    words: list
    keyword: str
    name: str
    rest: str

    @staticmethod
    def read(text):
        words, rest = [], text
        while True:
            if attribute := ATTRIBUTE.match(rest):
                end = attribute.end()
                if rest[end:].startswith("("):
                    end = end_of_group(rest, end)
                word, rest = rest[:end], rest[end:].lstrip()
                words.append(word)
                continue
            word, _, after = rest.partition(" ")
            is_class_member = word == "class" and after.split(" ")[0] in ("func", "let", "subscript", "var", "override", "final")
            if word in MODIFIERS or is_class_member or re.fullmatch(r"\w+\(\w+\)", word) and word.split("(")[0] not in KEYWORDS:
                words.append(word)
                rest = after
                continue
            break
        keyword = re.match(r"\w*", rest)[0]
        if keyword not in KEYWORDS:
            fail(f"the interface has a line that is not understood: {text}")
        rest = rest[len(keyword) :]
        if keyword in ("init", "subscript", "deinit"):
            return Declaration(words, keyword, keyword, rest)
        rest = rest.lstrip()
        name = re.match(r"[\w.`]+", rest) if keyword in ("extension", "import") else NAME.match(rest)
        return Declaration(words, keyword, name[0], rest[name.end() :])

    @property
    def text(self):
        """The declaration without words that have no effect on a caller's source."""
        words = [word for word in self.words if not word.startswith(("@_", *IGNORED)) and not word.endswith("(set)")]
        rest = self.rest
        if self.keyword == "var" and not rest.endswith("}"):
            rest += " { get }" if any(word.endswith("(set)") for word in self.words) else " { get set }"
        name = "" if self.name == self.keyword else " " + self.name
        return " ".join([*words, self.keyword]) + name + rest


def declarations(text):
    """Yields each declaration in one line, without comments, and each `}` that ends a type or an extension."""
    attributes, pending, is_comment = [], "", False
    for line in text.splitlines():
        line = line.strip()
        if is_comment or line.startswith("/*"):
            is_comment = "*/" not in line
            continue
        if not line or line.startswith("//"):
            continue
        if pending:
            line = f"{pending} {line}"
            pending = ""
        opened = re.search(r"[(\[]", line)
        if opened and end_of_group(line, opened.start()) is None:
            pending = line
            continue
        attribute = ATTRIBUTE.match(line)
        if attribute:
            end = attribute.end()
            if line[end:].startswith("("):
                end = end_of_group(line, end)
            if end == len(line):
                attributes.append(line)
                continue
        yield " ".join([*attributes, line])
        attributes = []


@dataclass
class Scope:
    """The owner of the declarations between two braces."""

    path: str
    condition: str = ""
    is_protocol: bool = False


def header(rest):
    """Splits what follows a type's name into generic parameters, inherited types and the condition."""
    rest = rest.removesuffix("{").rstrip()
    generics = ""
    if rest.startswith("<"):
        end = end_of_group(rest, 0)
        generics, rest = rest[:end], rest[end:]
    before, *after = split(rest, " where ")
    inherited = [item.strip() for item in split(before.strip().removeprefix(":"), ",") if item.strip()]
    return generics, inherited, f"where {after[0]}" if after else ""


def labels(declaration):
    """The name and the labels of a function, by which an implementation is found for a requirement."""
    rest = declaration.rest
    if rest.startswith("<"):
        rest = rest[end_of_group(rest, 0) :]
    rest = rest.lstrip()
    if not rest.startswith("("):
        return declaration.name
    parameters = split(rest[1 : end_of_group(rest, 0) - 1], ",")
    return (declaration.name, *(re.match(r"\s*([^\s:]*)", parameter)[1] for parameter in parameters))


def interface(text, modules):
    """The lines of a module's interface."""
    qualifier = re.compile(r"(?<![\w.\"])(?:" + "|".join(map(re.escape, modules)) + r")\.(?=[\w`])")
    scopes, result, requirements, implemented = [Scope("")], set(), [], set()
    for item in declarations(text):
        if item == "}":
            scopes.pop()
            continue
        scope = scopes[-1]
        declaration = Declaration.read(qualifier.sub("", item))
        kind = declaration.keyword
        if kind in ("import", "deinit"):
            continue
        path = f"{scope.path}.{declaration.name}".strip(".") if scope.path else declaration.name
        path = path.replace("`", "")
        condition = f" ({scope.condition})" if scope.condition else ""
        if kind in (*TYPES, "extension"):
            generics, inherited, where = header(declaration.rest)
            # Inherited protocols and suppressed conformances are part of the declaration: adding them breaks.
            kept = [item for item in inherited if kind == "protocol" or item.startswith("~")]
            if kind != "extension":
                declaration.rest = generics + (f" : {', '.join(kept)}" if kept else "") + (f" {where}" if where else "")
                result.add(f"{path} {declaration.text}{condition}")
            for item in inherited:
                if item not in kept:
                    item = re.sub(r"^(?:(?:@unchecked|@retroactive|@preconcurrency|@unsafe|nonisolated) )+", "", item)
                    limits = where if kind == "extension" else scope.condition
                    result.add(f"{path}: {item}{f' {limits}' if limits else ''}")
            scopes.append(Scope(path, where if kind == "extension" else scope.condition, kind == "protocol"))
            continue
        if scope.is_protocol:
            requirements.append((scope.path, labels(declaration), f"requirement {declaration.text}", path))
        else:
            result.add(f"{path} {declaration.text}{condition}")
            if not scope.condition:
                implemented.add((scope.path, labels(declaration)))
    for protocol, key, line, path in requirements:
        result.add(f"{path} {'defaulted ' if (protocol, key) in implemented else ''}{line}")
    return sorted(result)


def parts(line):
    """The full name of what a line declares, and the declaration; the name ends with a colon in the line of a conformance."""
    path, _, declaration = line.partition(" ")
    return path, declaration


def same(line):
    """A line without parts that break nothing: names that parameters have inside functions, messages of availability, a type's name before types inside it."""
    path, declaration = parts(line)
    if owner := parent(path):
        declaration = re.sub(rf"(?<![\w.]){re.escape(owner)}\.", "", declaration)
    return f"{path} {INNER_NAME.sub(INNER_NAME_REMOVED, MESSAGE.sub('', declaration))}"


def keyword(declaration):
    return Declaration.read(re.sub("^(defaulted )?requirement ", "", declaration)).keyword


def parent(path):
    return path.rpartition(".")[0]


def conformances(lines):
    """The unconditional conformances of each type, including those inherited by protocols of these lines and of the standard library."""
    inherited = defaultdict(set, {name: set(names) for name, names in INHERITED.items()})
    result = defaultdict(set)
    for path, declaration in map(parts, lines):
        if path.endswith(":") and " where " not in declaration:
            result[path].add(declaration)
        elif not path.endswith(":") and keyword(declaration) == "protocol":
            inherited[path] = set(header(Declaration.read(declaration).rest)[1])
    for protocols in result.values():
        todo = list(protocols)
        while todo:
            new = inherited.get(todo.pop(), set()) - protocols
            protocols |= new
            todo += new
    return result


def breaks(old, new):
    """Yields subject, message and details of each break."""
    old_keys, new_keys = {same(line) for line in old}, {same(line) for line in new}
    still = new_keys | {line.replace(" defaulted requirement ", " requirement ") for line in new_keys}
    known = old_keys | {line.replace(" requirement ", " defaulted requirement ", 1) for line in old_keys}
    gone = [line for line in old if same(line) not in still]
    came = defaultdict(list)
    for line in new:
        if same(line) not in known:
            came[parts(line)[0]].append(line)
    paths = {parts(line)[0] for line in new}
    old_types = {path for path, declaration in map(parts, old) if not path.endswith(":") and keyword(declaration) in (*TYPES, "typealias")}
    removed_types = {path for path in old_types if path not in paths}
    conforms = conformances(new)
    reported = set()
    for line in gone:
        path, declaration = parts(line)
        if path.endswith(":") and (INHERITED["Codable"] if declaration == "Codable" else {declaration}) <= conforms[path]:
            continue
        owner = path.rstrip(":") if path.endswith(":") else parent(path)
        # The members and conformances of a removed type are implied.
        while owner and owner not in removed_types:
            owner = parent(owner)
        if owner:
            continue
        reported.add(path)
        if path.endswith(":"):
            path, protocol = path.rstrip(":"), declaration.split(" where ")[0]
            now = [line for line in came[path + ":"] if parts(line)[1].split(" where ")[0] == protocol]
            yield subject(path), f"{path} no longer conforms to {declaration}", [f"now: {parts(line)[1]}" for line in now]
        elif came[path]:
            now = [parts(line)[1] for line in came[path]]
            closest = max(now, key=lambda candidate: difflib.SequenceMatcher(None, declaration, candidate, False).ratio())
            yield subject(path), f"{path} has changed", [f"was: {declaration}", f"now: {closest}"]
        else:
            yield subject(path), f"{path} has been removed", [f"was: {declaration}"]
    for path, lines in sorted(came.items()):
        if path in reported or parent(path) not in old_types:
            continue
        for line in lines:
            declaration = parts(line)[1]
            if declaration.startswith("requirement "):
                yield subject(path), f"{path} is a new requirement without a default", [f"now: {declaration}"]
            elif keyword(declaration) == "case":
                yield subject(path), f"{path} is a new case, which a switch has to handle", []


def subject(path):
    """The name that an upgrade note must contain: that of the declaration, or of the type for an initialiser."""
    return path.removesuffix(".init").rpartition(".")[2] or path


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def main(arguments):
    if arguments[:1] == ["lines"]:
        for line in interface(sys.stdin.read(), arguments[1:]):
            print(line)
    elif arguments[:1] == ["breaks"] and len(arguments) == 3:
        for name, message, details in breaks(read(arguments[1]), read(arguments[2])):
            print(f"{name}\t{message}")
            for detail in details:
                print(f"  {detail}")
    else:
        fail("there are: lines MODULE... and breaks OLD NEW")


main(sys.argv[1:])
