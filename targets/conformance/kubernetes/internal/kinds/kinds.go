// Package kinds accepts or refuses objects with the decoders, schemas, and strategies of the API server, without a
// server.
package kinds

import (
	"context"
	"errors"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"

	"kubernetesreferee/internal/protocol"
)

// DefaultNamespace is the namespace of objects that name none.
const DefaultNamespace = metav1.NamespaceDefault

// Complaint is a message of the API server about one field; Path is empty if it names none.
type Complaint struct {
	Kind  string
	Path  string
	Words string
}

// Taken is the result for one object.
type Taken struct {
	// Object is the object as stored, in the version that was sent; nil if it cannot be read.
	Object     runtime.Object
	Complaints []Complaint
}

// Refused returns whether the request fails.
func (t *Taken) Refused() bool {
	for _, c := range t.Complaints {
		if c.Kind == protocol.Refused {
			return true
		}
	}
	return false
}

func (t *Taken) refuse(path, words string) {
	t.Complaints = append(t.Complaints, Complaint{protocol.Refused, path, words})
}

func (t *Taken) warn(words string) {
	t.Complaints = append(t.Complaints, Complaint{protocol.Warning, "", words})
}

// decoding records the complaints of a strict decoder. It returns whether the object was understood nevertheless.
func (t *Taken) decoding(err error) bool {
	strict, ok := runtime.AsStrictDecodingError(err)
	if !ok {
		t.refuse("", err.Error())
		return false
	}
	for _, e := range strict.Errors() {
		t.refuse(quoted(e.Error()), e.Error())
	}
	return true
}

// quoted extracts the field name from a message of a decoder: unknown field "spec.x".
func quoted(words string) string {
	for _, lead := range []string{"unknown field ", "duplicate field "} {
		if rest, ok := strings.CutPrefix(words, lead); ok {
			return strings.Trim(rest, `"`)
		}
	}
	return ""
}

// reasons records each cause of an API error separately.
func (t *Taken) reasons(err error) {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		if details := status.Status().Details; details != nil && len(details.Causes) > 0 {
			for _, cause := range details.Causes {
				t.cause(cause.Field, cause.Message)
			}
			return
		}
	}
	var many utilerrors.Aggregate
	if errors.As(err, &many) {
		for _, e := range many.Errors() {
			t.refuse("", e.Error())
		}
		return
	}
	t.refuse("", err.Error())
}

func (t *Taken) cause(field, message string) {
	if field == "<nil>" {
		field = ""
	}
	words := message
	if field != "" {
		words = field + ": " + message
	}
	t.refuse(field, words)
}

type recorder func(words string)

// AddWarning is called by the strategies of the API server.
func (r recorder) AddWarning(_, words string) { r(words) }

// request is the context of a create request for one object.
func request(obj metav1.Object, namespaced bool) context.Context {
	namespace := ""
	if namespaced {
		if obj.GetNamespace() == "" {
			obj.SetNamespace(DefaultNamespace)
		}
		namespace = obj.GetNamespace()
	}
	if obj.GetName() == "" && obj.GetGenerateName() != "" {
		obj.SetName(obj.GetGenerateName() + strings.Repeat("x", 5))
	}
	rest.FillObjectMetaSystemFields(obj)
	ctx := genericapirequest.WithNamespace(context.Background(), namespace)
	return genericapirequest.WithRequestInfo(ctx, &genericapirequest.RequestInfo{IsResourceRequest: true, Verb: "create"})
}

// Refusal is the error of a webhook; nil accepts the object.
func Refusal(err error) *Taken {
	taken := &Taken{}
	if err != nil {
		taken.reasons(err)
	}
	return taken
}
