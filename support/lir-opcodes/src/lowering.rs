//! The column `lowering` of the opcode table, and the patterns that code generators match by.
//!
//! | lowering | code is generated |
//! |---|---|
//! | `Select` | by selection, on every machine and at every type |
//! | `Expand` | by expansion into other operations, on every machine and at every type |
//! | `Either` | by one or the other, as the code generator of a machine decides by type and processor |

/// Makes the patterns of the opcodes that are always selected or always expanded, from pairs of opcode and lowering.
macro_rules! patterns {
    ([$($select:ident)*] [$($expand:ident)*]) => {
        /// The pattern of the opcodes that are always selected.
        #[macro_export]
        macro_rules! selected {
            () => { $($crate::Opcode::$select)|* };
        }
        /// The pattern of the opcodes that are always expanded.
        #[macro_export]
        macro_rules! expanded {
            () => { $($crate::Opcode::$expand)|* };
        }
    };
    ([$($select:ident)*] $e:tt $op:ident Select $($rest:tt)*) => { patterns! { [$($select)* $op] $e $($rest)* } };
    ($s:tt [$($expand:ident)*] $op:ident Expand $($rest:tt)*) => { patterns! { $s [$($expand)* $op] $($rest)* } };
    ($s:tt $e:tt $op:ident Either $($rest:tt)*) => { patterns! { $s $e $($rest)* } };
}
