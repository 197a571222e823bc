alpha beta  
added
omega end
