//! A plan that the gate has accepted for a target.
use super::{Site, Target};
use crate::lowered::Lowered;
use crate::plan::Plan;
use crate::requirement::Required;
use crate::sources::Span;
use std::borrow::Cow;
use std::cell::OnceCell;

/// A plan that the target accepted. Only the gate constructs it.
pub struct Accepted<'p, T: Target + ?Sized> {
    /// The plan.
    pub plan: &'p Plan,
    /// Options of the target for this job.
    pub site: &'p Site<T>,
    pub(super) mechanisms: Vec<(&'p Required, T::Mechanism)>,
    pub(super) inherent: Vec<(Span, Cow<'static, str>)>,
    /// The artifacts. They are built at the first use.
    pub(super) lowered: OnceCell<Lowered>,
}

impl<T: Target + ?Sized> Accepted<'_, T> {
    /// Returns the lowered job. It is built at the first call.
    pub fn lowered(&self, target: &T) -> &Lowered {
        self.lowered.get_or_init(|| self.lower(target))
    }

    pub(super) fn into_lowered(mut self, target: &T) -> Lowered {
        self.lowered.take().unwrap_or_else(|| self.lower(target))
    }

    /// Lowers the job. For each requirement with inherent support, adds the reason.
    fn lower(&self, target: &T) -> Lowered {
        let mut lowered = target.lower(self);
        // If several roles share the line of a default, the reason of the last role is kept.
        for (at, why) in self.inherent.iter().rev() {
            lowered.inherent.entry(*at).or_insert_with(|| why.clone().into_owned());
        }
        lowered
    }

    /// Returns every mechanism with the span of its requirement, in plan order.
    pub fn mechanisms(&self) -> impl Iterator<Item = (Span, &T::Mechanism)> {
        self.mechanisms.iter().map(|(required, mechanism)| (required.at, mechanism))
    }
}
