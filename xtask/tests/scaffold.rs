//! `new-operation` and `new-domain` on a small copy of the house, compiled where a compiler would notice.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// A folder with the files that the scaffold reads, removed again at the end.
struct House(PathBuf);

impl House {
    fn new(name: &str) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&root);
        let house = Self(root);
        house.write("rustfmt.toml", "max_width = 120\nuse_small_heuristics = \"Max\"\n");
        house.write(
            "Cargo.toml",
            "[workspace]\nmembers = [\n    \"almanac\",\n    \"domains/journal\",\n    \"xtask\",\n]\n\n\
             [workspace.dependencies]\njournal = { path = \"domains/journal\" }\n",
        );
        house.write("xtask/Cargo.toml", "");
        house
            .write("almanac/Cargo.toml", "[package]\nname = \"almanac\"\n\n[dependencies]\njournal.workspace = true\n");
        house.write("almanac/src/domains.rs", "pub const DOMAINS: &[Domain] = &[journal::DOMAIN];\n");
        house.write("foundation/operation/src/access.rs", "Area::Journal,\nArea::Kitchen,\n");
        house.write(
            "domains/journal/src/lib.rs",
            "//! The journal.\n\nmod meals;\n\npub const DOMAIN: Domain = Domain {\n    area: Area::Journal,\n    \
             operations: &[meals::OPERATIONS],\n    entities: &[],\n};\n",
        );
        house.write(
            "domains/journal/src/meals/mod.rs",
            "//! Meals.\n\nmod log_meal;\n\nuse operation::{Listed, repeatable};\n\n\
             pub const OPERATIONS: &[Listed] = &[repeatable::<log_meal::LogMeal>];\n",
        );
        house
    }

    fn write(&self, file: &str, text: &str) {
        let file = self.0.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.join(file)).unwrap()
    }

    fn xtask(&self, words: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_xtask"))
            .args(words)
            .env("CARGO_MANIFEST_DIR", self.0.join("xtask"))
            .output()
            .unwrap()
    }
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn succeeded(output: &Output) -> bool {
    println!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    output.status.success()
}

#[test]
fn a_new_operation_is_one_file_and_two_lines() {
    let house = House::new("new_operation");
    assert!(succeeded(&house.xtask(&["new-operation", "journal", "meals", "copy_meal"])));
    assert_eq!(
        house.read("domains/journal/src/meals/mod.rs"),
        "//! Meals.\n\nmod copy_meal;\nmod log_meal;\n\nuse operation::{Listed, local, repeatable};\n\n\
         pub const OPERATIONS: &[Listed] = &[repeatable::<log_meal::LogMeal>, local::<copy_meal::CopyMeal>];\n"
    );
    let file = house.read("domains/journal/src/meals/copy_meal.rs");
    assert!(file.contains("const NAME: &'static str = \"copy_meal\";"), "{file}");
    assert!(file.contains("Needs::writing(Area::Journal)"), "{file}");
}

#[test]
fn a_new_noun_is_made_and_listed_in_its_domain() {
    let house = House::new("new_noun");
    assert!(succeeded(&house.xtask(&["new-operation", "journal", "phases", "list_phases"])));
    let library = house.read("domains/journal/src/lib.rs");
    assert!(library.contains("mod meals;\nmod phases;\n"), "{library}");
    assert!(library.contains("&[meals::OPERATIONS, crate::phases::OPERATIONS]"), "{library}");
    assert!(library.contains("operation::Entity { name: \"phase\", summary: \"Phases.\" }"), "{library}");
    let noun = house.read("domains/journal/src/phases/mod.rs");
    assert!(noun.contains("&[local::<list_phases::ListPhases>];"), "{noun}");
    assert!(house.read("domains/journal/src/phases/list_phases.rs").contains("Needs::reading(Area::Journal)"));
}

#[test]
fn an_operation_that_is_there_already_is_left_alone() {
    let house = House::new("again");
    house.write("domains/journal/src/meals/log_meal.rs", "// mine\n");
    let output = house.xtask(&["new-operation", "journal", "meals", "log_meal"]);
    assert!(!output.status.success());
    assert_eq!(house.read("domains/journal/src/meals/log_meal.rs"), "// mine\n");
    assert!(!house.xtask(&["new-operation", "garden", "beds", "dig_bed"]).status.success());
    assert!(!house.xtask(&["new-operation", "journal", "meals", "LogMeal"]).status.success());
}

#[test]
fn a_new_domain_is_named_in_the_workspace_and_the_binary() {
    let house = House::new("new_domain");
    assert!(succeeded(&house.xtask(&["new-domain", "kitchen"])));
    let workspace = house.read("Cargo.toml");
    assert!(workspace.contains("    \"domains/journal\",\n    \"domains/kitchen\",\n"), "{workspace}");
    assert!(workspace.contains("kitchen = { path = \"domains/kitchen\" }\n"), "{workspace}");
    assert!(house.read("almanac/Cargo.toml").contains("kitchen.workspace = true\n"));
    assert_eq!(
        house.read("almanac/src/domains.rs"),
        "pub const DOMAINS: &[Domain] = &[journal::DOMAIN, kitchen::DOMAIN];\n"
    );
    assert!(house.read("domains/kitchen/src/domain.rs").contains("area: Area::Kitchen,"));
    assert!(succeeded(&house.xtask(&["new-operation", "kitchen", "recipes", "get_recipes"])));
    assert!(!house.xtask(&["new-domain", "kitchen"]).status.success());
}

/// The template against the real trait: what `new-domain` and `new-operation` write compiles as it stands.
#[test]
fn what_is_written_compiles_with_the_real_foundation() {
    let house = House::new("compiles");
    let real = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let manifest = fs::read_to_string(real.join("Cargo.toml")).unwrap();
    let (_, shared) = manifest.split_once("[workspace.package]\n").unwrap();
    let absolute = shared.replace("path = \"", &format!("path = \"{}/", real.display()));
    house.write(
        "Cargo.toml",
        &format!("[workspace]\nresolver = \"3\"\nmembers = [\n]\n\n[workspace.package]\n{absolute}"),
    );
    fs::copy(real.join("Cargo.lock"), house.0.join("Cargo.lock")).unwrap();
    fs::remove_dir_all(house.0.join("domains")).unwrap();
    assert!(succeeded(&house.xtask(&["new-domain", "garden"])));
    for (noun, name) in [("beds", "get_beds"), ("beds", "add_bed"), ("seed_lists", "delete_seed_list")] {
        assert!(succeeded(&house.xtask(&["new-operation", "garden", noun, name])));
    }
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let compiled = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--offline"])
        .current_dir(house.0.join("domains/garden"))
        .env("CARGO_TARGET_DIR", target)
        .output()
        .unwrap();
    assert!(succeeded(&compiled));
    assert!(!String::from_utf8_lossy(&compiled.stderr).contains("garden"));
}
