"""The names that programs in the common process can use: none of them can be changed for the next program.

All of it is written in C and cannot be given attributes, or is guarded: static_check.py lets a program store attributes on
its own objects alone. A module is a stand-in that holds some of the real one's names; who asks it for another one is
run in a process of its own, where all names are there.
"""

import builtins
import copy
import sys
import types
from typing import Any, Dict, FrozenSet, List, NamedTuple, Tuple

OWN_MODULES = ("__main__", "solution", "candidate")
"""Values of `__name__` in programs, and so of `__module__` in what they define."""
GUARD = "own object"
"""No identifier, so that no program can name it."""


class NameNotAllowed(BaseException):
    """Ends a program that uses a name that is missing here; `Violation.happened` says so even if the program catches it."""


class Violation:
    happened = False


def violate(*_what: Any) -> Any:
    Violation.happened = True
    raise NameNotAllowed


_EXCEPTIONS = [
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException) and value.__module__ == "builtins"
]
_BUILTINS = (
    "abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict divmod enumerate filter float "
    "format frozenset hash hex input int isinstance issubclass iter len list map max min next object oct ord pow print "
    "property range repr reversed round set slice sorted staticmethod str sum super tuple zip exit quit NotImplemented "
    "Ellipsis __build_class__"
).split() + _EXCEPTIONS

_MODULES: Dict[str, str] = {
    "bisect": "bisect bisect_left bisect_right insort insort_left insort_right",
    "collections": "Counter OrderedDict defaultdict deque namedtuple",
    "functools": "cache cmp_to_key lru_cache partial reduce",
    "heapq": "heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest",
    "itertools": "accumulate chain combinations combinations_with_replacement compress count cycle dropwhile "
    "filterfalse groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest",
    "math": "acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e erf erfc exp exp2 "
    "expm1 fabs factorial floor fmod frexp fsum gamma gcd hypot inf isclose isfinite isinf isnan isqrt lcm ldexp lgamma "
    "log log10 log1p log2 modf nan nextafter perm pi pow prod radians remainder sin sinh sqrt tan tanh tau trunc ulp",
    "operator": "abs add and_ concat contains countOf eq floordiv ge getitem gt iadd index indexOf inv invert is_ "
    "is_not itemgetter le lshift lt mod mul ne neg not_ or_ pos pow rshift sub truediv truth xor",
    "random": "choice choices randint random randrange sample seed shuffle uniform",
    "re": "A ASCII DOTALL I IGNORECASE M MULTILINE S VERBOSE X compile escape findall finditer fullmatch match search "
    "split sub subn",
    "string": "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits printable punctuation whitespace",
}

TYPING: Dict[str, int] = {
    "Any": 0, "Callable": -1, "Collection": 1, "Container": 1, "DefaultDict": 2, "Deque": 1, "Dict": 2, "FrozenSet": 1,
    "Iterable": 1, "Iterator": 1, "List": 1, "Mapping": 2, "MutableMapping": 2, "MutableSequence": 1, "Optional": 1,
    "Sequence": 1, "Set": 1, "Tuple": -1, "Union": -1,
}  # fmt: skip
"""Names that stand in annotations, and how many parameters they take (-1: any number). They are not typing's own, which
remember what they were given: static_check.py looks itself whether typing would take them."""


def _type_of(value: Any) -> Any:
    """`type` with one argument. What it gives is a type of the program or one that cannot be changed; the type of types
    would make a class around all rules."""
    found = type(value)
    return found if found in _TYPES or found.__module__ in OWN_MODULES and found is not type else violate()


_TYPES = frozenset(
    [int, str, float, bool, complex, list, dict, tuple, set, frozenset, bytes, bytearray, range, slice, type(None)]
    + [types.FunctionType, types.BuiltinFunctionType, types.GeneratorType, map, filter, zip, enumerate, reversed]
)


def _own(value: Any) -> Any:
    """Before an attribute is stored: the object, where the program made it."""
    return value if getattr(value, "__module__", None) in OWN_MODULES else violate()


