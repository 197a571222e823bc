first line
second line
final line