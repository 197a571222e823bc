class {{ name }}(Base):
    pass
