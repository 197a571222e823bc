# -*- coding: latin-1 -*-
x = 'è'
