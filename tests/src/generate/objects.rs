//! Statements about objects and dispatchers.

use serde_json::json;

use super::{Callable, Graph, Ty};

/// Variables that hold the object itself or nothing.
pub(super) const OBJECTS: [&str; 2] = ["O0", "O1"];
pub(super) const DISPATCHERS: [&str; 2] = ["D0", "D1"];
/// Functions that dispatchers call.
pub(super) const HANDLERS: [&str; 3] = ["H0", "H1", "H2"];

/// What dispatchers pass on.
pub(super) fn handled() -> [(String, Ty); 2] {
    [
        ("Points".to_owned(), Ty::Int),
        ("Label".to_owned(), Ty::Str),
    ]
}

pub(super) fn handler(name: &str) -> Callable {
    Callable {
        name: name.to_owned(),
        inputs: handled().to_vec(),
        outputs: Vec::new(),
        is_pure: false,
    }
}

impl Graph<'_> {
    /// Sets an object variable, or casts one and goes on either way.
    pub(super) fn object_statement(&mut self, from: String, depth: usize) -> String {
        let name = *self.rng.pick(&OBJECTS);
        if self.rng.once_in(2) {
            let id = self.add("VariableSet", json!({"variable": name}));
            self.link(from, format!("{id}.execute"));
            match self.rng.below(4) {
                // Nothing is set.
                0 => {}
                1 => {
                    let other = *self.rng.pick(&OBJECTS);
                    let get = self.add("VariableGet", json!({"variable": other}));
                    self.link(format!("{get}.{other}"), format!("{id}.{name}"));
                }
                _ => {
                    let own = self.add("Self", json!({}));
                    self.link(format!("{own}.self"), format!("{id}.{name}"));
                }
            }
            return format!("{id}.then");
        }
        let class = *self.rng.pick(&["Actor", "Pawn", "BP_Made"]);
        let cast = self.add("DynamicCast", json!({"to": class}));
        self.link(from, format!("{cast}.execute"));
        let get = self.add("VariableGet", json!({"variable": name}));
        self.link(format!("{get}.{name}"), format!("{cast}.Object"));
        if depth > 0 {
            self.branch(format!("{cast}.CastFailed"), depth);
        }
        // What a failed cast gave is read there and later: nothing.
        let kept = *self.rng.pick(&OBJECTS);
        let keep = self.add("VariableSet", json!({"variable": kept}));
        self.link(format!("{cast}.then"), format!("{keep}.execute"));
        let pin = match class {
            "BP_Made" => "AsBP Made",
            class => &format!("As{class}"),
        };
        self.link(format!("{cast}.{pin}"), format!("{keep}.{kept}"));
        format!("{keep}.then")
    }

    /// Binds to, unbinds from, empties or calls a dispatcher.
    pub(super) fn delegate_statement(&mut self, from: String) -> String {
        let dispatcher = *self.rng.pick(&DISPATCHERS);
        let keys = json!({"delegate": dispatcher});
        let class = match self.rng.below(8) {
            0..=2 => "AddDelegate",
            3 => "RemoveDelegate",
            4 if self.rng.once_in(2) => "ClearDelegate",
            _ if self.broadcasts && self.loops < 2 => "CallDelegate",
            _ => "AddDelegate",
        };
        let id = self.add(class, keys);
        self.link(from, format!("{id}.execute"));
        match class {
            "CallDelegate" => {
                for (name, ty) in handled() {
                    self.feed(&id, &name, ty, 2);
                }
            }
            "ClearDelegate" => {}
            _ => {
                let function = *self.rng.pick(&HANDLERS);
                let make = self.add("CreateDelegate", json!({"function": function}));
                let own = self.add("Self", json!({}));
                self.link(format!("{own}.self"), format!("{make}.self"));
                self.link(format!("{make}.OutputDelegate"), format!("{id}.Delegate"));
            }
        }
        format!("{id}.then")
    }
}
