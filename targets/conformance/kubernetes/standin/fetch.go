package main

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"strings"

	"kubernetesreferee/internal/promise"
)

// fetches are programs that download files into a container: their stand-ins create the files that the name of the
// source promises.
var fetches = map[string]func(args []string) error{"curl": curl, "hdfs": hdfs, "git": git, "unzip": unzip}

// curl OPTIONS -o FILE URL; prints the URL for `-w %{url_effective}`.
func curl(args []string) error {
	uri, _, _ := strings.Cut(args[len(args)-1], "?")
	_, _ = os.Stdout.WriteString(uri)
	for i, word := range args {
		if word == "-o" {
			return os.WriteFile(args[i+1], promise.Content(uri), 0o644)
		}
	}
	return nil
}

// hdfs dfs -get SOURCE TO
func hdfs(args []string) error {
	source, to := args[len(args)-2], args[len(args)-1]
	if promise.IsFile(source) {
		return os.WriteFile(to, promise.Content(source), 0o644)
	}
	return os.Mkdir(to, 0o755)
}

// git init -q DIRECTORY; other commands succeed without effect.
func git(args []string) error {
	if args[0] == "init" {
		return os.Mkdir(args[len(args)-1], 0o755)
	}
	return nil
}

// unzip -qo FILE -d DIRECTORY; unzip -v prints the vendor.
func unzip(args []string) error {
	if args[0] == "-v" {
		_, err := os.Stdout.WriteString("UnZip 6.00, by Info-ZIP\n")
		return err
	}
	archive, err := zip.OpenReader(args[1])
	if err != nil {
		return err
	}
	for _, member := range archive.File {
		from, err := member.Open()
		if err != nil {
			return err
		}
		to, err := os.Create(filepath.Join(args[3], filepath.Base(member.Name)))
		if err != nil {
			return err
		}
		if _, err := io.Copy(to, from); err != nil {
			return err
		}
	}
	return archive.Close()
}
