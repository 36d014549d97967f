//! What a class gives its objects besides variables: defaults, components, timelines, bindings.

use bp_reflect::{Name, ObjectPath, Property, PropertyType, Value};

use super::types::{Ty, VECTOR};
use super::world::{Callee, World};
use super::{Report, Rule, VerifyError};
use crate::package::{TimelineTrack, TrackKind};
use crate::{CompiledClass, ComponentTemplate, DelegateBinding, TimelineTemplate};

const ACTOR_COMPONENT: &str = "/Script/Engine.ActorComponent";
const LINEAR_COLOR: &str = "/Script/CoreUObject.LinearColor";

/// Checks the templates of a class.
pub(super) fn check<'a>(compiled: &'a CompiledClass, world: &World<'a>, report: &mut Report) {
    let mut templates = Templates {
        compiled,
        world,
        report,
    };
    for (name, value) in &compiled.defaults {
        templates.default(name, value);
    }
    for (index, component) in compiled.components.iter().enumerate() {
        templates.component(component, &compiled.components[..index]);
    }
    for timeline in &compiled.timelines {
        templates.timeline(timeline);
    }
    for binding in &compiled.bindings {
        templates.binding(binding);
    }
}

struct Templates<'a, 'r> {
    compiled: &'a CompiledClass,
    world: &'r World<'a>,
    report: &'r mut Report,
}

