//! One binary for all targets; the environment variable `TARGET` selects one.
#![no_main]

mod targets;

use std::sync::OnceLock;

use targets::{TARGETS, Target};

static CHOSEN: OnceLock<Target> = OnceLock::new();

fn choose() {
    let wanted = std::env::var("TARGET").unwrap_or_default();
    let names: Vec<_> = TARGETS.iter().map(|(name, _)| *name).collect();
    let place = names.iter().position(|name| *name == wanted);
    let place = place.unwrap_or_else(|| panic!("TARGET must be one of {}, got {wanted:?}", names.join(", ")));
    let _ = CHOSEN.set(TARGETS[place].1);
}

libfuzzer_sys::fuzz_target!(init: choose(), |data: &[u8]| {
    if let Some(target) = CHOSEN.get() {
        target(data);
    }
});
