//! Tests how the driver feeds rows: the generated Python runs with a stand-in for Spark.
use super::python::{JOB, driver};

/// Runs the driver's feed on rows in three partitions and records its calls in `done`. If `said` is set, Spark fails with it.
const FEED: &str = "
import sys, types
import driver, tfjob_lead
tfjob_lead.DISCONNECT_TIMEOUT, done, read = 0, [], types.SimpleNamespace()
class Rows:
    def getNumPartitions(self):
        return 3
    def map(self, _):
        done.append('map')
        return self
    def foreachPartition(self, take):
        done.append(take)
        if said:
            raise Exception(said)
read.format, read.options, read.load = lambda _: read, lambda **_: read, lambda _: types.SimpleNamespace(rdd=Rows())
def union(all):
    done.append(len(all))
    return all[0]
sys.modules['pyspark'] = types.ModuleType('pyspark')
sys.modules['pyspark.sql'] = types.SimpleNamespace(SparkSession=lambda _: types.SimpleNamespace(read=read))
node = types.SimpleNamespace(train=lambda *_, feed_timeout: 'feed')
sys.modules['tensorflowonspark'] = types.SimpleNamespace(TFSparkNode=node)
def fed():
    one = lead(feed={'format': 'csv', 'options': {}, 'path': 'x', 'epochs': 2, 'patience': 9})
    for task in one.tasks:
        task.started = time.monotonic()
    cluster = types.SimpleNamespace(cluster_info=[], cluster_meta={})
    driver.feed(types.SimpleNamespace(union=union), cluster, one.job, one)
    return one
";

pub fn a_task_that_feeds_rows_has_one_process_of_python() {
    driver(&format!(
        "{JOB}{FEED}\nsaid = None\nassert not fed().finished and done == [2, 'map', 'feed'], done"
    ));
}

pub fn an_executor_lost_while_rows_are_fed_counts_as_lost() {
    driver(&format!(
        "{JOB}{FEED}
for said, again in (('ExecutorLostFailure', True), ('No executor_id file found', True), ('Path does not exist', False)):
    one = fed()
    assert one.why == 'Spark failed to feed the rows: ' + said and (Budget(one.job).next_pause(one) is not None) == again, said
"
    ));
}

pub fn rows_come_when_every_fed_task_has_started() {
    driver(&format!(
        "{JOB}
one = lead()
one.tasks[0].started = time.monotonic()
begin = time.monotonic()
assert one.wait_for_readers(1) and time.monotonic() - begin > 1
one.tasks[1].started = begin = time.monotonic()
assert one.wait_for_readers(9) and time.monotonic() - begin < 1
one = lead()
one.end('over')
assert not one.wait_for_readers(9)
"
    ));
}
