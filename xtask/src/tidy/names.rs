//! Names say what a thing is, not that it is a thing.

use super::tree::File;

const EMPTY_WORDS: [&str; 10] =
    ["util", "utils", "helper", "helpers", "common", "misc", "manager", "managers", "service", "services"];
const EMPTY_TYPE_ENDS: [&str; 5] = ["Manager", "Service", "Helper", "Utils", "Handler"];

/// Finds files, modules and types named by an empty word.
pub fn check(file: &File) -> Vec<String> {
    let in_path = file
        .path
        .split('/')
        .map(|part| part.split('.').next().unwrap_or_default())
        .any(|part| EMPTY_WORDS.contains(&part));
    let mut findings: Vec<String> =
        in_path.then(|| format!("{}: its name says nothing about what it holds", file.path)).into_iter().collect();
    if file.is_rust() {
        findings.extend(
            file.lines()
                .filter(|(_, line)| defined(line).is_some_and(is_empty_name))
                .map(|(number, _)| file.finding(number, "a name that says nothing about what it names")),
        );
    }
    findings
}

/// The name that a line defines: of a module, function or type.
fn defined(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub") || *word == "async");
    let kind = words.next()?;
    let name = words.next()?;
    let known = ["mod", "fn", "struct", "enum", "trait", "type"].contains(&kind);
    known.then(|| name.split(|c: char| !(c.is_alphanumeric() || c == '_')).next()).flatten()
}

fn is_empty_name(name: &str) -> bool {
    EMPTY_WORDS.contains(&name) || name == "handler" || EMPTY_TYPE_ENDS.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_names_are_found_in_paths_and_definitions() {
        assert_eq!(check(&File::new("foundation/utils/src/a.rs", "")).len(), 1);
        assert_eq!(
            check(&File::new("a/helpers.rs", "mod helpers {}\npub struct MealManager;\nasync fn handler() {}")).len(),
            4
        );
    }

    #[test]
    fn what_the_libraries_call_their_own_is_not_ours() {
        assert!(
            check(&File::new("a/src/meal.rs", "impl ServerHandler for Fixture {}\nuse tower::Service;\n")).is_empty()
        );
        assert!(check(&File::new("deploy/almanac.service", "")).is_empty());
    }
}
