head of it all
    }
}

/// doc line one
int gone one()
{
    if (gone) {
        deep inside
    }
}

/// doc line one
int stays()
