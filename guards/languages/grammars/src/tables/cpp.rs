//! C++: GoogleTest, Catch2, doctest, Boost.Test.

use guard_sdk::language::{SkipKind, Visibility};

use super::c::{BINDS, LABELS, MACRO, MACRO_FUNCTION};
use super::shared::{class, function, value};
use crate::table::{Call, CallTests, ClassCalls, Handler, ImportForm, Member, Name, Skips, Table, Tests, Visibilities};

const NAME: Name = Name::Field("name");

pub const TABLE: Table = Table {
    definitions: &[
        function("function_definition", Name::Declarator, &["compound_statement", "try_statement"]),
        value("declaration", Name::Declarator, None),
        class("class_specifier", NAME, None),
        class("struct_specifier", NAME, Some("struct")),
        class("union_specifier", NAME, Some("union")),
        class("enum_specifier", NAME, Some("enum")),
        value("field_declaration", Name::Declarator, Some("field")),
        value("enumerator", NAME, Some("constant")),
        value("type_definition", Name::Declarator, Some("type")),
        value("alias_declaration", NAME, Some("type")),
        value("concept_definition", NAME, Some("concept")),
        MACRO,
        MACRO_FUNCTION,
    ],
    comments: &["comment"],
    strings: &["string_literal", "raw_string_literal"],
    annotations: &[],
    bases: &["base_class_clause"],
    blocks: &["compound_statement"],
    refusals: &["throw ", "assert(", "abort(", "std::abort("],
    stubs: &[],
    returns: &["return_statement"],
    scopes: &["lambda_expression"],
    visibility: Visibilities {
        words: &[("static", Visibility::Unstated)],
        default: Visibility::Unstated,
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
    handlers: &[Handler {
        node: "catch_clause",
        body: Name::Field("body"),
        condition: None,
        mark: "catch",
        broad: &["exception"],
    }],
    is_open: true,
    tests: Tests {
        annotations: &[],
        methods: &[],
        functions: &[],
        macros: &["TEST", "SCENARIO"],
        calls: &[CallTests {
            needs: &["TEST_CASE", "SCENARIO", "TEMPLATE_TEST_CASE"],
            tests: &[
                "TEST_CASE",
                "TEST_CASE_METHOD",
                "TEMPLATE_TEST_CASE",
                "TEST_CASE_TEMPLATE",
                "TEST_CASE_FIXTURE",
                "SCENARIO",
            ],
            groups: &[],
            receivers: &[""],
            titles: false,
            untitled: false,
            anywhere: true,
        }],
        comment: None,
        skips: Skips {
            annotations: &[],
            names: &[("DISABLED_", SkipKind::Skipped)],
            calls: &[],
            arguments: &[
                ("doctest::skip()", SkipKind::Skipped),
                ("doctest::skip(true)", SkipKind::Skipped),
                ("doctest::may_fail()", SkipKind::MayFail),
                ("doctest::should_fail()", SkipKind::MayFail),
                ("[.", SkipKind::Skipped),
                ("[!mayfail]", SkipKind::MayFail),
                ("[!shouldfail]", SkipKind::MayFail),
            ],
            chained: &[],
            statements: &[("GTEST_SKIP", SkipKind::Skipped), ("SKIP(", SkipKind::Skipped)],
        },
        assertions: &["ASSERT", "EXPECT", "REQUIRE", "CHECK", "BOOST_", "assert", "FAIL", "WARN"],
        assertion_nodes: &[],
    },
};
