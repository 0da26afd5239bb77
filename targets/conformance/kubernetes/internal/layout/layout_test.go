package layout

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"kubernetesreferee/internal/kubelet"
	"kubernetesreferee/internal/process"
)

func toolbox(t *testing.T) *process.Toolbox {
	t.Helper()
	standin := filepath.Join(t.TempDir(), "standin")
	build := exec.Command("go", "build", "-o", standin, "kubernetesreferee/standin")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	tools, err := process.Open(t.TempDir(), standin, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tools.Close)
	return tools
}

func claim(name string) corev1.Volume {
	source := &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name}
	return corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: source}}
}

func empty(name string) corev1.Volume {
	return corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}
}

// A mount, a subPath of it, and the path where a container sees it.
func mount(name, sub, at string) corev1.VolumeMount {
	return corev1.VolumeMount{Name: name, SubPath: sub, MountPath: at}
}

func TestWhatTheRuntimeMakesOfMounts(t *testing.T) {
	tools := toolbox(t)
	for _, c := range []struct {
		name    string
		volumes []corev1.Volume
		init    []string
		mounts  []corev1.VolumeMount
		workdir string
		fault   string
	}{
		{"a directory of a claim", []corev1.Volume{claim("c")}, nil, []corev1.VolumeMount{mount("c", "src", "/code")}, "/code", ""},
		{"a file of a claim", []corev1.Volume{claim("c")}, nil, []corev1.VolumeMount{mount("c", "t.py", "/code")}, "/code", "not a directory"},
		{"a directory within a claim", []corev1.Volume{claim("c")}, nil, []corev1.VolumeMount{mount("c", "", "/data")}, "/data/w", ""},
		{"the inner before the outer", []corev1.Volume{empty("a"), empty("b")}, nil, []corev1.VolumeMount{mount("a", "", "/a/b"), mount("b", "", "/a")}, "/a/b", ""},
		{"what an init container made", []corev1.Volume{empty("a")}, []string{"sh", "-c", "mkdir /x/to"}, []corev1.VolumeMount{mount("a", "to", "/x")}, "/x", ""},
		{"a file that an init container made", []corev1.Volume{empty("a")}, []string{"sh", "-c", "echo > /x/to"}, []corev1.VolumeMount{mount("a", "to", "/x")}, "/x", "not a directory"},
		{"an init container that fails", []corev1.Volume{empty("a")}, []string{"sh", "-c", "echo no >&2; exit 3"}, nil, "", "no"},
		{"below what the kubelet mounts", []corev1.Volume{empty("a")}, nil, []corev1.VolumeMount{mount("a", "", "/etc/hosts/a")}, "", "not a directory"},
	} {
		pod := &corev1.Pod{Spec: corev1.PodSpec{Volumes: c.volumes, Containers: []corev1.Container{{Name: "main", VolumeMounts: c.mounts, WorkingDir: c.workdir}}}}
		if c.init != nil {
			pod.Spec.InitContainers = []corev1.Container{{Name: "init", Command: c.init, VolumeMounts: []corev1.VolumeMount{mount("a", "", "/x")}}}
		}
		faults := strings.Join(Faults(pod, "main", nil, kubelet.NewStore(), tools), "\n")
		if (faults == "") != (c.fault == "") || !strings.Contains(faults, c.fault) {
			t.Errorf("%s: %q", c.name, faults)
		}
	}
}
