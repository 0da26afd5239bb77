package tasks

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"

	"kubernetesreferee/internal/process"
)

// contract has the parts of the contract that determine the surroundings of the shim; only the shim reads the whole
// contract.
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

// value is text with placeholders that only the shim can fill.
type value []json.RawMessage

// text returns an empty string if the value has a placeholder.
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

// readContract adds the directories and programs of the contract of the shim to the surroundings.
func readContract(s *process.Start) {
	var c contract
	text := contractText(s)
	if json.Unmarshal(text, &c) != nil {
		return // the shim reports it
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
		// `tfjob show` cannot know the JAR files of an image either, and says so.
		s.Files[path.Join(folder, "*.jar")] = process.File{Mode: 0o644}
	}
}

// alone is the contract without required peers, because a single started task has no peers.
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

// handOver replaces the contract of the shim, if a file contains it.
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
