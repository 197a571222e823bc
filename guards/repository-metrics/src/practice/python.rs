//! What is usual in projects of Python.

use guard_sdk::{Ecosystem, files};

use super::{Documented, Practice, Runner, Tool};

pub const PYTHON: Practice = Practice {
    name: "Python",
    globs: files::Language::Python.globs(),
    ecosystem: Ecosystem::Python,
    manifest: "pyproject.toml",
    declares_as_data: false,
    locks: &["uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock", "pylock.toml", "requirements*.lock"],
    lists: &["requirements*.txt"],
    version: &["requires-python", "python_requires", "python_version", "\npython ="],
    linter: Some(Tool {
        files: &["/ruff.toml", "/.ruff.toml", "/.flake8", "/.pylintrc", "/pylintrc"],
        words: &[
            ("pyproject.toml", &["[tool.ruff", "[tool.pylint", "flake8"]),
            ("setup.cfg", &["[flake8]", "[pylint"]),
            ("tox.ini", &["[flake8]", "ruff", "pylint"]),
            (".pre-commit-config.yaml", &["ruff", "flake8", "pylint"]),
        ],
    }),
    formatter: Some(Tool {
        files: &["/.style.yapf"],
        words: &[
            ("pyproject.toml", &["[tool.black", "[tool.ruff", "[tool.yapf", "black"]),
            (".pre-commit-config.yaml", &["black", "ruff-format", "yapf"]),
            ("tox.ini", &["black", "ruff format"]),
        ],
    }),
    types: Some(Tool {
        files: &["/mypy.ini", "/.mypy.ini", "/pyrightconfig.json", "/ty.toml"],
        words: &[
            ("pyproject.toml", &["[tool.mypy", "[tool.pyright", "[tool.basedpyright", "[tool.ty", "mypy", "pyright"]),
            ("setup.cfg", &["[mypy"]),
            ("tox.ini", &["mypy", "pyright"]),
            (".pre-commit-config.yaml", &["mypy", "pyright"]),
        ],
    }),
    tests: &[&["test_*.py", "*_test.py", "tests.py"]],
    test_marks: &[],
    runner: Some(Runner {
        paths: &["pytest.ini", "tox.ini", "noxfile.py", "conftest.py", "tests/conftest.py"],
        words: &[("pyproject.toml", RUNS_TESTS), ("setup.cfg", RUNS_TESTS), ("Makefile", RUNS_TESTS)],
        ..Runner::NONE
    }),
    publishes_documents: false,
    is_public: |line| {
        let code = line.trim_start();
        let name = ["def ", "async def ", "class "].iter().find_map(|word| code.strip_prefix(word));
        line.len() - code.len() <= 4 && name.is_some_and(|name| !name.starts_with('_'))
    },
    documented: Documented::InBody,
};

const RUNS_TESTS: &[&str] = &["pytest", "unittest", "[tool.hatch.envs", "nox"];
