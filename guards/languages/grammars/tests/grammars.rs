//! Each grammar fits its runtime, and each table its grammar: a name that a grammar does not know would find nothing, and say nothing.

use language_grammars::{Language, Reader};

#[test]
fn every_grammar_fits_the_runtime() {
    for language in Language::ALL {
        assert!(Reader::new(language, "").is_some(), "{language:?}");
        assert_eq!(Language::named(language.name()), Some(language));
    }
}

#[test]
fn every_name_in_a_table_is_one_of_its_grammar() {
    for language in Language::ALL {
        let grammar = language.grammar();
        for node in language.nodes() {
            assert!(grammar.id_for_node_kind(node, true) != 0, "{language:?} has no node `{node}`");
        }
        for field in language.fields() {
            assert!(grammar.field_id_for_name(field).is_some(), "{language:?} has no field `{field}`");
        }
    }
}

/// A parser of hostile texts: none may bring it down, or make it say what is not there.
#[test]
fn a_text_that_nests_deep_is_read() {
    let deep = 20_000;
    for (language, open, close) in [
        (Language::Java, "class T { int a = ", ";}"),
        (Language::Go, "package p\nvar a = ", "\n"),
        (Language::C, "int a = ", ";"),
        (Language::Ruby, "a = ", "\n"),
    ] {
        let text = format!("{open}{}1{}{close}", "(".repeat(deep), ")".repeat(deep));
        let reader = Reader::new(language, &text).expect("it fits");
        assert!(reader.outline(false).is_ok(), "{language:?}");
    }
}

/// Whatever stands at a break: a text that is cut anywhere is read, and every place it speaks of is a place of the text.
#[test]
fn a_text_that_is_cut_anywhere_is_read() {
    for (language, text) in [
        (Language::Java, "class Tä { /* ü */ @Test(\"é\") void f() { try { g(\"ß\"); } catch (E e) { } } }"),
        (Language::Kotlin, "class Tä : S({ \"é\" { f() shouldBe 1 } }) { fun `ü x`() = TODO(\"ß\") }"),
        (
            Language::CSharp,
            "namespace N { class Tä { [Fact(Skip = \"é\")] void f() => throw new NotImplementedException(); } }",
        ),
        (Language::Cpp, "TEST_CASE(\"é\") { try { } catch (...) { } } template <class T> int A<T>::f() { return 1; }"),
        (Language::Swift, "@Suite struct Tä { @Test(.disabled(\"é\")) func f() { #expect(g() == \"ü\") } }"),
        (Language::Go, "package p\nfunc (t *T[A]) Fä() { t.Run(\"é\", func(t *testing.T) { t.Skip(`ü`) }) }"),
        (Language::Php, "<?php namespace Ä; use A\\{B, C as D}; it('é', fn () => expect(1))->skip('ü');"),
        (Language::Ruby, "describe 'é' do\n  it('ü', skip: 'ß') { expect(f).to be }\nend\nrescue => e\n"),
    ] {
        for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            let text = &text[..at];
            let reader = Reader::new(language, text).expect("it fits");
            let last = text.lines().count().max(1) as u32 + 1;
            assert!(reader.problems().iter().all(|problem| problem.line <= last), "{language:?}: {text}");
            let Ok(outline) = reader.outline(true) else { continue };
            let lines = outline.definitions.iter().map(|definition| definition.lines);
            assert!(
                lines.into_iter().all(|lines| lines.first <= lines.last && lines.last <= last),
                "{language:?}: {text}"
            );
            let spans = outline.dead.iter().map(|span| span.start as usize..span.end as usize);
            assert!(spans.into_iter().all(|span| text.get(span).is_some()), "{language:?}: {text}");
        }
    }
}
