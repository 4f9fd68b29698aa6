//! An operation stands in the file of its name, alone, and its noun lists it.

use super::tree::File;

const IMPLEMENTS: &str = "impl Operation for ";

/// Judges every file of a domain's nouns that implements `Operation`.
pub fn check(files: &[File]) -> Vec<String> {
    files.iter().filter(|file| is_in_a_noun(&file.path)).flat_map(|file| faults(file, files)).collect()
}

fn is_in_a_noun(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    matches!(parts[..], ["domains", _, "src", _, file] if file.ends_with(".rs") && file != "mod.rs")
}

fn faults(file: &File, files: &[File]) -> Vec<String> {
    let types: Vec<(usize, &str)> = file
        .lines()
        .filter_map(|(number, line)| line.strip_prefix(IMPLEMENTS).map(|rest| (number, rest.trim_end_matches(" {"))))
        .collect();
    let Some((line, operation)) = types.first().copied() else { return Vec::new() };
    let mut faults = Vec::new();
    if types.len() > 1 {
        faults.push(file.finding(types[1].0, "a second operation in one file"));
    }
    if !file.text.contains(&format!("const NAME: &'static str = \"{}\";", file.stem())) {
        faults.push(file.finding(line, "NAME is not the file's name"));
    }
    if !is_listed(file, operation, files) {
        faults.push(file.finding(line, &format!("{operation} is in no OPERATIONS list: nobody can call it")));
    }
    faults
}

fn is_listed(file: &File, operation: &str, files: &[File]) -> bool {
    let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let contents = files.iter().find(|other| other.path == format!("{folder}/mod.rs"));
    let list = contents.and_then(|contents| contents.text.split_once("OPERATIONS: &[Listed]")).map(|(_, list)| list);
    let list = list.map_or("", |list| list.split_once("];").map_or(list, |(inside, _)| inside));
    list.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == operation)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "pub const OPERATIONS: &[Listed] = &[\n    local::<get_meals::GetMeals>,\n];\n";

    fn noun(name: &str, text: &str) -> Vec<String> {
        check(&[
            File::new("domains/journal/src/meals/mod.rs", LIST),
            File::new(&format!("domains/journal/src/meals/{name}.rs"), text),
        ])
    }

    fn text(operation: &str, name: &str) -> String {
        format!("impl Operation for {operation} {{\n    const NAME: &'static str = \"{name}\";\n")
    }

    #[test]
    fn an_operation_in_its_own_file_and_listed_is_right() {
        assert_eq!(noun("get_meals", &text("GetMeals", "get_meals")), Vec::<String>::new());
        assert_eq!(noun("meal", "pub struct Meal;"), Vec::<String>::new());
    }

    #[test]
    fn a_name_that_is_not_the_files_is_found() {
        assert_eq!(noun("list_meals", &text("GetMeals", "get_meals")).len(), 1);
    }

    #[test]
    fn an_operation_that_nobody_lists_is_found() {
        assert_eq!(noun("copy_meal", &text("CopyMeal", "copy_meal")).len(), 1);
    }

    #[test]
    fn two_operations_in_one_file_are_found() {
        let both = text("GetMeals", "get_meals") + "}\n" + &text("Other", "other");
        assert_eq!(noun("get_meals", &both).len(), 1);
    }
}
