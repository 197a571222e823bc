first line
second line
last line