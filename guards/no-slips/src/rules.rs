//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("defined-twice", "a module or a class gains a second function of one name, so that the first, or a test, is never run"),
    Rule::new("default-shared", "a Python function changes or keeps a list, dictionary or set that is its own default, which all its calls share"),
    Rule::new("default-asked", "a member or an item is taken of a call that gives `None` by default: `getattr(x, \"a\", None).b`, `next(rows, None).name`, `options.get(\"size\", None)[0]`"),
    Rule::new("never-reached", "a statement stands behind a `return`, `raise`, `throw`, `break` or `continue` of its own block"),
    Rule::new("condition-repeated", "a condition that has been asked in the same chain of `if` is asked again, so that its branch never runs"),
    Rule::new("comparison-dropped", "a statement compares two values and drops the answer: `x == 1` where `x = 1` or `assert x == 1` was meant"),
    Rule::new("key-twice", "a dictionary or an object is written with one key twice, so that the first value is lost"),
    Rule::new("member-misspelt", "a method reads a member that nothing in the repository defines, and its class has one whose name differs in a letter"),
    Rule::new("import-unused", "an import comes in that the file does not speak of again. A warning; an error where the compiler refuses it; has a fix in Python"),
    Rule::new("choice-of-same", "both branches of a conditional expression, or two operands of `&&` or `||`, are the same text"),
    Rule::new("format-misfits", "a format wants another number of values than it gets: behind `%`, in `.format` and in the calls of a logger of Python, in `fmt.Errorf` and the like of Go, in `sprintf` of PHP"),
    Rule::new("interpolation-lost", "a string keeps its placeholders and loses what makes them values: the `f` of Python, the backticks of JavaScript, the double quotes of Ruby or PHP"),
    Rule::new("sibling-left", "a warning: lines are fixed in one place, and stand in other places, with the lines around them, as they were"),
    Rule::new("finally-leaves", "`return`, `break` or `continue` leaves a `finally` or an `ensure`, and drops the error that was on its way"),
    Rule::new("changed-in-loop", "a loop of Python takes something out of what it goes over, and goes on"),
    Rule::new("order-undecided", "a sort of JavaScript or PHP is given a comparison that answers yes or no"),
    Rule::new("pattern-remembers", "a pattern of a module of JavaScript has the flag `g` or `y`, and `test` asks it again and again"),
];
