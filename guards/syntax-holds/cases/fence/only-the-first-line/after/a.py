```python
x = 2
