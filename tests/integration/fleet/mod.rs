//! `host submit`, `host worker`, `host fleet`: several processes on real servers.

mod chaos;
mod commands;
mod deployment;
mod machines;
mod merges;
mod rates;
mod rebased;
mod stalled;
mod verdicts;
mod webhooks;
