//! Lock files name public registries only, so that they resolve anywhere.

use super::tree::File;

const PUBLIC: [&str; 3] = [
    "registry+https://github.com/rust-lang/crates.io-index",
    "https://registry.npmjs.org/",
    "https://files.pythonhosted.org/",
];

pub fn check(file: &File) -> Vec<String> {
    let key = if file.path.ends_with("Cargo.lock") {
        "source = \""
    } else if file.path.ends_with("package-lock.json") {
        "\"resolved\": \""
    } else {
        return Vec::new();
    };
    file.lines()
        .filter_map(|(number, line)| line.split_once(key).map(|(_, source)| (number, source)))
        .filter(|(_, source)| !PUBLIC.iter().any(|public| source.starts_with(public)))
        .map(|(number, _)| file.finding(number, "is locked to a registry that not everybody reaches"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_private_registry_is_found() {
        let line =
            |host: &str| File::new("tests/package-lock.json", &format!("  \"resolved\": \"https://{host}/a.tgz\",\n"));
        assert_eq!(check(&line("registry.npmjs.org")).len(), 0);
        assert_eq!(check(&line("mirror.example")).len(), 1);
    }
}
