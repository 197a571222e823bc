/* The change under judgement. */
#include <string.h>

#include "inside.h"

#define SIDE_BEFORE GUARDHOST_GUARD_TYPES_SIDE_BEFORE
#define SIDE_AFTER GUARDHOST_GUARD_TYPES_SIDE_AFTER

bool gh_blob_of(const gh_file *file, gh_side side, gh_blob *blob) {
    return guardhost_guard_change_method_file_blob(file->handle, side, blob);
}

gh_status gh_status_of(const gh_file *file) { return guardhost_guard_change_method_file_status(file->handle); }

bool gh_old_path(const gh_file *file, gh_text *path) {
    return guardhost_guard_change_method_file_old_path(file->handle, path);
}

bool gh_is_regular(const gh_file *file) {
    gh_blob blob;
    return gh_blob_of(file, SIDE_AFTER, &blob) &&
           (blob.mode == GUARDHOST_GUARD_TYPES_MODE_FILE || blob.mode == GUARDHOST_GUARD_TYPES_MODE_EXECUTABLE);
}

gh_hunks gh_hunks_of(const gh_file *file) {
    gh_hunks hunks;
    guardhost_guard_change_method_file_hunks(file->handle, &hunks);
    return hunks;
}

const char *gh_unreadable(const guardhost_guard_types_unreadable_t *why) {
    switch (why->tag) {
    case GUARDHOST_GUARD_TYPES_UNREADABLE_ABSENT:
        return "it does not exist on that side";
    case GUARDHOST_GUARD_TYPES_UNREADABLE_NOT_TEXT:
        return gh_format("it is not text (%.*s)", (int)why->val.not_text.len, (const char *)why->val.not_text.ptr);
    case GUARDHOST_GUARD_TYPES_UNREADABLE_TOO_LARGE:
        return gh_format("it is %llu bytes large and the limit is %llu", (unsigned long long)why->val.too_large.size,
                         (unsigned long long)why->val.too_large.limit);
    case GUARDHOST_GUARD_TYPES_UNREADABLE_NOT_GRANTED:
        return "the pin does not grant this path";
    default:
        return gh_format("%.*s", (int)why->val.other.len, (const char *)why->val.other.ptr);
    }
}

const char *gh_denied(const guardhost_guard_types_denied_t *why) {
    switch (why->tag) {
    case GUARDHOST_GUARD_TYPES_DENIED_NOT_GRANTED:
        return "the pin does not grant it";
    case GUARDHOST_GUARD_TYPES_DENIED_TIMED_OUT:
        return gh_format("it did not end within %llu ms", (unsigned long long)why->val.timed_out);
    default: /* unavailable, invalid, other: a text each */
        return gh_format("%.*s", (int)why->val.other.len, (const char *)why->val.other.ptr);
    }
}

const char *gh_read(const gh_file *file, gh_side side, gh_text *text) {
    guardhost_guard_types_unreadable_t why;
    return guardhost_guard_change_method_file_text(file->handle, side, text, &why) ? NULL : gh_unreadable(&why);
}

const char *gh_read_bytes(const gh_file *file, gh_side side, gh_text *bytes) {
    guardhost_guard_types_unreadable_t why;
    contract_list_u8_t list;
    if (!guardhost_guard_change_method_file_read(file->handle, side, &list, &why)) return gh_unreadable(&why);
    *bytes = (gh_text){.ptr = list.ptr, .len = list.len};
    return NULL;
}

/* Only a line feed ends a line; a carriage return before it belongs to the ending. Returns where the next one begins. */
static const uint8_t *line_at(const uint8_t *start, const uint8_t *end, gh_text *line) {
    const uint8_t *feed = memchr(start, '\n', (size_t)(end - start));
    const uint8_t *stop = feed ? feed : end;
    if (feed && stop > start && stop[-1] == '\r') stop--;
    *line = (gh_text){.ptr = (uint8_t *)start, .len = (size_t)(stop - start)};
    return feed ? feed + 1 : end;
}

static gh_lines pick(const gh_file *file, gh_side side) {
    gh_hunks hunks = gh_hunks_of(file);
    bool after = side == SIDE_AFTER;
    size_t count = 0;
    for (size_t i = 0; i < hunks.len; i++) count += after ? hunks.ptr[i].new_lines : hunks.ptr[i].old_lines;
    gh_blob blob;
    if (!gh_blob_of(file, side, &blob)) return (gh_lines){0};
    gh_text text;
    const char *unreadable = gh_read(file, side, &text);
    if (unreadable) return (gh_lines){.unreadable = unreadable};
    gh_line *lines = gh_room(count, sizeof *lines);
    const uint8_t *at = text.ptr, *end = text.ptr + text.len;
    uint32_t number = 1;
    size_t picked = 0;
    for (size_t i = 0; i < hunks.len; i++) {
        uint32_t first = after ? hunks.ptr[i].new_start : hunks.ptr[i].old_start;
        uint32_t run = after ? hunks.ptr[i].new_lines : hunks.ptr[i].old_lines;
        for (gh_text passed; number < first && at < end; number++) at = line_at(at, end, &passed);
        for (; run > 0; run--, number++) {
            lines[picked].number = number;
            at = line_at(at, end, &lines[picked++].text);
        }
    }
    return (gh_lines){.lines = lines, .count = picked};
}

gh_lines gh_added_lines(const gh_file *file) { return pick(file, SIDE_AFTER); }

gh_lines gh_removed_lines(const gh_file *file) { return pick(file, SIDE_BEFORE); }

size_t gh_characters(gh_text text) {
    size_t count = 0;
    /* All bytes but those that continue a character. */
    for (size_t i = 0; i < text.len; i++) count += (text.ptr[i] & 0xc0) != 0x80;
    return count;
}

bool gh_task_of_change(gh_task *task) {
    guardhost_guard_change_own_task_t own;
    if (!guardhost_guard_change_get_task(&own)) return false;
    guardhost_guard_change_borrow_task_t handle = guardhost_guard_change_borrow_task(own);
    guardhost_guard_change_method_task_text(handle, &task->text);
    guardhost_guard_change_method_task_hints(handle, &task->hints);
    task->is_compile_fix = guardhost_guard_change_method_task_is_compile_fix(handle);
    guardhost_guard_change_task_drop_own(own);
    return true;
}

gh_commits gh_commits_of_change(void) {
    guardhost_guard_change_list_own_commit_t own;
    guardhost_guard_change_commits(&own);
    gh_commit *commits = gh_room(own.len, sizeof *commits);
    for (size_t i = 0; i < own.len; i++) {
        guardhost_guard_change_borrow_commit_t handle = guardhost_guard_change_borrow_commit(own.ptr[i]);
        guardhost_guard_change_method_commit_oid(handle, &commits[i].oid);
        guardhost_guard_change_method_commit_message(handle, &commits[i].message);
        guardhost_guard_change_method_commit_author(handle, &commits[i].author);
        guardhost_guard_change_method_commit_trailers(handle, &commits[i].trailers);
        guardhost_guard_change_commit_drop_own(own.ptr[i]);
    }
    return (gh_commits){.commits = commits, .count = own.len};
}
