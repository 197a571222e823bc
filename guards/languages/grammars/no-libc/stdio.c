// Nothing: tree-sitter brings what it needs of the C library. The build script of tree-sitter-c-sharp asks for this file.
