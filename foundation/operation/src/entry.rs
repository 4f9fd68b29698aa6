//! An operation with its types erased: what the engine and every surface loop over.

use std::{any::Any, marker::PhantomData};

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};
use storage::{BoxFuture, Tx};

use crate::{
    Call, Effect, Failure, FieldFault, Fields, Local, Needs, Operation, Outside, PageEnds, Reaching, Repeatable, Role,
    Verb, input,
};

/// A parsed input, typed again inside the entry that made it.
pub type Parsed = Box<dyn Any + Send + Sync>;
/// What `prepare` or `reach` handed on.
pub type Carried = Box<dyn Any + Send + Sync>;

/// The answer of a run, before the engine stamps and cuts it.
#[derive(Debug, Clone)]
pub struct Produced {
    pub answer: Map<String, Value>,
    pub page: Option<PageEnds>,
    /// Row made by a [`Repeatable`] operation.
    pub row: Option<i64>,
}

/// One operation of the catalog.
pub struct Entry {
    pub name: &'static str,
    pub title: String,
    /// The doc comment of the input struct.
    pub docs: String,
    /// Domain it stands in; set by the catalog.
    pub domain: &'static str,
    pub path: &'static str,
    pub effect: Effect,
    pub also: Option<Verb>,
    pub needs: Needs,
    pub entity: &'static str,
    pub role: Role,
    pub idempotent: bool,
    pub destructive: bool,
    pub open_world: bool,
    pub everyday: bool,
    pub admin: bool,
    pub off_mcp: Option<&'static str>,
    pub untrusted: &'static [&'static str],
    pub calls: &'static [&'static str],
    pub max_bytes: usize,
    pub narrow_by: &'static str,
    pub input: Fields,
    /// JSON schema of the answer, as serde writes it, everything inlined.
    pub output: Value,
    pub example: Value,
    /// Kind of the derived idempotency key, where calls are keyed.
    pub keyed: Option<&'static str>,
    pub summary: fn(&Value) -> String,
    pub runner: Runner,
}

/// How an operation runs.
pub enum Runner {
    Local(Box<dyn RunsLocal>),
    Reaching(Box<dyn RunsReaching>),
}

impl Runner {
    pub fn parse(&self, input: Value) -> Result<Parsed, Failure> {
        match self {
            Self::Local(runner) => runner.parse(input),
            Self::Reaching(runner) => runner.parse(input),
        }
    }

    pub fn check(&self, input: &Parsed, call: &Call) -> Result<Vec<FieldFault>, Failure> {
        match self {
            Self::Local(runner) => runner.check(input, call),
            Self::Reaching(runner) => runner.check(input, call),
        }
    }
}

/// Parsing and the rules on the input alone.
pub trait Parses: Send + Sync {
    fn parse(&self, input: Value) -> Result<Parsed, Failure>;
    fn check(&self, input: &Parsed, call: &Call) -> Result<Vec<FieldFault>, Failure>;
}

pub trait RunsLocal: Parses {
    fn run<'a>(&'a self, input: &'a Parsed, tx: &'a mut Tx, call: &'a Call)
    -> BoxFuture<'a, Result<Produced, Failure>>;

    fn replay<'a>(
        &'a self,
        input: &'a Parsed,
        tx: &'a mut Tx,
        call: &'a Call,
        row: i64,
    ) -> BoxFuture<'a, Result<Option<Produced>, Failure>>;
}

pub trait RunsReaching: Parses {
    fn prepare<'a>(
        &'a self,
        input: &'a Parsed,
        tx: &'a mut Tx,
        call: &'a Call,
    ) -> BoxFuture<'a, Result<Carried, Failure>>;

    fn reach<'a>(
        &'a self,
        input: &'a Parsed,
        plan: &'a Carried,
        outside: &'a Outside,
    ) -> BoxFuture<'a, Result<Carried, Failure>>;

    fn settle<'a>(
        &'a self,
        input: &'a Parsed,
        tx: &'a mut Tx,
        call: &'a Call,
        answer: &'a Carried,
    ) -> BoxFuture<'a, Result<Produced, Failure>>;
}

/// Lists an operation that runs in one transaction: `const OPERATIONS: &[Listed] = &[local::<GetMeals>, …]`.
pub fn local<O: Local>() -> Result<Entry, String> {
    entry::<O>(Runner::Local(Box::new(OneTransaction::<O>(PhantomData))), None)
}

/// Lists an operation that is keyed, so that a repeated call makes one row.
pub fn repeatable<O: Repeatable>() -> Result<Entry, String> {
    entry::<O>(Runner::Local(Box::new(Keyed::<O>(PhantomData))), Some(O::KIND))
}

/// Lists an operation that calls another service between two transactions.
pub fn reaching<O: Reaching>() -> Result<Entry, String> {
    entry::<O>(Runner::Reaching(Box::new(ThreeParts::<O>(PhantomData))), None)
}

fn entry<O: Operation>(runner: Runner, keyed: Option<&'static str>) -> Result<Entry, String> {
    let fields = Fields::of::<O>(O::EFFECT).map_err(|fault| format!("{}: {fault}", O::NAME))?;
    let output = SchemaSettings::draft2020_12()
        .for_serialize()
        .with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        })
        .into_generator()
        .into_root_schema_for::<O::Output>()
        .to_value();
    Ok(Entry {
        name: O::NAME,
        title: O::TITLE.map_or_else(|| title_of(O::NAME), str::to_owned),
        docs: fields.docs.clone(),
        domain: "",
        path: O::PATH,
        effect: O::EFFECT,
        also: O::ALSO,
        needs: O::NEEDS,
        entity: O::ENTITY,
        role: O::ROLE,
        idempotent: O::IDEMPOTENT,
        destructive: O::DESTRUCTIVE,
        open_world: O::OPEN_WORLD,
        everyday: O::EVERYDAY,
        admin: O::ADMIN,
        off_mcp: O::OFF_MCP,
        untrusted: O::UNTRUSTED,
        calls: O::CALLS,
        max_bytes: O::MAX_BYTES,
        narrow_by: O::NARROW_BY,
        input: fields,
        output,
        example: O::example(),
        keyed,
        summary: O::summary,
        runner,
    })
}

