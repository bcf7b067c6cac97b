//! Metadata: the nodes for positions of instructions in the source, for its variables, and for access types.

use super::super::ast::{MetadataItem, MetadataNode, NO_NODE, Node, ScopeKind, SourceType};
use super::super::lexer::{Kind, Lexer};
use super::super::literal;
use super::{Parser, Token};
use crate::tokens::{Parse, Parsed};

impl Parser<'_> {
    /// Parses `!12 = ..` and `!name = ..`.
    pub(super) fn metadata_definition(&mut self) -> Parsed<()> {
        let name = self.advance();
        self.expect_punct(b'=')?;
        self.take_word(b"distinct");
        let class = self.here();
        if self.is_punct(b'!') {
            return self.tuple(name);
        }
        if self.token.kind != Kind::Meta || !class.starts_with(b"!DI") {
            return self.skip_metadata();
        }
        self.advance();
        if !self.is_punct(b'(') {
            return Err(self.expected("`(`"));
        }
        let fields = Fields(self.skip_brackets()?);
        if let Some(node) = self.debug_node(class, &fields) {
            self.add_node(name, node);
        }
        Ok(())
    }

    /// Parses `!{..}`, a definition.
    fn tuple(&mut self, name: Token) -> Parsed<()> {
        let start = self.token.start as usize;
        self.skip_metadata()?;
        if let Some(items) = self.items(&self.text[start..self.token.start as usize]) {
            self.add_node(name, MetadataNode::Tuple(items));
        }
        Ok(())
    }
    /// Returns the items of `!{!"int", !5, i64 0}`; none if there are others than names, nodes and numbers.
    fn items(&self, text: &[u8]) -> Option<Box<[MetadataItem]>> {
        let mut lexer = Lexer::new(text);
        let mut next = || {
            let token = lexer.next();
            (token.kind, &text[token.start as usize..token.end as usize])
        };
        let mut items = Vec::new();
        if next().0 != Kind::Punct(b'!') || next().0 != Kind::Punct(b'{') {
            return None;
        }
        loop {
            items.push(match next() {
                (Kind::Meta, node) => MetadataItem::Node(self.node(node)?),
                (Kind::Punct(b'!'), _) => match next() {
                    (Kind::Str, [b'"', name @ .., b'"']) => MetadataItem::Name(literal::unescape(name).into()),
                    _ => return None,
                },
                (Kind::Word, [b'i', b'1'..=b'9', ..]) => {
                    let number: i128 = std::str::from_utf8(next().1).ok()?.parse().ok()?;
                    MetadataItem::Number(number as u64)
                }
                _ => return None,
            });
            match next().0 {
                Kind::Punct(b',') => {}
                Kind::Punct(b'}') => return Some(items.into()),
                _ => return None,
            }
        }
    }

    fn add_node(&mut self, name: Token, node: MetadataNode) {
        let Some(number) = self.node(self.bytes(name)) else { return };
        let all = &mut self.program.metadata;
        if all.len() <= number as usize {
            all.resize(number as usize + 1, MetadataNode::Other);
        }
        all[number as usize] = node;
    }

    /// Returns the number of `!12`. None for another form. Every number occurs in the text, so the greatest is below
    /// the length of the text.
    pub(super) fn node(&self, text: &[u8]) -> Option<Node> {
        let number = literal::number(text.strip_prefix(b"!")?)?;
        (number < self.text.len() as u64).then_some(number as Node)
    }

    fn debug_node(&self, class: &[u8], fields: &Fields<'_>) -> Option<MetadataNode> {
        let number = |name| fields.get(name).and_then(literal::number).and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
        let node = |name| fields.get(name).and_then(|text| self.node(text)).unwrap_or(NO_NODE);
        Some(match class {
            b"!DILocation" => {
                MetadataNode::Location { line: number(b"line"), column: number(b"column"), scope: node(b"scope") }
            }
            b"!DISubprogram" | b"!DILexicalBlock" | b"!DILexicalBlockFile" => {
                let kind = match class {
                    b"!DISubprogram" => ScopeKind::Function,
                    b"!DILexicalBlock" => ScopeKind::Block,
                    _ => ScopeKind::Part,
                };
                let (line, column) = (number(b"line"), number(b"column"));
                MetadataNode::Scope { file: node(b"file"), line, column, around: node(b"scope"), kind }
            }
            b"!DILocalVariable" => MetadataNode::Variable {
                name: fields.string(b"name").into(),
                arg: number(b"arg"),
                scope: node(b"scope"),
                ty: node(b"type"),
            },
            b"!DIBasicType" | b"!DIDerivedType" | b"!DICompositeType" => {
                let long = |name| fields.get(name).and_then(literal::number).unwrap_or(0);
                let word = |name, prefix: &[u8]| {
                    fields.get(name).and_then(|text| text.strip_prefix(prefix)).unwrap_or_default().into()
                };
                let tag = if class == b"!DIBasicType" { (*b"base_type").into() } else { word(b"tag", b"DW_TAG_") };
                MetadataNode::Type(Box::new(SourceType {
                    tag,
                    name: fields.string(b"name").into(),
                    size: long(b"size"),
                    offset: long(b"offset"),
                    encoding: word(b"encoding", b"DW_ATE_"),
                    base: node(b"baseType"),
                    elements: node(b"elements"),
                    is_bit_field: fields.has_flag(b"DIFlagBitField"),
                }))
            }
            b"!DISubrange" => MetadataNode::Subrange(fields.get(b"count").and_then(literal::number).unwrap_or(0)),
            b"!DIEnumerator" => {
                MetadataNode::Enumerator(fields.string(b"name").into(), fields.signed(b"value").unwrap_or(0))
            }
            b"!DICompileUnit" => MetadataNode::Unit { file: node(b"file") },
            b"!DIFile" => MetadataNode::File(path(&fields.string(b"directory"), &fields.string(b"filename"))),
            _ => return None,
        })
    }
}

/// The text between the parentheses of a node: `line: 3, scope: !7`.
struct Fields<'t>(&'t [u8]);

impl<'t> Fields<'t> {
    /// Returns the first token of a field.
    fn get(&self, name: &[u8]) -> Option<&'t [u8]> {
        let mut lexer = Lexer::new(self.0);
        loop {
            let token = lexer.next();
            let text = &self.0[token.start as usize..token.end as usize];
            match token.kind {
                Kind::End => return None,
                Kind::Label if text.strip_suffix(b":") == Some(name) => {
                    let value = lexer.next();
                    return Some(&self.0[value.start as usize..value.end as usize]);
                }
                _ => {}
            }
        }
    }
    /// Returns a field that is a signed number.
    fn signed(&self, name: &[u8]) -> Option<i64> {
        std::str::from_utf8(self.get(name)?).ok()?.parse().ok()
    }
    /// True if a flag is among those of `flags`.
    fn has_flag(&self, flag: &[u8]) -> bool {
        self.0.windows(flag.len()).any(|text| text == flag)
    }
    /// Returns the bytes of a field that is a string; empty if there is none.
    fn string(&self, name: &[u8]) -> Vec<u8> {
        match self.get(name) {
            Some([b'"', text @ .., b'"']) => literal::unescape(text).into_owned(),
            _ => Vec::new(),
        }
    }
}

/// Returns the path of a file.
fn path(directory: &[u8], name: &[u8]) -> Box<[u8]> {
    match directory.is_empty() || name.starts_with(b"/") {
        true => name.into(),
        false => [directory, b"/", name].concat().into(),
    }
}
