"""Builds the compiled core; everything else stands in pyproject.toml."""

import os
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG = os.environ.get("SCORPION_DEBUG") == "1"
SANITIZE = os.environ.get("SCORPION_SANITIZE", "")

if sys.platform == "win32":
    compile_args, link_args = (["/Od", "/Zi"] if DEBUG else ["/O2"]), []
else:
    # A level that CFLAGS name is the one that counts, as compilers take the last.
    fast = [] if "-O" in os.environ.get("CFLAGS", "") else ["-O3"]
    compile_args, link_args = (["-O1", "-g"] if DEBUG else fast), []
    if DEBUG and not SANITIZE:
        # Cython's bounds checks do not see C arrays; the compiler's do.
        SANITIZE = "bounds"
    if SANITIZE:
        sanitize = [f"-fsanitize={SANITIZE}", "-fno-sanitize-recover=all"]
        compile_args += sanitize
        link_args += sanitize

core = Extension(
    "scorpion._core",
    ["src/scorpion/_core.pyx"],
    extra_compile_args=compile_args,
    extra_link_args=link_args,
)

setup(
    ext_modules=cythonize(
        [core],
        include_path=["src"],
        compiler_directives={
            "language_level": 3,
            "autotestdict": False,
            "cdivision": True,
            "embedsignature": False,
            "boundscheck": DEBUG,
            "wraparound": False,
            "initializedcheck": DEBUG,
        },
        force=DEBUG or bool(SANITIZE),
    ),
)
