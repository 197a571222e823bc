print "a"
print "b"
