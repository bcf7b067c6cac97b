//! Tests the syntax trees of the grammar: `lir-opt --syntax-tree`.

use crate::lir_opt_tool::lir_opt;

const TEXT: &str = "\
; What follows is no canonical text.
type :pair = { i32 x 2,
               i64 }
local func @f(%x: i32, $p: :pair) -> i32 { ; a comment
entry:
  %y = load i32 [$p +
    4]
  br slt i32 %x, %y, \"odd label\", out

\"odd label\":
  ret -1
out: ; nothing but a call
  call @nowhere(%y)
  ret %y
}
extern data @d
";

#[test]
fn each_rule_has_a_line() {
    let expected = r#"module 1:1-17:1
  item 2:1-3:21
    type_item 2:1-3:21
      agg 2:6-2:11 :pair
      structure 2:14-3:21
        members 2:14-3:21
          member 2:16-2:23
            scalar 2:16-2:19 i32
            int 2:22-2:23
              number 2:22-2:23 2
          member 3:16-3:19
            scalar 3:16-3:19 i64
  item 4:1-15:2
    func 4:1-15:2
      sym 4:12-4:14 @f
      params 4:15-4:33
        param 4:15-4:22
          reg 4:15-4:17 %x
          scalar 4:19-4:22 i32
        param 4:24-4:33
          obj 4:24-4:26 $p
          agg 4:28-4:33 :pair
      result 4:34-4:41
        scalar 4:38-4:41 i32
      attrs 4:41-4:41
      body 5:1-15:1
        block 5:1-10:1
          label 5:1-5:6
            word 5:1-5:6 entry
          instruction 6:3-7:7
            reg 6:3-6:5 %y
            word 6:8-6:12 load
            memory 6:13-7:7
              scalar 6:13-6:16 i32
              mem 6:17-7:7
                term 6:18-6:20
                  obj 6:18-6:20 $p
                term 7:5-7:6
                  int 7:5-7:6
                    number 7:5-7:6 4
          instruction 8:3-8:38
            word 8:3-8:5 br
            compare 8:6-8:38
              word 8:6-8:9 slt
              scalar 8:10-8:13 i32
              reg 8:14-8:16 %x
              value 8:18-8:20
                reg 8:18-8:20 %y
              label 8:22-8:33
                string 8:22-8:33 "odd label"
              label 8:35-8:38
                word 8:35-8:38 out
        block 10:1-12:1
          label 10:1-10:12
            string 10:1-10:12 "odd label"
          instruction 11:3-11:9
            word 11:3-11:6 ret
            values 11:7-11:9
              value 11:7-11:9
                constant 11:7-11:9
                  int 11:8-11:9
                    number 11:8-11:9 1
        block 12:1-15:1
          label 12:1-12:4
            word 12:1-12:4 out
          instruction 13:3-13:20
            word 13:3-13:7 call
            call 13:8-13:20
              sym 13:8-13:16 @nowhere
              args 13:17-13:19
                arg 13:17-13:19
                  reg 13:17-13:19 %y
          instruction 14:3-14:9
            word 14:3-14:6 ret
            values 14:7-14:9
              value 14:7-14:9
                reg 14:7-14:9 %y
  item 16:1-16:15
    data 16:1-16:15
      sym 16:13-16:15 @d
"#;
    let ran = lir_opt(&["--syntax-tree"], TEXT);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out, expected);
}

/// A text is printed in another form by `lir-opt`, and its tree differs in positions alone.
#[test]
fn blanks_and_comments_are_in_no_tree() {
    let rules = |text: &str| -> Vec<String> {
        let ran = lir_opt(&["--syntax-tree", "-j1"], text);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""));
        let is_position = |w: &str| w.contains(':') && w.contains('-') && w.starts_with(|c: char| c.is_ascii_digit());
        ran.out.lines().map(|l| l.split(' ').filter(|w| !is_position(w)).collect::<Vec<_>>().join(" ")).collect()
    };
    let text = "func @f( %x :i32 ) {\r\n\r\n entry :;c\r\n ret\r\n }";
    let printed = lir_opt(&[], text).out;
    assert_ne!(printed, text);
    assert_eq!(rules(text), rules(&printed));
}

#[test]
fn texts_that_both_refuse_have_the_error_of_every_command() {
    let text = "func @f() {\nentry:\n  ret\n";
    let (ran, usual) = (lir_opt(&["--syntax-tree"], text), lir_opt(&[], text));
    assert_eq!((ran.status, ran.out.as_str()), (1, ""));
    assert_eq!((ran.err, usual.status), (usual.err, 1));
    let ran = lir_opt(&["--syntax-tree"], "define i32 @f() {\n  ret i32 0\n}\n");
    assert!(ran.status == 1 && ran.err.contains("LLVM"), "{}", ran.err);
}

#[test]
fn it_runs_no_passes() {
    for other in ["-O2", "-pdce", "--dot=cfg", "--print-analysis=loops", "--stats", "--function=@f", "--list-passes"] {
        let ran = lir_opt(&["--syntax-tree", other], TEXT);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{other}");
        assert!(ran.err.contains("cannot be used with"), "{other}: {}", ran.err);
    }
}

#[test]
fn large_texts_have_trees() {
    // Many functions, and one that has as many instructions in a block, as many blocks, and a list as long.
    let n = 20_000;
    let mut text: String = (0..n).map(|k| format!("func @f{k}() {{\nentry:\n  ret\n}}\n")).collect();
    text += "func @g(%x: i32) -> i32 {\nentry:\n";
    (0..n).for_each(|k| text += &format!("  %v{k} = add i32 %x, {k}\n"));
    text += "  switch i32 %x, b0 [";
    let cases: Vec<String> = (0..n).map(|k| format!("{k}: b{k}")).collect();
    text += &(cases.join(", ") + "]\n");
    (0..n).for_each(|k| text += &format!("b{k}:\n  ret %x\n"));
    text += "}\n";
    let ran = lir_opt(&["--syntax-tree"], &text);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    let count = |rule: &str| ran.out.lines().filter(|l| l.trim_start().starts_with(rule)).count();
    assert_eq!((count("func "), count("case "), count("block ")), (n + 1, n, 2 * n + 1));
    assert_eq!(count("instruction "), n + n + 1 + n);
}
