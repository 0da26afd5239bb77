package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	kubeflowv1 "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/util/retry"
)

const (
	// visitor is a user without rights, until a client binds a role to it.
	visitor = "visitor"
	// machineName is the name of the only node.
	machineName = "node"
	// beat is the interval at which the stand-ins look at the objects.
	beat = 100 * time.Millisecond
)

// serve keeps the control plane running until standard input ends, for clients such as kubectl. It prints the path of a
// kubeconfig per user. A stand-in for scheduler, kubelet, and garbage collector starts and removes pods. Each line `exit`
// makes the pods exit that decide job success.
func (p *plane) serve(ctx context.Context, dir string) error {
	logs, err := p.node(ctx)
	if err != nil {
		return err
	}
	defer logs.Close()
	if p.termination, err = termination(); err != nil {
		return err
	}
	if err := p.collectGarbage(ctx); err != nil {
		return err
	}
	paths := map[string]string{}
	for user, token := range p.tokens {
		paths[user] = filepath.Join(dir, user+".kubeconfig")
		if err := p.kubeconfig(user, token, paths[user]); err != nil {
			return err
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(paths); err != nil {
		return err
	}
	lines := make(chan string)
	go func() {
		defer close(lines)
		for scanner := bufio.NewScanner(os.Stdin); scanner.Scan(); {
			lines <- scanner.Text()
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case line, more := <-lines:
			if !more {
				return nil
			}
			if line != "exit" {
				return fmt.Errorf("unknown command %q on standard input", line)
			}
			if err := p.finish(ctx); err != nil {
				return err
			}
		case <-time.After(beat):
			if err := p.attendPods(ctx); err != nil {
				return err
			}
		}
	}
}

// kubeconfig writes the file with which a client accesses the API server as a user.
func (p *plane) kubeconfig(user, token, path string) error {
	config := clientcmdapi.NewConfig()
	config.Clusters["cluster"] = &clientcmdapi.Cluster{Server: p.config.Host, InsecureSkipTLSVerify: true}
	config.AuthInfos[user] = &clientcmdapi.AuthInfo{Token: token}
	config.Contexts["context"] = &clientcmdapi.Context{Cluster: "cluster", AuthInfo: user}
	config.CurrentContext = "context"
	return clientcmd.WriteToFile(*config, path)
}

// node registers a node with a server that answers requests for logs as a kubelet does.
func (p *plane) node(ctx context.Context) (*httptest.Server, error) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// /containerLogs/NAMESPACE/POD/CONTAINER
		parts := strings.Split(r.URL.Path, "/")
		if len(parts) != 5 || parts[1] != "containerLogs" {
			http.NotFound(w, r)
			return
		}
		_, _ = io.WriteString(w, "output of "+parts[3]+"/"+parts[4]+"\n")
	}))
	address, err := url.Parse(server.URL)
	if err != nil {
		return nil, err
	}
	port, err := strconv.Atoi(address.Port())
	if err != nil {
		return nil, err
	}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: machineName}}
	if node, err = p.clients.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	node.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: loopback}}
	node.Status.DaemonEndpoints.KubeletEndpoint.Port = int32(port)
	_, err = p.clients.CoreV1().Nodes().UpdateStatus(ctx, node, metav1.UpdateOptions{})
	return server, err
}

// attendPods binds and starts new pods, and removes those that are deleted.
func (p *plane) attendPods(ctx context.Context) error {
	v, err := p.look(ctx)
	if err != nil {
		return err
	}
	now := metav1.DeleteOptions{GracePeriodSeconds: new(int64)}
	for i := range v.pods {
		pod := &v.pods[i]
		owner := metav1.GetControllerOf(pod)
		switch {
		case pod.DeletionTimestamp != nil && time.Since(deleted(pod)) < p.termination:
		case pod.DeletionTimestamp != nil, owner == nil:
			err = p.clients.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, now)
		case pod.Spec.NodeName == "":
			binding := &corev1.Binding{ObjectMeta: metav1.ObjectMeta{Name: pod.Name}, Target: corev1.ObjectReference{Kind: "Node", Name: machineName}}
			err = p.clients.CoreV1().Pods(pod.Namespace).Bind(ctx, binding, metav1.CreateOptions{})
		case pod.Status.Phase == corev1.PodPending:
			err = p.report(ctx, []*corev1.Pod{pod}, started)
		}
		if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
			return err
		}
	}
	return nil
}

// deleted returns when the deletion of a pod was requested. The deletion timestamp is the end of the grace period.
func deleted(pod *corev1.Pod) time.Time {
	if pod.DeletionGracePeriodSeconds == nil {
		return pod.DeletionTimestamp.Time
	}
	return pod.DeletionTimestamp.Add(-time.Duration(*pod.DeletionGracePeriodSeconds) * time.Second)
}

// finish makes the pods exit that decide the success of each job. The exit of a pod is reported once, so a write that conflicts with
// another one is repeated.
func (p *plane) finish(ctx context.Context) error {
	v, err := p.look(ctx)
	if err != nil {
		return err
	}
	for uid, j := range v.jobs {
		pods, _ := v.of(uid)
		if holds(j, kubeflowv1.JobSucceeded) {
			continue
		}
		for _, pod := range deciding(j, pods) {
			of := p.clients.CoreV1().Pods(pod.Namespace)
			err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
				now, err := of.Get(ctx, pod.Name, metav1.GetOptions{})
				if err != nil {
					return err
				}
				exited(now)
				_, err = of.UpdateStatus(ctx, now, metav1.UpdateOptions{})
				return err
			})
			if err != nil && !apierrors.IsNotFound(err) {
				return err
			}
		}
	}
	return nil
}
