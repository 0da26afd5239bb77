package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	kubeflowv1 "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubernetesreferee/internal/documents"
	"kubernetesreferee/internal/kubelet"
	"kubernetesreferee/internal/operator"
	"kubernetesreferee/internal/protocol"
)

const (
	// lifetime is the time limit of the job.
	lifetime = 200 * time.Second
	// glance is the polling interval for pods and processes.
	glance = 200 * time.Millisecond
)

// shimMap matches the name of the ConfigMap from which pods mount the shim.
var shimMap = regexp.MustCompile(`tfjob-shim-[0-9][0-9A-Za-z.-]*`)

// life is the outcome of a job with real processes.
type life struct {
	Engine      string      `json:"engine"`
	State       string      `json:"state"`
	Diagnostics string      `json:"diagnostics"`
	Seconds     float64     `json:"seconds"`
	Containers  []container `json:"containers"`
}

type container struct {
	Role  string `json:"role"`
	Index int    `json:"index"`
	Exit  int    `json:"exit"`
	Out   string `json:"out"`
	Err   string `json:"err"`
}

// prove runs one job with its own programs and the real shim: each pod that the operator creates is a process.
func (p *plane) prove(ctx context.Context, c *protocol.Case, dir string) error {
	began, answer := time.Now(), protocol.NewAnswer(c)
	store, one, err := p.submit(ctx, c, answer)
	if err != nil {
		return err
	}
	v, err := p.settle(ctx, []*job{one})
	if err != nil {
		return err
	}
	made, _ := v.of(one.uid)
	machines := []*machine{}
	for _, pod := range made {
		m, err := boot(pod, store, filepath.Join(dir, pod.Name))
		if err != nil {
			return err
		}
		machines = append(machines, m)
	}
	if err := p.report(ctx, made, started); err != nil {
		return err
	}
	state, said, err := p.attend(ctx, one, machines, began.Add(lifetime))
	if err != nil {
		return err
	}
	told := life{Engine: "training-operator", State: state, Diagnostics: said, Seconds: time.Since(began).Seconds()}
	for _, m := range machines {
		index := kubelet.Index(m.pod.Name)
		role := strings.TrimSuffix(strings.TrimPrefix(m.pod.Name, one.name+"-"), fmt.Sprintf("-%d", index))
		told.Containers = append(told.Containers, container{role, index, m.exit, m.out.String(), m.err.String()})
	}
	return json.NewEncoder(os.Stdout).Encode(told)
}

// submit sends all documents, and places the shim as the steps of the job say; it returns the store for the pods.
func (p *plane) submit(ctx context.Context, c *protocol.Case, answer *protocol.Answer) (*kubelet.Store, *job, error) {
	store, one := kubelet.NewStore(), (*job)(nil)
	for _, doc := range documents.Of(c.Artifacts) {
		s := p.send(ctx, doc, answer)
		if s == nil {
			return nil, nil, fmt.Errorf("the API server refuses %v: %v", doc.Kind(), answer.Findings)
		}
		if doc.Kind() == operator.Kind {
			one = &job{sent: s}
		} else if object, ok := p.stored(ctx, s); ok {
			store.Add(object)
		}
	}
	if one == nil {
		return nil, nil, fmt.Errorf("no document is a job")
	}
	binary, err := os.ReadFile(os.Getenv("TFJOB_SHIM"))
	if err != nil {
		return nil, nil, err
	}
	shim := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: shimMap.FindString(string(one.doc.Text))}, BinaryData: map[string][]byte{"tfjob-shim": binary}}
	shim, err = p.clients.CoreV1().ConfigMaps(one.namespace).Create(ctx, shim, metav1.CreateOptions{})
	if err != nil {
		return nil, nil, err
	}
	store.Add(shim)
	return store, one, nil
}

// attend reports the exit of processes to the API server, and stops those of deleted pods, until all have exited.
func (p *plane) attend(ctx context.Context, one *job, machines []*machine, until time.Time) (state, said string, err error) {
	told := map[string]bool{}
	for {
		v, err := p.look(ctx)
		if err != nil {
			return "", "", err
		}
		pods, _ := v.of(one.uid)
		for _, m := range machines {
			at := slices.IndexFunc(pods, func(pod *corev1.Pod) bool { return pod.UID == m.pod.UID })
			gone := at < 0 || pods[at].DeletionTimestamp != nil
			if gone || time.Now().After(until) {
				m.stop()
			}
			if m.ended() && !gone && !told[m.pod.Name] {
				told[m.pod.Name] = true
				if err := p.report(ctx, []*corev1.Pod{pods[at]}, m.status); err != nil {
					return "", "", err
				}
			}
		}
		known := v.jobs[one.uid]
		over := known == nil || holds(known, kubeflowv1.JobSucceeded) || holds(known, kubeflowv1.JobFailed)
		running := slices.ContainsFunc(machines, func(m *machine) bool { return !m.ended() })
		if !running && (over || time.Now().After(until)) {
			return verdict(known), strings.Join(conditions(known), "; "), nil
		}
		select {
		case <-ctx.Done():
			return "", "", ctx.Err()
		case <-time.After(glance):
		}
	}
}

func verdict(j *kubeflowv1.TFJob) string {
	switch {
	case j == nil:
		return "gone"
	case holds(j, kubeflowv1.JobSucceeded):
		return "Succeeded"
	case holds(j, kubeflowv1.JobFailed):
		return "Failed"
	}
	return "still running"
}
