//! Instructions on general registers and memory.
//!
//! Written from the instruction table by `generate.rs`: `LIR_BLESS=1 cargo test -p lir-llc asm`.

use super::super::operands::*;
use super::methods;
use crate::isa::x64::asm::Assembler;
use crate::isa::x64::{Cond, op};
use crate::mir::{Form, Size};

methods! {
    "`mov`: Copy, load, store, constant."
    Mov [X Y] [x y] [mov O] {
        Mov DA <R: Gp32> (d: R, a: R) R::SIZE;
        Mov DM <R: Gp> (d: R, m: Mem) R::SIZE;
        Mov MA <R: Gp> (m: Mem, a: R) R::SIZE;
        Mov MI <R: Gp> (m: MemOf<R>, i: i32) R::SIZE;
    }
    "`xor`: Bitwise exclusive or."
    Xor [X Y] [x y] [xor O] {
        Xor DTB <R: Gp> (d: R, b: R) R::SIZE;
        Xor DTM <R: Gp> (d: R, m: Mem) R::SIZE;
        Xor DTI <R: Gp> (d: R, i: i32) R::SIZE;
        Xor MA <R: Gp> (m: Mem, a: R) R::SIZE;
        Xor MI <R: Gp> (m: MemOf<R>, i: i32) R::SIZE;
    }
    "`movzx`: 8 bits zero-extended to the size. 16 bits zero-extended to the size."
    Movzx [X Y] [x y] [movzx O] {
        MovZx8 DA <> (d: Reg32, a: Reg8) Size::S32;
        MovZx8 DM <> (d: Reg32, m: MemOf<Reg8>) Size::S32;
        MovZx16 DA <> (d: Reg32, a: Reg16) Size::S32;
        MovZx16 DM <> (d: Reg32, m: MemOf<Reg16>) Size::S32;
    }
    "`movsx`: 8 bits sign-extended to the size. 16 bits sign-extended to the size."
    Movsx [X Y] [x y] [movsx O] {
        MovSx8 DA <R: Gp32> (d: R, a: Reg8) R::SIZE;
        MovSx8 DM <R: Gp32> (d: R, m: MemOf<Reg8>) R::SIZE;
        MovSx16 DA <R: Gp32> (d: R, a: Reg16) R::SIZE;
        MovSx16 DM <R: Gp32> (d: R, m: MemOf<Reg16>) R::SIZE;
    }
    "`movsxd`: 32 bits sign-extended to 64."
    Movsxd [X Y] [x y] [movsxd O] {
        MovSx32 DA <> (d: Reg64, a: Reg32) Size::S64;
        MovSx32 DM <> (d: Reg64, m: Mem) Size::S64;
    }
    "`lea`: The address."
    Lea [X Y] [x y] [lea O] {
        Lea DM <R: Gp32> (d: R, m: Mem) R::SIZE;
    }
    "`add`: Sum."
    Add [X Y] [x y] [add O] {
        Add DTB <R: Gp> (d: R, b: R) R::SIZE;
        Add DTM <R: Gp> (d: R, m: Mem) R::SIZE;
        Add DTI <R: Gp> (d: R, i: i32) R::SIZE;
        Add MA <R: Gp> (m: Mem, a: R) R::SIZE;
        Add MI <R: Gp> (m: MemOf<R>, i: i32) R::SIZE;
    }
    "`sub`: Difference."
    Sub [X Y] [x y] [sub O] {
        Sub DTB <R: Gp> (d: R, b: R) R::SIZE;
        Sub DTM <R: Gp> (d: R, m: Mem) R::SIZE;
        Sub DTI <R: Gp> (d: R, i: i32) R::SIZE;
        Sub MA <R: Gp> (m: Mem, a: R) R::SIZE;
        Sub MI <R: Gp> (m: MemOf<R>, i: i32) R::SIZE;
    }
    "`and`: Bitwise and."
    And [X Y] [x y] [and O] {
        And DTB <R: Gp> (d: R, b: R) R::SIZE;
        And DTM <R: Gp> (d: R, m: Mem) R::SIZE;
        And DTI <R: Gp> (d: R, i: i32) R::SIZE;
        And MA <R: Gp> (m: Mem, a: R) R::SIZE;
        And MI <R: Gp> (m: MemOf<R>, i: i32) R::SIZE;
    }
    "`or`: Bitwise or."
    Or [X Y] [x y] [or O] {
        Or DTB <R: Gp> (d: R, b: R) R::SIZE;
        Or DTM <R: Gp> (d: R, m: Mem) R::SIZE;
        Or DTI <R: Gp> (d: R, i: i32) R::SIZE;
        Or MA <R: Gp> (m: Mem, a: R) R::SIZE;
        Or MI <R: Gp> (m: MemOf<R>, i: i32) R::SIZE;
    }
    "`imul`: Low half of the product."
    Imul3 [X Y Z] [x y z] [imul_3 O] {
        Imul DAI <R: Gp16> (d: R, a: R, i: i32) R::SIZE;
        Imul DMI <R: Gp16> (d: R, m: Mem, i: i32) R::SIZE;
    }
    "`imul`: Low half of the product."
    Imul [X Y] [x y] [imul O] {
        Imul DTB <R: Gp16> (d: R, b: R) R::SIZE;
        Imul DTM <R: Gp16> (d: R, m: Mem) R::SIZE;
    }
    "`neg`: Negation."
    Neg [X] [x] [neg O] {
        Neg DT <R: Gp> (d: R) R::SIZE;
        Neg M <R: Gp> (m: MemOf<R>) R::SIZE;
    }
    "`not`: Inversion."
    Not [X] [x] [not O] {
        Not DT <R: Gp> (d: R) R::SIZE;
        Not M <R: Gp> (m: MemOf<R>) R::SIZE;
    }
    "`bswap`: Bytes in opposite order, sizes 4 and 8."
    Bswap [X] [x] [bswap O] {
        Bswap DT <R: Gp32> (d: R) R::SIZE;
    }
    "`shl`: Shift left by a constant. Shift left by cl."
    Shl [X Y] [x y] [shl O] {
        Shl DTI <R: Gp> (d: R, i: i32) R::SIZE;
        Shl MI <R: Gp> (m: MemOf<R>, i: i32) R::SIZE;
        ShlCl DTB <R: Gp> (d: R, cl: Reg8) R::SIZE;
    }
    "`shr`: Shift right, zeros in, by a constant. Shift right, zeros in, by cl."
    Shr [X Y] [x y] [shr O] {
        Shr DTI <R: Gp> (d: R, i: i32) R::SIZE;
        Shr MI <R: Gp> (m: MemOf<R>, i: i32) R::SIZE;
        ShrCl DTB <R: Gp> (d: R, cl: Reg8) R::SIZE;
    }
    "`sar`: Shift right, sign in, by a constant. Shift right, sign in, by cl."
    Sar [X Y] [x y] [sar O] {
        Sar DTI <R: Gp> (d: R, i: i32) R::SIZE;
        Sar MI <R: Gp> (m: MemOf<R>, i: i32) R::SIZE;
        SarCl DTB <R: Gp> (d: R, cl: Reg8) R::SIZE;
    }
    "`rol`: Rotate left by a constant. Rotate left by cl."
    Rol [X Y] [x y] [rol O] {
        Rol DTI <R: Gp> (d: R, i: i32) R::SIZE;
        Rol MI <R: Gp> (m: MemOf<R>, i: i32) R::SIZE;
        RolCl DTB <R: Gp> (d: R, cl: Reg8) R::SIZE;
    }
    "`ror`: Rotate right by a constant. Rotate right by cl."
    Ror [X Y] [x y] [ror O] {
        Ror DTI <R: Gp> (d: R, i: i32) R::SIZE;
        Ror MI <R: Gp> (m: MemOf<R>, i: i32) R::SIZE;
        RorCl DTB <R: Gp> (d: R, cl: Reg8) R::SIZE;
    }
    "`idiv`: Signed quotient, dividend sign-extended first."
    Idiv [X] [x] [idiv O] {
        IdivQuot DAB <R: Gp> (b: R) R::SIZE;
        IdivQuot DAM <R: Gp> (m: MemOf<R>) R::SIZE;
    }
    "`div`: Unsigned quotient, dividend zero-extended first."
    Div [X] [x] [div O] {
        DivQuot DAB <R: Gp> (b: R) R::SIZE;
        DivQuot DAM <R: Gp> (m: MemOf<R>) R::SIZE;
    }
    "`imul`: Low and high half of the signed product of rax and `b`, of the record. High half of the signed product."
    Imul1 [X] [x] [imul_1 O] {
        ImulBoth B <R: Gp16> (b: R) R::SIZE;
        ImulBoth M <R: Gp16> (m: MemOf<R>) R::SIZE;
        ImulHigh DAB <> (b: Reg8) Size::S8;
        ImulHigh DAM <> (m: MemOf<Reg8>) Size::S8;
    }
    "`mul`: Low and high half of the unsigned product of rax and `b`, of the record. High half of the unsigned product."
    Mul [X] [x] [mul O] {
        MulBoth B <R: Gp16> (b: R) R::SIZE;
        MulBoth M <R: Gp16> (m: MemOf<R>) R::SIZE;
        MulHigh DAB <> (b: Reg8) Size::S8;
        MulHigh DAM <> (m: MemOf<Reg8>) Size::S8;
    }
    "`bsf`: Number of the lowest one bit; undefined for 0."
    Bsf [X Y] [x y] [bsf O] {
        Bsf DA <R: Gp16> (d: R, a: R) R::SIZE;
        Bsf DM <R: Gp16> (d: R, m: Mem) R::SIZE;
    }
    "`bsr`: Number of the highest one bit; undefined for 0."
    Bsr [X Y] [x y] [bsr O] {
        Bsr DA <R: Gp16> (d: R, a: R) R::SIZE;
        Bsr DM <R: Gp16> (d: R, m: Mem) R::SIZE;
    }
    "`popcnt`: Number of one bits. Needs a processor of level v2."
    Popcnt [X Y] [x y] [popcnt O] {
        Popcnt DA <R: Gp16> (d: R, a: R) R::SIZE;
        Popcnt DM <R: Gp16> (d: R, m: Mem) R::SIZE;
    }
    "`tzcnt`: Number of the lowest one bit; for 0 the width. Needs a processor of level v3."
    Tzcnt [X Y] [x y] [tzcnt O] {
        Tzcnt DA <R: Gp16> (d: R, a: R) R::SIZE;
        Tzcnt DM <R: Gp16> (d: R, m: Mem) R::SIZE;
    }
    "`lzcnt`: Number of zeros above the highest one bit; for 0 the width. Needs a processor of level v3."
    Lzcnt [X Y] [x y] [lzcnt O] {
        Lzcnt DA <R: Gp16> (d: R, a: R) R::SIZE;
        Lzcnt DM <R: Gp16> (d: R, m: Mem) R::SIZE;
    }
    "`shlx`: `a` shifted left by `b`. Needs a processor of level v3."
    Shlx [X Y Z] [x y z] [shlx O] {
        Shlx DAB <R: Gp32> (d: R, a: R, b: R) R::SIZE;
    }
    "`shrx`: `a` shifted right by `b`, zeros in. Needs a processor of level v3."
    Shrx [X Y Z] [x y z] [shrx O] {
        Shrx DAB <R: Gp32> (d: R, a: R, b: R) R::SIZE;
    }
    "`sarx`: `a` shifted right by `b`, signs in. Needs a processor of level v3."
    Sarx [X Y Z] [x y z] [sarx O] {
        Sarx DAB <R: Gp32> (d: R, a: R, b: R) R::SIZE;
    }
    "`rorx`: `a` rotated right by a constant. Needs a processor of level v3."
    Rorx [X Y Z] [x y z] [rorx O] {
        Rorx DAI <R: Gp32> (d: R, a: R, i: i32) R::SIZE;
        Rorx DMI <R: Gp32> (d: R, m: Mem, i: i32) R::SIZE;
    }
    "`andn`: Bitwise `!a & b`. Needs a processor of level v3."
    Andn [X Y Z] [x y z] [andn O] {
        Andn DAB <R: Gp32> (d: R, a: R, b: R) R::SIZE;
        Andn DAM <R: Gp32> (d: R, a: R, m: Mem) R::SIZE;
    }
    "`blsr`: `a` without its lowest one bit. Needs a processor of level v3."
    Blsr [X Y] [x y] [blsr O] {
        Blsr DA <R: Gp32> (d: R, a: R) R::SIZE;
        Blsr DM <R: Gp32> (d: R, m: Mem) R::SIZE;
    }
    "`blsmsk`: Ones up to the lowest one bit of `a`. Needs a processor of level v3."
    Blsmsk [X Y] [x y] [blsmsk O] {
        Blsmsk DA <R: Gp32> (d: R, a: R) R::SIZE;
        Blsmsk DM <R: Gp32> (d: R, m: Mem) R::SIZE;
    }
    "`blsi`: The lowest one bit of `a`. Needs a processor of level v3."
    Blsi [X Y] [x y] [blsi O] {
        Blsi DA <R: Gp32> (d: R, a: R) R::SIZE;
        Blsi DM <R: Gp32> (d: R, m: Mem) R::SIZE;
    }
    "`cmp`: Flags of the difference."
    Cmp [X Y] [x y] [cmp O] {
        Cmp AB <R: Gp> (a: R, b: R) R::SIZE;
        Cmp AM <R: Gp> (a: R, m: Mem) R::SIZE;
        Cmp AI <R: Gp> (a: R, i: i32) R::SIZE;
        Cmp MA <R: Gp> (m: Mem, a: R) R::SIZE;
        Cmp MI <R: Gp> (m: MemOf<R>, i: i32) R::SIZE;
    }
    "`test`: Flags of the bitwise and."
    Test [X Y] [x y] [test O] {
        Test AB <R: Gp> (b: R, a: R) R::SIZE;
        Test AM <R: Gp> (m: Mem, a: R) R::SIZE;
        Test AI <R: Gp> (a: R, i: i32) R::SIZE;
        Test MI <R: Gp> (m: MemOf<R>, i: i32) R::SIZE;
    }
    "`bt`: Bit `b`, modulo the size, of `a` into the carry flag."
    Bt [X Y] [x y] [bt O] {
        Bt AB <R: Gp16> (a: R, b: R) R::SIZE;
        Bt AI <R: Gp16> (a: R, i: i32) R::SIZE;
    }
    "`set`: 1 where the condition holds, else 0, in the low 8 bits; the others stay, those of `a`."
    Set [X] [x] [seto O setno NO setb B setae AE sete E setne NE setbe BE seta A sets S setns NS setp P
        setnp NP setl L setge GE setle LE setg G] {
        Set D <> (d: Reg8) Size::S32;
        Set M <> (m: Mem) Size::S32;
    }
    "`cmov`: `b` where the condition holds, else `a`."
    Cmov [X Y] [x y] [cmovo O cmovno NO cmovb B cmovae AE cmove E cmovne NE cmovbe BE cmova A cmovs S
        cmovns NS cmovp P cmovnp NP cmovl L cmovge GE cmovle LE cmovg G] {
        Cmov DTB <R: Gp16> (d: R, b: R) R::SIZE;
        Cmov DTM <R: Gp16> (d: R, m: Mem) R::SIZE;
    }
    "`jmp`: To an address, that of one of the successors: a jump through a table."
    Jmp [X] [x] [jmp O] {
        JmpReg B <> (b: Reg64) Size::S32;
        JmpReg M <> (m: Mem) Size::S32;
    }
    "`call`: Calls the symbol of the record in the pool (None), a register (B) or a loaded address."
    Call [X] [x] [call O] {
        Call B <> (b: Reg64) Size::S32;
        Call M <> (m: Mem) Size::S32;
    }
    "`ud2`: Traps."
    Ud2 [] [] [ud2 O] {
        Ud2 None <> () Size::S32;
    }
    "`rep movsb`: Copies rcx bytes from rsi to rdi; a list in the pool."
    Repmovsb [] [] [rep_movsb O] {
        RepMovs None <> () Size::S32;
    }
    "`rep stosb`: Sets rcx bytes at rdi to al; a list in the pool."
    Repstosb [] [] [rep_stosb O] {
        RepStos None <> () Size::S32;
    }
}
