//! Other interpreters with the same programs.
//!
//! The programs are not ours: `../shared/perf/programs` has them, with a host each that prints one line a
//! program (name, program, median, fastest, slowest, share of the work, result). Hosts are built below the
//! target folder when they are asked for; what a machine lacks is told and left out.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Sample;
use super::clock::N_SAMPLES;
use super::machine::first_line;
use super::workloads::{DELTA, Program, Workload, is_same};

/// The peers, in order of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Lua,
    LuaJitOff,
    LuaJitOn,
    Wasmi,
    CPython,
    Rhai,
}

impl Kind {
    pub(crate) const ALL: [Self; 6] = [
        Self::Lua,
        Self::LuaJitOff,
        Self::LuaJitOn,
        Self::Wasmi,
        Self::CPython,
        Self::Rhai,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Lua => "lua5.4",
            Self::LuaJitOff => "luajit-joff",
            Self::LuaJitOn => "luajit-jit",
            Self::Wasmi => "wasmi",
            Self::CPython => "cpython",
            Self::Rhai => "rhai",
        }
    }
}

/// A peer that is ready to run.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    pub(crate) kind: Kind,
    /// What it calls itself.
    pub(crate) version: String,
    program: PathBuf,
    args: Vec<PathBuf>,
    /// Where Python finds its extension.
    python_path: Option<PathBuf>,
    /// What the same C gives natively, where the peer runs what clang made of it: clang computes the constants
    /// of [`Program::Orbits`] in another order, and the bodies go elsewhere.
    c_orbits: Option<f64>,
}

/// Where programs are and where hosts are built.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    pub(crate) programs: PathBuf,
    pub(crate) build: PathBuf,
}

impl Places {
    /// Builds a peer.
    ///
    /// # Errors
    /// What is missing.
    pub(crate) fn peer(&self, kind: Kind) -> Result<Peer, String> {
        if !self.programs.is_dir() {
            return Err(format!("{} is not there", self.programs.display()));
        }
        fs::create_dir_all(&self.build).map_err(|error| error.to_string())?;
        let lua = self.programs.join("lua/wl.lua");
        let version = |program: &str, flag: &str| {
            let told = first_line(program, &[flag], &self.build);
            let told = told.as_deref().unwrap_or(program);
            // Whose it is follows.
            let version = told.split("Copyright").next().unwrap_or(told);
            version.trim_end_matches([' ', '-']).to_owned()
        };
        let mut peer = Peer {
            kind,
            version: String::new(),
            program: PathBuf::new(),
            args: Vec::new(),
            python_path: None,
            c_orbits: None,
        };
        match kind {
            Kind::Lua => {
                peer.program = self.lua_host("host54", "/usr/include/lua5.4", "-llua5.4")?;
                peer.args = vec![kind.name().into(), lua];
                peer.version = version("lua5.4", "-v");
            }
            Kind::LuaJitOff | Kind::LuaJitOn => {
                peer.program =
                    self.lua_host("hostjit", "/usr/include/luajit-2.1", "-lluajit-5.1")?;
                peer.args = vec![kind.name().into(), lua];
                if kind == Kind::LuaJitOff {
                    peer.args.push("joff".into());
                }
                peer.version = version("luajit", "-v");
            }
            Kind::CPython => {
                self.python_extension()?;
                peer.program = "python3".into();
                peer.args = vec![self.programs.join("py/wl.py"), kind.name().into()];
                peer.python_path = Some(self.build.clone());
                peer.version = version("python3", "--version");
            }
            Kind::Wasmi => {
                let module = self.wasm_module()?;
                peer.program = self.rust_host("b-wasmi")?;
                peer.args = vec![module];
                peer.version = self.locked("b-wasmi", "wasmi");
                peer.c_orbits = Some(self.orbits_of_c()?);
            }
            Kind::Rhai => {
                peer.program = self.rust_host("b-rhai")?;
                peer.args = vec![self.programs.join("rhai/wl.rhai")];
                peer.version = self.locked("b-rhai", "rhai");
            }
        }
        Ok(peer)
    }

