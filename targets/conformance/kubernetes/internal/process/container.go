package process

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

const (
	// Runtime is the name under which the stand-in creates a container.
	Runtime = "runtime"
	// Staging is the variable that marks a container with programs that download files.
	Staging = "REFEREE_STAGING"
	// NotStarted is the exit code if a container cannot be created.
	NotStarted = 125
)

// Mount is a directory or file of this machine in a container.
type Mount struct {
	Source   string
	Target   string
	File     bool
	ReadOnly bool
}

// Container is the input of the runtime; without arguments, nothing is started in it.
type Container struct {
	Root         string
	Mounts       []Mount
	Workdir      string
	ReadOnlyRoot bool
	Program      string
	Argv         []string
	Env          []string
}

// Make creates a container with real mounts and runs its program, a shell script that downloads files. It returns the
// reason if one of the two fails.
func (t *Toolbox) Make(c *Container, env map[string]string, programs []string) error {
	root, err := os.MkdirTemp(t.dir, "root-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	all := maps.Clone(foreign)
	all[Staging] = "1"
	maps.Copy(all, env)
	if err := t.furnish(root, &Start{Programs: programs}, all["PATH"]); err != nil {
		return err
	}
	c.Root, c.Env = root, list(all)
	if len(c.Argv) > 0 {
		c.Program = find(root, c.Argv[0], all["PATH"])
	}
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var said bytes.Buffer
	command := exec.CommandContext(ctx, t.standin)
	command.Args, command.Env, command.Dir = []string{Runtime}, []string{}, "/"
	command.Stdin, command.Stderr = bytes.NewReader(text), &said
	command.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET |
			syscall.CLONE_NEWIPC,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	if err := command.Run(); err != nil {
		return fmt.Errorf("%w: %s", err, strings.ReplaceAll(strings.TrimSpace(said.String()), root, ""))
	}
	return nil
}

// Folder creates a directory that exists as long as the toolbox.
func (t *Toolbox) Folder(pattern string) (string, error) {
	return os.MkdirTemp(filepath.Clean(t.dir), pattern)
}
