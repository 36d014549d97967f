//! Packages that are wrong in one way each, made by hand: every one ends in an error that says where, in little
//! time, whatever the counts promise.

mod builder;

use std::time::{Duration, Instant};

use bp_diag::{Code, Diagnostics, Severity};
use bp_graph::Blueprint;
use bp_uasset::{Package, PackageError, PackageError as E, to_blueprint};

use builder::{Builder, int, string};

/// The two nodes of the drawing by reference: graph 2, nodes 3 and 4.
const FIRST: i32 = 3;
const SECOND: i32 = 4;

/// What is wrong with the drawing.
#[derive(Clone, Copy, Debug, Default)]
struct Wrong {
    /// The node and pin that the first node's pin is linked to, in place of the second's.
    link: Option<(i32, u8)>,
    /// The link stands twice.
    twice: bool,
    /// The second node lists no link back.
    one_sided: bool,
    /// The first pin is a part of this pin of its node.
    parent: Option<u8>,
    /// The number of pins that the first node says it has.
    n_pins: Option<i32>,
    /// The number of links that its pin says it has.
    n_links: Option<i32>,
    /// The number of nodes that the graph says it has.
    n_nodes: Option<i32>,
    /// The size that the graph's property says it has.
    size: Option<i32>,
    /// The graph is listed by the Blueprint this many times.
    listed: usize,
}

/// A tagged property of UE 4.27 that holds an array of objects.
fn objects(builder: &mut Builder, name: &str, count: i32, size: i32, items: &[i32]) -> Vec<u8> {
    let mut bytes = [builder.name(name), builder.name("ArrayProperty")].concat();
    bytes.extend([int(size), int(0), builder.name("ObjectProperty"), vec![0]].concat());
    bytes.extend(int(count));
    for item in items {
        bytes.extend(int(*item));
    }
    bytes
}

/// A reference to a pin that is not null.
fn pin_ref(node: i32, pin: u8) -> Vec<u8> {
    [int(0), int(node), vec![pin; 16]].concat()
}

/// A node with one exec pin, `then` with id 1 or `execute` with id 2, linked to another pin.
fn node(builder: &mut Builder, own: i32, is_first: bool, wrong: Wrong) -> Vec<u8> {
    let (id, name, direction) = if is_first {
        (1, "then", 1)
    } else {
        (2, "execute", 0)
    };
    let other = if is_first { (SECOND, 2) } else { (FIRST, 1) };
    let (n_pins, n_links) = if is_first {
        (wrong.n_pins, wrong.n_links)
    } else {
        (None, None)
    };
    let mut links = vec![other];
    if is_first {
        links = vec![wrong.link.unwrap_or(other)];
        if wrong.twice {
            links.push(links[0]);
        }
    } else if wrong.one_sided {
        links.clear();
    }
    let mut bytes = builder.object(&[]);
    let owner = [int(own), vec![id; 16]].concat();
    bytes.extend([int(n_pins.unwrap_or(1)), int(0), owner.clone(), owner].concat());
    bytes.extend([builder.name(name), int(0), vec![0xFF], string("")].concat());
    bytes.push(direction);
    bytes.extend(builder::pin_type(builder, "exec"));
    bytes.extend([string(""), string(""), int(0), int(0), vec![0xFF]].concat());
    bytes.extend(int(n_links.unwrap_or(links.len() as i32)));
    for (node, pin) in links {
        bytes.extend(pin_ref(node, pin));
    }
    bytes.extend(int(0));
    match wrong.parent.filter(|_| is_first) {
        Some(pin) => bytes.extend(pin_ref(own, pin)),
        None => bytes.extend(int(1)),
    }
    bytes.extend([int(1), vec![0; 16], int(0)].concat());
    bytes
}

