"""Where the code can be changed, and what stands there instead.

A point is a piece of source with one or more mutants, and the forms in which all of them can be written at once. A
form is a list of texts and of pieces of the source, in which further points are written.
"""

from dataclasses import dataclass, field

from swift_tree import end_of_token, nodes, span, unwrapped

BOOL = "$sSbD"
# Helpers of known types, which keep the compiler from looking for others.
CONSTANTS = {"$sSiD": "int", "$ss5UInt8VD": "byte"}
COMPARED = {
    "<": ("less", ["<=", ">="]),
    "<=": ("lessOrEqual", ["<", ">"]),
    ">": ("greater", [">=", "<="]),
    ">=": ("greaterOrEqual", [">", "<"]),
    "==": ("equal", ["!="]),
    "!=": ("unequal", ["=="]),
    "+": ("plus", ["-"]),
    "-": ("minus", ["+"]),
    "*": ("times", ["/"]),
    "/": ("over", ["*"]),
}
SWAPPED = {"&": "|", "|": "&", "<<": ">>", ">>": "<<", "%": "/", "&+": "&-", "&-": "&+"}
ASSIGNED = {"+=": "-=", "-=": "+=", "*=": "+=", "&=": "|=", "|=": "&=", "<<=": ">>=", ">>=": "<<="}
NAMES = [
    ("local", "remote"), ("old", "new"), ("one", "other"), ("front", "back"), ("low", "high"), ("forward", "backward"),
    ("ahead", "behind"), ("first", "last"), ("lowerBound", "upperBound"), ("min", "max"), ("dropFirst", "dropLast"),
    ("prefix", "suffix"), ("hasPrefix", "hasSuffix"), ("union", "intersection"), ("oldChanged", "newChanged"),
    ("startIndex", "endIndex"), ("here", "there"), ("base", "local"), ("base", "remote"), ("allSatisfy", "contains"),
]  # fmt: skip
SWAPS = {}
for one, other in NAMES:
    SWAPS.setdefault(one, []).append(other)
    if one != "base":
        SWAPS.setdefault(other, []).append(one)


@dataclass
class Point:
    start: int
    end: int
    mutants: list
    forms: list
    children: list = field(default_factory=list)
    first: int = 0
    form: int = 0

    @property
    def numbers(self):
        return range(self.first, self.first + len(self.mutants))


def sub(start, end):
    return ("sub", start, end)


def is_last(brace):
    """Whether nothing may come after what stands in braces: the body of a function or of a guard."""
    return brace.get("isBody", False)


def room(text):
    """Where it is said for how much memory is asked early: nothing else hangs on that."""
    call = b".reserveCapacity("
    found, at = [], text.find(call)
    while at >= 0:
        depth, end = 1, at + len(call)
        while depth:
            depth += {ord("("): 1, ord(")"): -1}.get(text[end], 0)
            end += 1
        found.append(range(at, end))
        at = text.find(call, end)
    return found


def points(tree, text):
    """All points of a file, outer ones before those inside."""
    found, seen = [], set()
    asked = room(text)
    for node, parent in nodes(tree):
        if node["_kind"] in ("func_decl", "accessor_decl", "closure_expr", "guard_stmt", "constructor_decl"):
            if isinstance(node.get("body"), dict):
                node["body"]["isBody"] = True
                node["body"]["isInit"] = node["_kind"] == "constructor_decl"
        place = span(node, text)
        if place is None or any(place[0] in call for call in asked):
            continue
        for rank, (mutants, forms) in enumerate(of_node(node, parent, text, *place)):
            key = (*place, node["_kind"] in ("integer_literal_expr", "boolean_literal_expr"), rank, tuple(mutants))
            if key not in seen:
                seen.add(key)
                found.append(Point(*place, mutants, forms))
    order = {id(p): n for n, p in enumerate(found)}
    return sorted(found, key=lambda p: (p.start, -p.end, order[id(p)]))


def of_node(node, parent, text, start, end):
    kind = node["_kind"]
    if kind == "brace_stmt":
        return
    above = (parent or {}).get("_kind")
    if above == "brace_stmt" and any(node is e for e in parent["elements"]):
        yield from statement(node, parent, text, start, end)
    yield from condition(node, parent, text, start, end)
    if kind == "binary_expr":
        yield from binary(node, text, start, end)
    elif kind == "prefix_unary_expr" and text[start : start + 1] == b"!":
        yield ["!x → x"], [["Mutant.not(#0, ", sub(start + 1, end), ")"]]
    elif kind == "integer_literal_expr":
        literal = text[start:end].decode()
        if literal.startswith("-"):
            return
        helper = CONSTANTS.get(node.get("type"), "constant")
        yield [f"{literal} → {literal} + 1", f"{literal} → {literal} - 1"], [
            [f"Mutant.{helper}(#0, {literal})"]
        ]
    elif kind == "boolean_literal_expr" and (parent or {}).get("_kind") != "while_stmt":
        yield [f"{text[start:end].decode()} → the other"], [["Mutant.negated(#0, ", sub(start, end), ")"]]
    elif kind in ("declref_expr", "member_ref_expr", "call_expr"):
        yield from swapped_name(node, text, start, end)


