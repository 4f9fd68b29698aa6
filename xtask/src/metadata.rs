//! What `cargo metadata` says of the workspace and its dependencies.

use std::{path::Path, process::Command};

use serde_json::Value;

/// How a package is depended on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Normal,
    Build,
    /// For tests, examples and benches.
    Dev,
}

#[derive(Debug, Clone)]
pub struct Dependency {
    pub name: String,
    pub kind: Kind,
}

#[derive(Debug, Clone)]
pub struct Package {
    pub name: String,
    pub version: String,
    pub licence: Option<String>,
    /// Folder below the workspace root, `/` between its parts; `None` outside the workspace.
    pub folder: Option<String>,
    pub dependencies: Vec<Dependency>,
}

/// Every package of the lock file, workspace members and others. `target` limits it to what one platform builds.
pub fn packages(root: &Path, target: Option<&str>) -> Result<Vec<Package>, String> {
    let mut command = Command::new("cargo");
    command.args(["metadata", "--format-version", "1", "--locked"]).current_dir(root);
    if let Some(target) = target {
        command.args(["--filter-platform", target]);
    }
    let output = command.output().map_err(|error| format!("cannot run cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let document: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
    Ok(read(&document))
}

fn read(document: &Value) -> Vec<Package> {
    let root = document["workspace_root"].as_str().unwrap_or_default();
    let members = array(&document["workspace_members"]);
    let resolved: Vec<&Value> = array(&document["resolve"]["nodes"]).iter().map(|node| &node["id"]).collect();
    array(&document["packages"])
        .iter()
        .filter(|package| resolved.is_empty() || resolved.contains(&&package["id"]))
        .map(|package| Package {
            name: text(&package["name"]),
            version: text(&package["version"]),
            licence: package["license"].as_str().map(str::to_owned),
            folder: members.contains(&package["id"]).then(|| folder(root, &package["manifest_path"])),
            dependencies: array(&package["dependencies"]).iter().map(dependency).collect(),
        })
        .collect()
}

fn folder(root: &str, manifest: &Value) -> String {
    let manifest = manifest.as_str().unwrap_or_default();
    let below = manifest.strip_prefix(root).unwrap_or(manifest).trim_start_matches('/');
    below.trim_end_matches("Cargo.toml").trim_end_matches('/').to_owned()
}

fn dependency(value: &Value) -> Dependency {
    let kind = match value["kind"].as_str() {
        Some("dev") => Kind::Dev,
        Some("build") => Kind::Build,
        _ => Kind::Normal,
    };
    Dependency { name: text(&value["name"]), kind }
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_member_is_known_by_its_folder() {
        let packages = read(&json!({
            "workspace_root": "/house",
            "workspace_members": ["path+file:///house/surfaces/rest#0.1.0"],
            "packages": [
                {"id": "path+file:///house/surfaces/rest#0.1.0", "name": "rest", "version": "0.1.0",
                 "manifest_path": "/house/surfaces/rest/Cargo.toml",
                 "dependencies": [{"name": "axum", "kind": null}, {"name": "testkit", "kind": "dev"}]},
                {"id": "registry#axum@0.8.0", "name": "axum", "version": "0.8.0", "license": "MIT", "dependencies": []},
            ],
        }));
        assert_eq!(packages[0].folder.as_deref(), Some("surfaces/rest"));
        assert_eq!(packages[0].dependencies[1].kind, Kind::Dev);
        assert_eq!((packages[1].folder.as_deref(), packages[1].licence.as_deref()), (None, Some("MIT")));
    }
}
