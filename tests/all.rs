mod support;
mod way;
