mod guard;
