pub mod mutate;
pub mod repo;
