//! Products and sums rounded once.
//!
//! Written from the instruction table by `generate.rs`: `LIR_BLESS=1 cargo test -p lir-llc asm`.

use super::super::operands::*;
use super::methods;
use crate::isa::x64::asm::Assembler;
use crate::isa::x64::{Cond, op};
use crate::mir::{Form, Size};

methods! {
    "`vfmadd132ss`: d * M + a, with M in memory, rounded once. Needs a processor of level v3."
    Vfmadd132ss [X Y Z] [x y z] [vfmadd132ss O] {
        Fma132 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`vfmadd132sd`: d * M + a, with M in memory, rounded once. Needs a processor of level v3."
    Vfmadd132sd [X Y Z] [x y z] [vfmadd132sd O] {
        Fma132 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S64;
    }
    "`vfmadd213ss`: a * d + b, rounded once. Needs a processor of level v3."
    Vfmadd213ss [X Y Z] [x y z] [vfmadd213ss O] {
        Fma213 DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S32;
        Fma213 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`vfmadd213sd`: a * d + b, rounded once. Needs a processor of level v3."
    Vfmadd213sd [X Y Z] [x y z] [vfmadd213sd O] {
        Fma213 DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S64;
        Fma213 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S64;
    }
    "`vfmadd231ss`: a * b + d, rounded once. Needs a processor of level v3."
    Vfmadd231ss [X Y Z] [x y z] [vfmadd231ss O] {
        Fma231 DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S32;
        Fma231 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`vfmadd231sd`: a * b + d, rounded once. Needs a processor of level v3."
    Vfmadd231sd [X Y Z] [x y z] [vfmadd231sd O] {
        Fma231 DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S64;
        Fma231 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S64;
    }
    "`vfmsub132ss`: d * M - a, with M in memory, rounded once. Needs a processor of level v3."
    Vfmsub132ss [X Y Z] [x y z] [vfmsub132ss O] {
        Fms132 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`vfmsub132sd`: d * M - a, with M in memory, rounded once. Needs a processor of level v3."
    Vfmsub132sd [X Y Z] [x y z] [vfmsub132sd O] {
        Fms132 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S64;
    }
    "`vfmsub213ss`: a * d - b, rounded once. Needs a processor of level v3."
    Vfmsub213ss [X Y Z] [x y z] [vfmsub213ss O] {
        Fms213 DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S32;
        Fms213 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`vfmsub213sd`: a * d - b, rounded once. Needs a processor of level v3."
    Vfmsub213sd [X Y Z] [x y z] [vfmsub213sd O] {
        Fms213 DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S64;
        Fms213 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S64;
    }
    "`vfmsub231ss`: a * b - d, rounded once. Needs a processor of level v3."
    Vfmsub231ss [X Y Z] [x y z] [vfmsub231ss O] {
        Fms231 DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S32;
        Fms231 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`vfmsub231sd`: a * b - d, rounded once. Needs a processor of level v3."
    Vfmsub231sd [X Y Z] [x y z] [vfmsub231sd O] {
        Fms231 DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S64;
        Fms231 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S64;
    }
    "`vfnmadd132ss`: -(d * M) + a, with M in memory, rounded once. Needs a processor of level v3."
    Vfnmadd132ss [X Y Z] [x y z] [vfnmadd132ss O] {
        Fnma132 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`vfnmadd132sd`: -(d * M) + a, with M in memory, rounded once. Needs a processor of level v3."
    Vfnmadd132sd [X Y Z] [x y z] [vfnmadd132sd O] {
        Fnma132 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S64;
    }
    "`vfnmadd213ss`: -(a * d) + b, rounded once. Needs a processor of level v3."
    Vfnmadd213ss [X Y Z] [x y z] [vfnmadd213ss O] {
        Fnma213 DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S32;
        Fnma213 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`vfnmadd213sd`: -(a * d) + b, rounded once. Needs a processor of level v3."
    Vfnmadd213sd [X Y Z] [x y z] [vfnmadd213sd O] {
        Fnma213 DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S64;
        Fnma213 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S64;
    }
    "`vfnmadd231ss`: -(a * b) + d, rounded once. Needs a processor of level v3."
    Vfnmadd231ss [X Y Z] [x y z] [vfnmadd231ss O] {
        Fnma231 DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S32;
        Fnma231 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`vfnmadd231sd`: -(a * b) + d, rounded once. Needs a processor of level v3."
    Vfnmadd231sd [X Y Z] [x y z] [vfnmadd231sd O] {
        Fnma231 DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S64;
        Fnma231 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S64;
    }
    "`vfnmsub132ss`: -(d * M) - a, with M in memory, rounded once. Needs a processor of level v3."
    Vfnmsub132ss [X Y Z] [x y z] [vfnmsub132ss O] {
        Fnms132 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`vfnmsub132sd`: -(d * M) - a, with M in memory, rounded once. Needs a processor of level v3."
    Vfnmsub132sd [X Y Z] [x y z] [vfnmsub132sd O] {
        Fnms132 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S64;
    }
    "`vfnmsub213ss`: -(a * d) - b, rounded once. Needs a processor of level v3."
    Vfnmsub213ss [X Y Z] [x y z] [vfnmsub213ss O] {
        Fnms213 DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S32;
        Fnms213 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`vfnmsub213sd`: -(a * d) - b, rounded once. Needs a processor of level v3."
    Vfnmsub213sd [X Y Z] [x y z] [vfnmsub213sd O] {
        Fnms213 DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S64;
        Fnms213 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S64;
    }
    "`vfnmsub231ss`: -(a * b) - d, rounded once. Needs a processor of level v3."
    Vfnmsub231ss [X Y Z] [x y z] [vfnmsub231ss O] {
        Fnms231 DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S32;
        Fnms231 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`vfnmsub231sd`: -(a * b) - d, rounded once. Needs a processor of level v3."
    Vfnmsub231sd [X Y Z] [x y z] [vfnmsub231sd O] {
        Fnms231 DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S64;
        Fnms231 DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S64;
    }
}
