import x from 
