package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
)

// report prints the state of the application, the result of the last sync, the differences, and the timeline.
func (i *installation) report(app *v1alpha1.Application, pods *timeline) error {
	fmt.Printf("application: %s, %s\n", app.Status.Sync.Status, app.Status.Health.Status)
	for _, condition := range app.Status.Conditions {
		fmt.Printf("condition: %s: %s\n", condition.Type, condition.Message)
	}
	if state := app.Status.OperationState; state != nil {
		fmt.Printf("sync: %s: %s\n", state.Phase, state.Message)
		for _, result := range state.SyncResult.Resources {
			fmt.Printf("  %s/%s %s%s: %s\n", result.Kind, result.Name, result.Status, hook(result), result.Message)
		}
	}
	var resources []*v1alpha1.ResourceDiff
	if err := i.cache.GetAppManagedResources(app.InstanceName(home), &resources); err != nil {
		return fmt.Errorf("differences: %w", err)
	}
	differences := map[string][]string{}
	for _, resource := range resources {
		found, err := compare(resource)
		if err != nil {
			return err
		}
		differences[resource.Kind+"/"+resource.Name] = found
	}
	fmt.Println("resources:")
	for _, resource := range app.Status.Resources {
		health := "no health"
		if resource.Health != nil {
			health = string(resource.Health.Status) + " " + resource.Health.Message
		}
		pruning := ""
		if resource.RequiresPruning {
			pruning = ", requires pruning"
		}
		fmt.Printf("  %s/%s %s%s, %s\n", resource.Kind, resource.Name, resource.Status, pruning, health)
		for _, difference := range differences[resource.Kind+"/"+resource.Name] {
			fmt.Println("    ", difference)
		}
	}
	pods.report()
	return nil
}

func hook(result *v1alpha1.ResourceResult) string {
	if result.HookType == "" {
		return ""
	}
	return fmt.Sprintf(" hook %s %s", result.HookType, result.HookPhase)
}

// compare returns the fields that make an object OutOfSync: those in which the live object differs from the object that Argo CD expects
// after a sync.
func compare(resource *v1alpha1.ResourceDiff) ([]string, error) {
	if !resource.Modified || resource.LiveState == "null" || resource.TargetState == "null" {
		return nil, nil
	}
	var live, predicted any
	if err := json.Unmarshal([]byte(resource.NormalizedLiveState), &live); err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(resource.PredictedLiveState), &predicted); err != nil {
		return nil, err
	}
	var found []string
	walk("", live, predicted, &found)
	slices.Sort(found)
	return found, nil
}

// walk appends a line for each leaf that differs.
func walk(at string, live, predicted any, found *[]string) {
	if reflect.DeepEqual(live, predicted) {
		return
	}
	switch l := live.(type) {
	case map[string]any:
		if p, ok := predicted.(map[string]any); ok {
			for key := range keys(l, p) {
				walk(at+"/"+key, l[key], p[key], found)
			}
			return
		}
	case []any:
		if p, ok := predicted.([]any); ok && len(l) == len(p) {
			for index := range l {
				walk(at+"/"+strconv.Itoa(index), l[index], p[index], found)
			}
			return
		}
	}
	*found = append(*found, fmt.Sprintf("%s: live %s, after a sync %s", at, short(live), short(predicted)))
}

func keys(maps ...map[string]any) map[string]bool {
	all := map[string]bool{}
	for _, m := range maps {
		for key := range m {
			all[key] = true
		}
	}
	return all
}

// short returns a value as JSON of at most 100 bytes.
func short(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	if len(text) > 100 {
		return string(text[:100]) + "…"
	}
	return string(text)
}
