//! Graphs: `lir-opt --dot=`.

use crate::lir_opt_tool::lir_opt;
use std::process::{Command, Stdio};

const TEXT: &str = r#"extern func @ext(i32) -> i32
extern func @unused()
func @"a \"b\" &amp; c"(%x: i32, %p: i64) -> i32 {
entry:
  %a = add i32 %x, 1
  switch i32 %x, "odd label" [1: left, -2: left, 3: end]
"odd label":
  %r = call i32 @ext(%a)
  %s = call i32 @ext(%r)
  br %s, left, left
left:
  br slt i32 %a, %x, middle, end
middle:
  %q = call i32 %p(i32 %x)
  jmp end
end:
  ret %x
dead:
  jmp end
}
func @g() {
entry:
  call @g()
  ret
}
"#;

#[test]
fn control_flow_has_blocks_with_their_instructions() {
    let expected = r#"digraph cfg {
    node [shape=box, fontname=monospace]
    0 [ label="entry:\l  %a = add i32 %x, 1\l  switch i32 %x, \"odd label\" [1: left, -2: left, 3: end]\l"]
    1 [ label="\"odd label\":\l  %r = call i32 @ext(%a)\l  %s = call i32 @ext(%r)\l  br %s, left, left\l"]
    2 [ label="left:\l  br slt i32 %a, %x, middle, end\l"]
    3 [ label="middle:\l  %q = call i32 %p(i32 %x)\l  jmp end\l"]
    4 [ label="end:\l  ret %x\l"]
    5 [ label="dead:\l  jmp end\l"]
    6 [ label="entry:\l  call @g()\l  ret\l"]
    0 -> 1 [ label="default"]
    0 -> 2 [ label="1, -2"]
    0 -> 4 [ label="3"]
    1 -> 2 [ label="T, F"]
    2 -> 3 [ label="T"]
    2 -> 4 [ label="F"]
    3 -> 4 [ ]
    5 -> 4 [ ]
    subgraph cluster_0 {
        label="@\"a \\\"b\\\" &amp;amp; c\""
        0
        1
        2
        3
        4
        5
    }
    subgraph cluster_1 {
        label="@g"
        6
    }
}
"#;
    let ran = lir_opt(&["--dot=cfg"], TEXT);
    assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (0, expected, ""));
}

#[test]
fn dominator_trees_leave_unreachable_blocks_apart() {
    let expected = r#"digraph dom {
    node [shape=box, fontname=monospace]
    0 [ label="entry"]
    1 [ label="\"odd label\""]
    2 [ label="left"]
    3 [ label="middle"]
    4 [ label="end"]
    5 [ label="dead", style=dashed]
    0 -> 1 [ ]
    0 -> 2 [ ]
    2 -> 3 [ ]
    0 -> 4 [ ]
    subgraph cluster_0 {
        label="@\"a \\\"b\\\" &amp;amp; c\""
        0
        1
        2
        3
        4
        5
    }
}
"#;
    assert_eq!(lir_opt(&["--dot=dom", "--function", "a \"b\" &amp; c"], TEXT).out, expected);
}

#[test]
fn calls_go_to_functions_externals_and_registers() {
    let expected = r#"digraph calls {
    node [shape=box, fontname=monospace]
    0 [ label="@\"a \\\"b\\\" &amp;amp; c\""]
    1 [ label="@g"]
    2 [ label="@ext", style=dashed]
    3 [ label="indirect", shape=diamond, style=dashed]
    0 -> 2 [ label="2 calls"]
    0 -> 3 [ ]
    1 -> 1 [ ]
}
"#;
    assert_eq!(lir_opt(&["--dot=calls"], TEXT).out, expected);
    let one = lir_opt(&["--dot=calls", "--function=@g"], TEXT).out;
    assert_eq!(one.lines().skip(2).collect::<Vec<_>>(), ["    0 [ label=\"@g\"]", "    0 -> 0 [ ]", "}"]);
}

#[test]
fn the_graph_is_that_of_the_result() {
    let out = lir_opt(&["-p", "simplify-cfg", "--dot=cfg"], TEXT).out;
    assert!(!out.contains("dead:"), "{out}");
}

#[test]
fn graphviz_reads_the_graphs_where_it_is_installed() {
    for graph in ["--dot=cfg", "--dot=dom", "--dot=calls"] {
        let text = lir_opt(&[graph], TEXT).out;
        let child = Command::new("dot").args(["-Tplain"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let Ok(mut child) = child else { return };
        std::io::Write::write_all(&mut child.stdin.take().expect("it is piped"), text.as_bytes()).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success() && output.stdout.starts_with(b"graph "), "{graph}");
    }
}

#[test]
fn large_modules_have_graphs() {
    // A chain of functions, and one with a block for each case.
    let n = 50_000;
    let mut text = String::from("func @f0() {\nentry:\n  ret\n}\n");
    (1..n).for_each(|k| text += &format!("func @f{k}() {{\nentry:\n  call @f{}()\n  ret\n}}\n", k - 1));
    let cases: Vec<String> = (0..n).map(|k| format!("{k}: b{k}")).collect();
    text += &format!("func @g(%x: i32) {{\nentry:\n  switch i32 %x, b0 [{}]\n", cases.join(", "));
    (0..n).for_each(|k| text += &format!("b{k}:\n  ret\n"));
    text += "}\n";
    for (graph, edges) in [("--dot=cfg", n), ("--dot=dom", n), ("--dot=calls", n - 1)] {
        let ran = lir_opt(&[graph], &text);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""));
        assert_eq!(ran.out.matches(" -> ").count(), edges, "{graph}");
    }
}
