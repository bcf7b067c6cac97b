//! Instructions on SSE registers.
//!
//! Written from the instruction table by `generate.rs`: `LIR_BLESS=1 cargo test -p lir-llc asm`.

use super::super::operands::*;
use super::methods;
use crate::isa::x64::asm::Assembler;
use crate::isa::x64::{Cond, op};
use crate::mir::{Form, Size};

methods! {
    "`movaps`: Float copy, load, store (DA DM MA); at size 16 whole registers."
    Movaps [X Y] [x y] [movaps O] {
        MovF DA <> (d: Xmm, a: Xmm) Size::S32;
    }
    "`movss`: Float copy, load, store (DA DM MA); at size 16 whole registers."
    Movss [X Y] [x y] [movss O] {
        MovF DM <> (d: Xmm, m: Mem) Size::S32;
        MovF MA <> (m: Mem, a: Xmm) Size::S32;
    }
    "`movsd`: Float copy, load, store (DA DM MA); at size 16 whole registers."
    Movsd [X Y] [x y] [movsd O] {
        MovF DM <> (d: Xmm, m: Mem) Size::S64;
        MovF MA <> (m: Mem, a: Xmm) Size::S64;
    }
    "`movups`: Float copy, load, store (DA DM MA); at size 16 whole registers."
    Movups [X Y] [x y] [movups O] {
        MovF DM <> (d: Xmm, m: Mem) Size::S128;
        MovF MA <> (m: Mem, a: Xmm) Size::S128;
    }
    "`xorps`: Bitwise exclusive or of whole registers."
    Xorps [X Y] [x y] [xorps O] {
        XorF DTB <> (d: Xmm, b: Xmm) Size::S32;
        XorF DTM <> (d: Xmm, m: Mem) Size::S32;
    }
    "`movd`: The bits of an integer register in a float register. The bits of a float register in an integer register."
    Movd [X Y] [x y] [movd O] {
        MovIF DA <> (d: Xmm, a: Reg32) Size::S32;
        MovFI DA <> (d: Reg32, a: Xmm) Size::S32;
    }
    "`movq`: The bits of an integer register in a float register. The bits of a float register in an integer register."
    Movq [X Y] [x y] [movq O] {
        MovIF DA <> (d: Xmm, a: Reg64) Size::S64;
        MovFI DA <> (d: Reg64, a: Xmm) Size::S64;
    }
    "`vaddss`: Sum. Needs a processor of level v3."
    Vaddss [X Y Z] [x y z] [vaddss O] {
        AddF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S32;
        AddF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`vaddsd`: Sum. Needs a processor of level v3."
    Vaddsd [X Y Z] [x y z] [vaddsd O] {
        AddF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S64;
        AddF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S64;
    }
    "`addss`: Sum."
    Addss [X Y] [x y] [addss O] {
        AddF DTB <> (d: Xmm, b: Xmm) Size::S32;
        AddF DTM <> (d: Xmm, m: Mem) Size::S32;
    }
    "`addsd`: Sum."
    Addsd [X Y] [x y] [addsd O] {
        AddF DTB <> (d: Xmm, b: Xmm) Size::S64;
        AddF DTM <> (d: Xmm, m: Mem) Size::S64;
    }
    "`vsubss`: Difference. Needs a processor of level v3."
    Vsubss [X Y Z] [x y z] [vsubss O] {
        SubF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S32;
        SubF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`vsubsd`: Difference. Needs a processor of level v3."
    Vsubsd [X Y Z] [x y z] [vsubsd O] {
        SubF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S64;
        SubF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S64;
    }
    "`subss`: Difference."
    Subss [X Y] [x y] [subss O] {
        SubF DTB <> (d: Xmm, b: Xmm) Size::S32;
        SubF DTM <> (d: Xmm, m: Mem) Size::S32;
    }
    "`subsd`: Difference."
    Subsd [X Y] [x y] [subsd O] {
        SubF DTB <> (d: Xmm, b: Xmm) Size::S64;
        SubF DTM <> (d: Xmm, m: Mem) Size::S64;
    }
    "`vmulss`: Product. Needs a processor of level v3."
    Vmulss [X Y Z] [x y z] [vmulss O] {
        MulF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S32;
        MulF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`vmulsd`: Product. Needs a processor of level v3."
    Vmulsd [X Y Z] [x y z] [vmulsd O] {
        MulF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S64;
        MulF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S64;
    }
    "`mulss`: Product."
    Mulss [X Y] [x y] [mulss O] {
        MulF DTB <> (d: Xmm, b: Xmm) Size::S32;
        MulF DTM <> (d: Xmm, m: Mem) Size::S32;
    }
    "`mulsd`: Product."
    Mulsd [X Y] [x y] [mulsd O] {
        MulF DTB <> (d: Xmm, b: Xmm) Size::S64;
        MulF DTM <> (d: Xmm, m: Mem) Size::S64;
    }
    "`vdivss`: Quotient. Needs a processor of level v3."
    Vdivss [X Y Z] [x y z] [vdivss O] {
        DivF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S32;
        DivF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`vdivsd`: Quotient. Needs a processor of level v3."
    Vdivsd [X Y Z] [x y z] [vdivsd O] {
        DivF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S64;
        DivF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S64;
    }
    "`divss`: Quotient."
    Divss [X Y] [x y] [divss O] {
        DivF DTB <> (d: Xmm, b: Xmm) Size::S32;
        DivF DTM <> (d: Xmm, m: Mem) Size::S32;
    }
    "`divsd`: Quotient."
    Divsd [X Y] [x y] [divsd O] {
        DivF DTB <> (d: Xmm, b: Xmm) Size::S64;
        DivF DTM <> (d: Xmm, m: Mem) Size::S64;
    }
    "`vminss`: `a` where a < b, else `b`. Needs a processor of level v3."
    Vminss [X Y Z] [x y z] [vminss O] {
        MinF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S32;
        MinF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`vminsd`: `a` where a < b, else `b`. Needs a processor of level v3."
    Vminsd [X Y Z] [x y z] [vminsd O] {
        MinF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S64;
        MinF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S64;
    }
    "`minss`: `a` where a < b, else `b`."
    Minss [X Y] [x y] [minss O] {
        MinF DTB <> (d: Xmm, b: Xmm) Size::S32;
        MinF DTM <> (d: Xmm, m: Mem) Size::S32;
    }
    "`minsd`: `a` where a < b, else `b`."
    Minsd [X Y] [x y] [minsd O] {
        MinF DTB <> (d: Xmm, b: Xmm) Size::S64;
        MinF DTM <> (d: Xmm, m: Mem) Size::S64;
    }
    "`vmaxss`: `a` where a > b, else `b`. Needs a processor of level v3."
    Vmaxss [X Y Z] [x y z] [vmaxss O] {
        MaxF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S32;
        MaxF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`vmaxsd`: `a` where a > b, else `b`. Needs a processor of level v3."
    Vmaxsd [X Y Z] [x y z] [vmaxsd O] {
        MaxF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S64;
        MaxF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S64;
    }
    "`maxss`: `a` where a > b, else `b`."
    Maxss [X Y] [x y] [maxss O] {
        MaxF DTB <> (d: Xmm, b: Xmm) Size::S32;
        MaxF DTM <> (d: Xmm, m: Mem) Size::S32;
    }
    "`maxsd`: `a` where a > b, else `b`."
    Maxsd [X Y] [x y] [maxsd O] {
        MaxF DTB <> (d: Xmm, b: Xmm) Size::S64;
        MaxF DTM <> (d: Xmm, m: Mem) Size::S64;
    }
    "`vcmpeqss`: Ones where `a` and `b` are equal, else zeros. Needs a processor of level v3."
    Vcmpeqss [X Y Z] [x y z] [vcmpeqss O] {
        CmpEqF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S32;
        CmpEqF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`vcmpeqsd`: Ones where `a` and `b` are equal, else zeros. Needs a processor of level v3."
    Vcmpeqsd [X Y Z] [x y z] [vcmpeqsd O] {
        CmpEqF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S64;
        CmpEqF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S64;
    }
    "`cmpeqss`: Ones where `a` and `b` are equal, else zeros."
    Cmpeqss [X Y] [x y] [cmpeqss O] {
        CmpEqF DTB <> (d: Xmm, b: Xmm) Size::S32;
        CmpEqF DTM <> (d: Xmm, m: Mem) Size::S32;
    }
    "`cmpeqsd`: Ones where `a` and `b` are equal, else zeros."
    Cmpeqsd [X Y] [x y] [cmpeqsd O] {
        CmpEqF DTB <> (d: Xmm, b: Xmm) Size::S64;
        CmpEqF DTM <> (d: Xmm, m: Mem) Size::S64;
    }
    "`vcmpltss`: Ones where a < b, else zeros. Needs a processor of level v3."
    Vcmpltss [X Y Z] [x y z] [vcmpltss O] {
        CmpLtF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S32;
        CmpLtF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`vcmpltsd`: Ones where a < b, else zeros. Needs a processor of level v3."
    Vcmpltsd [X Y Z] [x y z] [vcmpltsd O] {
        CmpLtF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S64;
        CmpLtF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S64;
    }
    "`cmpltss`: Ones where a < b, else zeros."
    Cmpltss [X Y] [x y] [cmpltss O] {
        CmpLtF DTB <> (d: Xmm, b: Xmm) Size::S32;
        CmpLtF DTM <> (d: Xmm, m: Mem) Size::S32;
    }
    "`cmpltsd`: Ones where a < b, else zeros."
    Cmpltsd [X Y] [x y] [cmpltsd O] {
        CmpLtF DTB <> (d: Xmm, b: Xmm) Size::S64;
        CmpLtF DTM <> (d: Xmm, m: Mem) Size::S64;
    }
    "`vcmpless`: Ones where a <= b, else zeros. Needs a processor of level v3."
    Vcmpless [X Y Z] [x y z] [vcmpless O] {
        CmpLeF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S32;
        CmpLeF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`vcmplesd`: Ones where a <= b, else zeros. Needs a processor of level v3."
    Vcmplesd [X Y Z] [x y z] [vcmplesd O] {
        CmpLeF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S64;
        CmpLeF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S64;
    }
    "`cmpless`: Ones where a <= b, else zeros."
    Cmpless [X Y] [x y] [cmpless O] {
        CmpLeF DTB <> (d: Xmm, b: Xmm) Size::S32;
        CmpLeF DTM <> (d: Xmm, m: Mem) Size::S32;
    }
    "`cmplesd`: Ones where a <= b, else zeros."
    Cmplesd [X Y] [x y] [cmplesd O] {
        CmpLeF DTB <> (d: Xmm, b: Xmm) Size::S64;
        CmpLeF DTM <> (d: Xmm, m: Mem) Size::S64;
    }
    "`vcmpunordss`: Ones where `a` or `b` is a NaN, else zeros. Needs a processor of level v3."
    Vcmpunordss [X Y Z] [x y z] [vcmpunordss O] {
        CmpUnordF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S32;
        CmpUnordF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`vcmpunordsd`: Ones where `a` or `b` is a NaN, else zeros. Needs a processor of level v3."
    Vcmpunordsd [X Y Z] [x y z] [vcmpunordsd O] {
        CmpUnordF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S64;
        CmpUnordF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S64;
    }
    "`cmpunordss`: Ones where `a` or `b` is a NaN, else zeros."
    Cmpunordss [X Y] [x y] [cmpunordss O] {
        CmpUnordF DTB <> (d: Xmm, b: Xmm) Size::S32;
        CmpUnordF DTM <> (d: Xmm, m: Mem) Size::S32;
    }
    "`cmpunordsd`: Ones where `a` or `b` is a NaN, else zeros."
    Cmpunordsd [X Y] [x y] [cmpunordsd O] {
        CmpUnordF DTB <> (d: Xmm, b: Xmm) Size::S64;
        CmpUnordF DTM <> (d: Xmm, m: Mem) Size::S64;
    }
    "`sqrtss`: Square root."
    Sqrtss [X Y] [x y] [sqrtss O] {
        SqrtF DA <> (d: Xmm, a: Xmm) Size::S32;
        SqrtF DM <> (d: Xmm, m: Mem) Size::S32;
    }
    "`sqrtsd`: Square root."
    Sqrtsd [X Y] [x y] [sqrtsd O] {
        SqrtF DA <> (d: Xmm, a: Xmm) Size::S64;
        SqrtF DM <> (d: Xmm, m: Mem) Size::S64;
    }
    "`vandps`: Bitwise and of whole registers. Needs a processor of level v3."
    Vandps [X Y Z] [x y z] [vandps O] {
        AndF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S32;
        AndF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`andps`: Bitwise and of whole registers."
    Andps [X Y] [x y] [andps O] {
        AndF DTB <> (d: Xmm, b: Xmm) Size::S32;
        AndF DTM <> (d: Xmm, m: Mem) Size::S32;
    }
    "`vandnps`: Bitwise `!a & b` of whole registers. Needs a processor of level v3."
    Vandnps [X Y Z] [x y z] [vandnps O] {
        AndnF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S32;
        AndnF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`andnps`: Bitwise `!a & b` of whole registers."
    Andnps [X Y] [x y] [andnps O] {
        AndnF DTB <> (d: Xmm, b: Xmm) Size::S32;
        AndnF DTM <> (d: Xmm, m: Mem) Size::S32;
    }
    "`vorps`: Bitwise or of whole registers. Needs a processor of level v3."
    Vorps [X Y Z] [x y z] [vorps O] {
        OrF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S32;
        OrF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`orps`: Bitwise or of whole registers."
    Orps [X Y] [x y] [orps O] {
        OrF DTB <> (d: Xmm, b: Xmm) Size::S32;
        OrF DTM <> (d: Xmm, m: Mem) Size::S32;
    }
    "`vxorps`: Bitwise exclusive or of whole registers. Needs a processor of level v3."
    Vxorps [X Y Z] [x y z] [vxorps O] {
        XorF DAB <> (d: Xmm, a: Xmm, b: Xmm) Size::S32;
        XorF DAM <> (d: Xmm, a: Xmm, m: Mem) Size::S32;
    }
    "`ucomiss`: Flags of the comparison."
    Ucomiss [X Y] [x y] [ucomiss O] {
        Ucomi AB <> (a: Xmm, b: Xmm) Size::S32;
        Ucomi AM <> (a: Xmm, m: Mem) Size::S32;
    }
    "`ucomisd`: Flags of the comparison."
    Ucomisd [X Y] [x y] [ucomisd O] {
        Ucomi AB <> (a: Xmm, b: Xmm) Size::S64;
        Ucomi AM <> (a: Xmm, m: Mem) Size::S64;
    }
    "`cvtsi2ss`: A float from a signed 32-bit integer. A float from a signed 64-bit integer."
    Cvtsi2ss [X Y] [x y] [cvtsi2ss O] {
        CvtI32F DA <> (d: Xmm, a: Reg32) Size::S32;
        CvtI32F DM <> (d: Xmm, m: MemOf<Reg32>) Size::S32;
        CvtI64F DA <> (d: Xmm, a: Reg64) Size::S32;
        CvtI64F DM <> (d: Xmm, m: MemOf<Reg64>) Size::S32;
    }
    "`cvtsi2sd`: A float from a signed 32-bit integer. A float from a signed 64-bit integer."
    Cvtsi2sd [X Y] [x y] [cvtsi2sd O] {
        CvtI32F DA <> (d: Xmm, a: Reg32) Size::S64;
        CvtI32F DM <> (d: Xmm, m: MemOf<Reg32>) Size::S64;
        CvtI64F DA <> (d: Xmm, a: Reg64) Size::S64;
        CvtI64F DM <> (d: Xmm, m: MemOf<Reg64>) Size::S64;
    }
    "`cvttss2si`: A signed 32-bit integer from a float of the size, toward zero. A signed 64-bit integer from a float of the size, toward zero."
    Cvttss2si [X Y] [x y] [cvttss2si O] {
        CvtFI32 DA <> (d: Reg32, a: Xmm) Size::S32;
        CvtFI32 DM <> (d: Reg32, m: Mem) Size::S32;
        CvtFI64 DA <> (d: Reg64, a: Xmm) Size::S32;
        CvtFI64 DM <> (d: Reg64, m: Mem) Size::S32;
    }
    "`cvttsd2si`: A signed 32-bit integer from a float of the size, toward zero. A signed 64-bit integer from a float of the size, toward zero."
    Cvttsd2si [X Y] [x y] [cvttsd2si O] {
        CvtFI32 DA <> (d: Reg32, a: Xmm) Size::S64;
        CvtFI32 DM <> (d: Reg32, m: Mem) Size::S64;
        CvtFI64 DA <> (d: Reg64, a: Xmm) Size::S64;
        CvtFI64 DM <> (d: Reg64, m: Mem) Size::S64;
    }
    "`cvtsd2ss`: A float of the size from one of the other size."
    Cvtsd2ss [X Y] [x y] [cvtsd2ss O] {
        CvtFF DA <> (d: Xmm, a: Xmm) Size::S32;
        CvtFF DM <> (d: Xmm, m: Mem) Size::S32;
    }
    "`cvtss2sd`: A float of the size from one of the other size."
    Cvtss2sd [X Y] [x y] [cvtss2sd O] {
        CvtFF DA <> (d: Xmm, a: Xmm) Size::S64;
        CvtFF DM <> (d: Xmm, m: Mem) Size::S64;
    }
    "`roundss`: Rounded to an integer by the mode in the immediate. Needs a processor of level v2."
    Roundss [X Y Z] [x y z] [roundss O] {
        RoundF DAI <> (d: Xmm, a: Xmm, i: i32) Size::S32;
        RoundF DMI <> (d: Xmm, m: Mem, i: i32) Size::S32;
    }
    "`roundsd`: Rounded to an integer by the mode in the immediate. Needs a processor of level v2."
    Roundsd [X Y Z] [x y z] [roundsd O] {
        RoundF DAI <> (d: Xmm, a: Xmm, i: i32) Size::S64;
        RoundF DMI <> (d: Xmm, m: Mem, i: i32) Size::S64;
    }
}
