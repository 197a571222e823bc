print "a"
