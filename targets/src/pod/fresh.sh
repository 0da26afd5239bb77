# Fails if the checkpoint directory is not empty (`if-exists "fail"`).
#   fresh.sh DIRECTORY INDEX
set -eu
[ "$2" = 0 ] || exit 0
# Names that begin with a dot belong to the file system, such as `.snapshot`, or to the shim.
for found in "$1"/*; do
    # A new disk contains this directory.
    case $found in */lost+found) continue ;; esac
    if [ -e "$found" ] || [ -L "$found" ]; then
        echo "tfjob: if-exists=fail, but $1 contains ${found##*/}" >&2
        exit 1
    fi
done
