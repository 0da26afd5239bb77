; The nodes of tree-sitter-kdl 2.0.0.
(node name: (identifier) @keyword)
(prop key: (identifier) @property)
(prop "=" @operator)
(type) @type
(string) @string
(escape) @string.escape
(number) @number
(boolean) @boolean
(keyword) @constant
[(single_line_comment) (multi_line_comment) (node_comment) (node_field_comment) (node_children_comment)] @comment
["{" "}"] @punctuation.bracket
";" @punctuation.delimiter
