//! Trees as LaTeX, for its package `tikz`: Max nodes as squares, Min nodes as circles, cuts as two
//! red strokes on a line.

use std::fmt::Write;

use super::Lesson;
use super::svg::label;

/// Opening of a picture, with the styles of its parts.
const BEGIN: &str = r"\begin{tikzpicture}[x=12mm, y=-20mm, never/.style={opacity=.4, dashed},
  Max/.style={draw, rectangle, minimum size=7mm, inner sep=1pt, font=\small},
  Min/.style={Max, circle},
  small/.style={inner sep=1pt, fill=white, font=\scriptsize},
  cut/.style={sloped, red, opacity=1}]
";

impl Lesson {
    /// Draws the tree as a `tikzpicture`, with the values, windows and cuts after the last step, or
    /// with the values of its leaves only. A document needs `\usepackage{tikz}`.
    pub fn tikz(&self, is_solved: bool) -> String {
        let steps = if is_solved { &self.steps[..] } else { &[] };
        let shown = self.shown(steps);
        let (mut nodes, mut lines, mut labels) = (String::new(), String::new(), String::new());
        for (index, (node, drawn)) in self.nodes.iter().zip(&shown).enumerate() {
            let side = if node.max { "Max" } else { "Min" };
            let is_never = is_solved && !drawn.seen;
            let never = if is_never { ", never" } else { "" };
            let (x, ply, value) = (node.x, node.ply, math(&drawn.value));
            let _ = writeln!(
                nodes,
                r"\node[{side}{never}] (n{index}) at ({x}, {ply}) {{{value}}};"
            );
            if let Some(parent) = node.parent {
                let is_cut = is_never && shown[parent].seen;
                let cut = if is_cut { r" node[cut] {$\|$}" } else { "" };
                let _ = writeln!(
                    lines,
                    r"\draw[black{never}] (n{parent}) --{cut} (n{index});"
                );
            }
            let is_leaf = node.value.is_some();
            let beside = [("right", "east"), ("below", "south")][usize::from(is_leaf)];
            let (window, name) = (math(&drawn.window), escaped(label(node)));
            for ((side, anchor), text) in [(("above", "north"), window), (beside, name)] {
                if !text.is_empty() {
                    let place = format!("{side}=1pt] at (n{index}.{anchor})");
                    let _ = writeln!(labels, r"\node[small, {place} {{{text}}};");
                }
            }
        }
        format!("{BEGIN}{nodes}{lines}{labels}\\end{{tikzpicture}}\n")
    }
}

/// Writes a number or a window as mathematics.
fn math(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("${}$", text.replace('−', "-").replace('∞', r"\infty"))
}

/// Writes a text so that LaTeX prints it as it is.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => escaped.extend(['\\', letter]),
            '\\' => escaped.push_str(r"\textbackslash{}"),
            '^' | '~' => escaped.extend(['\\', letter, '{', '}']),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_for_latex() {
        assert_eq!(
            escaped(r"a_1 & 50 % {~^\}"),
            r"a\_1 \& 50 \% \{\~{}\^{}\textbackslash{}\}"
        );
        assert_eq!(math("[−∞, +∞]"), r"$[-\infty, +\infty]$");
    }
}