def statement(node, parent, text, start, end):
    kind = node["_kind"]
    isVoid = node.get("type") == "$sytD" or kind in ("optional_evaluation_expr",)
    gone = [["if !isMutant(#0) { ", sub(start, end), " }"]]
    if kind == "assign_expr" and parent.get("isInit"):
        return
    # Asks for memory early, and nothing else.
    if b".reserveCapacity(" in text[start:end]:
        return
    # All that a case does: it says that there is nothing to do.
    if kind == "break_stmt" and text[:start].rstrip().endswith(b":"):
        return
    if kind == "assign_expr" or (kind in ("call_expr", "try_expr", "binary_expr", "optional_evaluation_expr")):
        yield ["statement removed"], gone
    elif kind in ("return_stmt", "continue_stmt", "break_stmt", "throw_stmt") and not is_last(parent):
        yield [f"{kind[:-5]} removed"], gone
    if kind == "binary_expr" and isVoid:
        operator, at, right = operator_of(node, text)
        other = ASSIGNED.get(operator)
        if other:
            yield [f"{operator} → {other}"], [
                ["if isMutant(#0) { ", ("raw", start, at), f"{other} ", ("raw", right, end), " } else { ",
                 sub(start, end), " }"]
            ]  # fmt: skip


def condition(node, parent, text, start, end):
    if node.get("type") != BOOL:
        return
    inner = node
    while inner["_kind"] in ("try_expr", "paren_expr", "load_expr"):
        inner = inner["sub_expr"]
    isPlain = inner["_kind"] not in ("binary_expr", "boolean_literal_expr", "prefix_unary_expr")
    above = parent or {}
    conditions = above.get("conditions", [])
    isCondition = any(unwrapped(c) is node or c is node for c in conditions)
    isWhere = any(above.get(k) is not None and unwrapped(above[k]) is node for k in ("where", "where_expr"))
    isChoice = any(isinstance(above.get(k), dict) and unwrapped(above[k]) is node for k in ("cond_expr", "result"))
    if (isCondition and (above["_kind"] != "while_stmt" or len(conditions) > 1)) or isWhere:
        yield ["condition → true"], [["Mutant.assumed(#0, ", sub(start, end), ")"]]
    if isPlain and (isCondition or isWhere or isChoice):
        yield ["condition negated"], [["Mutant.negated(#0, ", sub(start, end), ")"]]


def operator_of(node, text):
    """The operator, where it stands, and where what is right of it starts."""
    left, right = (a["expr"] for a in node["args"]["args"])
    right_start = right["range"]["start"]
    at = end_of_token(text, left["range"]["end"])
    while text[at : at + 1].isspace() or text[at : at + 2] == b"//":
        at = text.index(b"\n", at) if text[at : at + 2] == b"//" else at + 1
    # A parenthesis that closes belongs to the left, one that opens to the right.
    while text[at : at + 1] in (b")", b" "):
        at += 1
    stop = at
    while text[stop : stop + 1] and text[stop] in b"+-*/=<>!&|^~?%.":
        stop += 1
    return text[at:stop].decode(), at, right_start


def binary(node, text, start, end):
    try:
        operator, at, right = operator_of(node, text)
    except (KeyError, ValueError):
        return
    after = at + len(operator)
    if operator in ("&&", "||"):
        other = {"&&": "||", "||": "&&"}[operator]
        name = {"&&": "and", "||": "or"}[operator]
        yield [f"{operator} → {other}", f"left of {operator} alone", f"right of {operator} alone"], [
            [f"Mutant.{name}(#0, ", sub(start, at), ", ", sub(after, end), ")"]
        ]
    elif operator in COMPARED:
        name, others = COMPARED[operator]
        chain = []
        for number, other in enumerate(others):
            chain += [f"isMutant(#{number}) ? (", ("raw", start, at), other, ("raw", after, end), ") : "]
        yield [f"{operator} → {other}" for other in others], [
            [f"Mutant.{name}(#0, ", sub(start, at), ", ", sub(after, end), ")"],
            ["(", *chain, "(", sub(start, end), "))"],
        ]
    elif operator in SWAPPED:
        other = SWAPPED[operator]
        yield [f"{operator} → {other}"], [
            ["(isMutant(#0) ? (", ("raw", start, at), other, ("raw", after, end), ") : (", sub(start, end), "))"]
        ]
    elif operator in ("..<", "..."):
        yield [f"{operator} ends one earlier"], [
            ["(", sub(start, at), f" {operator} (", sub(after, end), ") - (isMutant(#0) ? 1 : 0))"]
        ]
    elif operator == "??":
        yield ["?? → right alone"], [
            ["(isMutant(#0) ? (", ("raw", after, end), ") : (", sub(start, end), "))"]
        ]


def swapped_name(node, text, start, end):
    """One side taken for the other: the last name of a reference, or the name of what is called."""
    at = node["range"]["end"]
    if node["_kind"] == "call_expr":
        if "range" not in node["fn"]:
            return
        at = node["fn"]["range"]["end"]
    stop = end_of_token(text, at)
    name = text[at:stop].decode(errors="replace")
    if name == "sorted" and node["_kind"] == "call_expr":
        yield ["sorted → reversed"], [
            ["(isMutant(#0) ? (", ("raw", start, end), ").reversed() : (", sub(start, end), "))"]
        ]
    if node["_kind"] != "call_expr" and text[stop : stop + 1] in (b"(", b"{"):
        return
    for other in SWAPS.get(name, []):
        if other.encode() not in text:
            continue
        yield [f"{name} → {other}"], [
            ["(isMutant(#0) ? ", ("raw", start, at), other, ("raw", stop, end), " : ", sub(start, end), ")"]
        ]
