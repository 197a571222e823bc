head of it all
    }
}

/// doc line one
int stays()
