/// Whether a licence expression (SPDX, or the older `MIT/Apache-2.0`) can be met by licences for which `allowed` holds.
pub fn is_met(expression: &str, allowed: &impl Fn(&str) -> bool) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    any(&mut rest, allowed) == Some(true) && rest.is_empty()
}

/// `a OR b`: the weaker binding. `None`: not an expression.
fn any(words: &mut &[&str], allowed: &impl Fn(&str) -> bool) -> Option<bool> {
    let mut met = all(words, allowed)?;
    while take(words, "OR") {
        met |= all(words, allowed)?;
    }
    Some(met)
}

fn all(words: &mut &[&str], allowed: &impl Fn(&str) -> bool) -> Option<bool> {
    let mut met = one(words, allowed)?;
    while take(words, "AND") {
        met &= one(words, allowed)?;
    }
    Some(met)
}

fn one(words: &mut &[&str], allowed: &impl Fn(&str) -> bool) -> Option<bool> {
    if take(words, "(") {
        let met = any(words, allowed);
        return if take(words, ")") { met } else { None };
    }
    let licence = next(words)?;
    if take(words, "WITH") {
        let exception = next(words)?;
        return Some(allowed(&format!("{licence} WITH {exception}")));
    }
    Some(allowed(licence))
}

fn next<'a>(words: &mut &[&'a str]) -> Option<&'a str> {
    let (first, rest) = words.split_first()?;
    *words = rest;
    Some(first)
}

fn take(words: &mut &[&str], word: &str) -> bool {
    match words.split_first() {
        Some((first, rest)) if *first == word => {
            *words = rest;
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(expression: &str) -> bool {
        is_met(expression, &|licence| ["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"].contains(&licence))
    }

    #[test]
    fn one_allowed_alternative_is_enough() {
        assert!(met("MIT OR GPL-3.0"));
        assert!(met("GPL-3.0/MIT"));
        assert!(met("Apache-2.0 WITH LLVM-exception OR GPL-3.0"));
    }

    #[test]
    fn everything_that_is_asked_together_must_be_allowed() {
        assert!(!met("MIT AND GPL-3.0"));
        assert!(met("ISC AND (GPL-3.0 OR MIT)"));
        assert!(!met("ISC AND (GPL-3.0 OR LGPL-2.1)"));
    }

    #[test]
    fn what_is_no_expression_is_not_met() {
        for odd in ["", "MIT OR", "(MIT", "MIT MIT", "MIT WITH"] {
            assert!(!met(odd), "{odd}");
        }
    }
}
