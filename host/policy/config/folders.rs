//! Rules for a folder: a guard that is pinned once more, below a folder, judges there in place of the pins around it.

use super::Pin;

/// Says of each pin where another one of the same guard judges: the innermost folder counts.
pub(super) fn settle_folders(pins: &mut [Pin]) {
    let folders: Vec<_> =
        pins.iter().filter_map(|pin| Some((pin.component_id().to_owned(), pin.folder.clone()?))).collect();
    for pin in pins {
        let gives_way = folders.iter().filter(|(guard, folder)| {
            guard == pin.component_id() && pin.folder.as_ref().is_none_or(|own| own.encloses(folder))
        });
        pin.without = gives_way.map(|(_, folder)| folder.clone()).collect();
    }
}

/// Whether a pin is one too many: an earlier one of the same guard is for the same part of the repository.
pub(super) fn mistake_of_folder(earlier: &[Pin], pin: &Pin) -> Option<String> {
    let same = earlier.iter().find(|other| {
        (other.component_id(), &other.folder) == (pin.component_id(), &pin.folder) && other.id != pin.id
    })?;
    let (guard, one, two) = (pin.component_id(), &same.id, &pin.id);
    let place = match &pin.folder {
        Some(folder) => format!("below {folder}"),
        None => "in the whole repository; give one of them a `folder`".to_owned(),
    };
    Some(format!("guards `{one}` and `{two}` are both `{guard}` {place}"))
}
