module example.com/users

# the version of the language
go 1.22
