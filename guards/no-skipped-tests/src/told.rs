//! Assertions about a mock: the test asks it for what the test itself told it to give, so that no code is tested.

use crate::check::{Check, check, split};

/// The call that a line tells what to give, and that value.
fn told(line: &str) -> Option<(&str, &str)> {
    let line = line.trim().trim_end_matches(';');
    if let Some((call, value)) = line.split_once(".return_value = ") {
        return Some((call.trim(), value.trim()));
    }
    if let Some((call, value)) = line.strip_prefix("every { ").and_then(|rest| rest.split_once(" } returns ")) {
        return Some((call.split('(').next()?.trim(), value.trim()));
    }
    for (start, gives) in [("when(", ".thenReturn("), ("Mockito.when(", ".thenReturn("), ("given(", ".willReturn(")] {
        let Some((call, value)) = line.strip_prefix(start).and_then(|rest| rest.split_once(gives)) else { continue };
        return Some((call.split('(').next()?.trim(), split(value, ',').0.first().copied()?));
    }
    for gives in [".mockReturnValue(", ".mockResolvedValue("] {
        let Some((made, value)) = line.split_once(gives) else { continue };
        let name = made.split_once('=').map_or(made, |(name, _)| name);
        let name = name.trim().trim_start_matches("const ").trim_start_matches("let ");
        let is_name = name.chars().all(|c| c.is_alphanumeric() || "._$".contains(c));
        return is_name.then_some((name, split(value, ',').0.first().copied()?));
    }
    None
}

/// Lines that assert what a mock was told, each with the line that told it.
pub fn find<'t>(lines: &[(u32, &'t str)]) -> Vec<(u32, u32, &'t str)> {
    let told: Vec<(u32, &str, &str)> =
        lines.iter().filter_map(|(number, line)| told(line).map(|(call, value)| (*number, call, value))).collect();
    if told.is_empty() {
        return Vec::new();
    }
    let asked = |(number, line): &(u32, &'t str)| {
        let Some(Check::Equal(a, b)) = check(line) else { return None };
        let is_asked = |(at, call, value): &&(u32, &str, &str)| {
            let calls = |text: &str| {
                let text = text.trim_start_matches("await ");
                text.strip_prefix(call).is_some_and(|rest| rest.starts_with('(') && is_one_call(rest))
            };
            at < number && ((calls(a) && b == *value) || (calls(b) && a == *value))
        };
        told.iter().rev().find(is_asked).map(|(at, ..)| (*number, *at, *line))
    };
    lines.iter().filter_map(asked).collect()
}

/// Whether brackets stand for one call, and nothing is asked of what it gives.
fn is_one_call(text: &str) -> bool {
    text.strip_prefix('(').is_some_and(|inside| split(inside, ',').1.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn what_a_mock_was_told() {
        for (text, asks) in [
            ("c = MagicMock()\nc.load.return_value = {b\"\": 1}\nassert c.load({b\"\": \"1\"}) == {b\"\": 1}", true),
            ("c.load.return_value = 1\nself.assertEqual(c.load(3), 1)", true),
            ("c.load.return_value = 1\nassert total(c) == 1", false),
            ("c.load.return_value = 1\nassert c.load(3) == 2", false),
            ("c.load.return_value = a\nassert c.load(3).name == a", false),
            ("const load = vi.fn().mockReturnValue(3);\nexpect(load(2)).toEqual(3);", true),
            ("api.load.mockResolvedValue({ a: 1 });\nexpect(await api.load(2)).toEqual({ a: 1 });", true),
            ("when(store.get(\"a\")).thenReturn(3);\nassertEquals(3, store.get(\"a\"));", true),
            ("when(store.get(\"a\")).thenReturn(3);\nassertEquals(3, new Cache(store).get(\"a\"));", false),
            ("every { store.get(any()) } returns 3\nassertEquals(3, store.get(1))", true),
        ] {
            let lines: Vec<(u32, &str)> = (1..).zip(text.lines()).collect();
            assert_eq!(!find(&lines).is_empty(), asks, "{text}");
        }
    }
}
