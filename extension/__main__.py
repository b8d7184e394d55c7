"""`python -m askwhere`: the command line."""

import sys

from askwhere.bindings.cli.main import main

sys.exit(main())
