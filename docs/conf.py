"""Sphinx configuration for `make docs`: no network, notebooks aren't executed, warnings are errors."""

import sys
from pathlib import Path

import provably_fair

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "_ext"))

project = "provably_fair"
author = "the provably_fair contributors"
copyright = author
version = release = provably_fair.__version__

extensions = [
    "sphinx.ext.autodoc",
    "numpydoc",
    "myst_nb",
    "sphinx_copybutton",
    "sphinx_design",
    "rooms",
    "commands",
    "findings",
    "game_list",
    "notebooks",
    "record",
    "verifier",
]
templates_path = ["_templates"]
exclude_patterns = ["_ext", "_static", "_templates"]
default_role = "py:obj"
nitpicky = False

# Reference pages. Signatures omit types, which docstrings have.
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "show-inheritance": True}
python_use_unqualified_type_names = True
python_display_short_literal_types = True
maximum_signature_line_length = 90
# A page's table of contents omits the class name of methods.
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

# Markdown pages; notebooks with their committed outputs.
myst_enable_extensions = ["colon_fence", "deflist", "attrs_inline", "attrs_block"]
myst_heading_anchors = 3
nb_execution_mode = "off"
nb_ipywidgets_js = {}
nb_merge_streams = True
suppress_warnings = ["mystnb.unknown_mime_type"]

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True

html_theme = "pydata_sphinx_theme"
html_title = "provably_fair"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_show_sourcelink = False
html_copy_source = False
# Search results show no excerpts: browsers refuse to fetch them from disk.
html_show_search_summary = False
html_theme_options = {
    "logo": {"text": "provably_fair"},
    "header_links_before_dropdown": 6,
    "navbar_align": "left",
    "show_prev_next": True,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "show_toc_level": 2,
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"index": [], "changelog": [], "errata": [], "glossary": [], "verify": []}
