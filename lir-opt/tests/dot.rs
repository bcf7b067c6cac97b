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
  node [shape=box, fontname=monospace];
  subgraph cluster_0 {
    label="@\"a \\\"b\\\" &amp;amp; c\"";
    f0b0 [label="entry:\l  %a = add i32 %x, 1\l  switch i32 %x, \"odd label\" [1: left, -2: left, 3: end]\l"];
    f0b1 [label="\"odd label\":\l  %r = call i32 @ext(%a)\l  %s = call i32 @ext(%r)\l  br %s, left, left\l"];
    f0b2 [label="left:\l  br slt i32 %a, %x, middle, end\l"];
    f0b3 [label="middle:\l  %q = call i32 %p(i32 %x)\l  jmp end\l"];
    f0b4 [label="end:\l  ret %x\l"];
    f0b5 [label="dead:\l  jmp end\l"];
    f0b0 -> f0b1 [label="default"];
    f0b0 -> f0b2 [label="1, -2"];
    f0b0 -> f0b4 [label="3"];
    f0b1 -> f0b2 [label="T, F"];
    f0b2 -> f0b3 [label="T"];
    f0b2 -> f0b4 [label="F"];
    f0b3 -> f0b4;
    f0b5 -> f0b4;
  }
  subgraph cluster_1 {
    label="@g";
    f1b0 [label="entry:\l  call @g()\l  ret\l"];
  }
}
"#;
    let ran = lir_opt(&["--dot=cfg"], TEXT);
    assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (0, expected, ""));
}

#[test]
fn dominator_trees_leave_unreachable_blocks_apart() {
    let expected = r#"digraph dom {
  node [shape=box, fontname=monospace];
  subgraph cluster_0 {
    label="@\"a \\\"b\\\" &amp;amp; c\"";
    f0b0 [label="entry"];
    f0b1 [label="\"odd label\""];
    f0b2 [label="left"];
    f0b3 [label="middle"];
    f0b4 [label="end"];
    f0b5 [label="dead", style=dashed];
    f0b0 -> f0b1;
    f0b0 -> f0b2;
    f0b2 -> f0b3;
    f0b0 -> f0b4;
  }
}
"#;
    assert_eq!(lir_opt(&["--dot=dom", "--function", "a \"b\" &amp; c"], TEXT).out, expected);
}

#[test]
fn calls_go_to_functions_externals_and_registers() {
    let expected = r#"digraph calls {
  node [shape=box, fontname=monospace];
  n0 [label="@\"a \\\"b\\\" &amp;amp; c\""];
  n1 [label="@g"];
  n2 [label="@ext", style=dashed];
  n3 [label="indirect", shape=diamond, style=dashed];
  n0 -> n2 [label="2 calls"];
  n0 -> n3;
  n1 -> n1;
}
"#;
    assert_eq!(lir_opt(&["--dot=calls"], TEXT).out, expected);
    let one = lir_opt(&["--dot=calls", "--function=@g"], TEXT).out;
    assert_eq!(one.lines().skip(2).collect::<Vec<_>>(), ["  n0 [label=\"@g\"];", "  n0 -> n0;", "}"]);
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
