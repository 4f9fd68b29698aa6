use std::{fs, path::PathBuf};

/// The texts of one folder of the corpus, a file each, by name.
pub fn texts(folder: &str) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../foundation/operation/fuzz-corpus").join(folder);
    let mut files: Vec<PathBuf> =
        fs::read_dir(&folder).expect("the corpus").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).expect("a readable file")).collect()
}
