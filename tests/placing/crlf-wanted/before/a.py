one line
two line
