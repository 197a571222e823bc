mod repo;
mod settle;
