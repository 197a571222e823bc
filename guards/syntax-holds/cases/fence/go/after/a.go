```go
package a
```