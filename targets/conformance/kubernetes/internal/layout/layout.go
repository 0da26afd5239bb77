// Package layout creates the volumes of a pod with real mounts, as a kubelet and a container runtime do, and runs the
// init containers in them. It detects files in place of directories and mounts that cannot be created.
package layout

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"kubernetesreferee/internal/kubelet"
	"kubernetesreferee/internal/process"
	"kubernetesreferee/internal/promise"
)

// layout is a pod on its node.
type layout struct {
	pod    *corev1.Pod
	store  *kubelet.Store
	tools  *process.Toolbox
	folder string
	// sources are the volumes of the node.
	sources map[string]source
}

type source struct {
	path     string
	readOnly bool
	// open is set if the case does not contain the content: paths that a mount or an argument names exist.
	open bool
}

// Faults returns the reasons why containers of a pod do not start, each after the name of the container. The working
// directory of the container `program` is that in which the task was started.
func Faults(pod *corev1.Pod, program string, workdir *string, store *kubelet.Store, tools *process.Toolbox) []string {
	folder, err := tools.Folder("volumes-")
	if err != nil {
		return []string{err.Error()}
	}
	defer os.RemoveAll(folder)
	l := &layout{pod: pod, store: store, tools: tools, folder: folder, sources: map[string]source{}}
	if err := l.volumes(); err != nil {
		return []string{err.Error()}
	}
	var faults []string
	for i := range pod.Spec.InitContainers {
		c := &pod.Spec.InitContainers[i]
		if err := l.run(c, c.WorkingDir, true); err != nil {
			// The other containers never start.
			return append(faults, c.Name+": "+err.Error())
		}
	}
	for i := range pod.Spec.Containers {
		c := &pod.Spec.Containers[i]
		folder := c.WorkingDir
		if c.Name == program && workdir != nil {
			folder = *workdir
		}
		if err := l.run(c, folder, false); err != nil {
			faults = append(faults, c.Name+": "+err.Error())
		}
	}
	return faults
}

// volumes creates each volume as a directory or file of the node.
func (l *layout) volumes() error {
	for i := range l.pod.Spec.Volumes {
		volume := &l.pod.Spec.Volumes[i]
		place := filepath.Join(l.folder, fmt.Sprint(i))
		files, known := kubelet.Files(l.pod.Namespace, volume, l.store)
		s := source{path: place, readOnly: len(files) > 0}
		switch {
		case volume.NFS != nil && promise.IsFile(volume.NFS.Path):
			return fmt.Errorf("volume %s: mount.nfs: %s is not a directory", volume.Name, volume.NFS.Path)
		case volume.HostPath != nil && promise.IsFile(volume.HostPath.Path):
			if err := os.WriteFile(place, promise.Content(volume.HostPath.Path), 0o644); err != nil {
				return err
			}
			l.sources[volume.Name] = s
			continue
		case volume.PersistentVolumeClaim != nil, volume.NFS != nil, volume.HostPath != nil, volume.CSI != nil, volume.Ephemeral != nil:
			s.open = !known
		}
		if err := os.MkdirAll(place, 0o777); err != nil {
			return err
		}
		for name, file := range files {
			at := filepath.Join(place, name)
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(at, file.Content, 0o644); err != nil {
				return err
			}
		}
		l.sources[volume.Name] = s
	}
	return nil
}

// run creates one container, and runs its program if it is an init container.
func (l *layout) run(c *corev1.Container, workdir string, prepares bool) error {
	mounts, err := l.mounts(c, workdir)
	if err != nil {
		return err
	}
	container := &process.Container{Mounts: mounts, Workdir: workdir}
	if context := c.SecurityContext; context != nil && context.ReadOnlyRootFilesystem != nil {
		container.ReadOnlyRoot = *context.ReadOnlyRootFilesystem
	}
	started := kubelet.Start(l.pod, c, l.store)
	programs := []string{"curl", "git", "unzip"}
	if home := started.Env["HADOOP_HOME"]; path.IsAbs(home) {
		programs = append(programs, home+"/bin/hdfs")
	}
	// Any other program comes from the image.
	if prepares && len(started.Program) > 0 && path.Base(started.Program[0]) == "sh" {
		container.Argv = started.Program
	}
	return l.tools.Make(container, started.Env, programs)
}

