//! What assigning a replicated variable takes besides the assignment.

use bp_diag::Code;
use bp_graph::{MemberReference, PinCategory, PinType};
use bp_reflect::{EngineVersion, Name, ObjectPath, Property, PropertyFlags};

use super::Expander;
use crate::expanded::{ExNodeId, ExPinId, Op, VariableRef};

impl Expander<'_, '_> {
    /// Puts `FlushNetDormancy` of the actor before an assignment to a replicated variable, and behind it the call that
    /// marks the variable as changed and the variable's own notification.
    ///
    /// The mark names the variable by its number among all replicated ones of its class, those of the parents first.
    /// Where a native parent's are not counted this is reported, and the mark left out.
    ///
    /// Source: 5 of 5 assignments of 2 packages (4.26, 4.27). Assumed: marks since 4.25, where they came into the
    /// engine; that the notification is called last, since no package sets such a variable.
    pub(super) fn announce_assignment(&mut self, id: ExNodeId) {
        let Op::VariableSet(VariableRef::Member { owner, property }) = &self.graph.node(id).op
        else {
            return;
        };
        let (owner, property) = (owner.clone(), *property);
        if property.flags.contains(PropertyFlags::NET) {
            let actor = ObjectPath::new("/Script/Engine.Actor");
            if self.cx.registry.is_child_of(&owner, &actor) {
                self.flush_dormancy(id);
            }
        }
        self.call_on_rep(id, &property.name);
        if property.flags.contains(PropertyFlags::NET)
            && self.cx.engine >= EngineVersion::new(4, 25)
        {
            self.mark_dirty(id, &owner, property);
        }
    }

    fn flush_dormancy(&mut self, id: ExNodeId) {
        let Some(call) = self.spawn_native_call(id, "Actor", "FlushNetDormancy") else {
            return;
        };
        if let (Some(target), Some(own)) = (
            self.graph.in_pin(id, "self"),
            self.graph.in_pin(call, "self"),
        ) {
            self.graph.copy_links(target, own);
        }
        if let (Some(execute), Some(call_in), Some(call_then)) = (
            self.graph.execute(id),
            self.graph.execute(call),
            self.graph.then(call),
        ) {
            self.graph.move_links(execute, call_in);
            self.graph.link(call_then, execute);
        }
    }

    /// A variable of the Blueprint itself with a notification calls it after the assignment.
    fn call_on_rep(&mut self, id: ExNodeId, name: &Name) {
        let is_of_self = self
            .graph
            .in_pin(id, "self")
            .is_none_or(|target| self.graph.pins[target].links.is_empty());
        let mut variables = self.cx.blueprint.variables.iter();
        let on_rep = variables
            .find(|variable| variable.name == *name && is_of_self)
            .and_then(|variable| variable.on_rep.clone());
        let callee =
            on_rep.and_then(|function| self.cx.function(&MemberReference::on_self(function)));
        if let Some(callee) = callee {
            let call = self.spawn_call(id, callee);
            self.put_right_behind(id, call);
        }
    }

    fn mark_dirty(&mut self, id: ExNodeId, owner: &ObjectPath, property: &Property) {
        let Some(index) = self.replication_index(owner, property) else {
            let message = format!(
                "no declaration says how many replicated variables the native parents of {} have; the assignment of `{}` is not marked",
                owner.name(),
                property.name
            );
            let finding = self
                .finding(id, Code::FuncUndeclared, message, Some(&property.name))
                .hint("give the parent's declaration with its number of replicated variables: `\"replicated\": 2`");
            self.diagnostics.push(finding);
            return;
        };
        let function = "MarkPropertyDirtyFromRepIndex";
        let Some(call) = self.spawn_native_call(id, "NetPushModelHelpers", function) else {
            return;
        };
        let Some(object) = self.graph.in_pin(call, "Object") else {
            return;
        };
        let target = self.graph.in_pin(id, "self");
        let target = target.filter(|target| !self.graph.pins[*target].links.is_empty());
        if let Some(target) = target {
            self.graph.copy_links(target, object);
        } else {
            let this = self.this(id);
            self.graph.link(this, object);
        }
        for (pin, value) in [
            ("RepIndex", index.to_string()),
            ("PropertyName", property.name.to_string()),
        ] {
            if let Some(pin) = self.graph.in_pin(call, pin) {
                self.graph.pins[pin].default.value = value;
            }
        }
        self.put_right_behind(id, call);
    }

    /// A new Self node's value.
    fn this(&mut self, id: ExNodeId) -> ExPinId {
        let object = PinType::with_object(PinCategory::Object, self.cx.class.path.clone());
        let this = self.graph.spawn(id, "K2Node_Self", Op::SelfRef);
        self.graph.output(this, "self", object)
    }

    /// Puts a call between a node and what its `then` leads to.
    fn put_right_behind(&mut self, id: ExNodeId, call: ExNodeId) {
        if let (Some(then), Some(call_in), Some(call_then)) = (
            self.graph.then(id),
            self.graph.execute(call),
            self.graph.then(call),
        ) {
            self.graph.move_links(then, call_then);
            self.graph.link(then, call_in);
        }
    }

    /// The number of a variable among the replicated ones of its class; none if a native class in between does not say
    /// how many it has.
    fn replication_index(&self, owner: &ObjectPath, property: &Property) -> Option<u32> {
        if let Some(index) = property.net_index {
            return Some(index);
        }
        let registry = self.cx.registry;
        let is_net = |property: &&Property| property.flags.contains(PropertyFlags::NET);
        let mut index = 0;
        let mut classes = registry.ancestry(owner);
        let own = classes.next().filter(|class| class.is_blueprint())?;
        let before = own.properties.iter().filter(is_net);
        for _ in before.take_while(|one| one.name != property.name) {
            index += 1;
        }
        for class in classes {
            if class.path.as_str() == "/Script/CoreUObject.Object" {
                return Some(index);
            }
            index += match class.n_replicated {
                None if class.is_blueprint() => {
                    u32::try_from(class.properties.iter().filter(is_net).count()).ok()?
                }
                declared => declared?,
            };
        }
        None
    }
}
