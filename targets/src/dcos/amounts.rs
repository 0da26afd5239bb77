//! Units of cores, memory, and disk on DC/OS.
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use tfjob_lang::target::Support;

/// Returns the support of an amount of memory or disk. The amount is rounded up to whole MiB, because Mesos counts in MiB.
/// `mechanism`: function that creates the mechanism from the number of MiB.
pub fn whole_mebibytes<M>(bytes: u64, mechanism: impl FnOnce(u64) -> M) -> Support<M> {
    let mebibytes = bytes.div_ceil(1 << 20);
    if bytes.is_multiple_of(1 << 20) {
        return Support::Native(mechanism(mebibytes));
    }
    Support::Emulated(
        mechanism(mebibytes),
        format!("Mesos counts memory and disk in MiB, so the amount is rounded up to {mebibytes}MiB"),
    )
}

/// Converts thousandths of a core to cores. The minimum is 0.001, because the TensorFlow package renders smaller numbers as text
/// that it cannot parse (dcos#small-numbers).
pub fn cores(milli: u32) -> Decimal {
    Decimal(f64::from(milli.max(1)) / 1000.0)
}

/// A number that is serialized as an integer if it has no fraction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decimal(pub f64);

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 && self.0.abs() < 1e9 {
            return serializer.serialize_i64(self.0 as i64);
        }
        serializer.serialize_f64(self.0)
    }
}

impl JsonSchema for Decimal {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        f64::schema_name()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        f64::json_schema(generator)
    }
}
