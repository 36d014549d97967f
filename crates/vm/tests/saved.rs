//! Saved worlds that someone has changed, with a checksum that is right again: they are refused, or run like any
//! other world. None makes the machine panic or run out of stack, and none leaves anything in the heaps.

use std::hash::Hasher;
use std::sync::Arc;

use bp_bytecode::verify::{Verified, verify};
use bp_bytecode::{Package, asm};
use bp_reflect::{Name, Registry, declarations};
use bp_vm::{HeapUsage, Limits, Natives, ObjectHandle, Recorder, RestoreError, World};
use rustc_hash::FxHasher;

/// Bytes before the state: magic, checksum, fingerprint of the packages.
const HEADER: usize = 24;

/// Something of everything that a world keeps.
const TEXT: &str = r#"package 5.3
struct /Game/S_Pair.S_Pair
  member Key name
  member Words array<string>
end
class /Game/BP_Test.BP_Test_C : /Script/Engine.Actor
  kind blueprint
  property N int
  property S string
  property T text
  property Nm name
  property Words array<string>
  property Pairs array<struct:/Game/S_Pair.S_Pair>
  property More array<struct:/Game/S_Pair.S_Pair>
  property Bag set<string>
  property Ages map<string,string>
  property Kept map<name,struct:/Game/S_Pair.S_Pair>
  property Thing object:/Script/CoreUObject.Object
  property Other object:/Script/CoreUObject.Object
  property Asset object:/Script/CoreUObject.Object
  property M multicast_delegate:/Game/BP_Test.BP_Test_C:Hit__DelegateSignature flags blueprint_assignable
  property D delegate:/Game/BP_Test.BP_Test_C:Hit__DelegateSignature
  delegate Hit__DelegateSignature flags public|delegate|multicast_delegate
  end
  function Fill flags public|blueprint_callable
    local P struct:/Game/S_Pair.S_Pair
  code
    Let(S@self, InstanceVariable(S@self), StringConst("some text"))
    Let(T@self, InstanceVariable(T@self), TextConst(invariant, StringConst("shown")))
    Let(Nm@self, InstanceVariable(Nm@self), NameConst(Named))
    SetArray(InstanceVariable(Words@self), InstanceVariable(S@self), StringConst("b"), InstanceVariable(S@self))
    Let(Words@/Game/S_Pair.S_Pair, StructMemberContext(Words@/Game/S_Pair.S_Pair, LocalVariable(P)), InstanceVariable(Words@self))
    SetArray(InstanceVariable(Pairs@self), LocalVariable(P), LocalVariable(P))
    Let(More@self, InstanceVariable(More@self), InstanceVariable(Pairs@self))
    SetSet(InstanceVariable(Bag@self), StringConst("x"), InstanceVariable(S@self), StringConst("gone"))
    Context(ObjectConst(/Script/Engine.Default__BlueprintSetLibrary), null, FinalFunction(/Script/Engine.BlueprintSetLibrary:Set_Remove, InstanceVariable(Bag@self), StringConst("gone")))
    SetMap(InstanceVariable(Ages@self), StringConst("a") => StringConst("one"), StringConst("b") => InstanceVariable(S@self))
    SetMap(InstanceVariable(Kept@self), NameConst(First) => LocalVariable(P))
    LetObj(InstanceVariable(Thing@self), CallMath(/Script/Engine.GameplayStatics:SpawnObject, ObjectConst(/Game/BP_Save.BP_Save_C), Self))
    LetObj(InstanceVariable(Other@self), CallMath(/Script/Engine.GameplayStatics:SpawnObject, ObjectConst(/Game/BP_Save.BP_Save_C), InstanceVariable(Thing@self)))
    LetObj(InstanceVariable(Asset@self), ObjectConst(/Game/T_Icon.T_Icon))
    AddMulticastDelegate(InstanceVariable(M@self), InstanceDelegate(Tick))
    BindDelegate(Tick, InstanceVariable(D@self), Self)
    CallMath(/Script/Engine.KismetSystemLibrary:K2_SetTimer, Self, StringConst("Tick"), FloatConst(0.5), True, FloatConst(0), FloatConst(0))
    CallMath(/Script/Engine.KismetSystemLibrary:Delay, Self, FloatConst(1), StructConst(/Script/Engine.LatentActionInfo, 32, IntConst(-1), IntConst(20), NameConst(None), Self))
    CallMath(/Script/Engine.GameplayStatics:SaveGameToSlot, DynamicCast(/Script/Engine.SaveGame, InstanceVariable(Thing@self)), StringConst("slot"), IntConst(0))
    Return(Nothing)
    EndOfScript
  end
  function Tick flags public|blueprint_event
  code
    Let(N@self, InstanceVariable(N@self), CallMath(/Script/Engine.KismetMathLibrary:Add_IntInt, InstanceVariable(N@self), IntConst(1)))
    Let(S@self, InstanceVariable(S@self), CallMath(/Script/Engine.KismetSystemLibrary:GetPathName, InstanceVariable(Other@self)))
    Let(Words@self, InstanceVariable(Words@self), CallMath(/Script/Engine.KismetStringLibrary:ParseIntoArray, InstanceVariable(S@self), StringConst("."), True))
    Context(ObjectConst(/Script/Engine.Default__BlueprintSetLibrary), null, FinalFunction(/Script/Engine.BlueprintSetLibrary:Set_Add, InstanceVariable(Bag@self), InstanceVariable(S@self)))
    Let(Pairs@self, InstanceVariable(Pairs@self), InstanceVariable(More@self))
    LetObj(InstanceVariable(Other@self), CallMath(/Script/Engine.GameplayStatics:LoadGameFromSlot, StringConst("slot"), IntConst(0)))
    CallMath(/Script/Engine.GameplayStatics:SpawnObject, ObjectConst(/Game/BP_Save.BP_Save_C), Self)
    CallMulticastDelegate(self:Hit__DelegateSignature, InstanceVariable(M@self))
    Return(Nothing)
    EndOfScript
  end
