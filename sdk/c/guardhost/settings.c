/* Settings: one JSON object, already checked by the host, of which the top level is read. */
#include <stdlib.h>
#include <string.h>

#include "inside.h"

/* Past a string that begins here, or past one character. */
static size_t skip(gh_text json, size_t at) {
    if (json.ptr[at] != '"') return at + 1;
    for (at++; at < json.len && json.ptr[at] != '"'; at++) at += json.ptr[at] == '\\';
    return at + 1;
}

static bool blank(uint8_t c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

gh_text gh_json(gh_text json, const char *name) {
    size_t depth = 0, length = strlen(name);
    for (size_t at = 0; at < json.len;) {
        uint8_t c = json.ptr[at];
        size_t next = skip(json, at);
        if (c == '{' || c == '[') depth++;
        if (c == '}' || c == ']') depth--;
        if (c == '"' && depth == 1 && next - at == length + 2 && memcmp(json.ptr + at + 1, name, length) == 0) {
            while (next < json.len && blank(json.ptr[next])) next++;
            if (next < json.len && json.ptr[next] == ':') {
                size_t start = next + 1, end;
                while (start < json.len && blank(json.ptr[start])) start++;
                for (end = start; end < json.len; end = skip(json, end)) {
                    c = json.ptr[end];
                    if (depth == 1 && (c == ',' || c == '}')) break;
                    if (c == '{' || c == '[') depth++;
                    if (c == '}' || c == ']') depth--;
                }
                while (end > start && blank(json.ptr[end - 1])) end--;
                return (gh_text){.ptr = json.ptr + start, .len = end - start};
            }
        }
        at = next;
    }
    return (gh_text){0};
}

/* With a zero at the end, for the functions of C. */
static char *word(gh_text json) {
    char *text = gh_room(json.len + 1, 1);
    if (json.len) memcpy(text, json.ptr, json.len);
    return text;
}

double gh_number(gh_text settings, const char *name, double otherwise) {
    gh_text json = gh_json(settings, name);
    return json.len ? strtod(word(json), NULL) : otherwise;
}

long long gh_integer(gh_text settings, const char *name, long long otherwise) {
    gh_text json = gh_json(settings, name);
    return json.len ? strtoll(word(json), NULL, 10) : otherwise;
}

bool gh_boolean(gh_text settings, const char *name, bool otherwise) {
    gh_text json = gh_json(settings, name);
    return json.len ? json.ptr[0] == 't' : otherwise;
}
