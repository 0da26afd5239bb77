//! Cores, memory and disk as DC/OS counts them.
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use tfjob_lang::target::Support;

/// Mesos counts memory and disk in MiB.
pub fn whole_mebibytes<M>(bytes: u64, mechanism: impl FnOnce(u64) -> M) -> Support<M> {
    let mebibytes = bytes.div_ceil(1 << 20);
    if bytes.is_multiple_of(1 << 20) {
        return Support::Native(mechanism(mebibytes));
    }
    Support::Emulated(
        mechanism(mebibytes),
        format!("memory and disk are counted in MiB: it gets {mebibytes}"),
    )
}

/// Thousandths of a core as the platform counts them: at least 0.001, at most three decimals, as the package's own
/// text of a smaller number is not read back (dcos#small-numbers).
pub fn cores(milli: u32) -> Decimal {
    Decimal(f64::from(milli.max(1)) / 1000.0)
}

/// A number that is written without a point where it is whole.
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