/// A Blueprint whose event graph has two linked nodes, and one thing wrong.
fn drawing(wrong: Wrong) -> Builder {
    let mut builder = Builder::new(0);
    let class = builder.class("Blueprint");
    let graph_class = builder.class("EdGraph");
    let node_class = builder.class("K2Node_ExecutionSequence");
    let listed = vec![2; wrong.listed.max(1)];
    let size = 4 + 4 * listed.len() as i32;
    let pages = objects(
        &mut builder,
        "UbergraphPages",
        listed.len() as i32,
        size,
        &listed,
    );
    let bytes = builder.object(&pages);
    builder.export(class, 0, "BP_Door", bytes);
    let nodes = objects(
        &mut builder,
        "Nodes",
        wrong.n_nodes.unwrap_or(2),
        wrong.size.unwrap_or(12),
        &[FIRST, SECOND],
    );
    let bytes = builder.object(&nodes);
    let graph = builder.export(graph_class, 1, "EventGraph", bytes);
    for (own, is_first) in [(FIRST, true), (SECOND, false)] {
        let bytes = node(&mut builder, own, is_first, wrong);
        let name = if is_first { "First" } else { "Second" };
        assert_eq!(builder.export(node_class, graph, name, bytes), own);
    }
    builder
}

fn convert(wrong: Wrong) -> (Blueprint, Diagnostics) {
    let started = Instant::now();
    let result = to_blueprint(&drawing(wrong).read());
    assert!(started.elapsed() < Duration::from_secs(60), "{wrong:?}");
    result
}

/// The one finding of a drawing: its code, its words, and the graph, node and pin it names.
fn finding(wrong: Wrong) -> (Code, String, String) {
    let (_, diagnostics) = convert(wrong);
    let found: Vec<_> = diagnostics
        .iter()
        .filter(|finding| finding.severity > Severity::Note)
        .collect();
    let [finding] = found.as_slice() else {
        panic!("{wrong:?}: {found:#?}");
    };
    let place = &finding.place;
    let parts = [&place.graph, &place.node_name, &place.pin];
    let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
    (finding.code, finding.message.clone(), parts.join("."))
}

