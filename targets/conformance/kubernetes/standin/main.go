// Command standin replaces a program of the image of a container. It records how it was started, and exits with 0.
// Under the name of a shell, it then becomes the real shell, so that the programs that the shell starts are recorded
// too. In an init container of tfjob it creates the downloaded files, and as process.Runtime it creates the container.
package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"kubernetesreferee/internal/process"
)

// Paths in the root of a container that the engine prepares; internal/process has the same two.
const (
	record = "/.referee/record"
	shell  = "/bin/.sh"
)

func main() {
	if os.Args[0] == process.Runtime {
		runtime()
		return
	}
	if fetch := fetches[filepath.Base(os.Args[0])]; fetch != nil && os.Getenv(process.Staging) != "" {
		check(fetch(os.Args[1:]))
		return
	}
	folder, err := os.Getwd()
	check(err)
	env := map[string]string{}
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		env[name] = value
	}
	line, err := json.Marshal(map[string]any{"argv": os.Args, "env": env, "workdir": folder})
	check(err)
	out, err := os.OpenFile(record, os.O_WRONLY|os.O_APPEND, 0)
	check(err)
	_, err = out.Write(append(line, '\n'))
	check(err)
	switch filepath.Base(os.Args[0]) {
	case "sh", "bash", "dash":
		check(syscall.Exec(shell, os.Args, os.Environ()))
	}
}

func check(err error) {
	if err != nil {
		_, _ = os.Stderr.WriteString("standin: " + err.Error() + "\n")
		os.Exit(125)
	}
}
