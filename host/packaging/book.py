"""A preprocessor of mdBook: chapters that live outside of docs/ get a page inside of the book, and links follow.

mdBook writes a page beside its source, and for `../guards/NAME/README.md` that would be outside of the book. So each such chapter is given the path that it
has from the root of the repository. A link from one chapter to another leads to its page; a link to any other file of the repository has no page, and
becomes the path of the file as text.
"""

import json
import posixpath
import re
import sys

SOURCE = "docs"
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
FENCE = re.compile(r"^\s*(```|~~~)")


def chapters(items):
    for item in items:
        if isinstance(item, dict) and (chapter := item.get("Chapter")):
            yield chapter
            yield from chapters(chapter["sub_items"])


def home(source):
    """The path of a chapter's source from the root of the repository."""
    return posixpath.normpath(posixpath.join(SOURCE, source))


def page(at):
    """Where the book has the page of a source. A folder's README is its index."""
    inside = posixpath.relpath(at, SOURCE)
    return re.sub(r"(^|/)README\.md$", r"\1index.md", at if inside.startswith("..") else inside)


def link(match, at, pages):
    image, text, target = match.groups()
    path, mark, anchor = target.partition("#")
    if not path or re.match(r"[a-z]+:", path):
        return match[0]
    to = posixpath.normpath(posixpath.join(posixpath.dirname(at), path))
    # A link to a folder means its README, as forges show it.
    to = to if to in pages else posixpath.join(to, "README.md")
    here = posixpath.dirname(page(at)) or "."
    if to in pages:
        return f"[{text}]({posixpath.relpath(pages[to], here)}{mark}{anchor})"
    to = posixpath.normpath(posixpath.join(posixpath.dirname(at), path))
    if to.startswith(f"{SOURCE}/"):
        return f"{image}[{text}]({posixpath.relpath(page(to), here)}{mark}{anchor})"
    return text if to in text or text.startswith("`") else f"{text} (`{to}`)"


def linked(text, at, pages):
    lines, fenced = [], False
    for line in text.split("\n"):
        fenced ^= bool(FENCE.match(line))
        lines.append(line if fenced else LINK.sub(lambda match: link(match, at, pages), line))
    return "\n".join(lines)


def main():
    if sys.argv[1:2] == ["supports"]:
        return
    _, book = json.load(sys.stdin)
    # mdBook 0.5 calls them items, earlier ones sections.
    found = [chapter for chapter in chapters(book.get("items", book.get("sections", []))) if chapter["source_path"]]
    pages = {at: page(at) for at in (home(chapter["source_path"]) for chapter in found)}
    for chapter in found:
        at = home(chapter["source_path"])
        chapter["content"] = linked(chapter["content"], at, pages)
        chapter["path"] = pages[at]
    json.dump(book, sys.stdout)


if __name__ == "__main__":
    main()
