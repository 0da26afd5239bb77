// Package process starts the program of a container in its own root file system. Stand-ins replace the programs of the
// image and record how they were started.
package process

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"kubernetesreferee/internal/protocol"
)

// foreign are variables that a pod does not set: the image sets PATH (here Docker's default), and the container runtime
// sets HOME for the user of the image. They are part of the record.
var foreign = map[string]string{
	"HOME": "/root",
	"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
}

// patience is the time limit of a start.
const patience = 10 * time.Second

// Start is the process that a kubelet starts, with its surroundings.
type Start struct {
	Argv    []string
	Env     map[string]string
	Workdir string
	// Files and Folders are absolute paths. Programs are names or paths that get a stand-in; relative ones get it in
	// Workdir and in each of Workdirs.
	Files    map[string]File
	Folders  []string
	Programs []string
	Workdirs []string
}

// File is a file in the container; From names a file of this machine if Content is unset.
type File struct {
	Content []byte
	From    string
	Mode    os.FileMode
}

// Run starts the program, and returns the started stand-ins in order.
func (t *Toolbox) Run(s *Start) ([]protocol.Process, error) {
	root, err := os.MkdirTemp(t.dir, "root-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(root)
	env := maps.Clone(foreign)
	maps.Copy(env, s.Env)
	if err := t.furnish(root, s, env["PATH"]); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var said bytes.Buffer
	command := exec.CommandContext(ctx, find(root, s.Argv[0], env["PATH"]))
	command.Args = s.Argv
	command.Env = list(env)
	command.Dir = "/"
	if s.Workdir != "" {
		command.Dir = s.Workdir
	}
	command.Stdout, command.Stderr = nil, &said
	command.WaitDelay = time.Second
	command.SysProcAttr = &syscall.SysProcAttr{
		Chroot:      root,
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	failed := command.Run()
	starts, err := recorded(filepath.Join(root, record))
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return starts, fmt.Errorf("it did not end within %s", patience)
	}
	if failed != nil {
		return starts, fmt.Errorf("%w: %s", failed, strings.TrimSpace(said.String()))
	}
	return starts, nil
}

func list(env map[string]string) []string {
	all := make([]string, 0, len(env))
	for name, value := range env {
		all = append(all, name+"="+value)
	}
	return all
}

// find returns the path where a container runtime finds the program: in a directory of PATH, unless its name is a path.
func find(root, program, path string) string {
	if strings.ContainsRune(program, '/') {
		return program
	}
	for _, folder := range filepath.SplitList(path) {
		if info, err := os.Stat(filepath.Join(root, folder, program)); err == nil && !info.IsDir() {
			return filepath.Join("/", folder, program)
		}
	}
	return "/" + program
}

// recorded returns the starts that stand-ins recorded.
func recorded(path string) ([]protocol.Process, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var starts []protocol.Process
	decoder := json.NewDecoder(bytes.NewReader(text))
	for decoder.More() {
		var start protocol.Process
		if err := decoder.Decode(&start); err != nil {
			return nil, errors.New("a stand-in's record cannot be read")
		}
		starts = append(starts, start)
	}
	return starts, nil
}
