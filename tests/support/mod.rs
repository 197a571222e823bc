pub mod agents;
