"""Pages: self-contained HTML that shows what was done, with no script and nothing loaded from elsewhere."""
