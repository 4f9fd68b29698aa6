//! String literals of a Rust source text.

/// Each string literal with the line it starts on; escapes stay as they are written. Comments and chars are skipped.
pub fn literals(text: &str) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if let Some(literal) = raw(rest).or_else(|| plain(rest)) {
            let line = text[..at].matches('\n').count() + 1;
            found.push((line, &rest[literal.start..literal.end]));
            at += literal.whole;
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
            at += if rest.starts_with("'\"'") { 3 } else { 4 };
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    found
}

/// Where a literal's text lies, and the length with its quotes.
struct Literal {
    start: usize,
    end: usize,
    whole: usize,
}

fn plain(rest: &str) -> Option<Literal> {
    let inner = rest.strip_prefix('"')?;
    let mut escaped = false;
    let end = inner.char_indices().find(|(_, c)| {
        let closes = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        closes
    })?;
    Some(Literal { start: 1, end: 1 + end.0, whole: end.0 + 2 })
}

fn raw(rest: &str) -> Option<Literal> {
    let inner = rest.strip_prefix('r')?;
    let hashes = inner.len() - inner.trim_start_matches('#').len();
    let body = inner[hashes..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let end = body.find(&close)?;
    let start = 1 + hashes + 1;
    Some(Literal { start, end: start + end, whole: start + end + close.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_of_every_form_are_found_with_their_lines() {
        let text = "let a = \"one \\\" two\"; // \"not\"\nlet b = '\"';\nlet c = r#\"raw \" text\"#;\n";
        assert_eq!(literals(text), [(1, "one \\\" two"), (3, "raw \" text")]);
    }
}