    fn lua_host(&self, name: &str, headers: &str, library: &str) -> Result<PathBuf, String> {
        let host = self.build.join(name);
        let mut gcc = Command::new("gcc");
        gcc.args(["-O2", "-w", "-I", headers, "-o"]).arg(&host);
        gcc.arg(self.programs.join("lua/host.c"));
        quiet(gcc.args([library, "-lm"]))?;
        Ok(host)
    }

    fn python_extension(&self) -> Result<(), String> {
        let config = |flag| {
            first_line("python3-config", &[flag], &self.build)
                .ok_or_else(|| format!("python3-config {flag} gives nothing"))
        };
        let includes = config("--includes")?;
        let name = format!("vecext{}", config("--extension-suffix")?);
        let mut gcc = Command::new("gcc");
        gcc.args(["-O2", "-shared", "-fPIC"])
            .args(includes.split(' '));
        gcc.arg("-o").arg(self.build.join(name));
        quiet(gcc.arg(self.programs.join("py/vecext.c")))?;
        Ok(())
    }

    fn wasm_module(&self) -> Result<PathBuf, String> {
        let module = self.build.join("wl.wasm");
        let mut clang = Command::new("clang");
        clang.args(["--target=wasm32", "-O2", "-nostdlib", "-mbulk-memory"]);
        clang.args(["-Wl,--no-entry", "-Wl,--initial-memory=83886080"]);
        clang.args(["-Wl,-z,stack-size=65536", "-o"]).arg(&module);
        quiet(clang.arg(self.programs.join("c/wl.c")))?;
        Ok(module)
    }

    /// The result of the last program in C, as the same clang compiles it for this machine.
    fn orbits_of_c(&self) -> Result<f64, String> {
        let native = self.build.join("native-clang");
        let mut clang = Command::new("clang");
        clang
            .args(["-O2", "-w", "-DPEER=\"clang\"", "-o"])
            .arg(&native);
        quiet(clang.arg(self.programs.join("c/native_main.c")).arg("-lm"))?;
        let text = quiet(&mut Command::new(native))?;
        let key = super::workloads::ALL[7].key;
        let told = text.lines().find_map(|line| Told::parse(line, key));
        told.map(|told| told.result)
            .ok_or_else(|| format!("the program in C says nothing of {key}"))
    }

    /// Builds a host in Rust. The given folder is not to be written to, so it is built from a copy.
    fn rust_host(&self, name: &str) -> Result<PathBuf, String> {
        let copy = self.build.join("rs");
        copy_changed(&self.programs.join("rs").join(name), &copy.join(name))?;
        copy_file(&self.programs.join("rs/common.rs"), &copy.join("common.rs"))?;
        let target = self.build.join("build");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut cargo = Command::new(cargo);
        cargo
            .args([
                "build",
                "--release",
                "--quiet",
                "--bin",
                name,
                "--manifest-path",
            ])
            .arg(copy.join(name).join("Cargo.toml"))
            .env("CARGO_TARGET_DIR", &target);
        quiet(&mut cargo)?;
        Ok(target.join("release").join(name))
    }

    /// The version of a package that a host in Rust was built with.
    fn locked(&self, host: &str, package: &str) -> String {
        let path = self.build.join("rs").join(host).join("Cargo.lock");
        let text = fs::read_to_string(path).unwrap_or_default();
        let mut lines = text.lines();
        let name = format!("name = \"{package}\"");
        let _ = lines.find(|line| *line == name);
        let version = lines
            .next()
            .and_then(|line| line.split('"').nth(1))
            .unwrap_or("of unknown version");
        format!("{package} {version}")
    }
}

