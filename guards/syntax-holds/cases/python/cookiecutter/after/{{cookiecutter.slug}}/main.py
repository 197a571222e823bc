import {{cookiecutter.slug}}
{% if cookiecutter.cli %}
import click
{% endif %}
