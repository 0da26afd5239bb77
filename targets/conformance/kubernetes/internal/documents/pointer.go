package documents

import (
	"strconv"
	"strings"
)

// Pointer converts a field path of Kubernetes into a JSON pointer into tree. A path is ambiguous, because keys may
// contain dots: the longest key that the tree has is used. A field that the tree lacks becomes part of the pointer as
// the engine names it.
func Pointer(tree any, path string) string {
	var pointer strings.Builder
	at := tree
	for path != "" {
		part, rest := step(at, path)
		path = rest
		pointer.WriteString("/" + Escape(part))
		at = child(at, part)
	}
	return pointer.String()
}

// step splits a path into its first part and the rest.
func step(at any, path string) (part, rest string) {
	if inner, ok := strings.CutPrefix(path, "["); ok {
		part, rest, _ = strings.Cut(inner, "]")
		return strings.Trim(part, `"'`), strings.TrimPrefix(rest, ".")
	}
	if object, ok := at.(map[string]any); ok {
		for key := range object {
			if after, ok := strings.CutPrefix(path, key); ok && len(key) > len(part) && ends(after) {
				part = key
			}
		}
	}
	if part == "" {
		end := strings.IndexAny(path, ".[")
		switch end {
		case -1, 0:
			end = len(path)
		}
		part = path[:end]
	}
	return part, strings.TrimPrefix(path[len(part):], ".")
}

func ends(after string) bool { return after == "" || after[0] == '.' || after[0] == '[' }

func child(at any, part string) any {
	switch node := at.(type) {
	case map[string]any:
		return node[part]
	case []any:
		if i, err := strconv.Atoi(part); err == nil && i >= 0 && i < len(node) {
			return node[i]
		}
	}
	return nil
}

// At returns the value at the parts of a JSON pointer, or nil.
func At(tree any, parts ...string) any {
	for _, part := range parts {
		tree = child(tree, part)
	}
	return tree
}

// Escape escapes one part of a JSON pointer (RFC 6901).
func Escape(part string) string { return escapes.Replace(part) }

var escapes = strings.NewReplacer("~", "~0", "/", "~1")
