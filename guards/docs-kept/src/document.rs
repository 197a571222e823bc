//! A document: its text, and the code in it.

use std::ops::Range;

use crate::format::Format;

pub struct Document {
    pub text: String,
    pub blocks: Vec<Block>,
    starts: Vec<usize>,
}

pub struct Block {
    pub code: String,
    /// Lines that it takes up, fences included, from 1.
    pub lines: Range<u32>,
    /// The line of text that leads to it: the last that is not blank before it. None when that is code, or nothing.
    pub lead: Option<String>,
}

impl Document {
    pub fn parse(format: Format, text: String) -> Self {
        let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let mut document = Document { blocks: Vec::new(), starts, text };
        for (bytes, code) in format.code(&document.text) {
            let last = bytes.end.max(bytes.start + 1) - 1;
            let lines = document.line_at(bytes.start)..document.line_at(last) + 1;
            let lead = document.lead(lines.start);
            document.blocks.push(Block { code, lines, lead });
        }
        document
    }

    /// Of a byte, from 1.
    fn line_at(&self, byte: usize) -> u32 {
        self.starts.partition_point(|start| *start <= byte) as u32
    }

    fn lead(&self, line: u32) -> Option<String> {
        let after_code = self.blocks.last().map_or(1, |block| block.lines.end);
        let lines = (after_code..line).rev().map(|line| self.line(line));
        lines.into_iter().find(|line| !line.is_empty()).map(str::to_string)
    }

    /// A line without the white space around it; empty when there is none of that number.
    pub fn line(&self, number: u32) -> &str {
        self.text[self.span(number)].trim()
    }

    /// Bytes of a line, its ending left out.
    pub fn span(&self, number: u32) -> Range<usize> {
        let start = |number: u32| self.starts.get(number as usize - 1).copied().unwrap_or(self.text.len());
        let line = &self.text[start(number)..start(number + 1)];
        start(number)..start(number) + line.trim_end_matches(['\r', '\n']).len()
    }

    /// Lines, from 1, without the white space around them.
    pub fn lines(&self) -> impl Iterator<Item = (u32, &str)> {
        (1..).zip(self.text.lines().map(str::trim))
    }

    pub fn is_code(&self, line: u32) -> bool {
        self.blocks.iter().any(|block| block.lines.contains(&line))
    }

    /// All code, block after block.
    pub fn code(&self) -> String {
        let blocks: Vec<&str> = self.blocks.iter().map(|block| block.code.as_str()).collect();
        blocks.join("\n")
    }
}

/// Characters, without the white space around lines: indenting a document anew changes nothing.
pub fn size(text: &str) -> usize {
    text.lines().map(|line| line.trim().chars().count()).sum()
}
