//! Decides how the fast tier dispatches.
//!
//! Direct threading needs the compiler to turn calls in tail position into jumps, which it does where it optimises
//! and where all arguments of a handler fit registers: six on the System V and ARM calling conventions. Elsewhere
//! a loop calls the handlers.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(bp_vm_threaded)");
    let var = |name: &str| std::env::var(name).unwrap_or_default();
    let optimises = matches!(var("OPT_LEVEL").as_str(), "2" | "3" | "s" | "z");
    let fits = match var("CARGO_CFG_TARGET_ARCH").as_str() {
        "x86_64" => var("CARGO_CFG_TARGET_FAMILY") == "unix",
        "aarch64" => true,
        _ => false,
    };
    let asked_for_loop = std::env::var_os("CARGO_FEATURE_LOOP_DISPATCH").is_some();
    if optimises && fits && !asked_for_loop {
        println!("cargo::rustc-cfg=bp_vm_threaded");
    }
}
