(node
    name: (identifier) @context
    .
    (node_field argument: (value) @name)
    children: (node_children)) @item
