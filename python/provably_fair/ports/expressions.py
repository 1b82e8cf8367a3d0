"""The operations of a program as lines of JavaScript, one each.

Values are JavaScript's numbers where intervals say that they are exact in doubles, else BigInt. What nothing
is known of, and what JavaScript and numpy round differently, is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any, Literal

import numpy as np

from provably_fair.games import Program
from provably_fair.games.intervals import Interval, intervals_of
from provably_fair.games.operations import DRAWS, EFFECTS, TABLES, Constant, Operation

from .texts import bare, json_of, read

_EXACT = 2**53
_FEW = 8
"""The number of doubles from which numpy adds them in an order of its own."""

Form = Literal["boolean", "number", "big"]
"""How JavaScript has a value."""

WRITTEN: dict[str, Any] = json.loads(read("operations.json"))
"""How JavaScript writes each operation: of doubles, of whole numbers in them, of BigInt, of truth values,
along axes; how words become answers, and which are passed over; what it rounds otherwise than numpy."""


class RefusedError(ValueError):
    """A rule or a scheme that a port can't say exactly."""


def literal(value: Any, form: Form = "number") -> str:
    """Return a constant of Python's or numpy's as JavaScript: text, numbers, or arrays of them."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return f"[{', '.join(literal(one, form) for one in value)}]"
    if isinstance(value, bool):
        return str(value).lower() if form == "boolean" else literal(int(value), form)
    if isinstance(value, float):
        if value != value or abs(value) == float("inf"):
            return {"nan": "NaN", "inf": "Infinity"}.get(str(value), "-Infinity")
        return repr(value).removesuffix(".0")
    if isinstance(value, int):
        return f"{value}n" if form == "big" else str(value)
    return json_of(value)


def lines_of(program: Program, *, comments: bool = True) -> Iterator[str]:
    """Yield the statements of a rule: a line an operation, and the outcome that it returns."""
    writer = _Writer(program)
    noted = {
        one.inputs[1]: str(one.inputs[0].value)
        for one in program.operations
        if one.name == "note" and not isinstance(one.inputs[1], Constant)
    }
    for place, one in enumerate(program.operations):
        text = writer.written(place, one)
        if one.dtype:
            comment = f" // {bare(noted[place])}" if comments and place in noted else ""
            yield f"const {writer.names[place]} = {text};{comment}"
        else:
            yield f"{text};"
    yield f"return {writer.names[program.result]};"


class _Writer:
    """The names, forms and ranges of a program's values."""

    def __init__(self, program: Program) -> None:
        self.operations = program.operations
        self.known = intervals_of(program.operations)
        self.names: dict[int, str] = {}
        for place, one in enumerate(program.operations):
            if one.dtype:
                self.names[place] = f"v{len(self.names) + 1}"
        self.forms = [self._form(place) for place in range(len(self.operations))]
        if self.forms[program.result] == "big":
            raise RefusedError("its outcomes may be beyond 2**53, which no number of JavaScript's is")

    def _form(self, place: int) -> Form:
        one = self.operations[place]
        if one.dtype != "int64":
            return "boolean" if one.dtype == "bool" else "number"
        if one.name in (*DRAWS, "exchange", "argmin", "argmax", "argsort", "count_nonzero", "searchsorted"):
            return "number"
        if one.name in WRITTEN["unlike"]:
            raise RefusedError(f"numpy.{one.name} is rounded otherwise in JavaScript")
        interval = self.known[place]
        if interval is None:
            raise RefusedError(
                f"nothing says that {self.names[place]} of its program ({one.name}) stays below 2**53: "
                "numpy.clip or a remainder bounds it"
            )
        return "number" if _is_exact(interval) else "big"

    def written(self, place: int, one: Operation) -> str:
        """Return an operation as an expression."""
        told = one.told
        if one.name in (*DRAWS, "exchange"):
            return self._drawn(one, told)
        if one.name in EFFECTS:
            given = [self._argument(of) for of in one.inputs] + [literal(value) for value in told.values()]
            return f"draws.{one.name}({', '.join(given)})"
        if one.name in ("move", "constant"):
            return self._moved(place, one)
        if one.name in WRITTEN["along"] or one.name in WRITTEN["along rows"]:
            return self._along(place, one)
        return self._by_element(place, one)

    def _argument(self, of: Any) -> str:
        return literal(of.value) if isinstance(of, Constant) else self.names[of]

    def _drawn(self, one: Operation, told: dict[str, Any]) -> str:
        each = told.pop("each", None)
        told.pop("rounded", None)
        given = [self._argument(of) for of in one.inputs]
        if one.name == "exchange":
            return f"exchange({told['n']}, {literal(told['places'])}, [{', '.join(given)}])"
        if given and self.forms[one.inputs[0]] != "number":
            raise RefusedError("it draws below a number beyond 2**53")
        if one.name == "shuffle":
            told["k"] = told["n"] if told["k"] is None else told["k"]
        given += [literal(value) for value in told.values()]
        if one.name == "coin":
            text = "draws.below(2)"
        elif one.name in ("below", "number"):
            text = f"draws.{one.name}({', '.join(given)})"
        else:
            text = f"{one.name}(draws, {', '.join(given)})"
        if each is None:
            return text
        k, part, count = each
        if count is not None:
            text = f"times({count}, () => {text})"
        if part is None:
            return f"times({k}, () => {text})"
        return f"times({k}, (place) => {{ draws.part({literal(part)}, place); return {text}; }})"

    def _moved(self, place: int, one: Operation) -> str:
        if one.name == "constant":
            value = np.broadcast_to(one.inputs[0].value, (1, *one.shape))[0]
            return literal(value, self.forms[place])
        shapes = [self.operations[of].shape for of in one.inputs]
        values = [self._as(of, self.forms[place]) for of in one.inputs]
        places = one.told["places"]
        if places is None and len(values) > 1:
            if one.shape == (len(values), *shapes[0]) and len({*shapes}) == 1:
                return f"[{', '.join(values)}]"
            if all(len(shape) == 1 for shape in shapes) and len(one.shape) == 1:
                return f"[{', '.join(f'...{value}' for value in values)}]"
        if len(values) == 1 and len(shapes[0]) == 1 and places:
            if not one.shape:
                return f"{values[0]}[{places[0]}]"
            if one.shape == (len(places),) and [*places] == [*range(places[0], places[0] + len(places))]:
                return f"{values[0]}.slice({places[0]}, {places[-1] + 1})"
        is_column = len(values) == 1 and len(shapes[0]) == 2 and one.shape == shapes[0][:1]
        if is_column and places and [*places] == [*range(places[0], prod(shapes[0]), shapes[0][1])]:
            return f"{values[0]}.map((row) => row[{places[0]}])"
        if len(values) == 1 and places is None and one.shape == shapes[0]:
            return values[0]
        joined = values[0] if len(values) == 1 else f"[{', '.join(values)}]"
        return f"moved({joined}, {'null' if places is None else literal(places)}, {literal(one.shape)})"

    def _along(self, place: int, one: Operation) -> str:
        (of,) = one.inputs
        taken, told = self.operations[of], one.told
        axes = told["axis"] if isinstance(told["axis"], tuple) else (told["axis"],)
        count = prod(taken.shape[axis - 1] for axis in axes)
        is_float = taken.dtype == "float64"
        if is_float and one.name in ("sum", "prod", "mean") and (count >= _FEW or len(axes) > 1):
            raise RefusedError(f"numpy takes the {one.name} of {count} doubles in an order of its own")
        if "big" in (self.forms[of], self.forms[place]) or not prod(taken.shape):
            raise RefusedError(f"it takes the {one.name} of numbers beyond 2**53, or of none")
        value = self.names[of]
        if one.name in WRITTEN["along rows"]:
            if axes != (len(taken.shape),):
                raise RefusedError(f"it takes the {one.name} along another axis than the last")
            return f"alongRows({value}, {WRITTEN['along rows'][one.name]})"
        function = WRITTEN["along"][one.name]
        if taken.dtype == "bool" and one.dtype == "bool":
            function = WRITTEN["along"][{"min": "all", "max": "any"}.get(one.name, one.name)]
        if len(axes) > 1:
            if len(axes) < len(taken.shape) or told.get("keepdims"):
                raise RefusedError(f"it takes the {one.name} along some of several axes together")
            return f"({function})({value}.flat(Infinity))"
        (axis,) = axes
        found = f"along({value}, {axis - 1}, {function})"
        return f"kept({found}, {axis - 1})" if told.get("keepdims") else found

    def _by_element(self, place: int, one: Operation) -> str:
        """Return an operation on each element: an expression of numbers, or a function of arrays."""
        if one.name == "take_along_axis" and not isinstance(one.inputs[0], Constant):
            return (
                f"takeAlong({self.names[one.inputs[0]]}, {self.names[one.inputs[1]]}, {one.told['axis'] - 1})"
            )
        names: list[str | None] = []
        arrays, outer = [], []
        for of, letter in zip(one.inputs, "xyz", strict=False):
            is_table = isinstance(of, Constant) and one.name in TABLES and np.ndim(of.value) > 0
            shape = np.shape(of.value) if isinstance(of, Constant) else self.operations[of].shape
            if is_table or not one.shape or (isinstance(of, Constant) and not shape):
                names.append(None)
                continue
            names.append(letter)
            arrays.append(letter)
            outer.append(
                literal(np.broadcast_to(of.value, (1, *one.shape))[0], self._form_of(of))
                if isinstance(of, Constant)
                else self.names[of]
            )
        text = self._expression(place, one, names)
        if not arrays:
            return text
        return f"map(({', '.join(arrays)}) => {text}, {', '.join(outer)})"

    def _expression(self, place: int, one: Operation, names: Sequence[str | None]) -> str:
        form, inputs, name = self.forms[place], one.inputs, one.name

        def given(which: int, like: Form) -> str:
            return self._as(inputs[which], like, names[which])

        match name:
            case "where":
                return f"{given(0, 'boolean')} ? {given(1, form)} : {given(2, form)}"
            case "astype":
                return self._cast(one, given, form)
            case "isin":
                table = _table(inputs[1])
                if table.dtype.kind == "f" and np.isnan(table).any():
                    raise RefusedError("it looks for NaN by numpy.isin, which is found in JavaScript alone")
                like = self._as_in_table(inputs[1], inputs[0])
                return f"{literal(table, like)}.includes({given(0, like)})"
            case "searchsorted":
                if not (np.diff(_table(inputs[0])) >= 0).all():
                    raise RefusedError("it searches a table that isn't sorted")
                is_right = literal(one.told.get("side", "left") == "right", "boolean")
                like = self._as_in_table(*inputs)
                return f"searchsorted({literal(_table(inputs[0]), like)}, {given(1, like)}, {is_right})"
            case "take_along_axis":
                return f"at({literal(_table(inputs[0]), form)}, {given(1, 'number')})"
            case "round":
                return self._rounded(one, given)
            case "left_shift" | "right_shift" if (
                np.ndim(getattr(inputs[1], "value", [])) == 0 and form != "big"
            ):
                return self._shifted(one, given)
        like, templates = self._as_what(one, form)
        if name not in templates:
            how = "is rounded otherwise in JavaScript" if name in WRITTEN["unlike"] else "can't be ported"
            raise RefusedError(f"numpy.{name} {how}")
        text = templates[name].format_map({"xyz"[which]: given(which, like) for which in range(len(inputs))})
        return f"Number({text})" if like == "big" and form == "number" else text

    def _as_in_table(self, table: Any, of: Any) -> Form:
        """Return as what a value is looked for in a table: numpy takes doubles if either has them."""
        is_big = "big" in (self._form_of(table), self._form_of(of))
        return "big" if is_big and "float64" not in (self._dtype(table), self._dtype(of)) else "number"

    def _as_what(self, one: Operation, form: Form) -> tuple[Form, Mapping[str, str]]:
        """Return as what an operation takes its values, and its expressions."""
        dtypes, name = [self._dtype(of) for of in one.inputs], one.name
        is_bits = name.startswith("bitwise_") or name.endswith("_shift")
        is_of_truth = {*dtypes} == {"bool"} and one.dtype == "bool" and name in WRITTEN["boolean"]
        if name.startswith("logical_") or is_of_truth:
            return "boolean", WRITTEN["boolean"]
        if name.endswith("_shift") or (is_bits and not all(map(self._is_small, one.inputs))):
            return "big", WRITTEN["big"]
        if "big" in (form, *map(self._form_of, one.inputs)) and "float64" not in (one.dtype, *dtypes):
            return "big", WRITTEN["big"]
        found = dict(WRITTEN["number"])
        if dtypes[0] == "int64" and name in ("floor", "ceil", "trunc", "rint"):
            found |= WRITTEN["whole"]
        elif one.dtype == "int64":
            # Where JavaScript may have -0, numpy has 0.
            may_fall = any(map(self._may_fall, one.inputs))
            found |= {key: text for key, text in WRITTEN["whole"].items() if key != "multiply" or may_fall}
        if name == "remainder" and not any(map(self._may_fall, one.inputs)):
            found[name] = "{x} % {y}"
        return "number", found

    def _shifted(self, one: Operation, given: Any) -> str:
        """Return a shift by a constant: exact, as it is by a power of two."""
        is_left, by = one.name == "left_shift", one.inputs[1].value
        if self._form_of(one.inputs[0]) == "big":
            return f"Number({given(0, 'big')} {'<<' if is_left else '>>'} {literal(by, 'big')})"
        x, factor = given(0, "number"), literal(2 ** int(by))
        return f"{x} * {factor}" if is_left else f"Math.floor({x} / {factor})"

    def _cast(self, one: Operation, given: Any, form: Form) -> str:
        of = self._dtype(one.inputs[0])
        if of != "float64" or one.dtype == "float64":
            return str(given(0, form))
        if form == "boolean":
            return f"{given(0, 'number')} !== 0"
        text = f"Math.trunc({given(0, 'number')})"
        if form == "big":
            return f"BigInt({text})"
        return f"{text} + 0" if self._may_fall(one.inputs[0]) else text

    def _rounded(self, one: Operation, given: Any) -> str:
        decimals = int(one.told.get("decimals", 0))
        if one.dtype != "float64" or not 0 <= decimals < _FEW:
            raise RefusedError(f"numpy.round to {decimals} decimals can't be ported")
        x = given(0, "number")
        return f"rint({x} * {10**decimals}) / {10**decimals}" if decimals else f"rint({x})"

    # ---- what is known of values ----

    def _dtype(self, of: Any) -> str:
        if isinstance(of, Constant):
            kind = np.asarray(of.value).dtype.kind
            return {"b": "bool", "f": "float64"}.get(kind, "int64")
        found: str = self.operations[of].dtype
        return found

    def _range(self, of: Any) -> Interval | None:
        if isinstance(of, Constant):
            value = np.asarray(of.value)
            return Interval(value, value)
        found: Interval | None = self.known[of]
        return found

    def _form_of(self, of: Any) -> Form:
        if not isinstance(of, Constant):
            found: Form = self.forms[of]
            return found
        if self._dtype(of) == "bool":
            return "boolean"
        value = np.asarray(of.value)
        return "big" if value.dtype.kind in "iu" and not _is_exact(Interval(value, value)) else "number"

    def _may_fall(self, place: Any) -> bool:
        """Return whether a value may be below 0, so that JavaScript may have -0 where numpy has 0."""
        interval = self._range(place)
        return interval is None or bool((interval.low < 0).any())

    def _is_small(self, of: Any) -> bool:
        """Return whether a value fits into JavaScript's operations on bits."""
        interval = self._range(of)
        return interval is not None and bool((interval.low >= 0).all() and (interval.high < 2**31).all())

    def _as(self, of: Any, form: Form, name: str | None = None) -> str:
        """Return a value in another form."""
        own = self._form_of(of)
        if isinstance(of, Constant) and name is None:
            if form == "boolean":
                return literal(bool(of.value), "boolean")
            return _in_brackets(literal(of.value, "number" if self._dtype(of) == "float64" else form))
        text = self.names[of] if name is None else name
        if own == form:
            return text
        if name is None and self.operations[of].shape:
            return f"map((x) => {self._as(of, form, 'x')}, {text})"
        if form == "boolean":
            return f"({text} !== {literal(0, own)})"
        return f"BigInt({text})" if form == "big" else f"Number({text})"


def _in_brackets(text: str) -> str:
    """Return a negative number so that it can stand behind a sign."""
    return f"({text})" if text.startswith("-") else text


def _is_exact(interval: Interval) -> bool:
    """Return whether doubles hold all whole numbers of an interval."""
    low, high = np.asarray(interval.low), np.asarray(interval.high)
    return bool((low >= -_EXACT).all() and (high <= _EXACT).all())


def _table(of: Constant) -> np.ndarray:
    return np.ravel(of.value)