end
class /Game/BP_Save.BP_Save_C : /Script/Engine.SaveGame
  kind blueprint
  property Lists array<struct:/Game/S_Pair.S_Pair>
  property Score int
end
"#;

struct Source {
    package: Verified<Package>,
    registry: Arc<Registry>,
}

impl Source {
    fn new() -> Self {
        let package = asm::parse(TEXT)
            .unwrap_or_else(|errors| panic!("{errors:?}"))
            .package;
        let registry = declarations::embedded(package.engine);
        let package = verify(package, &registry).unwrap_or_else(|errors| {
            let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
            panic!("{}", lines.join("\n"))
        });
        Self {
            package,
            registry: Arc::new(registry),
        }
    }

    fn world(&self) -> World {
        let limits = Limits {
            jumps: 1000,
            fuel: 100_000,
            memory: 1 << 24,
            ..Limits::default()
        };
        World::new(
            vec![self.package.clone()],
            Arc::clone(&self.registry),
            Natives::standard(),
            Box::new(Recorder::new()),
            limits,
        )
        .expect("it fits")
    }

    fn saved(&self) -> (Vec<u8>, ObjectHandle) {
        let mut world = self.world();
        let class = "/Game/BP_Test.BP_Test_C".into();
        let object = world.spawn(&class).expect("it can be spawned");
        world.begin_play(object).expect("it begins");
        world
            .call(object, &Name::new("Fill"), &[])
            .expect("it runs");
        // Some places that were given up are free.
        let gone = world.spawn(&class).expect("it can be spawned");
        world.call(gone, &Name::new("Fill"), &[]).expect("it runs");
        world.destroy(gone).expect("it can be destroyed");
        (world.save(), object)
    }
}

/// The bytes with the checksum that their state has.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let fingerprint = bytes[16..HEADER].try_into().expect("it has 8 bytes");
    let mut hasher = FxHasher::default();
    hasher.write_u64(u64::from_le_bytes(fingerprint));
    hasher.write_usize(bytes.len() - HEADER);
    for byte in &bytes[HEADER..] {
        hasher.write_u8(*byte);
    }
    bytes[8..16].copy_from_slice(&hasher.finish().to_le_bytes());
    bytes
}

/// Numbers that depend on nothing but where they begin.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

fn mutated(bytes: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=numbers.below(3) {
        let len = bytes.len();
        let at = HEADER + numbers.below(len - HEADER);
        match numbers.below(6) {
            // A small number: lengths, kinds, handles, owners.
            0 => bytes[at] = numbers.below(48) as u8,
            1 => bytes[at] ^= 1 << numbers.below(8),
            2 => bytes[at] = bytes[HEADER + numbers.below(len - HEADER)],
            3 => bytes[at] = bytes[at].wrapping_add(1),
            4 => bytes[at] = bytes[at].wrapping_sub(1),
            // A part of it in another place.
            _ => {
                let n_bytes = 1 + numbers.below(12);
                let from = HEADER + numbers.below(len - HEADER);
                for step in 0..n_bytes {
                    if at + step < len && from + step < len {
                        bytes[at + step] = bytes[from + step];
                    }
                }
            }
        }
    }
    sealed(bytes)
}

/// Runs a world that was put back, whatever it is.
fn live(mut world: World, object: ObjectHandle) {
    for _ in 0..3 {
        // Faults and limits are fine.
        let _ = world.tick(0.3);
    }
    let _ = world.call(object, &Name::new("Fill"), &[]);
    for actor in world.actors() {
        world.variables(actor);
        world.variable(actor, &Name::new("Pairs"));
        let _ = world.destroy(actor);
    }
    let again = world.save();
    world.restore(&again).expect("its own world comes back");
    assert_eq!(world.close(), HeapUsage::default());
}

#[test]
fn changed_worlds_are_refused_or_run() {
    let source = Source::new();
    let (bytes, object) = source.saved();
    assert_eq!(sealed(bytes.clone()), bytes, "the checksum is another");
    let mut whole = source.world();
    whole.restore(&bytes).expect("it is whole");
    live(whole, object);
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let (mut n_refused, mut n_run) = (0, 0);
    let mut world = source.world();
    for _ in 0..6000 {
        let changed = mutated(&bytes, &mut numbers);
        match world.restore(&changed) {
            Ok(()) => {
                n_run += 1;
                live(std::mem::replace(&mut world, source.world()), object);
            }
            Err(RestoreError::Damaged(_)) => n_refused += 1,
            Err(_) => {
                n_refused += 1;
                world = source.world();
            }
        }
    }
    // Both happen: most bytes are words of values, of which any are right.
    assert!(
        n_refused > 1000 && n_run > 500,
        "{n_refused} refused, {n_run} run"
    );
}
