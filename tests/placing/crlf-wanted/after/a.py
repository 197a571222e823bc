one line
two line