def _copied(value: Any) -> Any:
    return copy.copy(value)


def _deep_copied(value: Any) -> Any:
    # The real one has parameters that are its own affair.
    return copy.deepcopy(value)


def _set_recursion_limit(limit: int) -> None:
    # Below that, what describes errors has no room.
    sys.setrecursionlimit(limit if type(limit) is int and limit >= 200 else violate())


class ScopeNames(NamedTuple):
    """What a kind of test offers."""

    builtins: Dict[str, Any]
    """Programs cannot reach the dictionary itself, so all of them have the same."""
    hidden: FrozenSet[str]
    """Names that a process of its own has, and that are not offered here."""


class AllowedNames:
    def __init__(self, prelude: Dict[str, Any]) -> None:
        """`prelude`: the names that `stdin` and `call` tests have."""
        self.modules = _stand_ins()
        self.random_names = frozenset(["random", *_names_of("random")])
        self.missing: Dict[str, FrozenSet[str]] = {
            name: _public_names(name) - frozenset(vars(stand_in)) for name, stand_in in self.modules.items()
        }
        safe = {name: getattr(builtins, name) for name in _BUILTINS if hasattr(builtins, name)}
        safe.update({"type": _type_of, "__import__": self._import, GUARD: _own})
        by_identity = {id(getattr(builtins, name)): value for name, value in safe.items() if hasattr(builtins, name)}
        for name, stand_in in self.modules.items():
            real = sys.modules[name]
            by_identity[id(real)] = stand_in
            for key, value in vars(stand_in).items():
                if value is not None and not key.startswith("_"):
                    by_identity[id(getattr(real, key))] = value
        names = {name: by_identity[id(value)] for name, value in prelude.items() if id(value) in by_identity}
        known = frozenset(vars(builtins))
        self.bare = ScopeNames(safe, known - frozenset(safe))
        beside = {**safe, **names}
        # What the prelude has under a builtin's name is not the builtin.
        for name in set(prelude) & set(safe):
            if name not in names:
                del beside[name]
        self.full = ScopeNames(beside, (known | frozenset(prelude)) - frozenset(beside))

    def _import(self, name: str, *_more: Any) -> Any:
        return self.modules.get(name) or violate()

    def set_streams(self, stdin: Any, stdout: Any, stderr: Any) -> None:
        names = vars(self.modules["sys"])
        names["stdin"], names["stdout"], names["stderr"] = sys.stdin, sys.stdout, sys.stderr = stdin, stdout, stderr


def _names_of(module: str) -> List[str]:
    real = sys.modules[module]
    names = _MODULES.get(module, "").split() if module != "typing" else list(TYPING)
    return [name for name in names if hasattr(real, name)]


def _stand_ins() -> Dict[str, types.ModuleType]:
    found: Dict[str, types.ModuleType] = {}
    for name in (*_MODULES, "typing"):
        real = __import__(name)
        found[name] = _stand_in(
            name, {key: list if name == "typing" else getattr(real, key) for key in _names_of(name)}
        )
    found["copy"] = _stand_in("copy", {"copy": _copied, "deepcopy": _deep_copied})
    found["sys"] = _stand_in(
        "sys",
        {
            "exit": sys.exit,
            "maxsize": sys.maxsize,
            "setrecursionlimit": _set_recursion_limit,
            "getrecursionlimit": sys.getrecursionlimit,
            "stdin": None,
            "stdout": None,
            "stderr": None,
        },
    )
    return found


def _stand_in(name: str, names: Dict[str, Any]) -> types.ModuleType:
    module = types.ModuleType(name)
    vars(module).update(names)
    vars(module)["__getattr__"] = violate
    return module


def _public_names(module: str) -> FrozenSet[str]:
    """What `from module import *` gives."""
    real = sys.modules[module]
    names: Tuple[str, ...] = tuple(getattr(real, "__all__", ())) or tuple(
        name for name in vars(real) if not name.startswith("_")
    )
    return frozenset(names)
