// A guard in C++, with the library for C: no FIXME comes in.
#include <string_view>

#include "guard.h"

static const char *const stages[] = {"content", nullptr};

const gh_about guard = {
    .id = "no-fixme",
    .version = "0.1.0",
    .promise = "No FIXME comes in.",
    .event = "no_fixme.fail",
    .stages = stages,
};

static std::string_view view(gh_text text) { return {reinterpret_cast<const char *>(text.ptr), text.len}; }

const char *guard_check(const gh_change *change, gh_text, gh_findings *findings) {
    for (size_t i = 0; i < change->count; i++) {
        const gh_file &file = change->files[i];
        gh_lines added = gh_added_lines(&file);
        for (size_t j = 0; j < added.count; j++) {
            if (view(added.lines[j].text).find("FIXME") == std::string_view::npos) continue;
            gh_finding *finding = gh_error(findings, "fixme", "a FIXME comes in");
            gh_at(finding, file.path, added.lines[j].number);
        }
    }
    return nullptr;
}
