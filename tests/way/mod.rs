mod apply;
mod extract;
mod repair;
mod sanitize;
