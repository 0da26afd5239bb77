
# The function that runs the next command and checks its output; empty for none.
check=

# attempt REASON TEXT COMMAND...: runs a command. If it fails and its output contains the text, it counts as skipped.
attempt() {
    if $dry_run && [ -n "$check" ]; then
        shift 2
        quote "$@"
        printf '%s  # %s\n' "$line" "${purpose%%:*}"
        check=
        return
    elif $dry_run; then
        unless "$@"
        shift 2
        run . "$@"
        return
    fi
    reason=$1
    text=$2
    shift 2
    quote "$@"
    printf '+ %s\n' "$line" >&2
    code=0
    output=$($check "$@" 2>&1) || code=$?
    check=
    case $code,$output in
    0,*) printf '%s\n' "$output" ;;
    *"$text"*) printf 'skipped: %s (%s)\n' "$line" "$reason" >&2 ;;
    *)
        printf '%s\n' "$output" >&2
        fail "$code"
        ;;
    esac
}
