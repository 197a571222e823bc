//! Names that Python itself binds.

use std::collections::HashSet;
use std::sync::LazyLock;

static SET: LazyLock<HashSet<&str>> = LazyLock::new(|| BUILTINS.split_ascii_whitespace().collect());

/// Whether any module may use it unbound.
pub fn is_builtin(name: &str) -> bool {
    SET.contains(name)
}

/// Names of Python 2: a module that runs on both uses them behind a condition.
pub fn is_old(name: &str) -> bool {
    OLD.split_ascii_whitespace().any(|known| known == name)
}

pub fn all<'n>() -> impl Iterator<Item = &'n str> {
    BUILTINS.split_ascii_whitespace().filter(|name| !name.starts_with('_'))
}

const BUILTINS: &str = "ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
    BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError
    DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup False FileExistsError
    FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportCycleError ImportError ImportWarning
    IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError
    ModuleNotFoundError NameError None NotADirectoryError NotImplemented NotImplementedError OSError OverflowError
    PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError RecursionError ReferenceError
    ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit
    TabError TimeoutError True TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError
    UnicodeWarning UserWarning ValueError Warning WindowsError ZeroDivisionError
    __annotations__ __annotate__ __build_class__ __builtins__ __cached__ __class__ __classcell__ __conditional_annotations__
    __classdict__ __debug__ __dict__ __doc__ __file__ __firstlineno__ __import__ __lazy_import__ __loader__ __module__ __name__
    __package__ __path__ __qualname__ __spec__ __static_attributes__
    abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits
    delattr dict dir divmod enumerate eval exec exit filter float format frozendict frozenset getattr globals hasattr hash help hex
    id input int isinstance issubclass iter len license list locals map max memoryview min next object oct open ord pow print
    property quit range repr reversed round sentinel set setattr slice sorted staticmethod str sum super tuple type vars zip
    reveal_type reveal_locals _ __ ___ get_ipython";

const OLD: &str =
    "StandardError apply basestring buffer cmp coerce execfile file intern long raw_input reduce reload unichr unicode
    xrange";
