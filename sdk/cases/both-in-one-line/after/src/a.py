one
TODO: xxxxxxxxxxxxxxx
three
