#include <string.h>

#include "guard.h"

static const gh_rule rules[] = {
    {.rule = "long-line", .summary = "a new line has more characters than the limit"},
    {.rule = "todo-without-owner", .summary = "a new TODO names no owner"},
    {.rule = "unreadable", .summary = "a file is not text, and was not judged"},
    {0},
};

const gh_about guard = {
    .id = "{{name}}",
    .version = "0.1.0",
    .promise = "No line comes in that is too long, and no TODO without an owner.",
    .event = "{{name}}.fail",
    .rules = rules,
    .settings_schema =
        "{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {"
        "\"max_line_length\": {\"type\": \"integer\", \"minimum\": 1, \"default\": 120, \"description\": \"Characters (Unicode scalar values).\"},"
        "\"todo_owner\": {\"type\": \"boolean\", \"default\": true, \"description\": \"Whether a TODO must name its owner.\"}}}",
};

static bool in_word(uint8_t c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* `(name)`, right at the beginning. */
static bool names_someone(const uint8_t *at, const uint8_t *end) {
    if (at == end || *at++ != '(') return false;
    const uint8_t *name = at;
    while (at < end && *at != '(' && *at != ')') at++;
    return at < end && *at == ')' && at > name;
}

/* Whether the word TODO stands there without `(name)` right behind it. */
static bool unowned(gh_text text) {
    const uint8_t *end = text.ptr + text.len;
    for (const uint8_t *at = text.ptr; end - at >= 4; at++) {
        if (memcmp(at, "TODO", 4) != 0) continue;
        bool word = (at == text.ptr || !in_word(at[-1])) && (at + 4 == end || !in_word(at[4]));
        if (word && !names_someone(at + 4, end)) return true;
    }
    return false;
}

const char *guard_check(const gh_change *change, gh_text settings, gh_findings *findings) {
    size_t limit = (size_t)gh_integer(settings, "max_line_length", 120);
    bool todo_owner = gh_boolean(settings, "todo_owner", true);
    for (size_t i = 0; i < change->count; i++) {
        const gh_file *file = &change->files[i];
        if (!gh_is_regular(file)) continue;
        gh_lines added = gh_added_lines(file);
        if (added.unreadable) {
            gh_finding *finding = gh_info(findings, "unreadable", "%.*s was not judged: %s", (int)file->path.len,
                                          (const char *)file->path.ptr, added.unreadable);
            gh_at(finding, file->path, 0);
            continue;
        }
        for (size_t j = 0; j < added.count; j++) {
            gh_line line = added.lines[j];
            size_t length = gh_characters(line.text);
            if (length > limit) {
                gh_finding *finding =
                    gh_error(findings, "long-line", "this line has %zu characters, %zu is the limit", length, limit);
                gh_at(finding, file->path, line.number);
                gh_help(finding, "Break it into lines of at most %zu characters.", limit);
            }
            if (todo_owner && unowned(line.text)) {
                gh_finding *finding = gh_error(findings, "todo-without-owner", "this TODO has no owner");
                gh_at(finding, file->path, line.number);
                gh_help(finding, "Write TODO(name), or leave it out.");
            }
        }
    }
    return NULL;
}
