//! The page `NATIVES.md`: which functions of the engine's Blueprint libraries run here.

use std::fmt::Write as _;

use bp_reflect::{EngineVersion, FunctionFlags, declarations};
use bp_vm::Natives;

/// Libraries of the page, all of module `Engine`.
const LIBRARIES: [&str; 8] = [
    "KismetMathLibrary",
    "KismetStringLibrary",
    "KismetTextLibrary",
    "KismetArrayLibrary",
    "BlueprintMapLibrary",
    "BlueprintSetLibrary",
    "KismetSystemLibrary",
    "GameplayStatics",
];

/// Parts of names of functions that need what only an engine has, and what that is.
const NEEDS: &[(&str, &[&str])] = &[
    // Their values follow from a list of numbers, and from hashes, that are nowhere but in the engine's code.
    (
        "the engine's own tables and hashes",
        &["PerlinNoise1D", "MakeRandomStreamFromLocation"],
    ),
    (
        "collision",
        &[
            "Trace",
            "Overlap",
            "ApplyRadialDamage",
            "ApplyPointDamage",
            "PredictProjectile",
            "SuggestProjectile",
            "FindCollisionUV",
            "GetSurfaceType",
            "CollisionProfile",
            "GrassOverlapping",
            "GetActorBounds",
            "GetComponentBounds",
            "GetActorArrayBounds",
        ],
    ),
    (
        "a renderer",
        &[
            "DrawDebug",
            "Flush",
            "FloatHistory",
            "Deproject",
            "ProjectWorld",
            "ViewProjection",
            "Viewport",
            "WorldRendering",
            "RenderingDetail",
            "RenderingMaterial",
            "Resolution",
            "Decal",
            "Emitter",
            "CameraShake",
            "Splitscreen",
            "SplitScreen",
            "Screensaver",
            "WindowTitle",
            "ViewportTransition",
            "Subtitles",
            "FirstPerson",
            "LiveStreaming",
            "ForceFeedback",
        ],
    ),
    (
        "sound",
        &[
            "Sound",
            "Dialogue",
            "Reverb",
            "Audio",
            "Listener",
            "Spatial",
            "PitchModulation",
        ],
    ),
    (
        "players and levels",
        &[
            "Player",
            "Level",
            "GameMode",
            "GameState",
            "GameInstance",
            "WorldOrigin",
            "Rebase",
            "BlueprintSpawn",
            "SpawningActorFromBlueprint",
            "LocalPlayerCamera",
            "AccessibleString",
            "CancelAsyncLoading",
            "LaunchOption",
        ],
    ),
    (
        "assets",
        &[
            "PrimaryAsset",
            "AssetPath",
            "LoadAsset",
            "Bundle",
            "ARFilter",
            "SoftClassPath",
            "SoftObjectPath",
            "SoftObjPath",
            "SoftComponentReference",
            "IsObjectOfSoftClass",
            "StringTable",
            "Localization",
            "Polyglot",
            "EditText",
            "RuntimeFloatCurve",
        ],
    ),
    (
        "a platform or an editor",
        &[
            "Ad",
            "Url",
            "URL",
            "Achievements",
            "Leaderboard",
            "Notifications",
            "Gamepad",
            "Controller",
            "DeviceId",
            "VolumeButtons",
            "LoggedIn",
            "UserActivity",
            "Currency",
            "DefaultLanguage",
            "DefaultLocale",
            "PreferredLanguages",
            "CommandLine",
            "BuildConfiguration",
            "BuildVersion",
            "GameBundleId",
            "GameName",
            "Directory",
            "PlatformUser",
            "PlatformName",
            "SystemPath",
            "AbsolutePath",
            "RelativePath",
            "ConsoleVariable",
            "Transaction",
            "TransactObject",
            "SnapshotObject",
            "UndoBuffer",
            "IsUnattended",
            "TimeZone",
            "MinYResolution",
            "InputDevice",
            "AccurateRealTime",
        ],
    ),
];

/// What a function that does not run here needs; none if only its code is missing.
fn needs(function: &str) -> Option<&'static str> {
    let is_named = |part: &&str| match *part {
        // Too short to be looked for inside of words.
        "Ad" => ["AdBanner", "InterstitialAd", "AdIDCount"]
            .iter()
            .any(|ad| function.contains(ad)),
        part => function.contains(part),
    };
    NEEDS
        .iter()
        .find(|(_, parts)| parts.iter().any(is_named))
        .map(|(what, _)| *what)
}

/// The page, from the declarations and the table of natives.
pub fn text() -> String {
    let registry = declarations::embedded(EngineVersion::LATEST);
    let natives = Natives::standard();
    let mut summary = String::new();
    let mut lists = String::new();
    let mut sums = [0; 4];
    for library in LIBRARIES {
        let path = format!("/Script/Engine.{library}");
        let class = registry
            .class(&bp_reflect::ObjectPath::new(path))
            .expect("the library is declared");
        let mut here = Vec::new();
        let mut engine: Vec<(&str, Vec<&str>)> =
            NEEDS.iter().map(|(what, _)| (*what, Vec::new())).collect();
        let mut missing = Vec::new();
        let mut names: Vec<&str> = class
            .functions
            .iter()
            .filter(|(_, function)| function.flags.contains(FunctionFlags::NATIVE))
            .map(|(name, _)| name.as_str())
            .collect();
        names.sort_unstable();
        for name in &names {
            if natives.contains(library, name) {
                here.push(*name);
            } else if let Some(what) = needs(name) {
                let group = engine.iter_mut().find(|(known, _)| *known == what);
                group.expect("it is one of them").1.push(name);
            } else {
                missing.push(*name);
            }
        }
        let n_engine: usize = engine.iter().map(|(_, names)| names.len()).sum();
        let counts = [names.len(), here.len(), n_engine, missing.len()];
        let _ = writeln!(
            summary,
            "| `{library}` | {} | {} | {} | {} |",
            counts[0], counts[1], counts[2], counts[3]
        );
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
        let _ = write!(lists, "\n## {library}\n");
        section(&mut lists, "Implemented", &here);
        for (what, names) in &engine {
            section(&mut lists, &format!("Needs {what}"), names);
        }
        section(&mut lists, "Not yet", &missing);
    }
    format!(
        "# Native functions\n\n\
         Which functions of the engine's Blueprint libraries run in `bpc run`, for the newest engine declared. \
         Written by `cargo xtask natives`;\na test keeps it up to date. A call of a function without implementation is a \
         fault that names it; embedders add their own\nwith `bp_vm::native!` (see the documentation of `bp_vm::natives`).\n\n\
         | library | functions | implemented | need an engine | not yet |\n|---|---|---|---|---|\n{summary}\
         | all | {} | {} | {} | {} |\n{lists}",
        sums[0], sums[1], sums[2], sums[3]
    )
}

fn section(out: &mut String, title: &str, names: &[&str]) {
    if names.is_empty() {
        return;
    }
    let _ = write!(out, "\n**{title}** ({}):\n", names.len());
    let mut line = String::new();
    for name in names {
        if line.len() + name.len() > 116 {
            let _ = writeln!(out, "{}", line.trim_end());
            line.clear();
        }
        let _ = write!(line, "{name} ");
    }
    let _ = writeln!(out, "{}", line.trim_end());
}
