package compare

import (
	"testing"

	"kubernetesreferee/internal/documents"
)

func TestOnlyWhatReadsDifferentlyIsReported(t *testing.T) {
	for _, row := range []struct{ ours, theirs, found string }{
		{`{"a":1}`, `{"a":1.0,"b":2}`, ""},
		{`{"a":"1000m"}`, `{"a":"1"}`, ""},
		{`{"a":1}`, `{"a":"1"}`, ""},
		{`{"a":"100u"}`, `{"a":"1m"}`, "changed /a"},
		{`{"a":true}`, `{"a":"true"}`, "changed /a"},
		{`{"a":"x"}`, `{}`, "dropped /a"},
		{`{"a":"","b":0,"c":false,"d":null,"e":[],"f":{}}`, `{}`, ""},
		{`{"a":null,"b":[]}`, `{"a":["x"],"b":["y"]}`, ""},
		{`{"a":0}`, `{"a":1}`, "changed /a"},
		{`{"a":[{"b/c":"x"}]}`, `{"a":[{"b/c":"y"},{}]}`, "changed /a/0/b~1c"},
		{`{"a":["x","y"]}`, `{"a":["x"]}`, "dropped /a/1"},
		{`{"a":{"b":1}}`, `{"a":"b"}`, "changed /a"},
	} {
		found := ""
		Trees(tree(t, row.ours), tree(t, row.theirs), func(kind, pointer, _ string) { found += kind + " " + pointer })
		if found != row.found {
			t.Errorf("%s as %s: %q, not %q", row.ours, row.theirs, found, row.found)
		}
	}
}

func tree(t *testing.T, text string) any {
	t.Helper()
	tree, err := documents.Tree([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
