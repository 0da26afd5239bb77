// Package compare finds values that an engine lost or changed.
package compare

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"sort"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"

	"kubernetesreferee/internal/documents"
	"kubernetesreferee/internal/protocol"
)

// Report receives one difference: Dropped or Changed, a JSON pointer, and a text.
type Report func(kind, pointer, words string)

// Trees reports every value of ours that theirs lacks or changed. Additional values of theirs are defaults. Other
// spellings of the same value are equal: 2.0 and 2, 1000m and 1, an empty list and none.
func Trees(ours, theirs any, report Report) { trees("", ours, theirs, report) }

func trees(pointer string, ours, theirs any, report Report) {
	if nothing(ours) || empty(ours) && empty(theirs) {
		return
	}
	switch node := ours.(type) {
	case map[string]any:
		if other, ok := theirs.(map[string]any); ok {
			objects(pointer, node, other, report)
			return
		}
	case []any:
		if other, ok := theirs.([]any); ok {
			lists(pointer, node, other, report)
			return
		}
	default:
		if same(ours, theirs) {
			return
		}
	}
	if theirs == nil {
		report(protocol.Dropped, pointer, "the engine has no such value: "+show(ours))
		return
	}
	report(protocol.Changed, pointer, fmt.Sprintf("%s is read as %s", show(ours), show(theirs)))
}

func objects(pointer string, ours, theirs map[string]any, report Report) {
	keys := make([]string, 0, len(ours))
	for key := range ours {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		trees(pointer+"/"+documents.Escape(key), ours[key], theirs[key], report)
	}
}

func lists(pointer string, ours, theirs []any, report Report) {
	for i, value := range ours {
		var other any
		if i < len(theirs) {
			other = theirs[i]
		}
		trees(pointer+"/"+strconv.Itoa(i), value, other, report)
	}
}

// nothing returns whether a value is empty, so that any value in its place is a default.
func nothing(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

// empty returns whether Go encoders omit the value.
func empty(value any) bool {
	if nothing(value) {
		return true
	}
	switch v := value.(type) {
	case string:
		return v == ""
	case bool:
		return !v
	case json.Number:
		f, err := v.Float64()
		return err == nil && f == 0
	}
	return false
}

// same returns whether two scalars have the same meaning.
func same(ours, theirs any) bool {
	if reflect.DeepEqual(ours, theirs) {
		return true
	}
	a, number := ours.(json.Number)
	b, other := theirs.(json.Number)
	if number && other {
		x, one := new(big.Rat).SetString(a.String())
		y, two := new(big.Rat).SetString(b.String())
		return one && two && x.Cmp(y) == 0
	}
	amount, isText := theirs.(string)
	if !isText {
		return false
	}
	// Only quantities are rewritten: Kubernetes keeps every other string unchanged.
	x, err := resource.ParseQuantity(fmt.Sprint(ours))
	if _, isBool := ours.(bool); err != nil || isBool {
		return false
	}
	y, err := resource.ParseQuantity(amount)
	return err == nil && x.Cmp(y) == 0
}

func show(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	if len(text) > 200 {
		return string(text[:200]) + "…"
	}
	return string(text)
}

// Tree returns an object as a tree, like the trees of documents.
func Tree(object any) (any, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	return documents.Tree(text)
}
