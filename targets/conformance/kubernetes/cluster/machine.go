package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"

	"kubernetesreferee/internal/kubelet"
)

// grace is the default termination grace period of a pod.
const grace = 30 * time.Second

// machine is the container of a pod as a process, with the name, network, and volumes of the pod. Its image is the file
// system of this machine.
type machine struct {
	pod      *corev1.Pod
	out, err bytes.Buffer
	command  *exec.Cmd
	done     chan struct{}
	exit     int
	stopped  time.Time
}

// boot starts the container of a pod as a kubelet would. Its mounts are below dir.
func boot(pod *corev1.Pod, store *kubelet.Store, dir string) (*machine, error) {
	if len(pod.Spec.Containers) != 1 || len(pod.Spec.InitContainers) != 0 {
		return nil, fmt.Errorf("%s: only a Pod of one container is run", pod.Name)
	}
	c := &pod.Spec.Containers[0]
	given, mounted := kubelet.Start(pod, c, store), kubelet.Mount(pod, c, store)
	if faults := append(given.Faults, mounted.Faults...); len(faults) > 0 {
		return nil, fmt.Errorf("%s: %s", pod.Name, strings.Join(faults, "; "))
	}
	var binds []string
	for at, file := range mounted.Files {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(at)), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, at), file.Content, os.FileMode(file.Mode)); err != nil {
			return nil, err
		}
	}
	for _, folder := range mounted.Folders {
		from := filepath.Join(dir, folder)
		for _, path := range []string{folder, from} {
			if err := os.MkdirAll(path, 0o755); err != nil {
				return nil, err
			}
		}
		binds = append(binds, fmt.Sprintf("mount --bind '%s' '%s'", from, folder))
	}
	script := strings.Join(append(binds, `exec "$@"`), " && ")
	words := append([]string{"--net=/run/netns/" + pod.Name, "unshare", "--mount", "sh", "-c", script, "sh"}, given.Program...)
	m := &machine{pod: pod, command: exec.Command("nsenter", words...), done: make(chan struct{})}
	env := map[string]string{"HOME": "/root", "PATH": os.Getenv("PATH"), "HOSTNAME": pod.Name}
	maps.Copy(env, given.Env)
	for name, value := range env {
		m.command.Env = append(m.command.Env, name+"="+value)
	}
	m.command.Dir, m.command.Stdout, m.command.Stderr = "/", &m.out, &m.err
	m.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := m.command.Start(); err != nil {
		return nil, err
	}
	go m.await()
	return m, nil
}

func (m *machine) await() {
	_ = m.command.Wait()
	m.exit = m.command.ProcessState.ExitCode()
	if status, ok := m.command.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		m.exit = 128 + int(status.Signal())
	}
	close(m.done)
}

func (m *machine) ended() bool {
	select {
	case <-m.done:
		return true
	default:
		return false
	}
}

// stop sends SIGTERM, and SIGKILL after the grace period.
func (m *machine) stop() {
	switch {
	case m.ended():
	case m.stopped.IsZero():
		m.stopped = time.Now()
		_ = m.command.Process.Signal(syscall.SIGTERM)
	case time.Since(m.stopped) > grace:
		_ = m.command.Process.Kill()
	}
}

// status is the status that a kubelet reports for a container that has exited and is not restarted.
func (m *machine) status(pod *corev1.Pod) {
	pod.Status.Phase = corev1.PodSucceeded
	if m.exit != 0 {
		pod.Status.Phase = corev1.PodFailed
	}
	for i := range pod.Status.ContainerStatuses {
		c := &pod.Status.ContainerStatuses[i]
		c.Ready = false
		c.State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: int32(m.exit)}}
	}
}
