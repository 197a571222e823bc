//! C: tests are functions or macros of many small frameworks, so that only the plainest forms are known.

use guard_sdk::language::{SkipKind, Visibility};

use super::shared::{class, function, value};
use crate::table::{
    At, Call, ClassCalls, Define, FunctionTest, ImportForm, Member, Name, Skips, Table, Tests, Visibilities,
};

const NAME: Name = Name::Field("name");

pub const BINDS: &[At] = &[
    ("init_declarator", "declarator"),
    ("declaration", "declarator"),
    ("pointer_declarator", "declarator"),
    ("array_declarator", "declarator"),
    ("function_declarator", "declarator"),
    ("parameter_declaration", "declarator"),
    ("preproc_params", ""),
    ("preproc_def", "name"),
    ("preproc_function_def", "name"),
    ("enumerator", "name"),
];
pub const LABELS: &[At] = &[("field_expression", "field"), ("labeled_statement", "label"), ("goto_statement", "label")];
pub const MACRO: Define = value("preproc_def", NAME, Some("macro"));
pub const MACRO_FUNCTION: Define = value("preproc_function_def", NAME, Some("macro"));

pub const TABLE: Table = Table {
    definitions: &[
        function("function_definition", Name::Declarator, &["compound_statement"]),
        value("declaration", Name::Declarator, None),
        class("struct_specifier", NAME, Some("struct")),
        class("union_specifier", NAME, Some("union")),
        class("enum_specifier", NAME, Some("enum")),
        value("field_declaration", Name::Declarator, Some("field")),
        value("enumerator", NAME, Some("constant")),
        value("type_definition", Name::Declarator, Some("type")),
        MACRO,
        MACRO_FUNCTION,
    ],
    comments: &["comment"],
    strings: &["string_literal"],
    annotations: &[],
    bases: &[],
    blocks: &["compound_statement"],
    refusals: &["assert(", "abort("],
    stubs: &[],
    returns: &["return_statement"],
    scopes: &[],
    visibility: Visibilities {
        words: &[("static", Visibility::Private)],
        default: Visibility::Public,
        by_capital: false,
    },
    class_calls: ClassCalls::NONE,
    nouns: &[],
    imports: &[("preproc_include", ImportForm::Include)],
    conditions: &["preproc_if", "preproc_ifdef"],
    calls: &[Call { node: "call_expression", arguments: &["argument_list"] }],
    members: &[Member { node: "field_expression", object: Some("argument"), member: Some("field") }],
    names: &["identifier", "type_identifier"],
    binds: BINDS,
    labels: LABELS,
    handlers: &[],
    is_open: true,
    tests: Tests {
        annotations: &[],
        methods: &[],
        functions: &[FunctionTest { prefix: "test_", parameter: "" }, FunctionTest { prefix: "test", parameter: "" }],
        macros: &["TEST"],
        calls: &[],
        comment: None,
        skips: Skips {
            annotations: &[],
            names: &[("DISABLED_", SkipKind::Skipped)],
            calls: &[],
            arguments: &[],
            chained: &[],
            statements: &[
                ("TEST_IGNORE", SkipKind::Skipped),
                ("skip()", SkipKind::Skipped),
                ("RETURN_SKIP", SkipKind::Skipped),
                ("SKIP(", SkipKind::Skipped),
            ],
        },
        assertions: &[
            "assert",
            "ASSERT",
            "CHECK",
            "EXPECT",
            "TEST_ASSERT",
            "ck_assert",
            "fail",
            "cr_assert",
            "check",
            "REQUIRE",
        ],
        assertion_nodes: &[],
    },
};
