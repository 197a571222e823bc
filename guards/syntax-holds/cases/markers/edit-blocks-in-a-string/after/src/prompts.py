PROMPT = """
<<<<<<< SEARCH
a
=======
b
>>>>>>> REPLACE
"""
