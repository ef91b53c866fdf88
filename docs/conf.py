"""How the site is built: ``python -m sphinx docs build/site``."""

from docutils.nodes import Element, Text, document, literal_block
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

import scorpion

project = "scorpion"
author = "The scorpion maintainers"
release = scorpion.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 3
myst_enable_extensions = ["deflist"]

autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
nitpicky = True
# Names of others, whose documents would have to be fetched to link to them.
nitpick_ignore_regex = [
    ("py:.*", r"(array|collections\.abc|concurrent|datetime|fastapi|os|pydantic|threading)(\..*)?")
]

html_theme = "furo"
html_title = f"scorpion {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_show_copyright = False


def setup(app: Sphinx) -> None:
    """Public names are found wherever a docstring says them, not only in ``scorpion`` itself.

    And code ends with its last line: a doctest needs an empty one after it.
    """
    app.connect("missing-reference", _public)
    app.connect("doctree-read", _trimmed)


def _trimmed(_app: Sphinx, doctree: document) -> None:
    for block in doctree.findall(literal_block):
        block.rawsource = block.rawsource.rstrip("\n")
        block[:] = [Text(block.rawsource)]


def _public(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: Element
) -> Element | None:
    name = node["reftarget"].rpartition(".")[2]
    if node["refdomain"] != "py" or name not in scorpion.__all__:
        return None
    domain = env.domains.python_domain
    return domain.resolve_xref(
        env, node["refdoc"], app.builder, "obj", f"scorpion.{name}", node, content
    )
