//! Mend what surely is damage in a reply; never fails, notes every mend.
