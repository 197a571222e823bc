let a: number = 1;
