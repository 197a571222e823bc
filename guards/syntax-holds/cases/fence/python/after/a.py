```python
x = 2
```
