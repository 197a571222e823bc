{
}
{
foo(bar)
}
