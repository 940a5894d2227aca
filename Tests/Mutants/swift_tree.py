"""Swift sources as the compiler reads them: its tree of a file, and where the last token of a node ends."""

import json
import subprocess
from pathlib import Path

WORD = set(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$")
SIGN = set(b"+-*/=<>!&|^~?%.")


def dump(sources, wanted, flags, folder):
    """The compiler's tree of each wanted file, as it prints it in JSON."""
    arguments, outputs = [], []
    for source in sources:
        arguments += ["-primary-file", source] if source in wanted else [source]
    for number, source in enumerate(s for s in sources if s in wanted):
        outputs.append(str(Path(folder) / f"{number}.json"))
        arguments += ["-o", outputs[-1]]
    command = ["swiftc", "-frontend", "-dump-ast", "-dump-ast-format", "json", "-parse-as-library"]
    subprocess.run(command + flags + [str(a) for a in arguments], check=True)
    return {s: json.loads(Path(o).read_text()) for s, o in zip((s for s in sources if s in wanted), outputs)}


def end_of_token(text, at):
    """Where the token that starts at a byte ends."""
    byte = text[at]
    if byte == ord('"'):
        return end_of_string(text, at)
    if byte == ord("`"):
        return text.index(b"`", at + 1) + 1
    if byte in WORD or byte >= 0x80:
        isNumber = chr(byte).isdigit()
        end = at
        while end < len(text) and (
            text[end] in WORD
            or text[end] >= 0x80
            or (isNumber and text[end] == ord(".") and chr(text[end + 1]).isdigit())
        ):
            end += 1
        return end
    if byte in SIGN:
        end = at
        while text[end] in SIGN:
            end += 1
        return end
    return at + 1


def end_of_string(text, at):
    quote = b'"""' if text[at : at + 3] == b'"""' else b'"'
    at += len(quote)
    while text[at : at + len(quote)] != quote:
        if text[at : at + 2] == b"\\(":
            depth, at = 1, at + 2
            while depth:
                if text[at] == ord('"'):
                    at = end_of_string(text, at)
                    continue
                depth += {ord("("): 1, ord(")"): -1}.get(text[at], 0)
                at += 1
        else:
            at += 2 if text[at] == ord("\\") else 1
    return at + len(quote)


def span(node, text):
    """The bytes of a node, start and end; nothing for what the compiler made itself."""
    if node.get("implicit") or "range" not in node:
        return None
    return node["range"]["start"], end_of_token(text, node["range"]["end"])


def unwrapped(node):
    """The node below what the compiler adds without a word in the source."""
    while node.get("_kind") in ("load_expr", "inject_into_optional", "function_conversion_expr", "erasure_expr"):
        node = node["sub_expr"]
    return node


def nodes(tree, parent=None):
    """Every node below a tree with the one above it; neither texts in strings nor declared cases."""
    if isinstance(tree, list):
        for item in tree:
            yield from nodes(item, parent)
    elif isinstance(tree, dict):
        kind = tree.get("_kind", "")
        if kind in ("interpolated_string_literal_expr", "enum_case_decl", "enum_element_decl", "macro_expansion_expr"):
            return
        if kind.endswith(("_expr", "_stmt", "_decl", "label_item")):
            yield tree, parent
            parent = tree
        for key, value in tree.items():
            if isinstance(value, (dict, list)) and key not in ("next_call", "iterator_var", "captures"):
                yield from nodes(value, parent)
