//! The `TREE` extension of gitformat-index: the ids of directories that were not touched since git computed them.

use gix_index::extension::Tree;

/// A directory of the index.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct CachedTree<'a> {
    pub name: &'a [u8],
    /// The tree's id, and how many entries of the index it covers; None since something below was touched.
    pub known: Option<(usize, &'a [u8])>,
    /// Sorted by name.
    pub children: Vec<CachedTree<'a>>,
}

/// Bytes of an object id.
const ID: usize = 20;

/// Deeper ones are taken for damage.
const MAX_DEPTH: usize = 1000;

impl<'a> CachedTree<'a> {
    /// Reads the extension's bytes. None: they are damaged.
    pub fn parse(bytes: &'a [u8]) -> Option<Self> {
        let mut rest = bytes;
        let tree = parse(&mut rest, 0)?;
        rest.is_empty().then_some(tree)
    }

    /// None: an id of another length than libgit2 knows.
    pub fn decoded(tree: &'a Tree) -> Option<Self> {
        let id = tree.id.as_bytes();
        let children = tree.children.iter().map(Self::decoded).collect::<Option<_>>()?;
        let known = match tree.num_entries {
            Some(count) if id.len() == ID => Some((count as usize, id)),
            Some(_) => return None,
            None => None,
        };
        Some(CachedTree { name: &tree.name, known, children })
    }

    pub fn child(&self, name: &[u8]) -> Option<&CachedTree<'a>> {
        let at = self.children.binary_search_by(|child| child.name.cmp(name)).ok()?;
        Some(&self.children[at])
    }
}

fn parse<'a>(rest: &mut &'a [u8], depth: usize) -> Option<CachedTree<'a>> {
    let name = until(rest, 0)?;
    let count: i32 = number(until(rest, b' ')?)?;
    let subtrees: usize = number(until(rest, b'\n')?)?;
    if depth > MAX_DEPTH {
        return None;
    }
    let known = match usize::try_from(count) {
        Ok(count) => {
            let (id, after) = rest.split_at_checked(ID)?;
            *rest = after;
            Some((count, id))
        }
        Err(_) => None,
    };
    let mut children = Vec::new();
    for _ in 0..subtrees {
        children.push(parse(rest, depth + 1)?);
    }
    // Git sorts them by length first.
    children.sort_unstable_by(|a, b| a.name.cmp(b.name));
    let twice = children.windows(2).any(|pair| pair[0].name == pair[1].name);
    (!twice).then_some(CachedTree { name, known, children })
}

/// The bytes before the next `end`, which is taken too.
fn until<'a>(rest: &mut &'a [u8], end: u8) -> Option<&'a [u8]> {
    let at = rest.iter().position(|byte| *byte == end)?;
    let found = &rest[..at];
    *rest = &rest[at + 1..];
    Some(found)
}

fn number<N: std::str::FromStr>(digits: &[u8]) -> Option<N> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}
