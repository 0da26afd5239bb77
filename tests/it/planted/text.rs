//! Planters of syntax errors.
use super::planter::File::{Base, Near};
use super::planter::{Edit, Planter, plant};

pub const PLANTERS: &[Planter] = &[
    plant("syntax", &[Edit(Base, "/*b-job-1*/", "«;»")]),
    plant("syntax", &[Edit(Near, "/*j-deadline*/", "«)»")]).tearing("job.deadline").ending_line(),
    plant("syntax", &[Edit(Base, "/*b-chief*/", "«/-»")]),
    plant("syntax", &[Edit(Base, "timeout=\"20m\"", "«timeout=»")]).tearing("job.start"),
    plant("syntax", &[Edit(Base, "\"2GiB\" }\n    network", "\"2GiB\" } «network»")]),
    plant("too-deep", &[Edit(Base, "/*b-job-2*/", "/- a { /- b { /- c { /- d «{» } } } }")]),
    plant("forbidden-character", &[Edit(Near, "/*j-file*/", "«\u{202e}»")]).keeping(),
    plant("forbidden-character", &[Edit(Near, "nodes are alike", "nodes «\\u{0}»are alike")]).keeping(),
    plant("unbalanced-braces", &[Edit(Base, "/*b-end*/", "«}»")]),
    plant(
        "unbalanced-braces",
        &[
            Edit(Near, "/*j-worker-2*/\n    }", "/*j-worker-2*/"),
            Edit(Near, "count=8 min=6 {", "count=8 min=6 «{»"),
        ],
    )
    .tearing("job.role.worker")
    .keeping(),
    plant("unclosed", &[Edit(Near, "/*j-end*/", "«/*» the end")]),
    plant("unclosed", &[Edit(Base, "success \"chief\"", "success «\"chief»")]).ending_line(),
    plant("bare-text", &[Edit(Base, "scope=\"task\"", "scope=«task»")]).keeping(),
    plant("bare-text", &[Edit(Base, "\"tensorflow\"", "«tensorflow»")]).keeping(),
    plant("bare-text", &[Edit(Near, "\"/data/holidays\"", "«/data/holidays»")]).keeping(),
    plant("bare-keyword", &[Edit(Base, "gang=#true", "gang=«true»")]).keeping(),
    plant("bare-uri", &[Edit(Base, "\"gs://ads/scores\"", "«gs://ads/scores»")]).keeping(),
    plant("bare-variable", &[Edit(Base, "/*b-run*/", "«$MODE»")]),
    plant("wrong-quotes", &[Edit(Base, "\"failed\"", "«'failed'»")]).keeping(),
    plant("colon-after-name", &[Edit(Base, "user \"trainer\"", "user«:» \"trainer\"")]).keeping(),
    plant("equals-sign", &[Edit(Base, "workdir \"{code}\"", "workdir «=» \"{code}\"")]).keeping(),
    plant("equals-sign", &[Edit(Base, "cpus=7.5", "cpus «=» 7.5")]).keeping(),
    plant("dash-item", &[Edit(Base, "/*b-worker-1*/", "«-» metrics")])
        .tearing("job.role.worker")
        .ending_line(),
    plant("square-brackets", &[Edit(Base, "codes 42 143", "codes «[»42 143]")]).keeping(),
    plant("comma", &[Edit(Near, "\"jupyter\" \"lab\"", "\"jupyter\"«,» \"lab\"")]).keeping(),
    plant("hash-comment", &[Edit(Near, "/*j-job-1*/", "«#» the seed of all draws")]),
    plant("kdl-version-1", &[Edit(Base, "\"a first try\"", "«r\"a first try\"»")]).keeping(),
    plant("flag-property", &[Edit(Near, "/*j-notebook-run*/", "«--no-browser=1»")]),
    plant(
        "duplicate-property",
        &[Edit(Base, "java=\"/opt/java\"", "java=\"/opt/java\" «java»=\"/opt/jdk\"")],
    )
    .keeping(),
    plant("type-annotation", &[Edit(Near, "param \"seed\" 7", "param \"seed\" «(u8)»7")]).keeping(),
    plant("bad-escape", &[Edit(Base, "Click-through", "Click«\\-»through")]).keeping(),
    plant("multi-line-text", &[Edit(Near, "\"all nodes are alike\"", "«\"\"\"all nodes are alike\"\"\"»")])
        .keeping(),
    plant("bad-number", &[Edit(Base, "0.001", "«.001»")]),
    plant("bad-number", &[Edit(Base, "port=6006", "port=«#inf»")]).tearing("job.tensorboard"),
];
