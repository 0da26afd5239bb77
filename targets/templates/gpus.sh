#!/bin/sh
# GPU discovery script of Spark: prints the GPUs of this container as {"name": "gpu", "addresses": ["0", "1"]}
set -eu
list=$(nvidia-smi --query-gpu=index --format=csv,noheader)
printf '{"name": "gpu", "addresses": ['
separator=
for gpu in $list; do
    printf '%s"%s"' "$separator" "$gpu"
    separator=', '
done
printf ']}\n'
