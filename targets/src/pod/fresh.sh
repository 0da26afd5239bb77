# Ends badly where the folder of checkpoints holds something: the job must start afresh.
#   fresh.sh FOLDER INDEX
set -eu
[ "$2" = 0 ] || exit 0
# What begins with a dot is nobody's: of the file system, such as `.snapshot`, or of the shim.
for found in "$1"/*; do
    # What a new disk holds is no checkpoint.
    case $found in */lost+found) continue ;; esac
    if [ -e "$found" ] || [ -L "$found" ]; then
        echo "tfjob: the job starts afresh, and $1 holds ${found##*/}" >&2
        exit 1
    fi
done
