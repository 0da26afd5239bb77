(node_children "}" @end) @indent
