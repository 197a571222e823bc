line 1 of the text
line 2 of the text
line 3 of the text
line 4 of the text
line five
line 6 of the text
line 7 of the text
line 8 of the text
line 9 of the text
line 10 of the text
