// The files of the folders that VS Code opens.
export const SPEC = `// Trains a classifier.
job "mnist" {
    framework "tensorflow" version="2.15" strategy="multi-worker-mirrored"
    image "ml/mnist:1.0"
    data "train" "hdfs://default/mnist"
    run "python" "/app/train.py" "{data.train}"
    role "worker" cuont=4 {
        resources cpus=8 memory="32GiB" gpus=2
    }
    target "yarn" {
        queue   "ml"
        hadoop "3.3"
        dns-domain "ycluster"
    }
}
`;
const RUNS = `job "hello" {
    framework "custom"
    role "worker" {
        run "sh" "-c" "echo it ran > ran.txt; sleep 1"
        resources cpus=1 memory="64MiB"
    }
    target "local"
}
`;
const JSON_SPEC = `{
  "job": {
    "name": "data",
    "framework": { "name": "tensorflow", "version": "2.15" },
    "image": "ml/mnist:1.0",
    "run": ["python", "train.py"],
    "role": { "worker": { "cuont": 4 } }
  }
}
`;
const YAML_SPEC = `job:
  name: data
  framework: { name: tensorflow, version: "2.15" }
  image: "ml/mnist:1.0"
  run: [python, train.py]
  role:
    worker:
      cuont: 4
`;

export const FILES = {
  "mnist.tfjob.kdl": SPEC,
  "hello.tfjob.kdl": RUNS,
  "data.tfjob.json": JSON_SPEC,
  "data.tfjob.yaml": YAML_SPEC,
  "east.cluster.kdl": 'cluster "east" target="yarn" {\n    nodes "gpu" cpus=64 memory="512GiB" gpus=8\n    qeue "ml"\n}\n',
};

/** Returns a project file that sets the number of CPUs of a worker in each environment. */
export function projectOf(cpus) {
  const environments = Object.entries(cpus).map(([name, number]) => `    environment "${name}" { target "yarn"; set "role.worker.resources.cpus=${number}"; }\n`);
  return `project {\n${environments.join("")}}\n`;
}
