//! What an operation is: its input, words, effect, needs and logic in one type, listed once, shown at every surface.
//!
//! Start at [`Operation`]; a domain lists its operations in a [`Domain`], and the engine runs them from the [`Catalog`].

pub mod access;
pub mod call;
mod canonical;
pub mod catalog;
pub mod entry;
pub mod failure;
pub mod input;
mod outside;
pub mod page;
mod plan;
mod spec;

pub use access::{Actor, ActorKind, Area, Caller, Needs, Person, Scope, Scopes};
pub use call::Call;
pub use canonical::{canonical_json, derived_key, hex_sha256, payload_hash};
pub use catalog::{Catalog, Column, Domain, Entity, Instructions, Listed, Resource, Shown, Toolset, Workflow};
pub use entry::{Entry, Produced, local, reaching, repeatable};
pub use failure::{Failure, FieldFault, Refused};
pub use input::{Clear, Confirm, Fields, Kind, Patch, Shape};
pub use outside::Outside;
pub use page::{Cursor, Page, PageEnds};
pub use plan::{Local, Reaching, Repeatable};
pub use spec::{Effect, Operation, Role, Verb};
pub use storage::BoxFuture;
