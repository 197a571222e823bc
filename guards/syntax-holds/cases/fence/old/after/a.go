```go
package b
```
