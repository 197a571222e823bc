import sys

from tally import count

for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        for word, times in count(file.read()).most_common():
            print(f"{times:7} {word}")
