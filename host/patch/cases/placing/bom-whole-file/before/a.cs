using A;
class B {}
