package kubelet

import (
	"fmt"
	"path"

	corev1 "k8s.io/api/core/v1"
)

// File is one file that a volume adds to a container; Given is false if the case does not contain its content.
type File struct {
	Content []byte
	Mode    uint32
	Given   bool
}

// Mounted is the content of the mounts of a container.
type Mounted struct {
	Files   map[string]File
	Folders []string
	Faults  []string
}

// Mount resolves the volumes of ConfigMaps and Secrets; any other volume is an empty directory.
func Mount(pod *corev1.Pod, c *corev1.Container, store *Store) *Mounted {
	mounted := &Mounted{Files: map[string]File{}}
	volumes := map[string]*corev1.Volume{}
	for i := range pod.Spec.Volumes {
		volumes[pod.Spec.Volumes[i].Name] = &pod.Spec.Volumes[i]
	}
	for _, mount := range c.VolumeMounts {
		volume := volumes[mount.Name]
		if volume == nil {
			continue // the API server reports it
		}
		files, known := mounted.contents(pod.Namespace, volume, store)
		if mount.SubPath == "" {
			mounted.Folders = append(mounted.Folders, mount.MountPath)
			for name, file := range files {
				mounted.Files[path.Join(mount.MountPath, name)] = file
			}
			continue
		}
		file, ok := files[mount.SubPath]
		switch {
		case ok:
			mounted.Files[mount.MountPath] = file
		case !known:
			mounted.Folders = append(mounted.Folders, mount.MountPath)
		default:
			// The kubelet creates a directory for a missing subPath: then a directory is mounted instead of a file.
			mounted.Faults = append(mounted.Faults, fmt.Sprintf("mount %s: volume %s has no %s", mount.MountPath, mount.Name, mount.SubPath))
		}
	}
	return mounted
}

// Files returns the files of a volume; known is false if the case does not contain them.
func Files(namespace string, volume *corev1.Volume, store *Store) (files map[string]File, known bool) {
	return (&Mounted{}).contents(namespace, volume, store)
}

// contents returns the files of a volume; known is false if the case cannot contain them.
func (m *Mounted) contents(namespace string, volume *corev1.Volume, store *Store) (files map[string]File, known bool) {
	files = map[string]File{}
	switch {
	case volume.ConfigMap != nil:
		v := volume.ConfigMap
		return files, m.configMap(files, namespace, v.Name, v.Items, v.DefaultMode, v.Optional, store)
	case volume.Secret != nil:
		v := volume.Secret
		return files, m.secret(files, namespace, v.SecretName, v.Items, v.DefaultMode, v.Optional, store)
	case volume.Projected != nil:
		known = true
		for _, source := range volume.Projected.Sources {
			switch {
			case source.ConfigMap != nil:
				v := source.ConfigMap
				known = m.configMap(files, namespace, v.Name, v.Items, volume.Projected.DefaultMode, v.Optional, store) && known
			case source.Secret != nil:
				v := source.Secret
				known = m.secret(files, namespace, v.Name, v.Items, volume.Projected.DefaultMode, v.Optional, store) && known
			default:
				known = false
			}
		}
		return files, known
	}
	return files, false
}

func (m *Mounted) configMap(files map[string]File, namespace, name string, items []corev1.KeyToPath, mode *int32, optional *bool, store *Store) bool {
	object := store.ConfigMaps[namespace+"/"+name]
	if object == nil {
		promised(files, items, mode)
		return false
	}
	keys := map[string][]byte{}
	for key, text := range object.Data {
		keys[key] = []byte(text)
	}
	for key, bytes := range object.BinaryData {
		keys[key] = bytes
	}
	m.project(files, "ConfigMap "+name, keys, items, mode, optional)
	return true
}

func (m *Mounted) secret(files map[string]File, namespace, name string, items []corev1.KeyToPath, mode *int32, optional *bool, store *Store) bool {
	object := store.Secrets[namespace+"/"+name]
	if object == nil {
		promised(files, items, mode)
		return false
	}
	m.project(files, "Secret "+name, object.Data, items, mode, optional)
	return true
}

// promised returns the files of an object that the case does not contain.
func promised(files map[string]File, items []corev1.KeyToPath, mode *int32) {
	for _, item := range items {
		files[item.Path] = File{Mode: effective(item.Mode, mode)}
	}
}

func (m *Mounted) project(files map[string]File, owner string, keys map[string][]byte, items []corev1.KeyToPath, mode *int32, optional *bool) {
	if len(items) == 0 {
		for key, content := range keys {
			files[key] = File{Content: content, Mode: effective(nil, mode), Given: true}
		}
		return
	}
	for _, item := range items {
		content, ok := keys[item.Key]
		if ok {
			files[item.Path] = File{Content: content, Mode: effective(item.Mode, mode), Given: true}
		} else if optional == nil || !*optional {
			m.Faults = append(m.Faults, fmt.Sprintf("%s: references non-existent config key: %s", owner, item.Key))
		}
	}
}

func effective(own, all *int32) uint32 {
	switch {
	case own != nil:
		return uint32(*own)
	case all != nil:
		return uint32(*all)
	}
	return 0o644
}
