//! What the texts of modules say of themselves, for the application: the same reading, in the same sandbox, as guards get by
//! `guardhost:modules`.

use std::sync::Arc;

use guardhost_core::change::Oid;
use guardhost_core::stop::StopToken;

use crate::embedded::EmbeddedGuards;
use crate::limits::Stop;
use crate::module_index::bindings::guardhost::modules::outline::{Imported, Parameter, Target};
use crate::module_index::{Answer, LONGEST, ModuleIndex, Question, Subject};

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
    index: ModuleIndex,
    stop: StopToken,
}

impl Outlines {
    /// Keeps nothing on disk.
    pub fn new(embedded: &'static EmbeddedGuards, stop: StopToken) -> Self {
        Outlines { index: ModuleIndex::new(embedded.indexer, None), stop }
    }

    /// `name` is the file's name, which tells the language.
    ///
    /// # Errors
    /// In words: the work was stopped, or the machine lacks something.
    pub fn read(&self, name: &str, blob: Oid, bytes: &[u8]) -> Result<Outline, String> {
        let dialect = name.split_once('.').map_or("", |(_, dialect)| dialect).to_owned();
        let text = || -> Result<Result<Arc<str>, String>, Stop> {
            if bytes.len() as u64 > LONGEST {
                return Ok(Err(format!("it has more than the {LONGEST} bytes that are read")));
            }
            Ok(std::str::from_utf8(bytes).map(Arc::from).map_err(|_| "it is no UTF-8".to_owned()))
        };
        let ask = |question| {
            let subject = Subject { question, blob, dialect: dialect.clone() };
            self.index.read(&subject, &self.stop, text).map_err(|stop| format!("{stop:?}"))
        };
        let (surface, signatures) = (ask(Question::Surface)?, ask(Question::Signatures)?);
        let (imports, offers) = match &surface.answer {
            Answer::Surface(surface) => {
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
            Answer::Nothing(why) => (Err(why.clone()), Err(why.clone())),
            Answer::Signatures(_) => (Err(OTHER.to_owned()), Err(OTHER.to_owned())),
        };
        let functions = match &signatures.answer {
            Answer::Signatures(read) => Ok(read
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
            Answer::Nothing(why) => Err(why.clone()),
            Answer::Surface(_) => Err(OTHER.to_owned()),
        };
        Ok(Outline { imports, offers, functions })
    }
}

const OTHER: &str = "the indexer answered another question";
