//! Whether a beat is believed. Whoever reaches the queue can write one, so it is signed by the worker's key as its results are, and where the
//! operator lists keys (`--fleet-keys`) only a beat of one of them counts.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::status::{BeatStanding, WorkerBeat, WorkerStatus};
use crate::keys::{KnownKeys, WorkerKey};
use crate::settings::FleetSettings;

const PURPOSE: &str = "beat 1";

/// A beat whose time is so far from when the queue took it is not from then: somebody may have kept it, and written it once more after its
/// worker was gone. As far as clocks of machines in one fleet may be apart.
const FRESH: Duration = Duration::from_secs(5 * 60);

/// A beat as the queue keeps it.
#[derive(Debug, Serialize, Deserialize)]
struct SignedBeat {
    /// [`WorkerBeat`], as the bytes that were signed.
    beat: String,
    /// By the clock of the worker: RFC 3339.
    at: String,
    signature: String,
}

/// Signed for this fleet and this moment.
pub(super) fn sign(fleet: &str, beat: &WorkerBeat, key: &WorkerKey) -> Vec<u8> {
    sign_at(fleet, beat, key, Timestamp::now())
}

fn sign_at(fleet: &str, beat: &WorkerBeat, key: &WorkerKey, at: Timestamp) -> Vec<u8> {
    let (beat, at) = (serde_json::to_string(beat).unwrap_or_default(), at.to_string());
    let signature = key.sign(PURPOSE, &parts(fleet, &at, &beat));
    serde_json::to_vec(&SignedBeat { beat, at, signature }).unwrap_or_default()
}

/// The beat that the queue has under the name `place`; None for what is no beat. One without a signature is shown, and is not believed.
pub(super) fn read(place: &str, bytes: &[u8], last_heard: Duration, settings: &FleetSettings) -> Option<WorkerStatus> {
    let signed = serde_json::from_slice(bytes).ok().or_else(|| unsigned(bytes))?;
    let beat: WorkerBeat = serde_json::from_str(&signed.beat).ok()?;
    let standing = match &settings.believed {
        None => BeatStanding::NotChecked,
        // One signed beat in many places is still one worker.
        Some(known) if beat.name == place && signed.is_of(known, &settings.name, &beat, last_heard) => {
            BeatStanding::Believed
        }
        Some(_) => BeatStanding::NotBelieved,
    };
    Some(WorkerStatus { beat, last_heard, standing })
}

fn unsigned(bytes: &[u8]) -> Option<SignedBeat> {
    let beat = String::from_utf8(bytes.to_vec()).ok()?;
    Some(SignedBeat { beat, at: String::new(), signature: String::new() })
}

impl SignedBeat {
    /// `last_heard`: the time since the queue took it. A worker that is gone is still believed to have been there.
    fn is_of(&self, known: &KnownKeys, fleet: &str, beat: &WorkerBeat, last_heard: Duration) -> bool {
        let is_signed =
            known.signer(PURPOSE, &parts(fleet, &self.at, &self.beat), &beat.key, &self.signature).is_some();
        let taken = Timestamp::now().checked_sub(last_heard).unwrap_or(Timestamp::MIN);
        let apart = |at: Timestamp| taken.duration_since(at).unsigned_abs();
        is_signed && self.at.parse().is_ok_and(|at| apart(at) <= FRESH)
    }
}

fn parts<'a>(fleet: &'a str, at: &'a str, beat: &'a str) -> [&'a [u8]; 3] {
    [fleet.as_bytes(), at.as_bytes(), beat.as_bytes()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beat(name: &str, key: &WorkerKey) -> WorkerBeat {
        serde_json::from_value(serde_json::json!({ "name": name, "key": key.public(), "version": "1", "slots": 1,
            "busy": 0, "judged": 0, "last_minute": 0, "is_draining": false }))
        .unwrap()
    }

    /// Each way in which a beat is not the word of a listed key, now, for this fleet and this place.
    #[test]
    fn only_a_fresh_beat_of_a_listed_key_in_its_own_place_counts() {
        let (one, two) =
            (WorkerKey::from_seed("one", &[1; 32]).unwrap(), WorkerKey::from_seed("two", &[2; 32]).unwrap());
        let settings = FleetSettings { believed: Some(KnownKeys::default().with(&one)), ..FleetSettings::default() };
        let (fleet, now) = (settings.name.as_str(), Timestamp::now());
        let own = beat("one", &one);
        let standing = |place: &str, bytes: &[u8]| read(place, bytes, Duration::ZERO, &settings).unwrap().standing;
        let signed = sign(fleet, &own, &one);
        assert_eq!(standing("one", &signed), BeatStanding::Believed);
        let text = String::from_utf8(signed.clone()).unwrap();
        let changed = text.replace("\\\"slots\\\":1", "\\\"slots\\\":9");
        assert_ne!(changed, text);
        let minutes = |minutes: i64| now + jiff::SignedDuration::from_mins(minutes);
        let not_believed = [
            ("not signed", "one", serde_json::to_vec(&own).unwrap()),
            ("another key's, in its own name", "two", sign(fleet, &beat("two", &two), &two)),
            ("another key's, in the name of a listed one", "one", sign(fleet, &own, &two)),
            ("of another fleet", "one", sign("other", &own, &one)),
            ("in another place", "elsewhere", signed.clone()),
            ("kept, and written again later", "one", sign_at(fleet, &own, &one, minutes(-6))),
            ("made for later", "one", sign_at(fleet, &own, &one, minutes(6))),
            ("changed", "one", changed.into_bytes()),
        ];
        for (what, place, bytes) in not_believed {
            assert_eq!(standing(place, &bytes), BeatStanding::NotBelieved, "{what}");
        }
        let gone = sign_at(fleet, &own, &one, minutes(-30));
        let heard = read("one", &gone, Duration::from_secs(30 * 60), &settings).unwrap();
        assert_eq!(heard.standing, BeatStanding::Believed, "it was there half an hour ago");
        let open = FleetSettings::default();
        let any = read("one", &sign(fleet, &own, &two), Duration::ZERO, &open).unwrap();
        assert_eq!(any.standing, BeatStanding::NotChecked, "no keys are listed");
        assert!(read("one", b"junk", Duration::ZERO, &settings).is_none());
    }
}
