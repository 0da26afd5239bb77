//! Command lines of Spark that users paste in place of a job spec.
use tfjob_lang::target::Pasted;

pub const PASTED: &[Pasted] = &[Pasted {
    what: "a spark-submit command line",
    keys: &[],
    programs: &["spark-submit", "spark-submit.sh", "pyspark", "spark-shell"],
    fields: &[
        ("--num-executors", "role \"worker\" count=4"),
        ("--executor-memory", "resources cpus=4 memory=\"16GiB\""),
        ("--executor-cores", "resources cpus=4 memory=\"16GiB\""),
        ("--conf", "target \"spark\" { conf { spark.sql.shuffle.partitions \"200\" } }"),
        ("--master", "target \"spark\" { master \"yarn\" }"),
        ("--py-files", "code \"./src/\""),
        ("--archives", "files \"venv\" \"https://files.example.com/venv.tar.gz\""),
    ],
}];
