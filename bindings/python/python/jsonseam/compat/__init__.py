"""Functions with the signatures of other libraries, and the answers of jsonseam."""
