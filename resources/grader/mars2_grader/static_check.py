"""Decides from the syntax tree whether a program may share a process with others: it must not be able to change anything
that the next program would find. What is not in the lists here is rejected.

The argument, in short: a program reaches objects by names, by attributes and by what functions give it. Names are its
own or those of allowed_names.py, of which none leads to anything that can be changed. Attributes are its own, or those of the
list below, of which none leads from a value to the interpreter. Attributes are stored on its own objects alone. And
nothing of it can run after it: no finalizer, no generator that catches its end, no thread, no signal, no exit function.
"""

import ast
import re
from keyword import iskeyword
from typing import Any, Dict, FrozenSet, Iterator, List, Optional, Set, Tuple, Type

from .allowed_names import GUARD, TYPING, AllowedNames

_METHODS = """
    A ASCII DOTALL I IGNORECASE M MULTILINE S VERBOSE X
    abs add append appendleft args as_integer_ratio bit_count bit_length buffer cache_clear cache_info capitalize casefold
    center choice choices clear close code combinations conjugate copy count decode denominator difference
    difference_update discard elements encode end endswith expandtabs extend extendleft finditer findall find flush from_bytes
    from_iterable fromhex fromkeys fullmatch get getter group groupdict groups hex imag index insert intersection
    intersection_update is_integer isalnum isalpha isascii isdecimal isdigit isdisjoint isidentifier islower isnumeric
    isprintable isspace issubset issuperset istitle isupper items join keys lastindex ljust lower lstrip maketrans
    match maxlen most_common move_to_end name numerator partition pattern permutations pop popitem popleft pow randint
    random randrange read readline readlines real remove removeprefix removesuffix replace reverse rfind rindex rjust
    rotate rpartition rsplit rstrip sample search seed send setdefault setter shuffle sort span split splitlines
    sqrt start startswith step stop strip sub subn subtract swapcase symmetric_difference
    symmetric_difference_update title to_bytes total translate uniform union update upper value values write writelines
    zfill
"""
_FIELDS = """
    algorithm alive arg children columns combine compare cost cutoff data date day days default delete delimiter depth
    digits divide elapsed error exp extract fill hashvalue height hour id inf key kind left level line lines mapping max
    max_depth mean median message min minus minute mode modulus month move msg multiply nan next nodes object offset parent
    parents parse path plus pos power prev print priority push query radix rank rest result right root rounds run second
    seconds set shape shift sign size slope state string symbols text time today type user variance version weekday week
    width wrap year
"""
ATTRIBUTES: FrozenSet[str] = frozenset((_METHODS + _FIELDS).split())
"""Names that types of the interpreter have and that lead nowhere: methods, and what fields of a program's own classes are
often called. A name that no type has (`Attributes.taken`) is the program's own."""

_CLASS_METHODS = frozenset(
    [f"__{name}__" for name in (
        "init repr str lt le gt ge eq ne hash bool len getitem setitem delitem contains iter next reversed call missing "
        "int float index round floor ceil trunc abs neg pos invert enter exit "
        "add radd iadd sub rsub isub mul rmul imul truediv rtruediv itruediv floordiv rfloordiv ifloordiv mod rmod imod "
        "pow rpow ipow and rand iand or ror ior xor rxor ixor lshift rlshift ilshift rshift rrshift irshift divmod "
        "rdivmod matmul rmatmul imatmul"
    ).split()]
)  # fmt: skip

_PLAIN_TYPES = frozenset("int str float bool complex list dict tuple set frozenset bytes bytearray object range".split())
_GENERIC = frozenset("list dict tuple set frozenset".split())
_FORMAT_REACHES = re.compile(r"\{[^{}:!]*[.\[]")

_FREE: Tuple[Type[ast.AST], ...] = (
    ast.Module, ast.Return, ast.Delete, ast.Assign, ast.AugAssign, ast.For, ast.While, ast.If, ast.Raise, ast.Assert,
    ast.Expr, ast.Pass, ast.Break, ast.Continue, ast.BoolOp, ast.NamedExpr, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Dict,
    ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.Compare, ast.FormattedValue, ast.JoinedStr, ast.Constant,
    ast.Subscript, ast.Starred, ast.List, ast.Tuple, ast.Slice, ast.arguments, ast.keyword, ast.Lambda,
    ast.GeneratorExp,
)  # fmt: skip
"""Nodes that are allowed if their parts are."""
_LEAF_NODES: Tuple[Type[ast.AST], ...] = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)


class Rejected(Exception):
    """The program may not share a process; the text says why."""


