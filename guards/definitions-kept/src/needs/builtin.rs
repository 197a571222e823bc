//! Names that mean something without a definition: who deletes their own `Result` may well go on with the language's.

use guard_sdk::files::Language;

pub fn is_builtin(language: Option<Language>, name: &str) -> bool {
    match language {
        Some(Language::Python) => PYTHON.split_whitespace().any(|known| known == name),
        Some(Language::JavaScript) => JAVASCRIPT.split_whitespace().any(|known| known == name),
        Some(Language::Rust) => RUST.split_whitespace().any(|known| known == name),
        // What its language brings, the file does not bind.
        _ => false,
    }
}

/// Fixtures that pytest brings itself.
pub fn is_fixture(name: &str) -> bool {
    FIXTURES.split_whitespace().any(|known| known == name)
}

const PYTHON: &str = "ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
    BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError
    DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup False FileExistsError
    FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError
    InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError None
    NotADirectoryError NotImplemented NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError
    ProcessLookupError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration
    SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError True TypeError UnboundLocalError UnicodeDecodeError
    UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning WindowsError
    ZeroDivisionError __build_class__ __builtins__ __debug__ __doc__ __file__ __import__ __loader__ __name__ __package__ __path__
    __spec__ __class__ abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex
    copyright credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash
    help hex id input int isinstance issubclass iter len license list locals map max memoryview min next object oct open ord pow
    print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip
    unicode basestring long xrange raw_input unichr reduce file cmp reveal_type reveal_locals";

const JAVASCRIPT: &str = "AbortController AbortSignal AggregateError Array ArrayBuffer AsyncIterator Atomics BigInt Blob Boolean
    BroadcastChannel Buffer Bun CSS CustomEvent DOMException DataView Date Deno Document DocumentFragment Element Error EvalError
    Event EventTarget File FileReader FinalizationRegistry Float32Array Float64Array FormData Function HTMLElement Headers Image
    Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math MessageChannel MessageEvent MutationObserver NaN Node
    NodeJS Number Object Path2D Performance Promise Proxy RangeError React ReadableStream Record ReferenceError Reflect RegExp
    Request Response Set SharedArrayBuffer String Symbol SyntaxError Text TextDecoder TextEncoder TransformStream TypeError URIError
    URL URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly WebSocket Window
    Worker WritableStream XMLHttpRequest __dirname __filename afterAll afterEach alert arguments assert atob beforeAll beforeEach
    btoa cancelAnimationFrame clearImmediate clearInterval clearTimeout confirm console crypto customElements decodeURI
    decodeURIComponent describe document encodeURI encodeURIComponent escape eval event expect exports fetch global globalThis
    history isFinite isNaN it jest localStorage location matchMedia module name navigator parent parseFloat parseInt performance
    process prompt queueMicrotask require requestAnimationFrame screen self sessionStorage setImmediate setInterval setTimeout
    status structuredClone suite test top undefined unescape vi window Partial Required Readonly Pick Omit Exclude Extract
    NonNullable ReturnType Parameters Awaited InstanceType ConstructorParameters ThisType Uppercase Lowercase Capitalize
    Uncapitalize JSX Event Iterable Generator AsyncGenerator AsyncIterable PromiseLike ArrayLike open close stop print focus blur
    length origin scroll find frames external PromiseWithResolvers PromiseSettledResult PromiseFulfilledResult
    PromiseRejectedResult PromiseConstructor PropertyKey PropertyDescriptor PropertyDescriptorMap TypedPropertyDescriptor
    TemplateStringsArray ReadonlyArray ReadonlyMap ReadonlySet ReadonlySetLike ConcatArray IteratorResult IterableIterator
    IteratorObject AsyncIteratorObject AsyncIterableIterator IteratorYieldResult IteratorReturnResult GeneratorFunction
    AsyncGeneratorFunction CallableFunction NewableFunction ThisParameterType OmitThisParameter NoInfer WeakKey ErrorOptions
    ArrayBufferLike ArrayBufferView ImportMeta ImportAttributes ClassDecorator MethodDecorator ParameterDecorator
    PropertyDecorator ClassMethodDecoratorContext DecoratorContext Disposable AsyncDisposable DisposableStack
    AsyncDisposableStack SuppressedError Float16Array BigInt64Array BigUint64Array RequestInit ResponseInit RequestInfo BodyInit
    HeadersInit BlobPart EventListener EventInit StructuredSerializeOptions Transferable";

const RUST: &str = "Option Some None Result Ok Err Box String Vec ToString ToOwned Clone Copy Send Sync Sized Drop Fn FnMut FnOnce
    AsyncFn drop Default Eq PartialEq Ord PartialOrd AsRef AsMut Into From Iterator IntoIterator Extend DoubleEndedIterator
    ExactSizeIterator TryFrom TryInto FromIterator Unpin Debug Hash str bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128
    isize f32 f64 std core alloc size_of align_of assert assert_eq assert_ne cfg concat dbg debug_assert env eprintln eprint format
    format_args include include_bytes include_str line matches panic print println stringify todo unimplemented unreachable vec
    write writeln test bench derive cfg_attr proc_macro warn allow deny error try macro_rules";

const FIXTURES: &str = "request tmp_path tmp_path_factory tmpdir tmpdir_factory capsys capsysbinary capteesys capfd capfdbinary caplog
    monkeypatch recwarn pytestconfig record_property record_testsuite_property record_xml_attribute doctest_namespace cache pytester
    testdir subtests";