impl<'a> Templates<'a, '_> {
    fn error(&mut self, message: String) {
        self.report.errors.push(VerifyError {
            class: Some(self.compiled.class.path.clone()),
            function: None,
            offset: None,
            rule: Rule::Template,
            message,
            bytes: Vec::new(),
        });
    }

    /// A variable of the class, with an error where it is known that there is none.
    fn variable(&mut self, name: &Name, of: &str) -> Option<&'a Property> {
        match self.world.variable(&self.compiled.class.path, name) {
            Ok(found) => {
                if found.is_none() {
                    let path = &self.compiled.class.path;
                    self.error(format!("{of}: {path} has no variable {name}"));
                }
                found
            }
            Err(_) => None,
        }
    }

    fn default(&mut self, name: &Name, value: &Value) {
        let Some(property) = self.variable(name, "a default") else {
            return;
        };
        let fits = if property.array_dim > 1 {
            matches!(value, Value::List(_))
        } else {
            self.is_of(value, &property.ty, 0)
        };
        if !fits {
            let message = format!("the default of {name} is no value of {}", property.ty);
            self.error(message);
        }
    }

    /// Whether a constant has the form that a type asks for.
    fn is_of(&self, value: &Value, ty: &PropertyType, depth: usize) -> bool {
        use PropertyType as P;
        if depth > MAX_VALUE_DEPTH {
            return false;
        }
        match (ty, value) {
            (P::Bool, Value::Bool(_))
            | (P::Byte(_), Value::Bool(_) | Value::Int(_))
            | (
                P::Enum(_)
                | P::Int8
                | P::Int16
                | P::UInt16
                | P::Int
                | P::UInt32
                | P::Int64
                | P::UInt64,
                Value::Int(_),
            )
            | (P::UInt64, Value::UInt(_))
            | (P::Float | P::Double, Value::Real(_) | Value::Int(_))
            | (P::Name, Value::Name(_) | Value::Str(_))
            | (P::Str, Value::Str(_))
            | (
                P::FieldPath | P::SoftObject(_) | P::SoftClass(_),
                Value::Str(_) | Value::Object(_),
            )
            | (P::Text, Value::Text(_) | Value::Str(_))
            | (P::Object(_) | P::WeakObject(_) | P::Class(_) | P::Interface(_), Value::Object(_))
            | (P::Delegate(_) | P::MulticastDelegate(_), Value::Unbound)
            | (P::Wildcard, _) => true,
            (P::Struct(path), Value::Struct(members)) => {
                members
                    .iter()
                    .all(|(name, value)| match self.world.variable(path, name) {
                        Ok(Some(member)) if member.array_dim > 1 => matches!(value, Value::List(_)),
                        Ok(Some(member)) => self.is_of(value, &member.ty, depth + 1),
                        Ok(None) => false,
                        Err(_) => true,
                    })
            }
            (P::Array(inner) | P::Set(inner), Value::List(values)) => values
                .iter()
                .all(|value| self.is_of(value, inner, depth + 1)),
            (P::Map(pair), Value::Map(pairs)) => pairs.iter().all(|(key, value)| {
                self.is_of(key, &pair.0, depth + 1) && self.is_of(value, &pair.1, depth + 1)
            }),
            _ => false,
        }
    }

    fn component(&mut self, component: &ComponentTemplate, before: &[ComponentTemplate]) {
        let name = &component.name;
        let property = self.variable(name, "a component");
        let what = format!("the component {name}");
        self.is_reference(property, &component.class, &what);
        let base = ObjectPath::new(ACTOR_COMPONENT);
        if self.world.is_no_class(&component.class)
            || self.world.is_child_of(&component.class, &base) == Some(false)
        {
            self.error(format!(
                "{what} is of {}, which is no component",
                component.class
            ));
        }
        if let Some(parent) = &component.parent
            && !before.iter().any(|other| other.name == *parent)
            && !self.is_inherited(parent)
        {
            self.error(format!(
                "{what} is attached to {parent}, which is not made before it"
            ));
        }
    }

    /// Whether a variable may be one of the parents of the class.
    fn is_inherited(&self, name: &Name) -> bool {
        let class = &self.compiled.class;
        class.property(name).is_none()
            && class
                .super_class
                .as_ref()
                .is_none_or(|parent| !matches!(self.world.variable(parent, name), Ok(None)))
    }

    /// That a variable can hold an object of the class.
    fn is_reference(&mut self, property: Option<&Property>, class: &ObjectPath, what: &str) {
        let Some(property) = property else { return };
        let fits = if let PropertyType::Object(kept) = &property.ty {
            !self.world.are_unrelated_classes(kept, class)
        } else {
            false
        };
        if !fits {
            let message = format!("{what} is kept in a variable of type {}", property.ty);
            self.error(message);
        }
    }

    fn timeline(&mut self, timeline: &TimelineTemplate) {
        let what = format!("the timeline {}", timeline.name);
        let component = ObjectPath::new("/Script/Engine.TimelineComponent");
        let property = self.variable(&timeline.name, &what);
        self.is_reference(property, &component, &what);
        if !timeline.length.is_finite() || timeline.length < 0.0 {
            self.error(format!("{what} is {} seconds long", timeline.length));
        }
        if let Some(direction) = self.variable(&timeline.direction, &what)
            && !matches!(Ty::of_property(direction, true), Ty::Byte)
        {
            self.error(format!(
                "{what} keeps its direction in a variable of type {}",
                direction.ty
            ));
        }
        for function in timeline.update.iter().chain(&timeline.finished) {
            self.called(function, &what);
        }
        for track in &timeline.tracks {
            self.track(track, &what);
        }
    }

    fn track(&mut self, track: &TimelineTrack, timeline: &str) {
        let what = format!("the track {} of {timeline}", track.target);
        let n_values = match track.kind {
            TrackKind::Float => Some(1),
            TrackKind::Vector => Some(3),
            TrackKind::LinearColor => Some(4),
            TrackKind::Event => None,
        };
        for (time, values) in &track.keys {
            if !time.is_finite() {
                self.error(format!("{what} has a key at {time} seconds"));
            }
            if n_values.is_some_and(|n_values| n_values != values.len()) {
                self.error(format!("a key of {what} has {} values", values.len()));
            }
        }
        if !track.keys.is_sorted_by(|a, b| a.0 <= b.0) {
            self.error(format!("the keys of {what} are not sorted"));
        }
        if track.kind == TrackKind::Event {
            self.called(&track.target, &what);
            return;
        }
        let Some(property) = self.variable(&track.target, &what) else {
            return;
        };
        let is_struct = |path: &str, wanted: &str| path.eq_ignore_ascii_case(wanted);
        let fits = match (track.kind, Ty::of_property(property, true)) {
            (TrackKind::Float, Ty::Float { .. } | Ty::Double { .. }) => true,
            (TrackKind::Vector, Ty::Struct(path)) => is_struct(path, VECTOR),
            (TrackKind::LinearColor, Ty::Struct(path)) => is_struct(path, LINEAR_COLOR),
            _ => false,
        };
        if !fits {
            self.error(format!("{what} drives a variable of type {}", property.ty));
        }
    }

    /// A function that is called without arguments.
    fn called(&mut self, function: &Name, what: &str) {
        let class = &self.compiled.class;
        match self.world.method(&class.path, function) {
            Callee::Found { function, .. } => {
                if function.arguments().next().is_some() {
                    self.error(format!(
                        "{what} calls {}, which takes arguments",
                        function.name
                    ));
                }
            }
            Callee::Unknown | Callee::Missing => {}
        }
    }

    fn binding(&mut self, binding: &DelegateBinding) {
        let class = &self.compiled.class.path;
        let what = format!("the binding of {}.{}", binding.component, binding.delegate);
        let Some(component) = self.variable(&binding.component, &what) else {
            return;
        };
        let PropertyType::Object(component_class) = &component.ty else {
            self.error(format!("{what}: the variable is of type {}", component.ty));
            return;
        };
        let Ok(Some(delegate)) = self.world.variable(component_class, &binding.delegate) else {
            return;
        };
        let Ty::Multicast(signature) = Ty::of_property(delegate, true) else {
            self.error(format!("{what}: the delegate is of type {}", delegate.ty));
            return;
        };
        let Some(signature) = signature else { return };
        if let Callee::Found { function, is_own } = self.world.method(class, &binding.function)
            && let Callee::Found {
                function: wanted,
                is_own: is_own_signature,
            } = self.world.signature(signature)
            && self
                .world
                .are_different_parameters((wanted, is_own_signature), (function, is_own))
        {
            self.error(format!(
                "{what}: {} does not take the arguments that it passes",
                binding.function
            ));
        }
    }
}

/// Deepest nesting of a default value.
const MAX_VALUE_DEPTH: usize = 64;
