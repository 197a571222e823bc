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

const char *guard_check(const gh_change *change, gh_text settings, gh_findings *findings) {
    (void)change;
    gh_text door = gh_json(settings, "door");
#define DOOR(name) (door.len == sizeof(name) + 1 && memcmp(door.ptr + 1, name, sizeof(name) - 1) == 0)
    if (DOOR("files")) {
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
