//! A test target that supports nothing, to find refusals that are reported in addition to an error.
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::LazyLock;
use tfjob_driver::Driver;
use tfjob_lang::analysis::{cluster_shape_of, shape_of};
use tfjob_lang::at::{At, Named};
use tfjob_lang::cluster::words::{Use, Word};
use tfjob_lang::lowered::{Lowered, TaskView, TracedContract};
use tfjob_lang::plan::{Plan, RoleId};
use tfjob_lang::requirement::Requirement;
use tfjob_lang::shape::Shape;
use tfjob_lang::spec::values::Text;
use tfjob_lang::target::{Accepted, AnyTarget, Registry, Site as Words, Support, Target, Updates};

/// Refuses all requirements.
pub struct Site;

/// Options of the test target.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// The queue.
    #[expect(dead_code, reason = "read through its schema")]
    pub queue: Option<At<Text>>,
    /// Annotations of every task.
    #[serde(default)]
    #[schemars(extend("x-kdl" = "pairs"))]
    #[expect(dead_code, reason = "read through its schema")]
    pub annotations: Named<At<Text>>,
}

impl Target for Site {
    const NAME: &'static str = "site";
    const ABOUT: &'static str = "takes nothing";
    const UPDATES: Updates = Updates {
        rules: &[],
        removed: None,
        tools: &[],
        replacement: |_, _, _| None,
        owner: |_| None,
        is_deleted: |_| false,
        evidence: "",
        digests: &[],
        object: |_| None,
        identity: &[],
        reported: |_| Ok(Vec::new()),
        added: &[],
        equal: |_, _, _| false,
        omitted: &[],
        lacking: |_, _| Vec::new(),
        unreported: |_, _| None,
        staying: None,
    };
    type Options = Options;
    type RoleOptions = Options;
    type Mechanism = ();
    type Context<'a> = ();

    fn cluster_field(_: Word, _: &Options) -> Use {
        Use::Checked
    }

    fn context<'a>(&self, _: &'a Plan, _: &'a Words<Self>) -> Self::Context<'a> {}

    fn support(&self, _: &Requirement, (): &()) -> Support<()> {
        Support::unsupported("takes nothing", "nothing", "none")
    }

    fn lower(&self, _: &Accepted<'_, Self>) -> Lowered {
        unreachable!("nothing is accepted")
    }

    fn contract(&self, _: &Accepted<'_, Self>) -> Option<TracedContract> {
        unreachable!("nothing is accepted")
    }

    fn view(&self, _: &Accepted<'_, Self>, _: RoleId, _: u32) -> TaskView {
        unreachable!("nothing is accepted")
    }
}

static TARGETS: LazyLock<Vec<&'static dyn AnyTarget>> = LazyLock::new(|| {
    let made_up: &'static dyn AnyTarget = &Site;
    std::iter::once(made_up).chain(tfjob_targets::ALL.iter().copied()).collect()
});
static JOBS: LazyLock<Shape> = LazyLock::new(|| shape_of(&TARGETS));
static CLUSTERS: LazyLock<Shape> = LazyLock::new(|| cluster_shape_of(&TARGETS));

/// Returns the test target and all real targets.
pub fn targets() -> &'static [&'static dyn AnyTarget] {
    &TARGETS
}

/// Returns a driver with these targets.
pub fn driver() -> Driver {
    Driver::new(Registry {
        targets: targets(),
        jobs: &JOBS,
        clusters: || &CLUSTERS,
        projects: || &tfjob_targets::PROJECT_SHAPE,
    })
}
