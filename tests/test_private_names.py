"""What a module keeps to itself (`_name`) no other module uses."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import scorpion

PACKAGE = Path(scorpion.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
PUBLISHED = {"_replace", "_exit"}
"""Of named tuples, and of `os`: names with an underscore that are documented."""


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def own_names(tree: ast.AST) -> Iterator[str]:
    """The names that a module defines: functions, classes, variables, fields, attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif (
            isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and ast.unparse(node.value) == "self"
        ):
            yield node.attr


def private_names_of_others(source: str) -> list[str]:
    """The lines on which a module takes what another one keeps to itself."""
    tree = ast.parse(source)
    own = {*own_names(tree)} | PUBLISHED
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.Attribute):
            names = [node.attr]
        else:
            continue
        found += [
            f"{node.lineno}: {name}" for name in names if is_private(name) and name not in own
        ]
    return found


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_module_uses_anothers(module: Path) -> None:
    assert private_names_of_others(module.read_text()) == []


def test_each_way_of_using_one_is_noticed() -> None:
    assert private_names_of_others("from scorpion.solver import _budget, solve") == ["1: _budget"]
    assert private_names_of_others("from scorpion import _core") == ["1: _core"]
    assert private_names_of_others("x = 1\nprint(board._position)") == ["2: _position"]
    assert private_names_of_others("board._seen = after") == ["1: _seen"]
    assert private_names_of_others("class A:\n  def _own(self):\n    return other._own()") == []
    assert private_names_of_others("line._replace(text='')") == []
