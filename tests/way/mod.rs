mod provide;
