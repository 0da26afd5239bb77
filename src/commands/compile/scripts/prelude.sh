
case $#:$* in
0:) dry_run=false ;;
1:--dry-run) dry_run=true ;;
1:--help) printf '%s\n' "$usage" && exit ;;
*) printf '%s\n' "$usage" >&2 && exit 2 ;;
esac

# quote WORD...: sets `line` to the words, quoted for a shell.
quote() {
    line=
    for word in "$@"; do
        case $word in
        '' | *[!A-Za-z0-9_./:=@%+,-]*)
            quoted=
            while [ "$word" != "${word#*\'}" ]; do
                quoted=$quoted${word%%\'*}"'\\''"
                word=${word#*\'}
            done
            word="'$quoted$word'"
            ;;
        esac
        line="$line $word"
    done
    line=${line# }
}

# Set by `unless`: why to skip the next command, and the condition that a dry run prints before it.
skip=
condition=

# run DIRECTORY COMMAND...: prints a command, and runs it in a directory.
run() {
    directory=$1
    shift
    quote "$directory"
    place="cd -P -- $line && "
    quote "$@"
    [ "$directory" = . ] || line="($place$line)"
    line=$condition$line
    condition=
    if $dry_run; then
        printf '%s\n' "$line"
    elif [ -n "$skip" ]; then
        printf 'skipped: %s (%s)\n' "$line" "$skip" >&2
        skip=
    else
        printf '+ %s\n' "$line" >&2
        (cd -P -- "$directory" && "$@") || fail "$?"
    fi
}

# fail CODE: `purpose` is that of the failed command.
fail() {
    printf '%s: the last command failed with exit code %s; the commands after it have not run\n' "${0##*/}" "$1" >&2
    printf '%s: the failed command %s\n' "${0##*/}" "$purpose" >&2
    exit "$1"
}

# All paths are relative to the directory of this script.
unset CDPATH
case $0 in
*/*)
    quote "${0%/*}/"
    ! $dry_run || printf 'cd -P -- %s\n' "$line"
    cd -P -- "${0%/*}/"
    ;;
esac
