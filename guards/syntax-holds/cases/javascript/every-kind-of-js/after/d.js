var await = 1;