impl Entry {
    /// The first paragraph's first sentence: enough alone to know what the operation does.
    pub fn first_sentence(&self) -> &str {
        let paragraph = self.docs.split("\n\n").next().unwrap_or_default();
        paragraph
            .match_indices(['.', '!', '?'])
            .find(|(at, _)| matches!(paragraph[at + 1..].chars().next(), None | Some(' ')))
            .map_or(paragraph, |(at, _)| &paragraph[..=at])
    }

    /// Names in the path's braces.
    pub fn path_parameters(&self) -> impl Iterator<Item = &'static str> {
        input::path_parameters(self.path)
    }
}

/// `log_meal` → `Log meal`.
fn title_of(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

struct OneTransaction<O>(PhantomData<fn() -> O>);
struct Keyed<O>(PhantomData<fn() -> O>);
struct ThreeParts<O>(PhantomData<fn() -> O>);

fn typed<T: 'static>(value: &(dyn Any + Send + Sync)) -> Result<&T, Failure> {
    value.downcast_ref::<T>().ok_or_else(|| Failure::internal("an entry was given another entry's value"))
}

fn produced<O: Operation>(output: &O::Output, row: Option<i64>) -> Result<Produced, Failure> {
    let page = O::page(output);
    match serde_json::to_value(output) {
        Ok(Value::Object(answer)) => Ok(Produced { answer, page, row }),
        Ok(_) => Err(Failure::internal(format!("{}: the answer is no object", O::NAME))),
        Err(error) => Err(Failure::internal(format!("{}: {error}", O::NAME))),
    }
}

macro_rules! parses {
    ($runner:ident, $bound:ident) => {
        impl<O: $bound> Parses for $runner<O> {
            fn parse(&self, input: Value) -> Result<Parsed, Failure> {
                O::parse(input).map(|input| Box::new(input) as Parsed)
            }

            fn check(&self, input: &Parsed, call: &Call) -> Result<Vec<FieldFault>, Failure> {
                typed::<O>(input.as_ref()).map(|input| input.check(call))
            }
        }
    };
}

parses!(OneTransaction, Local);
parses!(Keyed, Repeatable);
parses!(ThreeParts, Reaching);

impl<O: Local> RunsLocal for OneTransaction<O> {
    fn run<'a>(
        &'a self,
        input: &'a Parsed,
        tx: &'a mut Tx,
        call: &'a Call,
    ) -> BoxFuture<'a, Result<Produced, Failure>> {
        Box::pin(async move {
            let output = typed::<O>(input.as_ref())?.run(tx, call).await?;
            produced::<O>(&output, None)
        })
    }

    fn replay<'a>(
        &'a self,
        _input: &'a Parsed,
        _tx: &'a mut Tx,
        _call: &'a Call,
        _row: i64,
    ) -> BoxFuture<'a, Result<Option<Produced>, Failure>> {
        Box::pin(async { Ok(None) })
    }
}

impl<O: Repeatable> RunsLocal for Keyed<O> {
    fn run<'a>(
        &'a self,
        input: &'a Parsed,
        tx: &'a mut Tx,
        call: &'a Call,
    ) -> BoxFuture<'a, Result<Produced, Failure>> {
        Box::pin(async move {
            let output = typed::<O>(input.as_ref())?.run(tx, call).await?;
            produced::<O>(&output, Some(O::row(&output)))
        })
    }

    fn replay<'a>(
        &'a self,
        input: &'a Parsed,
        tx: &'a mut Tx,
        call: &'a Call,
        row: i64,
    ) -> BoxFuture<'a, Result<Option<Produced>, Failure>> {
        Box::pin(async move {
            let output = typed::<O>(input.as_ref())?.replay(tx, call, row).await?;
            output.map(|output| produced::<O>(&output, Some(row))).transpose()
        })
    }
}

impl<O: Reaching> RunsReaching for ThreeParts<O> {
    fn prepare<'a>(
        &'a self,
        input: &'a Parsed,
        tx: &'a mut Tx,
        call: &'a Call,
    ) -> BoxFuture<'a, Result<Carried, Failure>> {
        Box::pin(async move {
            let plan = typed::<O>(input.as_ref())?.prepare(tx, call).await?;
            Ok(Box::new(plan) as Carried)
        })
    }

    fn reach<'a>(
        &'a self,
        input: &'a Parsed,
        plan: &'a Carried,
        outside: &'a Outside,
    ) -> BoxFuture<'a, Result<Carried, Failure>> {
        Box::pin(async move {
            let plan = typed::<O::Plan>(plan.as_ref())?;
            let answer = typed::<O>(input.as_ref())?.reach(plan, outside).await?;
            Ok(Box::new(answer) as Carried)
        })
    }

    fn settle<'a>(
        &'a self,
        input: &'a Parsed,
        tx: &'a mut Tx,
        call: &'a Call,
        answer: &'a Carried,
    ) -> BoxFuture<'a, Result<Produced, Failure>> {
        Box::pin(async move {
            let answer = typed::<O::Answer>(answer.as_ref())?;
            let output = typed::<O>(input.as_ref())?.settle(tx, call, answer).await?;
            produced::<O>(&output, None)
        })
    }
}
