//! LLVM IR, translated into LIR.
//!
//! `text --lexer, parser--> Program --translate--> Module`
//!
//! The whole text is parsed before anything is translated, because types, attributes and symbols may follow their uses.
//! Both steps are linear in the text; names are hashed once, where they are read, and numbers never.
//!
//! The textual IR of LLVM 15 to 22 is read (typed pointers of earlier versions are taken for `ptr`). What has no
//! counterpart in LIR is refused with its place; [`translate`] lists it.
//!
//! The language: the LLVM project, "LLVM Language Reference Manual".

mod ast;
mod attributes;
mod lexer;
mod literal;
mod parser;
mod types;

#[cfg(test)]
mod probe {
    #[test]
    fn probe() {
        for path in std::env::var("LL").unwrap().split(':') {
            let text = std::fs::read(path).unwrap();
            let t = std::time::Instant::now();
            let r = super::parser::parse(&text);
            eprintln!("{path} {:?}", t.elapsed());
            if let Err(e) = r {
                let source = lir_syntax::text::source::Source { name: path.to_string(), text: String::from_utf8_lossy(&text).into_owned() };
                eprintln!("{}", lir_syntax::text::diagnostic::render(&source, &e));
            }
        }
    }
}