def builtin_type_attributes() -> FrozenSet[str]:
    """All names of attributes that types of this interpreter have."""
    names: Set[str] = set()
    seen: Set[type] = set()
    waiting: List[type] = [object]
    while waiting:
        one = waiting.pop()
        if one not in seen:
            seen.add(one)
            names.update(one.__dict__)
            waiting.extend(type.__subclasses__(one))
    return frozenset(names) - ATTRIBUTES


class StaticCheck:
    """The check of one program."""

    def __init__(self, names: AllowedNames, is_bare: bool, taken: FrozenSet[str]) -> None:
        self._names = names
        self._scope_names = names.bare if is_bare else names.full
        self._taken = taken
        self._loaded: Set[str] = set()
        self._bound: Set[str] = set()
        self._of_typing: Set[str] = set()
        self._annotations: List[ast.AST] = []
        self._handlers: List[ast.ExceptHandler] = []
        self._classes: Set[str] = set()
        self._yields = self._yields_from = self._names_tuples = False
        self._catches = self._imports_random = False
        self._reads_bytes = False
        self._reads_text = False

    @property
    def may_use_random(self) -> bool:
        """It may use `random`, which has to be in its initial state."""
        return self._imports_random or not self._loaded.isdisjoint(self._names.random_names)

    @property
    def may_run_on_deletion(self) -> bool:
        """Its code may run when its objects are deleted, like an iterator that heapq.merge has not exhausted."""
        return self._yields or bool(self._classes)

    def check(self, tree: ast.Module) -> bool:
        """Raises Rejected; changes the tree so that it stores attributes on its own objects only. Gives
        `errors_by_name`."""
        waiting: List[ast.AST] = [tree]
        while waiting:
            node = waiting.pop()
            kind = type(node)
            if kind is ast.Name:
                self._name(node)
            elif kind in _IS_FREE:
                for field in _PARTS[kind]:
                    value = getattr(node, field)
                    if type(value) is list:
                        waiting.extend([one for one in value if one is not None])
                    elif value is not None:
                        waiting.append(value)
            else:
                handler = _HANDLERS.get(kind)
                if handler is None:
                    raise Rejected(kind.__name__)
                waiting.extend(handler(self, node))
        return self._conclude(tree)

    def _conclude(self, tree: ast.Module) -> bool:
        if self._yields and self._catches:
            raise Rejected("a generator that may catch its end")
        if self._yields_from and (self._classes or self._names_tuples):
            raise Rejected("yield from what may have a method close")
        if "super" in self._bound | self._classes:
            raise Rejected("another super")
        if self._reads_bytes and self._reads_text:
            raise Rejected("standard input read in two ways")
        for annotation in self._annotations:
            self._annotation(annotation, True)
        if self._of_typing & (self._bound | self._classes):
            raise Rejected("a name of typing with another meaning")
        for name in {handler.name for handler in self._handlers}:
            self._check_scope_of_error(tree, name)
        doubtful = {name for name in self._loaded if name in self._scope_names.hidden or name in TYPING} - _imported_first(tree)
        if not doubtful:
            return False
        if self._catches or not doubtful <= self._bound | self._classes or doubtful & self._of_typing:
            raise Rejected(", ".join(sorted(doubtful)))
        return True

    def _check_scope_of_error(self, tree: ast.Module, name: str) -> None:
        """`except ... as e` deletes e, and what a deleted name means depends on where the prelude's names are."""
        if name not in self._scope_names.hidden and name not in self._scope_names.builtins:
            return
        inside: Set[ast.AST] = set()
        for handler in self._handlers:
            inside.update(_loads(handler, name) if handler.name == name else ())
        if len(inside) < len(_loads(tree, name)):
            raise Rejected(f"{name}, which is deleted")

    def _bind(self, name: Optional[str]) -> None:
        if name is not None:
            self._check_name(name)
            self._bound.add(name)

    def _check_name(self, name: str) -> None:
        if name[:2] == "__" and name not in _CLASS_METHODS:
            raise Rejected(name)

    def _name(self, node: Any) -> None:
        name = node.id
        kind = type(node.ctx)
        if kind is ast.Load:
            if name[:2] == "__" and name != "__name__" or name in ("type", "typing"):
                raise Rejected(name)
            self._loaded.add(name)
            if name == "input":
                self._reads_text = True
            elif name == "namedtuple":
                self._names_tuples = True
        else:
            self._bind(name)
            if kind is ast.Del and (name in self._scope_names.hidden or name in self._scope_names.builtins):
                raise Rejected(f"del {name}")

    def _attribute(self, node: Any) -> Iterator[ast.AST]:
        name = node.attr
        value = node.value
        if name in self._taken or name[:2] == "__":
            if name == "format":
                if type(value) is not ast.Constant or type(value.value) is not str or _FORMAT_REACHES.search(value.value):
                    raise Rejected("format")
            elif type(node.ctx) is not ast.Load or name != "__name__" and not (name == "__init__" and _is_super(value)):
                raise Rejected(f".{name}")
        if name == "namedtuple":
            self._names_tuples = True
        if type(node.ctx) is not ast.Load:
            node.value = ast.copy_location(
                ast.Call(ast.copy_location(ast.Name(GUARD, ast.Load()), value), [value], []), value
            )
        elif name == "buffer":
            self._reads_bytes = True
        elif name in ("read", "readline", "readlines") and not (
            type(value) is ast.Attribute and value.attr == "buffer"
        ):
            self._reads_text = True
        yield value

    def _call(self, node: Any) -> Iterator[ast.AST]:
        function = node.func
        if type(function) is ast.Name and function.id == "type":
            if len(node.args) != 1 or node.keywords or type(node.args[0]) is ast.Starred:
                raise Rejected("type")
        else:
            yield function
        yield from node.args
        yield from node.keywords

    def _comprehension(self, node: Any) -> Iterator[ast.AST]:
        if node.is_async:
            raise Rejected("async")
        yield node.target
        yield node.iter
        yield from node.ifs

    def _function(self, node: Any) -> Iterator[ast.AST]:
        self._bind(node.name)
        if getattr(node, "type_params", None):
            raise Rejected("type parameters")
        if node.returns is not None:
            self._annotations.append(node.returns)
        yield from node.decorator_list
        yield node.args
        yield from node.body

    def _argument(self, node: Any) -> Iterator[ast.AST]:
        self._bind(node.arg)
        if node.annotation is not None:
            self._annotations.append(node.annotation)
        return iter(())

    def _class(self, node: Any) -> Iterator[ast.AST]:
        self._check_name(node.name)
        self._classes.add(node.name)
        if node.keywords or getattr(node, "type_params", None):
            raise Rejected("a class with keywords")
        yield from node.bases
        yield from node.decorator_list
        yield from node.body

    def _annotated(self, node: Any) -> Iterator[ast.AST]:
        self._annotations.append(node.annotation)
        yield node.target
        if node.value is not None:
            yield node.value

    def _scope(self, node: Any) -> Iterator[ast.AST]:
        for name in node.names:
            self._bind(name)
        return iter(())

    def _try(self, node: Any) -> Iterator[ast.AST]:
        self._catches = True
        yield from node.body
        yield from node.handlers
        yield from node.orelse
        yield from node.finalbody

    def _handler(self, node: Any) -> Iterator[ast.AST]:
        self._bind(node.name)
        if node.name is not None:
            self._handlers.append(node)
        if node.type is not None:
            yield node.type
        yield from node.body

    def _with(self, node: Any) -> Iterator[ast.AST]:
        self._catches = True
        for item in node.items:
            yield item.context_expr
            if item.optional_vars is not None:
                yield item.optional_vars
        yield from node.body

    def _yield(self, node: Any) -> Iterator[ast.AST]:
        self._yields = True
        self._yields_from |= type(node) is ast.YieldFrom
        if node.value is not None:
            yield node.value

    def _import(self, node: Any) -> Iterator[ast.AST]:
        for alias in node.names:
            if alias.name not in self._names.modules or alias.name == "typing" and alias.asname is not None:
                raise Rejected(f"import {alias.name}")
            self._bind(alias.asname or alias.name)
            self._imports_random |= alias.name == "random"
        return iter(())

    def _import_from(self, node: Any) -> Iterator[ast.AST]:
        module = self._names.modules.get(node.module or "")
        if module is None or node.level:
            raise Rejected(f"from {node.module} import")
        self._imports_random |= node.module == "random"
        for alias in node.names:
            if alias.name == "*":
                # Names that it would have here and has not are hidden.
                missing = self._names.missing[node.module]
                self._scope_names = self._scope_names._replace(hidden=self._scope_names.hidden | missing)
            elif alias.name not in vars(module) or alias.name[:1] == "_":
                raise Rejected(f"from {node.module} import {alias.name}")
            elif node.module == "typing":
                if alias.asname is not None:
                    raise Rejected("a name of typing with another name")
                self._of_typing.add(alias.name)
            else:
                self._names_tuples |= alias.name == "namedtuple"
                self._bind(alias.asname or alias.name)
        return iter(())

    def _annotation(self, node: Any, is_outer: bool) -> None:
        """Rejects annotations that the real `typing` would refuse, because the stand-in accepts all."""
        kind = type(node)
        if kind is ast.Constant:
            value = node.value
            if value is None or (type(value) is str and (is_outer or value.isidentifier() and not iskeyword(value))):
                return
        elif kind is ast.Name:
            name = node.id
            if name in TYPING or name in _PLAIN_TYPES or name in self._classes:
                if name in self._bound or name in self._classes and name in TYPING:
                    raise Rejected(f"{name} in an annotation")
                return
            if is_outer and name[:2] != "__" and name not in ("type", "typing"):
                self._loaded.add(name)
                return
        elif kind is ast.Attribute and _is_typing(node):
            if node.attr in TYPING:
                return
        elif kind is ast.Subscript and (type(node.value) is ast.Name or _is_typing(node.value)):
            self._generic(node.value, node.slice)
            return
        raise Rejected("an annotation")

    def _generic(self, outer: Any, inner: Any) -> None:
        name = outer.id if type(outer) is ast.Name else outer.attr
        parts = list(inner.elts) if type(inner) is ast.Tuple else [inner]
        is_other = name in self._bound | self._classes and type(outer) is ast.Name
        if is_other or name not in TYPING and (name not in _GENERIC or type(outer) is not ast.Name):
            raise Rejected("an annotation")
        count = TYPING.get(name, -1)
        if name == "Callable":
            if len(parts) != 2:
                raise Rejected("an annotation")
            first, result = parts
            self._annotation(result, False)
            parts = list(first.elts) if type(first) is ast.List else []
            if type(first) is not ast.List and not _is_ellipsis(first):
                raise Rejected("an annotation")
        elif name in ("Tuple", "tuple") and len(parts) == 2 and _is_ellipsis(parts[1]):
            parts = parts[:1]
        elif not parts or count >= 0 and len(parts) != count:
            raise Rejected("an annotation")
        for part in parts:
            self._annotation(part, False)


