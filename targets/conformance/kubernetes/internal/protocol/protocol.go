// Package protocol is the protocol of an engine: cases in, verdicts out, one JSON object per line.
package protocol

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Artifact is one file that the compiler wrote.
type Artifact struct {
	Path       string `json:"path"`
	Text       string `json:"text"`
	Executable bool   `json:"executable"`
}

// Case is the input of one judgment.
type Case struct {
	Name      string     `json:"case"`
	Target    string     `json:"target"`
	Artifacts []Artifact `json:"artifacts"`
	Options   Options    `json:"options"`
}

// Options are the settings of the cluster of a case.
type Options struct {
	// Restricted is set if the namespace enforces the Pod Security Standard restricted.
	Restricted bool `json:"restricted"`
	// Started is the maximum number of started tasks per role; 0 means the maximum of the engine.
	Started int `json:"started"`
}

// Process is one start of a program.
type Process struct {
	Env     map[string]string `json:"env"`
	Argv    []string          `json:"argv"`
	Workdir *string           `json:"workdir"`
}

// Task is the process of one task.
type Task struct {
	Role  string `json:"role"`
	Index int    `json:"index"`
	Process
	// Starts are the programs that the shell of the task started when it ran.
	Starts []Process `json:"starts,omitempty"`
	// Partial is set if the process is only partly known; Why has the reason.
	Partial bool   `json:"partial,omitempty"`
	Why     string `json:"why,omitempty"`
}

// Kinds of findings.
const (
	Refused = "refused" // the engine rejects the artifact
	Broken  = "broken"  // the engine accepts the artifact, but it cannot run
	Dropped = "dropped" // a key that the engine silently lost
	Changed = "changed" // a value that the engine reads as another one
	Warning = "warning" // a warning of the engine
)

// Finding is one complaint about one place of one document.
type Finding struct {
	Artifact string `json:"artifact"`
	Document int    `json:"document"`
	Pointer  string `json:"pointer"`
	Kind     string `json:"kind"`
	Words    string `json:"words"`
}

// Answer is the verdict of the engine on one case.
type Answer struct {
	Name       string    `json:"case"`
	Verdict    string    `json:"verdict"`
	Findings   []Finding `json:"findings"`
	Understood any       `json:"understood"`
	Tasks      []Task    `json:"tasks"`
}

// NewAnswer returns an answer without findings.
func NewAnswer(c *Case) *Answer {
	return &Answer{Name: c.Name, Findings: []Finding{}, Tasks: []Task{}}
}

// Add adds a finding, without duplicates.
func (a *Answer) Add(f Finding) {
	for _, known := range a.Findings {
		if known == f {
			return
		}
	}
	a.Findings = append(a.Findings, f)
}

// Decide derives the verdict from the findings.
func (a *Answer) Decide() *Answer {
	a.Verdict = "accepted"
	for _, f := range a.Findings {
		switch f.Kind {
		case Refused:
			a.Verdict = Refused
			return a
		case Broken, Dropped, Changed:
			a.Verdict = Broken
		}
	}
	return a
}

// Reader reads cases, one per line.
type Reader struct {
	lines *bufio.Reader
	line  int
}

// NewReader reads cases from in.
func NewReader(in io.Reader) *Reader {
	return &Reader{lines: bufio.NewReaderSize(in, 1<<20)}
}

// Next returns the next case, or io.EOF.
func (r *Reader) Next() (*Case, error) {
	for {
		text, err := r.lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		r.line++
		if len(bytes.TrimSpace(text)) > 0 {
			c := &Case{}
			if fault := json.Unmarshal(text, c); fault != nil {
				return nil, fmt.Errorf("line %d is no case: %w", r.line, fault)
			}
			return c, nil
		}
		if err != nil {
			return nil, io.EOF
		}
	}
}

// Writer writes answers, one per line.
type Writer struct {
	buffer  *bufio.Writer
	encoder *json.Encoder
}

// NewWriter writes answers to out.
func NewWriter(out io.Writer) *Writer {
	w := &Writer{buffer: bufio.NewWriterSize(out, 1<<16)}
	w.encoder = json.NewEncoder(w.buffer)
	w.encoder.SetEscapeHTML(false)
	return w
}

// Write writes and flushes one answer, because the caller may wait for it before the next case.
func (w *Writer) Write(a *Answer) error {
	if err := w.encoder.Encode(a); err != nil {
		return err
	}
	return w.buffer.Flush()
}

// Serve answers all cases in order, several at a time.
func Serve(in io.Reader, out io.Writer, workers int, judge func(*Case) *Answer) error {
	type slot struct {
		c      *Case
		answer chan *Answer
	}
	queue, order := make(chan slot), make(chan slot, 4*workers)
	var read error
	go func() {
		defer close(queue)
		defer close(order)
		cases := NewReader(in)
		for {
			c, err := cases.Next()
			if err != nil {
				if !errors.Is(err, io.EOF) {
					read = err
				}
				return
			}
			s := slot{c, make(chan *Answer, 1)}
			order <- s
			queue <- s
		}
	}()
	var busy sync.WaitGroup
	for range workers {
		busy.Go(func() {
			for s := range queue {
				s.answer <- judge(s.c)
			}
		})
	}
	writer := NewWriter(out)
	for s := range order {
		if err := writer.Write(<-s.answer); err != nil {
			return err
		}
	}
	busy.Wait()
	return read
}
