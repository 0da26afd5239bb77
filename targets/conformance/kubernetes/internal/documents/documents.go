// Package documents splits artifacts into documents and finds positions in them.
package documents

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"kubernetesreferee/internal/protocol"
)

// Document is one YAML or JSON document, as written.
type Document struct {
	Artifact string
	Index    int // position in its artifact, from 0
	Text     []byte
	// Tree is the content: maps, lists, strings, json.Number, bool, or nil. It is nil if Err is set.
	Tree any
	Err  error
	Head Head
}

// Head identifies a document; it is empty if the document is malformed.
type Head struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name         string `json:"name"`
		GenerateName string `json:"generateName"`
		Namespace    string `json:"namespace"`
	} `json:"metadata"`
}

// Kind returns the group, version, and kind of the document.
func (d *Document) Kind() schema.GroupVersionKind {
	return schema.FromAPIVersionAndKind(d.Head.APIVersion, d.Head.Kind)
}

// Finding returns a finding about this document.
func (d *Document) Finding(kind, pointer, words string) protocol.Finding {
	return protocol.Finding{Artifact: d.Artifact, Document: d.Index, Pointer: pointer, Kind: kind, Words: words}
}

// Of returns the documents of all artifacts with a YAML or JSON suffix.
func Of(artifacts []protocol.Artifact) []*Document {
	var all []*Document
	for _, artifact := range artifacts {
		switch path.Ext(artifact.Path) {
		case ".yaml", ".yml", ".json":
			all = append(all, split(artifact.Path, artifact.Text)...)
		}
	}
	return all
}

func split(name, text string) []*Document {
	var all []*Document
	reader := utilyaml.NewYAMLReader(bufio.NewReader(strings.NewReader(text)))
	for {
		part, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			return append(all, &Document{Artifact: name, Index: len(all), Err: err})
		}
		if !blank(part) {
			all = append(all, parse(name, len(all), part))
		}
	}
}

func parse(name string, index int, text []byte) *Document {
	d := &Document{Artifact: name, Index: index, Text: text}
	converted, err := yaml.YAMLToJSON(text)
	if err != nil {
		d.Err = err
		return d
	}
	_ = json.Unmarshal(converted, &d.Head) // the engine refuses a malformed head
	d.Tree, d.Err = Tree(converted)
	return d
}

// Tree parses JSON and keeps numbers as written.
func Tree(text []byte) (tree any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err = decoder.Decode(&tree)
	return tree, err
}

func blank(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' && !bytes.Equal(line, []byte("---")) {
			return false
		}
	}
	return true
}
