/* The change under judgement. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

gh_change gh_change_now(void) {
    guardhost_guard_change_list_file_t records;
    guardhost_guard_change_files(&records);
    gh_file *files = gh_room(records.len, sizeof *files);
    for (size_t i = 0; i < records.len; i++) {
        files[i] = (gh_file){.index = (uint32_t)i, .record = &records.ptr[i], .path = records.ptr[i].path};
    }
    return (gh_change){.files = files, .count = records.len};
}

bool gh_is_regular(const gh_file *file) {
    return file->record->after.is_some && (file->record->after.val.mode == GUARDHOST_GUARD_CHANGE_MODE_FILE ||
                                           file->record->after.val.mode == GUARDHOST_GUARD_CHANGE_MODE_EXECUTABLE);
}

const char *gh_read(const gh_file *file, guardhost_guard_change_side_t side, gh_text *text) {
    guardhost_guard_change_unreadable_t why;
    if (guardhost_guard_change_text(file->index, side, text, &why)) return NULL;
    switch (why.tag) {
    case GUARDHOST_GUARD_CHANGE_UNREADABLE_ABSENT:
        return "it does not exist on that side";
    case GUARDHOST_GUARD_CHANGE_UNREADABLE_NOT_TEXT:
        return gh_format("it is not text (%.*s)", (int)why.val.not_text.len, (const char *)why.val.not_text.ptr);
    default:
        return gh_format("it is %llu bytes large and the limit is %llu", (unsigned long long)why.val.too_large.f0,
                         (unsigned long long)why.val.too_large.f1);
    }
}

/* Only a line feed ends a line; a carriage return before it belongs to the ending. Returns where the next one begins. */
static const uint8_t *line_at(const uint8_t *start, const uint8_t *end, gh_text *line) {
    const uint8_t *feed = memchr(start, '\n', (size_t)(end - start));
    const uint8_t *stop = feed ? feed : end;
    if (feed && stop > start && stop[-1] == '\r') stop--;
    *line = (gh_text){.ptr = (uint8_t *)start, .len = (size_t)(stop - start)};
    return feed ? feed + 1 : end;
}

static gh_lines pick(const gh_file *file, guardhost_guard_change_side_t side) {
    bool after = side == GUARDHOST_GUARD_CHANGE_SIDE_AFTER;
    if (!(after ? file->record->after.is_some : file->record->before.is_some)) return (gh_lines){0};
    gh_text text;
    const char *unreadable = gh_read(file, side, &text);
    if (unreadable) return (gh_lines){.unreadable = unreadable};
    guardhost_guard_change_list_hunk_t hunks;
    guardhost_guard_change_hunks(file->index, &hunks);
    size_t count = 0;
    for (size_t i = 0; i < hunks.len; i++) count += after ? hunks.ptr[i].new_lines : hunks.ptr[i].old_lines;
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

gh_lines gh_added_lines(const gh_file *file) { return pick(file, GUARDHOST_GUARD_CHANGE_SIDE_AFTER); }

gh_lines gh_removed_lines(const gh_file *file) { return pick(file, GUARDHOST_GUARD_CHANGE_SIDE_BEFORE); }

size_t gh_characters(gh_text text) {
    size_t count = 0;
    /* All bytes but those that continue a character. */
    for (size_t i = 0; i < text.len; i++) count += (text.ptr[i] & 0xc0) != 0x80;
    return count;
}
