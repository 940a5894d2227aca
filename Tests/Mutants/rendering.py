"""Writes a source with all of its mutants in it, and finds the point at a place of what was written."""

import re


LEAVING = ("return removed", "throw removed", "continue removed", "break removed")


def nested(points):
    """The outermost points, each with those inside as its children."""
    top, stack = [], []
    for point in points:
        point.children = []
        while stack and not (stack[-1].start <= point.start and point.end <= stack[-1].end):
            stack.pop()
        (stack[-1].children if stack else top).append(point)
        stack.append(point)
    return top


class Rendering:
    def __init__(self, text, points):
        self.text = text
        self.out = bytearray()
        # Where each point's text is, inner ones first.
        self.places = []
        self._write(0, len(text), nested([p for p in points if p.form < len(p.forms)]))

    def _write(self, start, end, points):
        at = start
        for point in points:
            if point.start < at or point.end > end:
                continue
            self.out += self.text[at : point.start]
            begin = len(self.out)
            for piece in point.forms[point.form]:
                if isinstance(piece, str):
                    for number in reversed(range(4)):
                        piece = piece.replace(f"#{number}", str(point.first + number))
                    self.out += piece.encode()
                elif piece[0] == "raw":
                    self.out += self.text[piece[1] : piece[2]]
                else:
                    self._write(piece[1], piece[2], point.children)
            self.places.append((begin, len(self.out), point))
            at = point.end
        self.out += self.text[at:end]

    def setting(self, name, line):
        """The points at which a variable may be left without a value before it is read on a line."""
        pattern = rb"\(?[\w, ]*\b%s\b[\w, ]*\)? = " % name.encode()
        left = [
            p
            for _, _, p in self.places
            if p.mutants[0] == "statement removed" and re.match(pattern, self.text[p.start : p.end])
        ]
        return left or self._leaving(len(b"\n".join(bytes(self.out).split(b"\n")[: line - 1])))

    def returning(self, line):
        """The statements before a way out of an initializer, in the same body: one of them sets what is left unset."""
        lines = bytes(self.out).split(b"\n")
        first = line - 1
        while first > 0 and not lines[first - 1].rstrip().endswith(b"{"):
            first -= 1
        begin, end = (len(b"\n".join(lines[:count])) for count in (first, line))
        return [p for b, e, p in self.places if b >= begin and e <= end and p.mutants[0] == "statement removed"]

    def _leaving(self, offset):
        """The last way out of a body before a place."""
        leaving = [(e, p) for b, e, p in self.places if e <= offset and p.mutants[0] in LEAVING]
        return [p for _, p in sorted(leaving, key=lambda pair: pair[0])[-1:]]

    def at(self, line, column):
        """The innermost point at a place, both counted from 1; else all that stand on the line."""
        lines = bytes(self.out).split(b"\n")
        before = sum(len(l) + 1 for l in lines[: line - 1])
        offset = before + column - 1
        inside = [p for b, e, p in self.places if b <= offset < e]
        if inside:
            return inside[:1]
        after = before + len(lines[line - 1])
        touching = [p for b, e, p in self.places if b < after and e > before]
        if not touching and lines[line - 1].rstrip().endswith((b"=", b"{", b"(", b" in")):
            return self._first(after)
        # A body that falls through is blamed at its end: the way out was the last one before.
        return touching or self._leaving(offset) or self._first(after)

    def _first(self, offset):
        """The outermost point of the next ones: a whole statement, or the call of a closure, is blamed at its beginning."""
        later = [(b, -e, p) for b, e, p in self.places if b > offset]
        return [p for _, _, p in sorted(later, key=lambda place: place[:2])[:1]]
