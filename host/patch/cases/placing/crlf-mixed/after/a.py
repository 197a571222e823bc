one line
new up
two line
three line
new down
four line
