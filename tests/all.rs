mod hostile;
mod support;
mod way;
