from setuptools import setup
setup(name="a")