/// Runs a command, and gives what it prints.
fn quiet(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .map_err(|error| format!("{name}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let why = errors
        .lines()
        .find(|line| line.contains("error"))
        .or_else(|| errors.lines().next())
        .unwrap_or("it fails and says nothing");
    Err(format!("{name}: {}", why.trim()))
}

/// Copies a folder's files as far as they differ, so that cargo sees what it has built already.
fn copy_changed(from: &Path, to: &Path) -> Result<(), String> {
    let entries = fs::read_dir(from).map_err(|error| format!("{}: {error}", from.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_changed(&path, &target)?;
        } else {
            copy_file(&path, &target)?;
        }
    }
    Ok(())
}

fn copy_file(from: &Path, to: &Path) -> Result<(), String> {
    let bytes = fs::read(from).map_err(|error| format!("{}: {error}", from.display()))?;
    if fs::read(to).is_ok_and(|before| before == bytes) {
        return Ok(());
    }
    let folder = to.parent().unwrap_or(to);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(to, bytes))
        .map_err(|error| format!("{}: {error}", to.display()))
}

/// What a host prints of one program.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Told {
    median: f64,
    fastest: f64,
    slowest: f64,
    share: f64,
    result: f64,
}

impl Told {
    /// Of a line such as `RESULT name a_fib 0.05 0.04 0.06 1 832040.000000`, with tabs between, if it is about
    /// `key`.
    fn parse(line: &str, key: &str) -> Option<Self> {
        let mut fields = line.strip_prefix("RESULT\t")?.split('\t').skip(1);
        if fields.next()? != key {
            return None;
        }
        let mut number = || fields.next()?.trim().parse::<f64>().ok();
        Some(Self {
            median: number()?,
            fastest: number()?,
            slowest: number()?,
            share: number()?,
            result: number()?,
        })
    }
}

impl Peer {
    /// Times a program.
    ///
    /// # Errors
    /// It does not run, or gives another result than machine code.
    pub(crate) fn measure(&self, workload: &Workload) -> Result<Sample, String> {
        let name = self.kind.name();
        let mut command = Command::new(&self.program);
        command.args(&self.args).env("ONLY", workload.key);
        if let Some(path) = &self.python_path {
            command.env("PYTHONPATH", path);
        }
        let text = quiet(&mut command)?;
        let told = text
            .lines()
            .find_map(|line| Told::parse(line, workload.key))
            .ok_or_else(|| format!("{name} says nothing of {}", workload.key))?;
        let expected = self.expected(workload, told.share);
        if !is_same(told.result, expected) {
            return Err(format!(
                "{name} {}: {} and not {expected}",
                workload.key, told.result
            ));
        }
        Ok(Sample {
            seconds: told.median,
            range: (told.fastest, told.slowest),
            share: told.share,
            result: told.result,
        })
    }

    /// The result that a run of `share` of the work must give.
    fn expected(&self, workload: &Workload, share: f64) -> f64 {
        let mut inputs = workload.full;
        inputs[0] = (inputs[0] as f64 * share).round() as i64;
        match (workload.program, self.c_orbits) {
            (Program::Advance, _) => {
                // Hosts keep one object over all runs.
                let n_times = inputs[0] as u32 * (N_SAMPLES as u32 + 1);
                let mut mover = bench_native::Mover::default();
                bench_native::advance(&mut mover, n_times, DELTA);
                if self.kind == Kind::Rhai {
                    mover.elapsed()
                } else {
                    mover.sum()
                }
            }
            (Program::Orbits, Some(result)) => result,
            _ => workload.native(inputs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Told;

    #[test]
    fn lines_of_hosts_are_read() {
        let line = "RESULT\tlua5.4\ta_fib\t0.050000\t0.040000\t0.060000\t0.5\t832040.000000";
        let told = Told::parse(line, "a_fib").expect("it is about that");
        assert_eq!(told.share.to_bits(), 0.5_f64.to_bits());
        assert_eq!(told.result.to_bits(), 832_040.0_f64.to_bits());
        assert_eq!(Told::parse(line, "b_loop"), None);
        assert_eq!(Told::parse("RESULT\tx\ta_fib\t0.05", "a_fib"), None);
        assert_eq!(Told::parse("module 180us", "a_fib"), None);
    }
}
