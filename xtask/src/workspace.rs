use std::path::PathBuf;

/// Folder of the workspace's `Cargo.toml`: the one that cargo runs us in, so that a copy of the tree works on itself.
pub fn root() -> PathBuf {
    let mut folder =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    folder.pop();
    folder
}
