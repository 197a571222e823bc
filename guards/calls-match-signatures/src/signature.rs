//! What a function takes, what a call gives, and whether these fit.

use guard_sdk::modules;

/// What a function takes, without `self` and `this`.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Signature {
    pub positional: Vec<Parameter>,
    pub keyword_only: Vec<Parameter>,
    /// `*args`, `...rest`.
    pub takes_more: bool,
    /// `**kwargs`.
    pub takes_keywords: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    pub is_required: bool,
    /// It cannot be given by its name.
    pub is_nameless: bool,
}

impl From<modules::Parameter> for Parameter {
    fn from(modules::Parameter { name, is_required, is_nameless }: modules::Parameter) -> Self {
        Parameter { name, is_required, is_nameless }
    }
}

/// What a call gives.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Arguments {
    pub positional: usize,
    pub keywords: Vec<String>,
    /// `*values`, `...values`.
    pub spreads: bool,
    /// `**values`.
    pub spreads_keywords: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Misfit {
    TooMany { most: usize, given: usize },
    Missing(Vec<String>),
    Unknown(String),
    Twice(String),
}

impl Signature {
    /// Every reason why a call fails for certain.
    pub fn misfits(&self, call: &Arguments) -> Vec<Misfit> {
        let mut misfits = Vec::new();
        let most = self.positional.len();
        if call.positional > most && !self.takes_more {
            misfits.push(Misfit::TooMany { most, given: call.positional });
        }
        for keyword in &call.keywords {
            let named =
                self.positional.iter().position(|parameter| !parameter.is_nameless && parameter.name == *keyword);
            match named {
                Some(at) if at < call.positional => misfits.push(Misfit::Twice(keyword.clone())),
                Some(_) => {}
                None if self.takes_keywords => {}
                None if self.keyword_only.iter().any(|parameter| parameter.name == *keyword) => {}
                None => misfits.push(Misfit::Unknown(keyword.clone())),
            }
        }
        if !call.spreads && !call.spreads_keywords {
            let rest = self.positional.iter().skip(call.positional).chain(&self.keyword_only);
            let missing: Vec<String> = rest
                .filter(|parameter| parameter.is_required)
                .filter(|parameter| parameter.is_nameless || !call.keywords.contains(&parameter.name))
                .map(|parameter| parameter.name.clone())
                .collect();
            if !missing.is_empty() {
                misfits.push(Misfit::Missing(missing));
            }
        }
        misfits
    }

    /// As a person would write it.
    pub fn shown(&self) -> String {
        let show = |parameter: &Parameter| match parameter.is_required {
            true => parameter.name.clone(),
            false => format!("{}=…", parameter.name),
        };
        let mut parts: Vec<String> = self.positional.iter().map(show).collect();
        match (self.takes_more, self.keyword_only.is_empty()) {
            (true, _) => parts.push("*…".into()),
            (false, false) => parts.push("*".into()),
            (false, true) => {}
        }
        parts.extend(self.keyword_only.iter().map(show));
        parts.extend(self.takes_keywords.then(|| "**…".to_owned()));
        parts.join(", ")
    }
}

impl Misfit {
    pub fn says(&self) -> String {
        match self {
            Misfit::TooMany { most, given } => format!("it gives {given} arguments where at most {most} are taken"),
            Misfit::Missing(names) if names.len() == 1 => format!("it leaves out `{}`, which is required", names[0]),
            Misfit::Missing(names) => format!("it leaves out `{}`, which are required", names.join("`, `")),
            Misfit::Unknown(name) => format!("it gives `{name}=`, and there is no such parameter"),
            Misfit::Twice(name) => format!("it gives `{name}` twice, by position and by name"),
        }
    }
}
