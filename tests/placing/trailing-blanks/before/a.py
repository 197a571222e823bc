alpha beta  
remove me	
omega end
