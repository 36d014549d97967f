use bp_diag::{Sources, render};
use bp_graph::json;
use bp_reflect::{EngineVersion, declarations};
fn main() {
    let base = declarations::embedded(EngineVersion::LATEST);
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).expect("readable");
        let mut sources = Sources::default();
        let file = sources.add(path, text);
        let t = std::time::Instant::now();
        let (b, r, d) = json::read(&[file], &sources, &base);
        eprintln!("read {:?}", t.elapsed());
        print!("{}", render::human(&d, &sources, false));
        for b in &b {
            let t = std::time::Instant::now();
            print!("{}", json::write(b, &r));
            eprintln!("write {:?}", t.elapsed());
        }
    }
}
