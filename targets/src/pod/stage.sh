# Downloads or copies code or files of a task, and unpacks archives, before the task starts.
#   stage.sh FROM SOURCE TO PACK [REF]
# FROM: hdfs http git file    PACK: zip tar (unpacked), plain (unchanged), folder (a single file is copied into a directory)
set -eu
from=$1 source=$2 to=$3 pack=$4 ref=${5:-}

stop() {
    echo "tfjob: cannot fetch $source: $1" >&2
    exit 71
}
have() { command -v "$1" >/dev/null 2>&1; }
python=
for name in python3 python; do
    if [ -z "$python" ] && have $name; then python=$name; fi
done

# Maps a name of an archive to a path in the target directory, as Info-ZIP and GNU tar do: names have no root and no `..`.
# A link may point outside; nothing is written or removed through it.
place='import os, sys
to = os.path.realpath(sys.argv[2])
def place(name):
    path = os.path.join(to, *(p for p in name.split("/") if p not in ("", ".", "..")))
    parent = os.path.realpath(os.path.dirname(path))
    if path != to and not (parent + "/").startswith(to + "/"): sys.exit(name + " is outside of the target directory")
    return path
def clear(path):
    if os.path.islink(path) or os.path.isfile(path): os.remove(path)
'

# A restarted container starts from scratch.
rm -rf "$to" "$to.got"
mkdir -p "$(dirname "$to")"
got=$to.got

case $from in
hdfs)
    "$HADOOP_HOME/bin/hdfs" dfs -get "$source" "$got" || stop "hdfs dfs -get failed"
    ;;
http)
    if have curl; then
        # Without --globoff curl expands [1-3] and {a,b} in a URL.
        last=$(curl -fsSL --globoff --retry 3 -o "$got" -w '%{url_effective}' "$source") || stop "curl failed"
    elif [ -n "$python" ]; then
        last=$($python -c 'import sys, urllib.request as r, shutil
with r.urlopen(sys.argv[1]) as i, open(sys.argv[2], "wb") as o: shutil.copyfileobj(i, o); print(i.geturl())' \
            "$source" "$got") || stop "python failed"
    elif have wget; then
        wget -S -O "$got" "$source" 2>"$got.log" || {
            cat "$got.log" >&2
            stop "wget failed"
        }
        last=$(sed -n 's/^ *[Ll]ocation: *\([^ ]*\).*/\1/p' "$got.log" | tail -n 1)
        rm -f "$got.log"
    else
        stop "the image has none of curl, python, wget; set \`stage-image\` to one that does"
    fi
    # A web server redirects the URL of a directory to its listing.
    last=${last%%[?#]*}
    case $last in */) stop "it is a directory, and the server returned its listing; use an archive" ;; esac
    ;;
git)
    have git || stop "the image has no git; set \`stage-image\` to one that does"
    git init -q "$got"
    git -C "$got" fetch -q --depth 1 -- "$source" "$ref" || stop "git fetch of $ref failed"
    git -C "$got" -c advice.detachedHead=false checkout -q FETCH_HEAD
    ;;
file)
    [ -e "$source" ] || stop "no such file"
    got=$source
    ;;
*) stop "unknown source type: $from" ;;
esac
# These stores do not keep the executable bit.
case $from in hdfs | http) [ -d "$got" ] || chmod 755 "$got" ;; esac

case $pack in
zip)
    mkdir "$to"
    # Exit code 1 of Info-ZIP is a warning, such as for names with backslashes, which it reads as directories. BusyBox uses it
    # for every failure, and creates a file `a\b`. -o: overwrites duplicate names without a prompt.
    info=
    if have unzip; then case $(unzip -v 2>&1 </dev/null) in *Info-ZIP*) info=yes ;; esac fi
    if [ -n "$info" ]; then
        code=0
        unzip -qo "$got" -d "$to" || code=$?
        [ "$code" -le 1 ] || stop "unzip failed"
    elif [ -n "$python" ]; then
        $python -c "$place"'
import stat, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    for i in z.infolist():
        # Created on Windows, where names contain no backslash.
        if i.create_system == 0: i.filename = i.filename.replace(chr(92), "/")
        mode, path = i.external_attr >> 16, place(i.filename)
        clear(path)
        if stat.S_ISLNK(mode):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.symlink(z.read(i).decode(), path)
        else:
            z.extract(i, to)
            if mode and not os.path.isdir(path): os.chmod(path, mode & 0o777)' "$got" "$to" || stop "python failed"
    elif have unzip; then
        unzip -qo "$got" -d "$to" || stop "unzip failed"
        case $(ls -R "$to") in
        *\\*) stop "its names contain backslashes, which the unzip of BusyBox keeps; set \`stage-image\` to an image with Info-ZIP" ;;
        esac
    else
        stop "the image has neither unzip nor python; set \`stage-image\` to one that does"
    fi
    ;;
tar)
    mkdir "$to"
    if have tar; then
        tar -xf "$got" -C "$to" || stop "tar failed"
    elif [ -n "$python" ]; then
        $python -c "$place"'
import tarfile
def members(t):
    for i in t:
        path = place(i.name)
        if i.islnk(): i.linkname = os.path.relpath(place(i.linkname), to)
        i.name = os.path.relpath(path, to)
        clear(path)
        yield i
with tarfile.open(sys.argv[1]) as t:
    # Newer Python versions refuse links to other directories, which virtual environments contain.
    t.extraction_filter = lambda member, path: member
    t.extractall(to, members(t))' "$got" "$to" || stop "python failed"
    else
        stop "the image has neither tar nor python; set \`stage-image\` to one that does"
    fi
    ;;
plain)
    if [ "$got" = "$source" ]; then cp -R "$got" "$to"; else mv "$got" "$to"; fi
    ;;
folder)
    # Mounted storage is not changed.
    move=mv
    if [ "$got" = "$source" ]; then move="cp -R"; fi
    if [ -d "$got" ]; then
        $move "$got" "$to"
    else
        mkdir "$to"
        name=$source
        if [ "$from" = http ]; then name=${source%%[?#]*}; fi
        $move "$got" "$to/${name##*/}"
    fi
    ;;
*) stop "unknown archive type: $pack" ;;
esac
rm -rf "$to.got"
