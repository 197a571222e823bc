//! What the texts of modules say of themselves, for the application: the same reading, in the same sandbox, as guards get by
//! `guardhost:modules`.

use std::sync::Arc;

use guardhost_core::change::Oid;
use guardhost_core::stop::StopToken;

use crate::embedded::EmbeddedGuards;
use crate::limits::GuardStop;
use crate::readers::bindings::guardhost::modules::outline::{Imported, Parameter, Target};
use crate::readers::{LONGEST, TextQuestions, TextReaders, TextSubject};

/// What one text says. Each part is Err where its language, or the text, has no answer; why.
#[derive(Debug, Clone)]
pub struct Outline {
    pub imports: Result<Vec<Import>, String>,
    pub offers: Result<Offers, String>,
    /// Functions whose parameters are certain, sorted by name, and the calls within the text.
    pub functions: Result<Vec<Function>, String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// As written.
    pub module: String,
    /// None for the module itself.
    pub name: Option<String>,
    /// From 1.
    pub line: u32,
}

/// What other modules may take out of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offers {
    /// Sorted.
    pub names: Vec<String>,
    /// Modules all of whose names it offers as well.
    pub all_of: Vec<String>,
    /// It may offer names that its text does not show.
    pub is_open: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// `Class.method` of a method.
    pub name: String,
    /// From 1.
    pub line: u32,
    /// Names, and whether a call must give them: by place, then by name alone.
    pub positional: Vec<(String, bool)>,
    pub keyword_only: Vec<(String, bool)>,
    pub takes_more: bool,
    pub takes_keywords: bool,
    /// Lines of the calls in the same text.
    pub callers: Vec<u32>,
}

/// Reads texts one after another.
pub struct Outlines {
    readers: TextReaders,
    stop: StopToken,
}

impl Outlines {
    /// Keeps nothing on disk.
    pub fn new(embedded: &'static EmbeddedGuards, stop: StopToken) -> Self {
        Outlines { readers: TextReaders::new(embedded.readers, None), stop }
    }

    /// `name` is the file's name, which tells the language.
    ///
    /// # Errors
    /// In words: the work was stopped, or the machine lacks something.
    pub fn read(&self, name: &str, blob: Oid, bytes: &[u8]) -> Result<Outline, String> {
        let text = || -> Result<Result<Arc<str>, String>, GuardStop> {
            if bytes.len() as u64 > LONGEST {
                return Ok(Err(format!("it has more than the {LONGEST} bytes that are read")));
            }
            Ok(std::str::from_utf8(bytes).map(Arc::from).map_err(|_| "it is no UTF-8".to_owned()))
        };
        let Some((claimed, claim)) = self.readers.claim(name, TextQuestions::SURFACE.or(TextQuestions::SIGNATURES))
        else {
            let why = || "no language of modules that are known has this ending".to_owned();
            return Ok(Outline { imports: Err(why()), offers: Err(why()), functions: Err(why()) });
        };
        let wanted = claim.answers.and(TextQuestions::SURFACE.or(TextQuestions::SIGNATURES));
        let subject = TextSubject { claimed, wanted, blob, is_test: false };
        let reading = self.readers.read(&subject, &self.stop, text).map_err(|stop| format!("{stop:?}"))?;
        let (imports, offers) = match &reading.answers.surface {
            Some(Ok(surface)) => {
                let import = |Imported { module, name, line, .. }: &Imported| Import {
                    module: module.clone(),
                    name: name.clone(),
                    line: *line,
                };
                let offered = &surface.offered;
                let offers =
                    Offers { names: offered.names.clone(), all_of: offered.all_of.clone(), is_open: offered.is_open };
                (Ok(surface.imports.iter().map(import).collect()), Ok(offers))
            }
            Some(Err(why)) => (Err(why.to_string()), Err(why.to_string())),
            None => (Err(UNANSWERED.to_owned()), Err(UNANSWERED.to_owned())),
        };
        let functions = match &reading.answers.signatures {
            Some(Ok(read)) => Ok(read
                .functions
                .iter()
                .map(|function| {
                    let parameters = |list: &[Parameter]| {
                        list.iter().map(|parameter| (parameter.name.clone(), parameter.is_required)).collect()
                    };
                    let calls = read.calls.iter().filter(|call| match &call.target {
                        Target::SameFile(key) => *key == function.key,
                        Target::Imported(_) | Target::Member(_) | Target::Other(_) => false,
                    });
                    Function {
                        name: function.key.clone(),
                        line: function.line,
                        positional: parameters(&function.positional),
                        keyword_only: parameters(&function.keyword_only),
                        takes_more: function.takes_more,
                        takes_keywords: function.takes_keywords,
                        callers: calls.map(|call| call.lines.first).collect(),
                    }
                })
                .collect()),
            Some(Err(why)) => Err(why.to_string()),
            None => Err(UNANSWERED.to_owned()),
        };
        Ok(Outline { imports, offers, functions })
    }
}

const UNANSWERED: &str = "its language has no answer to this question";
