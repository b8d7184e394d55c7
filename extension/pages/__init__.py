"""Write self-contained HTML pages, without scripts and without anything that is loaded from elsewhere."""
