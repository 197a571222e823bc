//! The frameworks that are looked for, by the names that documents use.

/// A framework.
#[derive(Debug)]
pub struct Framework {
    /// The host's canonical id where it has one.
    pub id: &'static str,
    /// As it is written; longer forms first.
    names: &'static [&'static str],
    /// Whether the name in lower case is no English word, so that `built with react` means it too.
    distinct: bool,
    /// Parts of packages' names that stand for it beside its id: what belongs to it, or is built on it.
    pub packages: &'static [&'static str],
}

const fn named(id: &'static str, names: &'static [&'static str], packages: &'static [&'static str]) -> Framework {
    Framework { id, names, distinct: true, packages }
}

/// A name that is a word of the language too: only its own spelling counts.
const fn word(id: &'static str, names: &'static [&'static str], packages: &'static [&'static str]) -> Framework {
    Framework { id, names, distinct: false, packages }
}

#[rustfmt::skip]
pub const FRAMEWORKS: &[Framework] = &[
    named("react-native", &["React Native"], &["native", "expo"]),
    named("react", &["React.js", "ReactJS", "React"], &["next", "gatsby", "remix", "docusaurus", "preact", "expo", "ink", "nextra"]),
    named("vue", &["Vue.js", "VueJS", "Vue"], &["nuxt", "vitepress", "vuepress", "quasar", "pinia", "vuex"]),
    named("angular", &["AngularJS", "Angular"], &["ng"]),
    named("sveltekit", &["SvelteKit"], &["kit"]),
    named("svelte", &["Svelte"], &["sveltekit"]),
    named("solid", &["SolidJS", "Solid.js"], &[]),
    named("preact", &["Preact"], &[]),
    named("next", &["Next.js", "NextJS"], &["nextra"]),
    named("nuxt", &["Nuxt.js", "Nuxt"], &[]),
    word("remix", &["Remix"], &[]),
    named("gatsby", &["Gatsby.js", "GatsbyJS", "Gatsby"], &[]),
    word("astro", &["Astro"], &["starlight"]),
    named("redux", &["Redux Toolkit", "Redux Saga", "Redux Thunk", "RTK Query", "Redux"], &["reduxjs"]),
    named("zustand", &["Zustand"], &[]),
    named("mobx", &["MobX"], &[]),
    named("jotai", &["Jotai"], &[]),
    named("pinia", &["Pinia"], &[]),
    word("express", &["Express.js", "ExpressJS", "Express"], &[]),
    named("fastify", &["Fastify"], &[]),
    named("nestjs", &["NestJS", "Nest.js"], &[]),
    word("koa", &["Koa.js", "Koa"], &[]),
    named("electron", &["Electron"], &[]),
    named("jquery", &["jQuery"], &[]),
    named("django", &["Django REST Framework", "Django"], &["wagtail"]),
    named("flask", &["Flask"], &[]),
    named("fastapi", &["FastAPI"], &[]),
    named("starlette", &["Starlette"], &["fastapi"]),
    word("tornado", &["Tornado"], &[]),
    word("typer", &["Typer"], &[]),
    named("sqlalchemy", &["SQLAlchemy"], &["sqlmodel"]),
    named("streamlit", &["Streamlit"], &[]),
    named("tailwindcss", &["Tailwind CSS", "TailwindCSS", "Tailwind"], &["tailwind", "unocss", "windicss", "daisyui"]),
    named("mui", &["Material UI", "Material-UI", "MUI"], &["material"]),
    named("chakra", &["Chakra UI"], &[]),
    named("antd", &["Ant Design", "antd"], &[]),
    word("bootstrap", &["Bootstrap"], &["bootstrap4", "bootstrap5", "reactstrap"]),
    word("gin", &["Gin Gonic", "Gin"], &[]),
    word("echo", &["Echo"], &[]),
    word("fiber", &["Fiber", "GoFiber"], &["gofiber"]),
    word("cobra", &["Cobra"], &[]),
    named("actix", &["Actix Web", "Actix-web", "actix-web", "Actix"], &[]),
    word("rocket", &["Rocket"], &[]),
    named("axum", &["Axum"], &[]),
    word("warp", &["Warp"], &[]),
    word("clap", &["Clap"], &["structopt"]),
    named("tokio", &["Tokio"], &["axum", "warp", "reqwest", "tonic", "hyper", "actix", "rocket"]),
    named("leptos", &["Leptos"], &[]),
    named("rails", &["Ruby on Rails", "Rails"], &["activerecord", "actionpack", "railties"]),
    named("sinatra", &["Sinatra"], &[]),
    named("laravel", &["Laravel"], &["illuminate"]),
    named("symfony", &["Symfony"], &[]),
    named("spring-boot", &["Spring Boot"], &["spring", "springframework", "springboot"]),
    named("quarkus", &["Quarkus"], &[]),
    named("micronaut", &["Micronaut"], &[]),
    named("ktor", &["Ktor"], &[]),
];

/// A name in a text: its bytes.
pub struct Mention {
    pub framework: &'static Framework,
    pub start: usize,
    pub end: usize,
}

/// All names, by their first letter: most words are none, and are told so by few comparisons.
pub struct Names([Vec<(&'static Framework, &'static str)>; 26]);

impl Names {
    pub fn new() -> Self {
        let mut names = Names(Default::default());
        for framework in FRAMEWORKS {
            for name in framework.names {
                if let Some(letter) = letter(name.as_bytes()[0]) {
                    names.0[letter].push((framework, name));
                }
            }
        }
        names
    }

    /// Whether any name stands in a text, be it in code; a line's break or markup may part it from what follows.
    pub fn occur(&self, text: &str) -> bool {
        let mut previous = ' ';
        text.char_indices().any(|(start, c)| {
            let begins = c.is_ascii_alphabetic() && !previous.is_alphanumeric();
            previous = c;
            begins && self.begins(&text.as_bytes()[start..])
        })
    }

    fn begins(&self, rest: &[u8]) -> bool {
        let same = |(framework, name): &(&Framework, &str)| {
            let word = name.split([' ', '-']).next().unwrap_or(name).as_bytes();
            let there = rest.get(..word.len());
            there.is_some_and(|there| there == word || (framework.distinct && there.eq_ignore_ascii_case(word)))
        };
        self.near(rest).any(same)
    }

    /// Names that begin with the same two letters: the others need no closer look.
    fn near(&self, rest: &[u8]) -> impl Iterator<Item = &(&'static Framework, &'static str)> {
        let named = rest.first().and_then(|first| letter(*first)).map_or(&[][..], |letter| &self.0[letter]);
        let second = rest.get(1).map(u8::to_ascii_lowercase);
        named.iter().filter(move |(_, name)| name.as_bytes().get(1).map(u8::to_ascii_lowercase) == second)
    }

    /// Whole names only, the longest at each place.
    pub fn mentions(&self, text: &str) -> Vec<Mention> {
        let mut found: Vec<Mention> = Vec::new();
        let mut previous = ' ';
        for (start, c) in text.char_indices() {
            let begins = c.is_ascii_alphabetic() && !joins(previous);
            previous = c;
            if begins && found.last().is_none_or(|last| last.end <= start) {
                found.extend(self.longest(text, start));
            }
        }
        found
    }

    fn longest(&self, text: &str, start: usize) -> Option<Mention> {
        let rest = &text.as_bytes()[start..];
        let fits = |framework: &Framework, name: &str| {
            rest.get(..name.len()).is_some_and(|bytes| {
                bytes == name.as_bytes() || (framework.distinct && bytes.eq_ignore_ascii_case(name.as_bytes()))
            }) && ends(&text[start + name.len()..])
        };
        let (framework, name) =
            self.near(rest).filter(|(framework, name)| fits(framework, name)).max_by_key(|(_, name)| name.len())?;
        Some(Mention { framework, start, end: start + name.len() })
    }
}

/// From 0, whatever its case.
fn letter(byte: u8) -> Option<usize> {
    byte.is_ascii_alphabetic().then(|| usize::from(byte.to_ascii_lowercase() - b'a'))
}

/// A letter after this does not begin a name: it stands inside of a longer word, a path or a package's name.
fn joins(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '@' | '.')
}

fn ends(after: &str) -> bool {
    let dotted = after.strip_prefix('.').is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
    !dotted && !after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '@' | '('))
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn whole_names() {
        let names = Names::new();
        let ids =
            |text: &str| names.mentions(text).iter().map(|mention| mention.framework.id).collect::<Vec<_>>().join(" ");
        assert_eq!(ids("React and Redux Toolkit, React Native; built with vue.js."), "react redux react-native vue");
        assert_eq!(ids("react-dom, preact/compat, Reactive, @vue/cli, express errors, a rocket"), "");
        assert_eq!(ids("Express, Ruby on Rails, Next.js"), "express rails next");
    }
}
