```go
package a
```
