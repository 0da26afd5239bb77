package tasks

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"

	"kubernetesreferee/internal/process"
)

// contract is what the surroundings must have for tfjob's shim: it is the shim that reads the whole of it.
type contract struct {
	Hadoop *struct {
		Home string   `json:"home"`
		Jars []string `json:"jars"`
	} `json:"hadoop"`
	Roles []struct {
		Run struct {
			Argv  []value `json:"argv"`
			Shell string  `json:"shell"`
		} `json:"run"`
		Workdir value `json:"workdir"`
	} `json:"roles"`
}

// value is text with holes, which only the shim can fill.
type value []json.RawMessage

// text is empty where there is a hole.
func (v value) text() string {
	var whole strings.Builder
	for _, piece := range v {
		var known struct {
			Text *string `json:"text"`
		}
		if json.Unmarshal(piece, &known) != nil || known.Text == nil {
			return ""
		}
		whole.WriteString(*known.Text)
	}
	return whole.String()
}

// readContract lets the surroundings have the folders and programs of the contract that the shim is started with.
func readContract(s *process.Start) {
	var c contract
	text := contractText(s)
	if json.Unmarshal(text, &c) != nil {
		return // the shim will say so
	}
	handOver(s, alone(text))
	for _, role := range c.Roles {
		if folder := role.Workdir.text(); path.IsAbs(folder) {
			s.Folders = append(s.Folders, folder)
			s.Workdirs = append(s.Workdirs, folder)
		}
		if role.Run.Shell != "" {
			s.Programs = append(s.Programs, programs([]string{role.Run.Shell})...)
		}
		for i, word := range role.Run.Argv {
			text := word.text()
			if i == 0 && text != "" {
				s.Programs = append(s.Programs, text)
			} else if i > 0 {
				s.Programs = append(s.Programs, programs([]string{text})...)
			}
		}
	}
	if c.Hadoop == nil {
		return
	}
	for _, folder := range c.Hadoop.Jars {
		if !path.IsAbs(folder) {
			folder = path.Join(c.Hadoop.Home, folder)
		}
		// `tfjob show` cannot know an image's jars either, and says so.
		s.Files[path.Join(folder, "*.jar")] = process.File{Mode: 0o644}
	}
}

// alone is the contract of a task that waits for nobody: no peer will come to where one task is started by itself.
func alone(text []byte) []byte {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var whole map[string]any
	if decoder.Decode(&whole) != nil {
		return text
	}
	drop(whole, "wait")
	if roles, ok := whole["roles"].([]any); ok {
		for _, role := range roles {
			if role, ok := role.(map[string]any); ok {
				drop(role, "after")
			}
		}
	}
	shorter, err := json.Marshal(whole)
	if err != nil {
		return text
	}
	return shorter
}

func drop(owner map[string]any, duty string) {
	if duties, ok := owner["duties"].(map[string]any); ok {
		delete(duties, duty)
		if len(duties) == 0 {
			delete(owner, "duties")
		}
	}
}

// handOver gives the shim another text for its contract, where a file holds it.
func handOver(s *process.Start, text []byte) {
	for i, word := range s.Argv {
		if word == "--contract" && i+1 < len(s.Argv) {
			if file, ok := s.Files[s.Argv[i+1]]; ok {
				file.Content = text
				s.Files[s.Argv[i+1]] = file
			}
		}
	}
}

func contractText(s *process.Start) []byte {
	for i, word := range s.Argv {
		option, given, joined := strings.Cut(word, "=")
		if !joined && i+1 < len(s.Argv) {
			given = s.Argv[i+1]
		}
		switch option {
		case "--contract":
			return s.Files[given].Content
		case "--contract-env":
			return []byte(s.Env[given])
		}
	}
	return s.Files[s.Env["TFJOB_CONTRACT"]].Content
}
