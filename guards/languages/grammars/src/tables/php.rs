//! PHP: PHPUnit, Pest.

use guard_sdk::language::{SkipKind, Visibility};

use super::shared::{PUBLIC_PROTECTED_PRIVATE, class, function, value};
use crate::table::{
    Call, CallTests, ClassCalls, Handler, ImportForm, Member, MethodTest, Name, Skips, Table, Tests, Visibilities,
};

const NAME: Name = Name::Field("name");

pub const TABLE: Table = Table {
    definitions: &[
        class("class_declaration", NAME, None),
        class("interface_declaration", NAME, Some("interface")),
        class("trait_declaration", NAME, Some("trait")),
        class("enum_declaration", NAME, Some("enum")),
        function("function_definition", NAME, &["compound_statement"]),
        function("method_declaration", NAME, &["compound_statement"]),
        value("property_declaration", Name::In(&["property_element"], &NAME), Some("property")),
        value("const_declaration", Name::In(&["const_element"], &Name::Kinds(&["name"])), Some("constant")),
        value("enum_case", NAME, Some("case")),
    ],
    comments: &["comment"],
    strings: &["string", "encapsed_string"],
    annotations: &["attribute"],
    bases: &["base_clause", "class_interface_clause"],
    blocks: &["compound_statement"],
    refusals: &["throw new "],
    stubs: &[],
    returns: &["return_statement"],
    scopes: &["anonymous_function", "arrow_function"],
    visibility: Visibilities { words: PUBLIC_PROTECTED_PRIVATE, default: Visibility::Public, by_capital: false },
    class_calls: ClassCalls::NONE,
    nouns: &[],
    imports: &[("namespace_use_clause", ImportForm::Use)],
    conditions: &[],
    calls: &[
        Call { node: "function_call_expression", arguments: &["arguments"] },
        Call { node: "member_call_expression", arguments: &["arguments"] },
        Call { node: "nullsafe_member_call_expression", arguments: &["arguments"] },
        Call { node: "scoped_call_expression", arguments: &["arguments"] },
    ],
    members: &[
        Member { node: "member_access_expression", object: Some("object"), member: Some("name") },
        Member { node: "member_call_expression", object: Some("object"), member: Some("name") },
        Member { node: "scoped_call_expression", object: Some("scope"), member: Some("name") },
    ],
    names: &["name", "variable_name"],
    binds: &[
        ("simple_parameter", "name"),
        ("variadic_parameter", "name"),
        ("property_promotion_parameter", "name"),
        ("assignment_expression", "left"),
        ("catch_clause", "name"),
        ("static_variable_declaration", "name"),
        ("global_declaration", ""),
        ("namespace_use_clause", "alias"),
    ],
    labels: &[
        ("member_access_expression", "name"),
        ("member_call_expression", "name"),
        ("nullsafe_member_call_expression", "name"),
        ("nullsafe_member_access_expression", "name"),
        ("scoped_call_expression", "name"),
        ("variable_name", "*"),
        ("namespace_name", "*"),
        ("argument", "name"),
    ],
    handlers: &[Handler {
        node: "catch_clause",
        body: Name::Field("body"),
        condition: None,
        mark: "catch",
        broad: &["Exception", "Throwable", "RuntimeException", "Error"],
    }],
    is_open: true,
    tests: Tests {
        annotations: &["Test"],
        methods: &[MethodTest { prefix: "test", bases: &["TestCase"], classes: &["Test", "TestCase"] }],
        functions: &[],
        macros: &[],
        calls: &[CallTests {
            needs: &["it(", "test(", "describe("],
            tests: &["it", "test", "todo", "arch"],
            groups: &["describe"],
            receivers: &[""],
            titles: false,
            untitled: false,
            anywhere: false,
        }],
        comment: Some("@test"),
        skips: Skips {
            annotations: &[],
            names: &[],
            calls: &[("todo", SkipKind::Skipped)],
            arguments: &[],
            chained: &[
                ("skip", SkipKind::Skipped),
                ("todo", SkipKind::Skipped),
                ("markTestSkipped", SkipKind::Skipped),
                ("only", SkipKind::Focused),
            ],
            statements: &[
                ("$this->markTestSkipped(", SkipKind::Skipped),
                ("self::markTestSkipped(", SkipKind::Skipped),
                ("static::markTestSkipped(", SkipKind::Skipped),
                ("$this->markTestIncomplete(", SkipKind::Skipped),
                ("self::markTestIncomplete(", SkipKind::Skipped),
                ("static::markTestIncomplete(", SkipKind::Skipped),
            ],
        },
        assertions: &["assert", "expect", "should", "fail", "verify"],
        assertion_nodes: &[],
    },
};
