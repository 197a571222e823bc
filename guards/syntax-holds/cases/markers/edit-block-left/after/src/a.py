<<<<<<< SEARCH
a = 1
=======
a = 2
>>>>>>> REPLACE
