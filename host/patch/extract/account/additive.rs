//! Whether words between two patches say that the next one belongs to the change as well.

use super::alternatives::COUNTED;
use bstr::ByteSlice;
use guardhost_core::change::RepoPath;

/// Words that go on.
const WORDS: [&str; 65] = [
    "and",
    "again",
    "complete",
    "cont",
    "continued",
    "continuing",
    "entire",
    "full",
    "together",
    "whole",
    "also",
    "then",
    "next",
    "now",
    "second",
    "secondly",
    "third",
    "finally",
    "lastly",
    "plus",
    "additionally",
    "further",
    "furthermore",
    "likewise",
    "similarly",
    "accordingly",
    "same",
    "step",
    "part",
    "both",
    "after",
    "followed",
    "und",
    "auch",
    "dann",
    "jetzt",
    "nun",
    "danach",
    "außerdem",
    "schritt",
    "et",
    "aussi",
    "ensuite",
    "puis",
    "enfin",
    "étape",
    "y",
    "también",
    "luego",
    "ahora",
    "después",
    "paso",
    "e",
    "também",
    "depois",
    "agora",
    "anche",
    "poi",
    "ora",
    "и",
    "также",
    "затем",
    "теперь",
    "далее",
    "шаг",
];

/// The same in languages that write their words together.
const PARTS: [&str; 27] = [
    "然后",
    "接着",
    "另外",
    "同时",
    "以及",
    "接下来",
    "现在",
    "还需",
    "并",
    "次に",
    "また",
    "そして",
    "さらに",
    "그리고",
    "또한",
    "다음",
    "第二个文件",
    "2つ目のファイル",
    "二つ目のファイル",
    "두 번째 파일",
    "второй файл",
    "втором файле",
    "zweite datei",
    "zweiten datei",
    "segundo archivo",
    "segundo arquivo",
    "secondo file",
];

/// Shorter words of a path and of a label are alike by chance.
const SHORTEST: usize = 4;

/// Whether a line above a patch of `path` goes on from the patch before: it says so, or names the file, or a part of its path.
pub(super) fn goes_on(line: &[u8], path: &RepoPath) -> bool {
    let text = line.to_str_lossy().to_lowercase();
    let path = path.to_string().to_lowercase();
    let parts: Vec<&str> = path.split(|c: char| !c.is_alphanumeric()).filter(|part| part.len() >= SHORTEST).collect();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    // `Change 2:`, `3. The tests`
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_counted = match words.as_slice() {
        [noun, number] | [noun, number, ..] if is_number(number) => COUNTED.contains(noun),
        [number, ..] => is_number(number),
        [] => false,
    };
    let is_of_path = |word: &str| {
        word.len() >= SHORTEST && parts.iter().any(|part| part.starts_with(word) || word.starts_with(part))
    };
    is_counted
        || words.iter().any(|word| WORDS.contains(word) || is_of_path(word))
        || PARTS.iter().any(|part| text.contains(part))
}
