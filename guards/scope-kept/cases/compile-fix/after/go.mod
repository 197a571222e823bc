module x
# a comment
go 1.22
