
# The commands below use the current context of kubectl.
if ! $dry_run; then
    context=$(kubectl config current-context 2>/dev/null) || context='none is set'
    printf '%s: context of kubectl: %s\n' "${0##*/}" "$context" >&2
fi