#[test]
fn the_drawing_is_fine_when_nothing_is_wrong() {
    let (blueprint, diagnostics) = convert(Wrong::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let graph = &blueprint.graphs[0];
    assert_eq!((graph.nodes.len(), graph.pins.len()), (2, 2));
    assert!(graph.pins.iter().all(|(_, pin)| pin.links.len() == 1));
}

/// Every way of cutting the file short is noticed, and said with a place: in the tables at once, behind them when
/// the objects that are cut off are read.
#[test]
fn a_package_cut_anywhere_ends_in_an_error_with_a_place() {
    let whole = drawing(Wrong::default()).build();
    let started = Instant::now();
    for length in 0..whole.len() {
        let error = match Package::read(&whole[..length]) {
            Err(error) => error,
            Ok(package) => {
                let (_, diagnostics) = to_blueprint(&package);
                let words = format!("outside the file of {length} bytes");
                let is_said = |finding: &bp_diag::Diagnostic| {
                    finding.severity == Severity::Error && finding.message.contains(&words)
                };
                assert!(diagnostics.iter().any(is_said), "cut at {length}");
                continue;
            }
        };
        let is_located = matches!(
            error,
            E::End { offset, .. } | E::BadCount { offset, .. } | E::BadName { offset, .. } if offset <= length
        ) || matches!(
            error,
            E::OutsideFile { file, .. } | E::ExportsOverlap { file, .. } if file == length
        );
        assert!(is_located, "cut at {length}: {error}");
    }
    assert!(started.elapsed() < Duration::from_secs(60));
}

/// Each word of the tables replaced by numbers that a count, size or offset cannot be. None may end the reader,
/// and what is read in spite of it has no more than the file has bytes.
#[test]
fn impossible_numbers_in_the_tables_end_in_errors() {
    let whole = drawing(Wrong::default()).build();
    let started = Instant::now();
    let mut n_refused = 0;
    for place in 0..whole.len() - 4 {
        for number in [i32::MAX, i32::MIN, -1, 0x4000_0000] {
            let mut bytes = whole.clone();
            bytes[place..place + 4].copy_from_slice(&number.to_le_bytes());
            match Package::read(bytes) {
                Ok(package) => {
                    let (blueprint, _) = to_blueprint(&package);
                    let n_nodes: usize = blueprint.graphs.iter().map(|g| g.nodes.len()).sum();
                    assert!(n_nodes <= 2);
                }
                Err(_) => n_refused += 1,
            }
        }
    }
    assert!(
        n_refused > whole.len(),
        "{n_refused} of {}",
        whole.len() * 4
    );
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[test]
fn counts_beyond_the_bytes_that_follow_are_errors_at_their_place() {
    for count in [-1, i32::MIN, i32::MAX, 1_000_000] {
        let wrong = Wrong {
            n_pins: Some(count),
            ..Wrong::default()
        };
        let (code, message, place) = finding_of_first(wrong);
        assert_eq!(code, Code::PackageMalformed);
        assert!(
            message.contains(&format!("pin count is {count}")),
            "{message}"
        );
        assert!(message.starts_with("byte "), "{message}");
        assert_eq!(place, "EventGraph.First");

        let wrong = Wrong {
            n_links: Some(count),
            ..Wrong::default()
        };
        let (code, message, place) = finding_of_first(wrong);
        assert_eq!(code, Code::PackageMalformed);
        assert!(
            message.contains(&format!("link count is {count}")),
            "{message}"
        );
        assert_eq!(place, "EventGraph.First");
    }
}

/// The first finding: the second node's link to the unreadable one is another.
fn finding_of_first(wrong: Wrong) -> (Code, String, String) {
    let (_, diagnostics) = convert(wrong);
    let finding = diagnostics.iter().next().expect("there is one");
    let place = &finding.place;
    let parts = [&place.graph, &place.node_name];
    let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
    (finding.code, finding.message.clone(), parts.join("."))
}

#[test]
fn arrays_that_promise_more_than_they_hold_are_named() {
    for count in [-1, i32::MIN, i32::MAX, 3] {
        let (code, message, _) = finding(Wrong {
            n_nodes: Some(count),
            ..Wrong::default()
        });
        assert_eq!(code, Code::PackageMalformed);
        assert!(message.starts_with("byte "), "{message}");
        assert!(message.contains("`Nodes` cannot be read"), "{message}");
    }
}

#[test]
fn negative_and_huge_property_sizes_are_errors_of_the_graph() {
    for size in [-12, i32::MIN, i32::MAX] {
        let (code, message, place) = finding(Wrong {
            size: Some(size),
            ..Wrong::default()
        });
        assert!(
            matches!(code, Code::PackageMalformed | Code::PackageTruncated),
            "{code:?}"
        );
        assert!(message.starts_with("byte "), "{message}");
        assert!(message.contains(&size.to_string()), "{message}");
        assert_eq!(place, "EventGraph");
    }
}

#[test]
fn links_to_missing_pins_are_named_with_their_pin() {
    // A node without such a pin, an object that is no node, and the null object.
    for link in [(SECOND, 9), (1, 2), (0, 2)] {
        let (_, diagnostics) = convert(Wrong {
            link: Some(link),
            ..Wrong::default()
        });
        let finding = diagnostics
            .iter()
            .find(|finding| finding.code == Code::DanglingLink)
            .expect("it is noticed");
        let place = &finding.place;
        assert_eq!(place.graph.as_deref(), Some("EventGraph"));
        assert_eq!(place.node_name.as_deref(), Some("First"));
        assert_eq!(place.pin.as_deref(), Some("then"));
    }
    // A reference outside the tables makes the node unreadable.
    let (code, message, place) = finding_of_first(Wrong {
        link: Some((77, 2)),
        ..Wrong::default()
    });
    assert_eq!(code, Code::PackageMalformed);
    assert!(message.contains("refers to object 77"), "{message}");
    assert_eq!(place, "EventGraph.First");
}

#[test]
fn links_stored_twice_or_at_one_end_are_kept_once_at_both() {
    for (wrong, expected) in [
        (
            Wrong {
                twice: true,
                ..Wrong::default()
            },
            Code::PackageMalformed,
        ),
        (
            Wrong {
                one_sided: true,
                ..Wrong::default()
            },
            Code::OneSidedLink,
        ),
    ] {
        assert_eq!(finding(wrong).0, expected);
        let (blueprint, _) = convert(wrong);
        let pins = &blueprint.graphs[0].pins;
        assert!(
            pins.iter().all(|(_, pin)| pin.links.len() == 1),
            "{wrong:?}"
        );
    }
}

#[test]
fn a_pin_that_is_a_part_of_itself_is_cut_free() {
    let wrong = Wrong {
        parent: Some(1),
        ..Wrong::default()
    };
    let (code, message, place) = finding(wrong);
    assert_eq!(code, Code::PackageMalformed);
    assert!(message.contains("`then` is a part of itself"), "{message}");
    assert_eq!(place, "EventGraph");
    let (blueprint, _) = convert(wrong);
    for (_, pin) in blueprint.graphs[0].pins.iter() {
        assert_eq!((pin.parent, pin.sub_pins.len()), (None, 0));
    }
    let (code, message, _) = finding(Wrong {
        parent: Some(9),
        ..Wrong::default()
    });
    assert_eq!(code, Code::DanglingLink);
    assert!(message.contains("parts are pins outside"), "{message}");
}

#[test]
fn a_graph_listed_twice_is_read_once() {
    let wrong = Wrong {
        listed: 2,
        ..Wrong::default()
    };
    let (code, message, _) = finding(wrong);
    assert_eq!(code, Code::PackageMalformed);
    assert!(message.contains("listed twice"), "{message}");
    assert_eq!(convert(wrong).0.graphs.len(), 1);
}

#[test]
fn outers_in_a_ring_are_refused_whatever_table_they_are_in() {
    let mut builder = Builder::new(0);
    builder.import("Class", -2, "Actor");
    builder.import("Class", -1, "Pawn");
    builder.export(0, 0, "BP_Door", Vec::new());
    let error = Package::read(builder.build()).expect_err("imports form a ring");
    assert!(
        matches!(error, PackageError::OuterChain { index: -1, .. }),
        "{error}"
    );

    let mut builder = Builder::new(0);
    builder.export(0, 1, "BP_Door", Vec::new());
    let error = Package::read(builder.build()).expect_err("an export lies in itself");
    assert!(
        matches!(error, PackageError::OuterChain { index: 1, .. }),
        "{error}"
    );
}

/// Files that are refused as a whole have each the code of what they are.
#[test]
fn files_that_are_not_read_have_a_code_each() {
    let code_of = |change: &dyn Fn(&mut Builder)| {
        let mut builder = drawing(Wrong::default());
        change(&mut builder);
        let error = Package::read(builder.build()).expect_err("it is refused");
        error.code()
    };
    assert_eq!(code_of(&|builder| builder.ue4 = 100), Code::PackageVersion);
    assert_eq!(code_of(&|builder| builder.ue5 = 9000), Code::PackageVersion);
    // Cooked, properties without tags, compressed as a whole.
    for flags in [0x200, 0x2000, 0x0200_0000, 0x8000_0000] {
        assert_eq!(
            code_of(&|builder| builder.flags = flags),
            Code::PackageCooked
        );
    }
    let whole = drawing(Wrong::default()).build();
    let code_of_bytes = |bytes: &[u8]| Package::read(bytes).expect_err("it is refused").code();
    assert_eq!(code_of_bytes(b"MZ, and more"), Code::PackageMagic);
    assert_eq!(code_of_bytes(&whole[..20]), Code::PackageTruncated);
}
