package process

import (
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func toolbox(t *testing.T) *Toolbox {
	t.Helper()
	standin := filepath.Join(t.TempDir(), "standin")
	build := exec.Command("go", "build", "-o", standin, "kubernetesreferee/standin")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	tools, err := Open(t.TempDir(), standin, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tools.Close)
	return tools
}

func TestAShellStartsItsProgramsForReal(t *testing.T) {
	starts, err := toolbox(t).Run(&Start{
		Argv:     []string{"sh", "-ec", `cd sub; B="$(basename "$A")"; export B; ./own; exec python "$B" $0 "$@"`, "zero", "a  b"},
		Env:      map[string]string{"A": "/x/y z"},
		Workdir:  "/work",
		Folders:  []string{"/stage/sub"},
		Programs: []string{"sh", "python", "./own"},
		Workdirs: []string{"/stage/sub"},
	})
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, start := range starts {
		words = append(words, strings.Join(start.Argv, "|")+" in "+*start.Workdir)
	}
	expected := []string{
		`sh|-ec|cd sub; B="$(basename "$A")"; export B; ./own; exec python "$B" $0 "$@"|zero|a  b in /work`,
		"./own in /stage/sub",
		"python|y z|zero|a  b in /stage/sub",
	}
	if !reflect.DeepEqual(words, expected) {
		t.Errorf("%q", words)
	}
	if env := starts[2].Env; env["A"] != "/x/y z" || env["B"] != "y z" || env["PATH"] != foreign["PATH"] || env["HOME"] != "/root" {
		t.Errorf("%q", env)
	}
}

func TestAProgramThatIsNotThereIsSaid(t *testing.T) {
	starts, err := toolbox(t).Run(&Start{Argv: []string{"sh", "-c", "nowhere"}, Programs: []string{"sh"}})
	if err == nil || !strings.Contains(err.Error(), "nowhere") || len(starts) != 1 {
		t.Error(starts, err)
	}
}
