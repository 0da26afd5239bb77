package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"kubernetesreferee/internal/process"
)

// runtime creates a container as runc does: mounts in order, the working directory, an optionally read-only root. Then
// it becomes the program of the container. It runs in its own namespaces.
func runtime() {
	var c process.Container
	if err := json.NewDecoder(os.Stdin).Decode(&c); err != nil {
		fail("container: %v", err)
	}
	if err := syscall.Mount("", "/", "", syscall.MS_PRIVATE|syscall.MS_REC, ""); err != nil {
		fail("private mounts: %v", err)
	}
	if err := syscall.Mount(c.Root, c.Root, "", syscall.MS_BIND|syscall.MS_REC, ""); err != nil {
		fail("root: %v", err)
	}
	for _, mount := range c.Mounts {
		target := filepath.Join(c.Root, mount.Target)
		if err := place(target, mount.File); err != nil {
			fail("create mountpoint for %s mount: %v", mount.Target, err)
		}
		if err := syscall.Mount(mount.Source, target, "", syscall.MS_BIND|syscall.MS_REC, ""); err != nil {
			fail("mount at %s: %v", mount.Target, err)
		}
		if mount.ReadOnly {
			readOnly(target)
		}
	}
	if err := os.MkdirAll(filepath.Join(c.Root, c.Workdir), 0o755); err != nil {
		fail("mkdir cwd %s: %v", c.Workdir, err)
	}
	if c.ReadOnlyRoot {
		readOnly(c.Root)
	}
	if err := syscall.Chroot(c.Root); err != nil {
		fail("chroot: %v", err)
	}
	if err := os.Chdir(filepath.Join("/", c.Workdir)); err != nil {
		fail("chdir to cwd: %v", err)
	}
	if len(c.Argv) == 0 {
		return
	}
	if err := syscall.Exec(c.Program, c.Argv, c.Env); err != nil {
		fail("exec %s: %v", c.Program, err)
	}
}

// place creates a mount point unless it exists.
func place(target string, file bool) error {
	if !file {
		return os.MkdirAll(target, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	made, err := os.OpenFile(target, os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	return made.Close()
}

// readOnly keeps the flags that a user namespace may not drop.
func readOnly(target string) {
	var now syscall.Statfs_t
	if err := syscall.Statfs(target, &now); err != nil {
		fail("statfs %s: %v", target, err)
	}
	const kept = syscall.MS_NOSUID | syscall.MS_NODEV | syscall.MS_NOEXEC | syscall.MS_NOATIME | syscall.MS_NODIRATIME
	flags := uintptr(now.Flags)&kept | syscall.MS_BIND | syscall.MS_REMOUNT | syscall.MS_RDONLY
	// ST_RELATIME has another number than MS_RELATIME.
	if now.Flags&0x1000 != 0 {
		flags |= syscall.MS_RELATIME
	}
	if err := syscall.Mount("", target, "", flags, ""); err != nil {
		fail("read-only %s: %v", target, err)
	}
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "runtime: "+format+"\n", args...)
	os.Exit(process.NotStarted)
}
