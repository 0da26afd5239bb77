package process

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// record is the path where stand-ins write; the program standin has the same constant.
const record = ".referee/record"

// tools are real in every container: the shell, and programs that only process text or inspect files.
var tools = []string{
	"sh", "basename", "cat", "chmod", "cut", "date", "dirname", "echo", "env", "expr", "false", "head", "id", "ls", "mkdir",
	"mv", "cp", "printf", "pwd", "rm", "sed", "seq", "sort", "tail", "tar", "gzip", "tr", "true", "uname", "wc",
}

// Toolbox has the files that every container root gets.
type Toolbox struct {
	dir     string
	standin string
	shim    string            // empty if there is none
	base    map[string]string // path in the root to file of the toolbox
}

// Open copies the tools into a new directory below dir. standin is the path of the stand-in program, shim that of
// tfjob-shim.
func Open(dir, standin, shim string) (*Toolbox, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	own, err := os.MkdirTemp(dir, "containers-")
	if err != nil {
		return nil, err
	}
	t := &Toolbox{dir: own, base: map[string]string{}}
	if err := t.fill(standin, shim); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// Close removes everything that Open and Run created.
func (t *Toolbox) Close() { _ = os.RemoveAll(t.dir) }

// HasShim returns whether a shim is available.
func (t *Toolbox) HasShim() bool { return t.shim != "" }

func (t *Toolbox) fill(standin, shim string) error {
	var err error
	if t.standin, err = t.keep("standin", standin); err != nil {
		return err
	}
	for _, tool := range tools {
		path, err := exec.LookPath(tool)
		if err != nil {
			return err
		}
		if err := t.add("/bin/"+tool, path); err != nil {
			return err
		}
	}
	if shim == "" {
		return nil
	}
	if t.shim, err = t.keep("shim", shim); err != nil {
		return err
	}
	return t.libraries(shim)
}

func (t *Toolbox) add(at, path string) error {
	kept, err := t.keep(strings.ReplaceAll(at, "/", "_"), path)
	if err != nil {
		return err
	}
	t.base[at] = kept
	return t.libraries(path)
}

// libraries adds the shared libraries of a program; for a static program, ldd fails, and none are added.
func (t *Toolbox) libraries(program string) error {
	out, err := exec.Command("ldd", program).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil
	}
	if err != nil {
		return err
	}
	for word := range strings.FieldsSeq(string(out)) {
		if !strings.HasPrefix(word, "/") || t.base[word] != "" || strings.HasSuffix(word, ":") {
			continue
		}
		kept, err := t.keep(strings.ReplaceAll(word, "/", "_"), word)
		if err != nil {
			return err
		}
		t.base[word] = kept
	}
	return nil
}

func (t *Toolbox) keep(name, path string) (string, error) {
	in, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer in.Close()
	kept := filepath.Join(t.dir, name)
	out, err := os.OpenFile(kept, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o755)
	if err != nil {
		return "", err
	}
	if _, err := io.Copy(out, in); err != nil {
		_ = out.Close()
		return "", err
	}
	return kept, out.Close()
}

// furnish creates the root of a container: directories, files of volumes, tools, then stand-ins for missing programs.
func (t *Toolbox) furnish(root string, s *Start, path string) error {
	folders := append([]string{"/.referee", "/bin", "/tmp", "/dev", s.Workdir}, s.Folders...)
	// A PATH entry that is not a directory in the root does not come from the image.
	searched := slices.DeleteFunc(filepath.SplitList(path), func(step string) bool { return !filepath.IsAbs(step) })
	for _, folder := range append(folders, searched...) {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(root, record), nil, 0o600); err != nil {
		return err
	}
	for at, file := range s.Files {
		if err := put(filepath.Join(root, at), file); err != nil {
			return err
		}
	}
	for at, kept := range t.base {
		if at == "/bin/sh" {
			// Shells are recorded under every path; the stand-in then becomes the real shell.
			if err := link(kept, filepath.Join(root, realShell)); err != nil {
				return err
			}
			if slices.Contains(s.Programs, "sh") {
				kept = t.standin
			}
		}
		if err := link(kept, filepath.Join(root, at)); err != nil {
			return err
		}
	}
	return t.stand(root, s, path)
}

// realShell is the path where a stand-in finds the shell.
const realShell = "/bin/.sh"

// stand places stand-ins where programs would be found first. The stand-in of the shell precedes the real shell; files
// of volumes are not replaced.
func (t *Toolbox) stand(root string, s *Start, path string) error {
	for _, program := range s.Programs {
		places := []string{program}
		switch {
		case filepath.IsAbs(program):
		case strings.ContainsRune(program, '/'):
			places = places[:0]
			for _, folder := range append([]string{s.Workdir}, s.Workdirs...) {
				places = append(places, filepath.Join(folder, program))
			}
		case t.base["/bin/"+program] != "" && program != "sh":
			continue
		default:
			places[0] = filepath.Join(first(path), program)
		}
		for _, place := range places {
			if err := link(t.standin, filepath.Join(root, place)); err != nil {
				return err
			}
		}
	}
	return nil
}

// first is the directory of PATH that is searched first; it contains no real tools.
func first(path string) string {
	for _, folder := range filepath.SplitList(path) {
		if filepath.IsAbs(folder) && folder != "/bin" {
			return folder
		}
	}
	return "/usr/local/bin"
}

func put(at string, file File) error {
	if file.From != "" {
		return link(file.From, at)
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	return os.WriteFile(at, file.Content, file.Mode)
}

// link keeps existing files.
func link(kept, at string) error {
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	if err := os.Link(kept, at); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return nil
}

// Shim is tfjob-shim as a file of a container.
func (t *Toolbox) Shim() File { return File{From: t.shim, Mode: 0o555} }