// mounts returns the mounts of a container in the order of a runtime: outer before inner.
func (l *layout) mounts(c *corev1.Container, workdir string) ([]process.Mount, error) {
	var all []process.Mount
	for _, mount := range c.VolumeMounts {
		s, ok := l.sources[mount.Name]
		if !ok {
			continue // the API server reports it
		}
		if s.open {
			l.promised(c, workdir, mount, s)
		}
		from := filepath.Join(s.path, mount.SubPath)
		info, err := os.Stat(from)
		if os.IsNotExist(err) {
			// The kubelet creates a directory for a missing subPath.
			err = os.MkdirAll(from, 0o755)
			info, _ = os.Stat(from)
		}
		if err != nil {
			return nil, fmt.Errorf("failed to prepare subPath for volumeMount %q: %w", mount.Name, err)
		}
		all = append(all, process.Mount{
			Source: from, Target: mount.MountPath, File: !info.IsDir(), ReadOnly: mount.ReadOnly || s.readOnly,
		})
	}
	all = append(all, l.ours(all)...)
	depth := func(m process.Mount) int { return strings.Count(path.Clean(m.Target), "/") }
	slices.SortStableFunc(all, func(a, b process.Mount) int { return depth(a) - depth(b) })
	return all, nil
}

// promised creates the content of storage that the case does not contain: the subPath, the paths below the mount that
// arguments of the container name, the working directory, and the mount points inside.
func (l *layout) promised(c *corev1.Container, workdir string, mount corev1.VolumeMount, s source) {
	if mount.SubPath != "" {
		put(filepath.Join(s.path, mount.SubPath))
	}
	below := func(at string) (string, bool) {
		rest, ok := strings.CutPrefix(at, strings.TrimRight(mount.MountPath, "/")+"/")
		return filepath.Join(s.path, mount.SubPath, rest), ok
	}
	for _, word := range kubelet.Start(l.pod, c, l.store).Program {
		if at, ok := below(word); ok {
			put(at)
		}
	}
	if at, ok := below(workdir); ok {
		_ = os.MkdirAll(at, 0o755)
	}
	for _, other := range c.VolumeMounts {
		if at, ok := below(other.MountPath); ok && other.Name != mount.Name {
			inner := l.sources[other.Name]
			if info, err := os.Stat(filepath.Join(inner.path, other.SubPath)); err == nil && !info.IsDir() {
				_ = os.MkdirAll(filepath.Dir(at), 0o755)
				_ = os.WriteFile(at, nil, 0o644)
			} else {
				_ = os.MkdirAll(at, 0o755)
			}
		}
	}
}

func put(at string) {
	if promise.IsFile(at) {
		_ = os.MkdirAll(filepath.Dir(at), 0o755)
		_ = os.WriteFile(at, promise.Content(at), 0o644)
	} else {
		_ = os.MkdirAll(at, 0o755)
	}
}

// ours are the mounts that a kubelet and a runtime add, unless the container has a mount there.
func (l *layout) ours(own []process.Mount) []process.Mount {
	var all []process.Mount
	for _, at := range []string{"/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/var/run/secrets/kubernetes.io/serviceaccount"} {
		taken := func(m process.Mount) bool { return path.Clean(m.Target) == at }
		if slices.ContainsFunc(own, taken) {
			continue
		}
		file := strings.HasPrefix(at, "/etc/")
		from := filepath.Join(l.folder, path.Base(at))
		if file {
			_ = os.WriteFile(from, nil, 0o644)
		} else {
			_ = os.MkdirAll(from, 0o755)
		}
		all = append(all, process.Mount{Source: from, Target: at, File: file, ReadOnly: !file})
	}
	return all
}
