one line
two line
three line
four line
