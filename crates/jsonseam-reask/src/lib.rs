//! The self-repair loop: validate, tell the model what is wrong, try again, never more than agreed.
