//! Planters of faults in fields, values, and base files.
use super::planter::File::{Base, Near};
use super::planter::{Edit, Planter, plant};

pub const PLANTERS: &[Planter] = &[
    plant("unknown-node", &[Edit(Base, "/*b-job-3*/", "«color» \"red\"")]),
    plant("unknown-node", &[Edit(Base, "hadoop home", "«hadop» home")]).keeping(),
    plant("unknown-node", &[Edit(Near, "deadline \"2d\"", "«dedline» \"2d\"")]).keeping(),
    plant("unknown-node", &[Edit(Base, "placement {", "«placemet» {")]).keeping(),
    plant("unknown-node", &[Edit(Near, "extends", "«extend»")]).keeping(),
    plant("unknown-node", &[Edit(Near, "role \"worker\" count=8", "«rolle» \"worker\" count=8")]).keeping(),
    plant("unknown-node", &[Edit(Near, "data \"holidays\"", "«dta» \"holidays\"")]).keeping(),
    plant("unknown-property", &[Edit(Base, "memory=\"24GiB\"", "«memroy»=\"24GiB\"")]).keeping(),
    plant("unknown-property", &[Edit(Near, "/*j-notebook-resources*/", "«color»=\"red\"")]),
    plant("unknown-property", &[Edit(Near, "/*j-notebook-run*/", "«steps=9»")]),
    plant("unknown-property", &[Edit(Base, "memory=\"16GiB\"", "«ram»=\"16GiB\"")]).keeping(),
    plant("unknown-target", &[Edit(Near, "target \"site\"", "target «\"sitt\"»")]),
    plant("unknown-target", &[Edit(Near, "/*j-allow*/", "on=«\"sitt\"»")]),
    plant("unknown-value", &[Edit(Base, "spread \"host\"", "spread «\"hots\"»")]).keeping(),
    plant("unknown-value", &[Edit(Base, "pull=\"missing\"", "pull=«\"sometimes\"»")]),
    plant("unknown-value", &[Edit(Base, "when=\"ready\"", "when=«\"raedy\"»")]).keeping(),
    plant("unknown-value", &[Edit(Base, "\"tensorflow\"", "«\"keras\"»")]),
    plant("unknown-value", &[Edit(Base, "\"parameter-server\"", "«\"servers\"»")]),
    plant("misplaced-field", &[Edit(Base, "restart \"on-failure\"", "restart «policy»=\"on-failure\"")])
        .keeping(),
    plant("misplaced-field", &[Edit(Base, "\"ps\" count=2 {", "\"ps\" {\n        «count» 2")]).keeping(),
    plant("misplaced-field", &[Edit(Base, "/*b-ps*/", "env «MODE=\"fast\"»")]),
    plant("missing-field", &[Edit(Base, "resources cpus=4 memory=\"16GiB\"", "«resources» cpus=4")])
        .lacking("job.role.chief.resources/memory"),
    plant("missing-field", &[Edit(Base, "\"STORE_TOKEN\" from=\"feature-store\"", "«\"STORE_TOKEN\"»")])
        .lacking("job.secret.STORE_TOKEN/from"),
    plant("missing-value", &[Edit(Base, "network \"host\"", "«network»")]),
    plant("missing-value", &[Edit(Near, "/*j-evaluator*/", "«port»")]).tearing("job.role.evaluator.port"),
    plant("wrong-type", &[Edit(Base, "version=\"2.15\"", "version=«2.15»")]).keeping(),
    plant("wrong-type", &[Edit(Base, "count=4", "count=«\"4\"»")]).keeping(),
    plant("wrong-type", &[Edit(Base, "gang=#true", "gang=«\"true\"»")]).keeping(),
    plant("wrong-type", &[Edit(Near, "count=8", "count=«\"many\"»")]),
    plant("bad-value", &[Edit(Near, "\"8GiB\"", "«\"8GB\"»")]),
    plant("bad-value", &[Edit(Base, "\"10m\"", "«\"10\"»")]),
    plant("bad-value", &[Edit(Base, "\"/srv/venv\"", "«\"srv/venv\"»")]),
    plant("bad-value", &[Edit(Near, "\"notebook\"", "«\"Note_Book\"»")]).keeping(),
    plant("bad-value", &[Edit(Near, "\"ml/notebook:1.2\"", "«\"ml/NoteBook:1.2\"»")]).keeping(),
    plant(
        "bad-value",
        &[Edit(Base, "\"git+https://git.example.com/ctr\"", "«\"git://git.example.com/ctr\"»")],
    ),
    plant("bad-value", &[Edit(Near, "\"evaluator\"", "«\"Evaluator\"»")]),
    plant("out-of-range", &[Edit(Near, "min=6", "min=«0»")]),
    plant("out-of-range", &[Edit(Near, "\"web\" 8888", "\"web\" «88888»")]),
    plant("out-of-range", &[Edit(Base, "gpus=2", "gpus=«5000»")]),
    plant("out-of-range", &[Edit(Near, "count=8", "count=«0»")]),
    plant("extra-argument", &[Edit(Base, "/*b-stop*/", "«\"now\"»")]),
    plant("secret-value", &[Edit(Base, "from=\"feature-store\" key=\"token\"", "«\"correct-horse\"»")]),
    plant("secret-value", &[Edit(Base, "key=\"token\"", "key=\"token\" «value=\"correct-horse\"»")])
        .keeping(),
    plant("unexpected-block", &[Edit(Base, "/*b-description*/", "{ «long \"text\"» }")]),
    plant("duplicate-node", &[Edit(Base, "/*b-job-2*/", "«user» \"other\"")]).keeping(),
    plant("duplicate-node", &[Edit(Near, "/*j-job-2*/", "role «\"evaluator\"»")])
        .relying(&[(Near, "role \"evaluator\"")])
        .tearing("job.role"),
    plant("extends-cycle", &[Edit(Base, "/*b-file*/", "extends «\"ctr.tfjob.kdl\"»")])
        .relying(&[(Near, "extends")]),
    plant("unreadable-base", &[Edit(Base, "/*b-file*/", "extends «\"nowhere.tfjob.kdl\"»")]).tearing(""),
    plant("unreadable-base", &[Edit(Base, "/*b-file*/", "extends «\"\"»")]).tearing(""),
];
