package documents

import "testing"

func TestAPathBecomesAPointerIntoTheTree(t *testing.T) {
	tree, err := Tree([]byte(`{"data":{"contract.json":"","contract":""},"metadata":{"annotations":{"a/b":"","a":{"b":1}}},
		"spec":{"containers":[{"env":[{"name":"A"}]}],"limits":{"nvidia.com/gpu":"1"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for path, pointer := range map[string]string{
		"":                             "",
		"data.contract.json":           "/data/contract.json",
		"data[contract.json]":          "/data/contract.json",
		"spec.containers[0].env[0]":    "/spec/containers/0/env/0",
		"spec.limits[nvidia.com/gpu]":  "/spec/limits/nvidia.com~1gpu",
		"metadata.annotations.a/b":     "/metadata/annotations/a~1b",
		"metadata.annotations[a/b]":    "/metadata/annotations/a~1b",
		"spec.containers[0].imagee":    "/spec/containers/0/imagee",
		"spec.containers[7].image.tag": "/spec/containers/7/image/tag",
		".":                            "/.",
	} {
		if got := Pointer(tree, path); got != pointer {
			t.Errorf("%q: %q, not %q", path, got, pointer)
		}
	}
}
