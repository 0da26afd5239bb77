#!/bin/sh
# Prints the GPUs that this container has, as Spark reads them: {"name": "gpu", "addresses": ["0", "1"]}
set -eu
list=$(nvidia-smi --query-gpu=index --format=csv,noheader)
printf '{"name": "gpu", "addresses": ['
separator=
for gpu in $list; do
    printf '%s"%s"' "$separator" "$gpu"
    separator=', '
done
printf ']}\n'
