package main

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"kubernetesreferee/internal/documents"
	"kubernetesreferee/internal/operator"
	"kubernetesreferee/internal/process"
	"kubernetesreferee/internal/protocol"
)

// plane is the control plane with administrator access.
type plane struct {
	clients *kubernetes.Clientset
	dynamic *dynamic.DynamicClient
	mapper  meta.RESTMapper
	spaces  map[string]bool
	config  *rest.Config
	// tokens are the tokens of all users, by name.
	tokens map[string]string
	// termination is how long a pod takes to exit after its deletion.
	termination time.Duration
}

func connect(config *rest.Config, tokens map[string]string) (*plane, error) {
	p := &plane{spaces: map[string]bool{}, config: config, tokens: tokens}
	var err error
	if p.clients, err = kubernetes.NewForConfig(config); err != nil {
		return nil, err
	}
	if p.dynamic, err = dynamic.NewForConfig(config); err != nil {
		return nil, err
	}
	groups, err := restmapper.GetAPIGroupResources(p.clients.Discovery())
	if err != nil {
		return nil, err
	}
	p.mapper = restmapper.NewDiscoveryRESTMapper(groups)
	return p, nil
}

// most is the maximum number of concurrent cases; it is bounded so that answers do not wait for the last case.
const most = 40

// judge runs the cases in order; cases without common object names run concurrently.
func (p *plane) judge(ctx context.Context, cases []*protocol.Case, tools *process.Toolbox, writer *protocol.Writer) error {
	for len(cases) > 0 {
		wave, taken := []*running{}, map[string]bool{}
		for len(cases) > 0 && len(wave) < most {
			r := &running{answer: protocol.NewAnswer(cases[0]), docs: documents.Of(cases[0].Artifacts)}
			names := r.names()
			if clash(taken, names) {
				break
			}
			for _, name := range names {
				taken[name] = true
			}
			wave, cases = append(wave, r), cases[1:]
		}
		if err := p.perform(ctx, wave, tools); err != nil {
			return err
		}
		for _, r := range wave {
			if err := writer.Write(r.answer.Decide()); err != nil {
				return err
			}
		}
	}
	return nil
}

func clash(taken map[string]bool, names []string) bool {
	for _, name := range names {
		if taken[name] {
			return true
		}
	}
	return false
}

// running is one running case.
type running struct {
	answer *protocol.Answer
	docs   []*documents.Document
	sent   []*sent
	jobs   []*job
}

// names returns the names of the objects of a case.
func (r *running) names() []string {
	names := make([]string, 0, len(r.docs))
	for _, doc := range r.docs {
		names = append(names, fmt.Sprint(doc.Kind(), " ", namespace(doc), "/", doc.Head.Metadata.Name))
	}
	return names
}

// perform runs several cases together: it submits all documents, plays the jobs to their end, and writes the answers.
func (p *plane) perform(ctx context.Context, wave []*running, tools *process.Toolbox) error {
	var jobs []*job
	for _, r := range wave {
		if len(r.docs) == 0 {
			r.answer.Add(protocol.Finding{Kind: protocol.Refused, Words: "no artifact holds a document"})
		}
		for _, doc := range r.docs {
			s := p.send(ctx, doc, r.answer)
			if s == nil {
				continue
			}
			r.sent = append(r.sent, s)
			if doc.Kind() == operator.Kind {
				r.jobs = append(r.jobs, &job{sent: s})
			}
		}
		jobs = append(jobs, r.jobs...)
	}
	if err := p.play(ctx, jobs); err != nil {
		return err
	}
	for _, r := range wave {
		p.tell(ctx, r, tools)
	}
	for _, r := range wave {
		p.remove(ctx, r.sent)
	}
	return nil
}
