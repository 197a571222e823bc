call one  
next thing

other stuff

call one
next thing