def _is_ellipsis(node: Any) -> bool:
    return type(node) is ast.Constant and node.value is Ellipsis


def _is_typing(node: Any) -> bool:
    return type(node) is ast.Attribute and type(node.value) is ast.Name and node.value.id == "typing"


def _is_super(node: Any) -> bool:
    return type(node) is ast.Call and type(node.func) is ast.Name and node.func.id == "super" and not node.args


def _imported_first(tree: ast.Module) -> Set[str]:
    """Names that mean what is imported, because nothing runs before."""
    names: Set[str] = set()
    for statement in tree.body:
        if type(statement) is ast.Import or type(statement) is ast.ImportFrom and statement.module != "typing":
            names.update(alias.asname or alias.name for alias in statement.names)
        elif type(statement) is not ast.Expr or type(statement.value) is not ast.Constant:
            break
    return names


def _loads(tree: ast.AST, name: str) -> Set[ast.AST]:
    return {
        node
        for node in ast.walk(tree)
        if type(node) is ast.Name and node.id == name and type(node.ctx) is ast.Load
    }


_IS_FREE = frozenset(_FREE)
_PARTS: Dict[Type[ast.AST], List[str]] = {
    kind: [
        field
        for field in kind._fields
        if field not in ("ctx", "op", "ops", "type_comment", "type_ignores", "kind", "n", "s", "simple", "conversion")
        and not (kind is ast.Constant or kind is ast.keyword and field == "arg")
    ]
    for kind in _FREE
}
_HANDLERS: Dict[Type[ast.AST], Any] = {
    ast.Attribute: StaticCheck._attribute,
    ast.Call: StaticCheck._call,
    ast.comprehension: StaticCheck._comprehension,
    ast.FunctionDef: StaticCheck._function,
    ast.arg: StaticCheck._argument,
    ast.ClassDef: StaticCheck._class,
    ast.AnnAssign: StaticCheck._annotated,
    ast.Global: StaticCheck._scope,
    ast.Nonlocal: StaticCheck._scope,
    ast.Try: StaticCheck._try,
    ast.ExceptHandler: StaticCheck._handler,
    ast.With: StaticCheck._with,
    ast.Yield: StaticCheck._yield,
    ast.YieldFrom: StaticCheck._yield,
    ast.Import: StaticCheck._import,
    ast.ImportFrom: StaticCheck._import_from,
}
