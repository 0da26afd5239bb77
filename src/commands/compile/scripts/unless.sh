
# unless REASON TEXT COMMAND...: skips the next command if the output of this one, which only reads, contains the text.
unless() {
    reason=$1
    text=$2
    shift 2
    quote "$@"
    if $dry_run; then
        condition="$line 2>&1 | grep -q -F -e "
        quote "$text"
        condition="$condition$line || "
        return
    fi
    printf '+ %s\n' "$line" >&2
    output=$("$@" 2>&1) || true
    case $output in
    *"$text"*) skip=$reason ;;
    esac
}
