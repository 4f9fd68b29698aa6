//! `mod.rs` and `lib.rs` hold contents only: what is there, and lists of it.

use super::tree::File;

const CODE: [&str; 9] =
    ["fn ", "async fn ", "const fn ", "struct ", "enum ", "trait ", "impl ", "impl<", "macro_rules!"];

/// Finds code in a file of contents.
pub fn check(file: &File) -> Vec<String> {
    if !file.is_contents() {
        return Vec::new();
    }
    file.lines()
        .filter(|(_, line)| CODE.iter().any(|code| without_visibility(line).starts_with(code)))
        .map(|(number, _)| file.finding(number, "holds contents only; give this code a file of its own"))
        .collect()
}

fn without_visibility(line: &str) -> &str {
    let Some(rest) = line.strip_prefix("pub") else { return line };
    match rest.strip_prefix('(') {
        Some(inner) => inner.split_once(") ").map_or(line, |(_, rest)| rest),
        None => rest.trim_start(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_modules_are_contents() {
        let text =
            "//! Meals.\n\nmod meal;\npub mod days;\nuse x::{\n    y,\n};\n\npub const ALL: &[X] = &[\n    a,\n];\n";
        assert_eq!(check(&File::new("domains/journal/src/meals/mod.rs", text)), Vec::<String>::new());
    }

    #[test]
    fn code_in_a_file_of_contents_is_found() {
        for code in [
            "fn a() {}",
            "pub fn a() {}",
            "pub(crate) struct A;",
            "pub async fn a() {}",
            "impl A {}",
            "macro_rules! a {",
        ] {
            assert_eq!(check(&File::new("a/src/lib.rs", code)).len(), 1, "{code}");
            assert_eq!(check(&File::new("a/src/other.rs", code)).len(), 0, "{code}");
        }
    }
}
