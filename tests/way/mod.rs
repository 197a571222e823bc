mod extract;
mod repair;
mod sanitize;
