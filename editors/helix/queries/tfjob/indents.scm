; inherits: kdl
