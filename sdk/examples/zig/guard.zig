// A guard in Zig, by the table of layouts in sdk/README.md: no FIXME comes in.
const std = @import("std");

const Bytes = [*]const u8;
const Text = extern struct { at: Bytes, length: usize };
const Hunk = extern struct { old_start: u32, old_lines: u32, new_start: u32, new_lines: u32 };
fn List(comptime T: type) type {
    return extern struct { at: [*]T, count: usize };
}
/// `result<string, unreadable>`: text and reason begin at 8, because a reason may hold numbers of 8 bytes.
const Content = extern struct { is_error: u8, text: Text align(8), rest: [4]u32 };
/// `result<verdict, string>`: this guard never answers with an error.
const Answer = extern struct { is_error: u8, verdict: u8 align(4), findings: List(i32) };

extern "guardhost:guard/change@0.1.0" fn files(answer: *List(i32)) void;
extern "guardhost:guard/change@0.1.0" fn @"[method]file.path"(file: i32, answer: *Text) void;
extern "guardhost:guard/change@0.1.0" fn @"[method]file.text"(file: i32, side: i32, answer: *Content) void;
extern "guardhost:guard/change@0.1.0" fn @"[method]file.hunks"(file: i32, answer: *List(Hunk)) void;
extern "guardhost:guard/report@0.1.0" fn @"[constructor]description"(id: Bytes, id_length: usize, version: Bytes, version_length: usize, promise: Bytes, promise_length: usize) i32;
extern "guardhost:guard/report@0.1.0" fn @"[constructor]finding"(rule: Bytes, rule_length: usize, severity: i32, message: Bytes, message_length: usize) i32;
extern "guardhost:guard/report@0.1.0" fn @"[method]finding.set-path"(finding: i32, path: Bytes, length: usize) void;
extern "guardhost:guard/report@0.1.0" fn @"[method]finding.set-lines"(finding: i32, first: u32, last: u32) void;

const after = 1;
const severity_error = 0;
const allocator = std.heap.wasm_allocator;

export fn cabi_realloc(old: ?[*]u8, old_size: usize, alignment: usize, size: usize) ?[*]u8 {
    _ = .{ old_size, alignment };
    if (old != null) unreachable; // a host grows a block only while it turns UTF-16 into UTF-8
    // Zig's address of nothing lies outside of the memory.
    return (allocator.alignedAlloc(u8, .@"16", @max(size, 1)) catch unreachable).ptr;
}

export fn @"guardhost:guard/metadata@0.1.0#describe"() i32 {
    const id = "no-fixme";
    const version = "0.1.0";
    const promise = "No FIXME comes in.";
    return @"[constructor]description"(id, id.len, version, version.len, promise, promise.len);
}

export fn @"guardhost:guard/judge@0.1.0#check"(settings: Bytes, length: usize) *Answer {
    _ = settings[0..length];
    var list: List(i32) = undefined;
    files(&list);
    var found: std.ArrayList(i32) = .empty;
    for (list.at[0..list.count]) |file| judge(file, &found) catch unreachable;
    const answer = allocator.create(Answer) catch unreachable;
    answer.* = .{
        .is_error = 0,
        .verdict = if (found.items.len > 0) 1 else 0, // reject, pass
        .findings = .{ .at = found.items.ptr, .count = found.items.len },
    };
    return answer;
}

fn judge(file: i32, found: *std.ArrayList(i32)) !void {
    var content: Content = undefined;
    @"[method]file.text"(file, after, &content);
    if (content.is_error != 0) return; // no text
    var hunks: List(Hunk) = undefined;
    @"[method]file.hunks"(file, &hunks);
    var lines = std.mem.splitScalar(u8, content.text.at[0..content.text.length], '\n');
    var number: u32 = 1;
    while (lines.next()) |line| : (number += 1) {
        for (hunks.at[0..hunks.count]) |hunk| {
            const added = number >= hunk.new_start and number < hunk.new_start + hunk.new_lines;
            if (added and std.mem.indexOf(u8, line, "FIXME") != null) try found.append(allocator, report(file, number));
        }
    }
}

fn report(file: i32, line: u32) i32 {
    const rule = "fixme";
    const message = "a FIXME comes in";
    const finding = @"[constructor]finding"(rule, rule.len, severity_error, message, message.len);
    var path: Text = undefined;
    @"[method]file.path"(file, &path);
    @"[method]finding.set-path"(finding, path.at, path.length);
    @"[method]finding.set-lines"(finding, line, line);
    return finding;
}
