/// Empty: a program that links this target needs to call nothing of it.
