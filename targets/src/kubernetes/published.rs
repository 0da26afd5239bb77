//! Types of a TFJob patch, from the CRD of the operator and from the OpenAPI schema of Kubernetes.
use crate::patch::published::Kind::{Boolean, Int32, Int64, IntOrText, Quantity, Text};
use crate::patch::published::{Field, Kind, List, Object, Words};

include!("../../../schemas/kubernetes.types.rs");

const fn field(name: &'static str, kind: Kind) -> Field {
    Field { name, kind, required: false }
}

const fn required(name: &'static str, kind: Kind) -> Field {
    Field { name, kind, required: true }
}

/// TFJob. A patch cannot set the fields from which tfjob derives the names of other objects, so they are missing here.
pub static TF_JOB: Object = Object {
    name: "TFJob",
    fields: &[field("metadata", Kind::Object(&JOB_META)), field("spec", Kind::Object(&TFJOB_SPEC))],
};

static JOB_META: Object = Object {
    name: "JobMeta",
    fields: &[field("annotations", Kind::Map(&Text)), field("labels", Kind::Map(&Text))],
};
