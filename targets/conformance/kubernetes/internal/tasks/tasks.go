// Package tasks determines the process of each task: with the code of the kubelet, and by starting a shell or the shim
// if there is one in between.
package tasks

import (
	"errors"
	"fmt"
	"os/exec"
	"path"
	"slices"
	"strings"

	kubeflowv1 "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"kubernetesreferee/internal/kubelet"
	"kubernetesreferee/internal/layout"
	"kubernetesreferee/internal/process"
	"kubernetesreferee/internal/protocol"
)

// shimName is the file name of the shim in every directory.
const shimName = "tfjob-shim"

// refusals are the exit codes of the shim for errors of the compiler, which no image or machine could fix: wrong usage,
// an unreadable or too new contract, a variable that the platform does not set.
var refusals = []int{64, 65, 66}

// OfPod returns the task of one pod that the operator created for a job. Faults prevent the start of its container.
func OfPod(pod *corev1.Pod, job string, store *kubelet.Store, tools *process.Toolbox) (task protocol.Task, faults []string) {
	index := kubelet.Index(pod.Name)
	role := strings.TrimSuffix(strings.TrimPrefix(pod.Name, job+"-"), fmt.Sprintf("-%d", index))
	return of(pod, kubeflowv1.TFJobDefaultContainerName, role, index, store, tools)
}

// OfDeployment returns the task of each replica of a Deployment next to a job. No role of the job can have this name.
func OfDeployment(d *appsv1.Deployment, store *kubelet.Store, tools *process.Toolbox) (all []protocol.Task, faults []string) {
	pod := &corev1.Pod{ObjectMeta: d.Spec.Template.ObjectMeta, Spec: d.Spec.Template.Spec}
	pod.Namespace, pod.Name = d.Namespace, d.Name
	role := "Deployment " + d.Name
	replicas := 1
	if d.Spec.Replicas != nil {
		replicas = int(*d.Spec.Replicas)
	}
	for index := range replicas {
		task, faulty := of(pod, pod.Spec.Containers[0].Name, role, index, store, tools)
		all, faults = append(all, task), append(faults, faulty...)
	}
	return all, faults
}

func of(pod *corev1.Pod, container, role string, index int, store *kubelet.Store, tools *process.Toolbox) (protocol.Task, []string) {
	task := protocol.Task{Role: role, Index: index}
	var faults []string
	for i := range pod.Spec.InitContainers {
		c := &pod.Spec.InitContainers[i]
		for _, fault := range append(kubelet.Start(pod, c, store).Faults, kubelet.Mount(pod, c, store).Faults...) {
			faults = append(faults, c.Name+": "+fault)
		}
	}
	for i := range pod.Spec.Containers {
		c := &pod.Spec.Containers[i]
		started, mounted := kubelet.Start(pod, c, store), kubelet.Mount(pod, c, store)
		for _, fault := range append(started.Faults, mounted.Faults...) {
			faults = append(faults, c.Name+": "+fault)
		}
		if c.Name == container {
			task.Process = protocol.Process{Env: started.Env, Argv: started.Program, Workdir: started.Workdir}
			if err := fill(&task, mounted, tools); err != nil {
				faults = append(faults, c.Name+": "+err.Error())
			}
		}
	}
	// All pods of a role have the same layout.
	if index <= 0 && len(faults) == 0 {
		faults = layout.Faults(pod, container, task.Workdir, store, tools)
	}
	return task, faults
}

// fill runs the shell or shim between the kubelet and the program. It returns the reason if the shim refuses its
// contract.
func fill(task *protocol.Task, mounted *kubelet.Mounted, tools *process.Toolbox) error {
	if len(task.Argv) == 0 {
		task.Partial, task.Why = true, "the image says what is started"
		return nil
	}
	supervised := isShim(task.Argv)
	if !supervised && !isShell(task.Argv) {
		return nil
	}
	if supervised && !tools.HasShim() {
		unknown(task, "the shim was not started: TFJOB_SHIM names none")
		return nil
	}
	starts, err := tools.Run(surroundings(task, mounted, tools))
	if len(starts) > 0 {
		task.Process, task.Starts = starts[0], starts[1:]
		if task.Workdir != nil && *task.Workdir == "/" {
			task.Workdir = nil // the default working directory of the container
		}
	}
	if err == nil {
		return nil
	}
	if supervised && len(starts) == 0 {
		unknown(task, err.Error())
	} else {
		task.Partial, task.Why = true, err.Error()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && supervised && slices.Contains(refusals, exit.ExitCode()) {
		return err
	}
	return nil
}

// unknown is a task of which only the shim could determine more. The TF_CONFIG of the operator is not for the program:
// the shim replaces or removes it.
func unknown(task *protocol.Task, why string) {
	task.Partial, task.Why = true, why
	delete(task.Env, "TF_CONFIG")
}

// isShim recognizes the shim by its contract argument, because an image may have the shim under any name.
func isShim(argv []string) bool {
	return path.Base(argv[0]) == shimName || len(argv) == 3 && argv[1] == "--contract"
}

func isShell(argv []string) bool {
	return path.Base(argv[0]) == "sh" && len(argv) > 2 && strings.HasPrefix(argv[1], "-") && strings.HasSuffix(argv[1], "c")
}

func surroundings(task *protocol.Task, mounted *kubelet.Mounted, tools *process.Toolbox) *process.Start {
	s := &process.Start{Argv: task.Argv, Env: task.Env, Folders: mounted.Folders, Files: map[string]process.File{}}
	if task.Workdir != nil {
		s.Workdir = *task.Workdir
	}
	for at, file := range mounted.Files {
		if file.Given {
			s.Files[at] = process.File{Content: file.Content, Mode: 0o644}
		}
	}
	s.Programs = []string{"sh"}
	if isShim(task.Argv) {
		s.Files[task.Argv[0]] = tools.Shim()
		readContract(s)
		return s
	}
	s.Programs = append(s.Programs, programs(task.Argv[2:])...)
	return s
}

// programs returns the words of a shell script that can be names of programs.
func programs(texts []string) []string {
	var all []string
	for _, text := range texts {
		for _, word := range strings.FieldsFunc(text, separates) {
			name := path.Base(word)
			if word != "" && !strings.HasSuffix(word, "/") && name != "." && name != ".." && !strings.HasPrefix(word, "-") {
				all = append(all, word)
			}
		}
	}
	return all
}

func separates(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return false
	}
	return !strings.ContainsRune("_-+./", r)
}
