first line
second line
