/* Tries each door to the outside and says what it got. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "guard.h"

const gh_about guard = {
    .id = "{{name}}",
    .version = "0.1.0",
    .promise = "Tells what it could reach.",
    .event = "probe.fail",
    .settings_schema =
        "{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {\"door\": {\"type\": \"string\"}}}",
};

static void everything(const gh_change *change, gh_findings *findings) {
    const gh_file *file = &change->files[0];
    gh_task task;
    const char *asked = gh_task_of_change(&task) ? "a task" : "no task";
    const gh_commit *commit = &gh_commits_of_change().commits[0];
    guardhost_guard_change_trailer_t trailer = commit->trailers.ptr[0];
    size_t length = commit->message.len;
    while (length > 0 && commit->message.ptr[length - 1] == '\n') length--;
#define TEXT(text) (int)(text).len, (const char *)(text).ptr
    gh_finding *finding = gh_error(
        findings, "probe", "%s, %s, %zu: %.*s by %.*s <%.*s>, %.*s=%.*s",
        gh_status_of(file) == GUARDHOST_GUARD_CHANGE_STATUS_MODIFIED ? "modified" : "something else", asked, commit->oid.len,
        (int)length, (const char *)commit->message.ptr, TEXT(commit->author.name), TEXT(commit->author.email),
        TEXT(trailer.key), TEXT(trailer.value));
    gh_at(finding, file->path, 1);
    gh_to(finding, 2);
    gh_columns(finding, 1, 3);
    gh_help(finding, "Leave it out.");
    gh_edit edit = {.path = file->path, .end = 3, .replacement = {.ptr = (uint8_t *)"one", .len = 3}};
    gh_fix(finding, "Write one", &edit, 1);
    gh_related(finding, file->path, 1, 2, "it begins here");
    gh_attribute(finding, "confidence", "0.9");
}

const char *guard_check(const gh_change *change, gh_text settings, gh_findings *findings) {
    gh_text door = gh_json(settings, "door");
#define DOOR(name) (door.len == sizeof(name) + 1 && memcmp(door.ptr + 1, name, sizeof(name) - 1) == 0)
    if (DOOR("everything")) {
        everything(change, findings);
    } else if (DOOR("files")) {
        FILE *file = fopen("/etc/passwd", "r");
        if (file) gh_info(findings, "probe", "got a file");
        else gh_info(findings, "probe", "refused: %s", strerror(errno));
    } else if (DOOR("another-file")) {
        int file = openat(3, "etc/passwd", O_RDONLY);
        if (file >= 0) gh_info(findings, "probe", "got a file");
        else gh_info(findings, "probe", "refused: %s", strerror(errno));
    } else if (DOOR("environment")) {
        const char *home = getenv("HOME");
        gh_info(findings, "probe", home ? "got %s" : "got nothing", home ? home : "");
    } else if (DOOR("network")) {
        char byte;
        ssize_t count = recv(3, &byte, 1, 0);
        if (count >= 0) gh_info(findings, "probe", "got %zd bytes", count);
        else gh_info(findings, "probe", "refused: %s", strerror(errno));
    } else if (DOOR("clock")) {
        gh_info(findings, "probe", "got %lld", (long long)time(NULL));
    } else if (DOOR("random")) {
        unsigned int number = 0;
        int failed = getentropy(&number, sizeof number);
        if (!failed) gh_info(findings, "probe", "got %u", number);
        else gh_info(findings, "probe", "refused: %s", strerror(errno));
    } else if (DOOR("output")) {
        fprintf(stderr, "a line on standard error\n");
        printf("and one on standard output\n");
        fflush(stdout);
        gh_info(findings, "probe", "got nothing");
    } else {
        return "there is no such door";
    }
    return NULL;
}
