//! The methods of the assembler: one for each mnemonic of the instruction table, with the operands that it takes.
//!
//! A method is generic. The trait of the same name in [`takes`] is implemented for the operands of each form, as a
//! tuple in Intel's order.

use super::Assembler;
use super::operands::*;
use crate::isa::x64::{Cond, op};
use crate::mir::{Form, Size};

macro_rules! methods {
    // For all rows: the methods and traits of the groups that generate a method, and the operands that each group adds.
    ($(#[doc = $doc:literal] $op:ident $destination:ident $source:ident $fixed:ident $props:tt $(($($composed:ident)+))?
        $($kind:ident $names:tt $($text:literal)? { $($body:tt)+ })*
    )*) => {
        impl Assembler { $($(methods! { @group method $kind $names ($($text)? $doc) $props { $($body)+ } })*)* }

        /// The operands that each method takes.
        #[allow(non_camel_case_types, reason = "the names are those of the methods")]
        pub mod takes {
            use super::*;
            $($(
                methods! { @group trait $kind $names ($($text)? $doc) $props { $($body)+ } }
                crate::x64_forms! { methods [$op $destination $source] $kind $names { $($body)+ } }
            )*)*
        }
    };

    // The method or trait of each mnemonic of a group.
    (@group $what:tt fn $name:ident $($about:tt)+) => { methods! { @group $what fn [$name $name O] $($about)+ } };
    (@group $what:tt fn ($single:ident $double:ident $($whole:ident)?) $doc:tt $props:tt $body:tt) => {
        methods! { @group $what fn [$single $single O] $doc $props $body }
        methods! { @group $what fn [$double $double O] $doc $props $body }
        $(methods! { @group $what fn [$whole $whole O] $doc $props $body })?
    };
    (@group trait fn [$name:ident $($method:ident $cond:ident)+] ($doc:literal $($row:literal)?) $props:tt $body:tt) => {
        #[doc = $doc]
        #[diagnostic::on_unimplemented(
            note = "registers of one size go together; memory beside a constant has a size: `mem(RDI).dword()`"
        )]
        pub trait $name {
            #[doc(hidden)]
            fn append(self, a: &mut Assembler, cond: Cond);
        }
    };
    (@group method fn [$name:ident $($methods:ident)+] ($doc:literal $($row:literal)?) [$($prop:ident)*] {
        $($form:tt)+
    }) => {
        methods! {
            @methods $name [$doc $(, methods!(@level $prop))* $(, methods!(@level $form))+] [$($form)+] $($methods)+
        }
    };
    (@group $what:tt $kind:ident $($about:tt)+) => {};

    // The methods of a mnemonic, with as many operands as its first form has.
    (@methods $name:ident $doc:tt $form:tt $($method:ident $cond:ident)+) => {
        $(crate::x64_forms! { @fields [methods @method $name $method $cond $doc] $form })+
    };
    (@method $name:ident $method:ident $cond:ident [$($doc:tt)+] $form:ident []) => {
        #[doc = concat!($($doc)+)]
        #[track_caller]
        pub fn $method(&mut self) {
            takes::$name::append((), self, Cond::$cond);
        }
    };
    (@method $name:ident $method:ident $cond:ident $doc:tt $form:ident [$x:ident]) => {
        methods! { @generic $name $method $cond $doc [X x] }
    };
    (@method $name:ident $method:ident $cond:ident $doc:tt $form:ident [$x:ident $y:ident]) => {
        methods! { @generic $name $method $cond $doc [X x Y y] }
    };
    (@method $name:ident $method:ident $cond:ident $doc:tt $form:ident [$x:ident $y:ident $z:ident]) => {
        methods! { @generic $name $method $cond $doc [X x Y y Z z] }
    };
    (@generic $name:ident $method:ident $cond:ident [$($doc:tt)+] [$($type:ident $operand:ident)+]) => {
        #[doc = concat!($($doc)+)]
        #[inline]
        #[track_caller]
        pub fn $method<$($type),+>(&mut self, $($operand: $type),+)
        where
            ($($type,)+): takes::$name,
        {
            takes::$name::append(($($operand,)+), self, Cond::$cond);
        }
    };

    // The operands of a form: taken from another row, of a class of registers, or of one size.
    (@form $row:tt use $($form:tt)+) => {};
    (@form $row:tt $kind:ident $same:tt $name:ident [$class:ident: $($sizes:tt)+] $form:ident $fields:tt) => {
        methods! { @impl [<R: $class>] R::SIZE, $row $name $form $fields }
    };
    (@form $row:tt $kind:ident $same:tt $name:ident [($size:ident $register:ident)] $form:ident $fields:tt) => {
        const _: () = {
            #[allow(dead_code, reason = "where no operand is of the operand size")]
            type R = $register;
            methods! { @impl [] Size::$size, $row $name $form $fields }
        };
    };
    (@impl [$($generics:tt)*] $size:expr, [$op:ident $destination:ident $source:ident] $name:ident $form:ident
        [$($field:ident)*]) => {
        impl $($generics)* $name for ($(crate::x64_forms!(@type $field $destination $source),)*) {
            #[inline]
            #[track_caller]
            fn append(self, a: &mut Assembler, cond: Cond) {
                #[allow(unused_mut, reason = "not changed where there are no operands")]
                let mut parts = Parts::NONE;
                let ($($field,)*) = self;
                $(parts.$field($field);)*
                a.row(op::$op, Form::$form, $size, cond, &parts);
            }
        }
    };

    // The sentence of the documentation about processors, for a property of a row or an encoding.
    (@level V2) => { " Needs a processor of level v2." };
    (@level V3) => { " Needs a processor of level v3." };
    (@level [$size:ident $opcode:literal / r $($imm:tt)*]) => { "" };
    (@level [$size:ident $opcode:literal / mr $($imm:tt)*]) => { "" };
    (@level [$size:ident $opcode:literal / $vex:ident $($imm:tt)*]) => { methods!(@level V3) };
    (@level $other:tt) => { "" };
}

crate::x64_instructions!(methods);
