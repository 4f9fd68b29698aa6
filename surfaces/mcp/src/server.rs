//! The handler behind the layers: each method of the protocol as one call of what stands behind it.
#![expect(deprecated, reason = "the legacy era has methods that the library calls deprecated")]

pub(crate) mod params;

use std::{borrow::Cow, sync::Arc, time::Duration};

use engine::Request;
use operation::{Entry, Failure};
use rmcp::{ErrorData, RoleServer, ServerHandler, model::*, service::RequestContext};
use serde_json::{Map, Value};

use crate::{
    answer::{self, Hinted as _, LIST_TTL_MS},
    backend::Backend,
    instructions,
    protocol::{Era, NEWEST_LEGACY, unknown_method},
    raw::Extras,
    resources,
    toolset::Tools,
    visit::Visit,
};

type Context = RequestContext<RoleServer>;

/// Longest a whole call may take; operations that reach a third party get twice that.
const LONGEST_CALL: Duration = Duration::from_secs(30);
const LONGEST_REACHING_CALL: Duration = Duration::from_secs(60);

/// One `ServerHandler` for every request; cheap to clone.
#[derive(Clone)]
pub(crate) struct Server {
    pub backend: Arc<dyn Backend>,
    pub tools: Arc<Tools>,
}

impl Server {
    fn extras(&self) -> Option<&dyn Extras> {
        self.backend.extras()
    }

    fn instructions(&self, context: &Context) -> Option<String> {
        let visit = Visit::of(context)?;
        Some(instructions::for_caller(self.tools.catalog(), visit.caller()))
    }

    /// Runs an operation inside its time limit; a client that leaves drops what has not begun.
    async fn run(&self, entry: &Entry, input: Map<String, Value>, visit: &Visit, context: &Context) -> CallResult {
        let request = Request {
            caller: visit.caller().clone(),
            operation: entry.name.to_owned(),
            input: Value::Object(input),
            key: visit.key().map(str::to_owned),
            toolset: visit.toolset().clone(),
        };
        let limit = if entry.open_world { LONGEST_REACHING_CALL } else { LONGEST_CALL };
        let call = tokio::time::timeout(limit, self.backend.call(request));
        let outcome = tokio::select! {
            biased;
            outcome = call => outcome,
            () = context.ct.cancelled() => return Err(ErrorData::internal_error("the client left", None)),
        };
        let era = era(context);
        match outcome {
            Ok(Ok(said)) => answer::success(said, era).map(CallToolResponse::from),
            Ok(Err(unsaid)) => answer::unsaid(entry, unsaid, visit, era),
            Err(_) => answer::unsaid(entry, took_too_long().into(), visit, era),
        }
    }
}

type CallResult = Result<CallToolResponse, ErrorData>;

fn took_too_long() -> Failure {
    let message = "Almanac took too long; whether it was written is unknown. Look before you repeat it.";
    Failure::Unavailable { message: message.into() }
}

fn era(context: &Context) -> Era {
    context.protocol_version().map_or(Era::Legacy, |version| Era::of_version(version.as_str()))
}

/// Every request comes through the layers, which put the visit there.
fn visit(context: &Context) -> Result<&Visit, ErrorData> {
    Visit::of(context).ok_or_else(|| ErrorData::internal_error("internal error", None))
}

fn no_method(name: &str) -> ErrorData {
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, unknown_method(name), None)
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let product = || ServerCapabilities::builder().enable_tools().enable_resources().build();
        let capabilities = self.extras().map_or_else(product, Extras::capabilities);
        let mut info = ServerConfig::new(capabilities);
        info.server_info = Implementation::new("almanac", env!("CARGO_PKG_VERSION")).with_title("Almanac");
        info
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::KNOWN_VERSIONS)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: Context,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        let mut result = self.negotiate_initialize(&request)?;
        if result.protocol_version.as_str() > NEWEST_LEGACY {
            result.protocol_version = ProtocolVersion::LATEST_WITH_INITIALIZE;
        }
        result.instructions = self.instructions(&context);
        Ok(result)
    }

    async fn discover(&self, context: Context) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        let mut result = DiscoverResult::new(versions, self.get_info().capabilities)
            .with_ttl_ms(LIST_TTL_MS)
            .with_cache_scope(CacheScope::Private);
        result.instructions = self.instructions(&context);
        result.meta = answer::stamp(Era::Modern);
        Ok(result)
    }

    async fn set_level(&self, _: SetLevelRequestParams, context: Context) -> Result<(), ErrorData> {
        match era(&context) {
            Era::Legacy => Ok(()),
            Era::Modern => Err(no_method("logging/setLevel")),
        }
    }

    /// The layers put the tools in: their texts were written at start.
    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::default().hinted(era(&context), LIST_TTL_MS))
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: Context) -> CallResult {
        let visit = visit(&context)?;
        if let Some(entry) = self.tools.find(&request.name, visit.toolset()) {
            return self.run(entry, request.arguments.unwrap_or_default(), visit, &context).await;
        }
        match self.extras() {
            Some(extras) if self.tools.has_raw(&request.name) => {
                let era = era(&context);
                extras.call_tool(request, context).await.map(|response| answer::stamped(response, era))
            }
            _ => answer::unknown_tool(&request.name, era(&context)),
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut listed = resources::listed(self.tools.catalog(), visit(&context)?);
        listed.extend(self.extras().map(Extras::resources).unwrap_or_default());
        Ok(ListResourcesResult::with_all_items(listed).hinted(era(&context), LIST_TTL_MS))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let templates = self.extras().map(Extras::templates).unwrap_or_default();
        Ok(ListResourceTemplatesResult::with_all_items(templates).hinted(era(&context), LIST_TTL_MS))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let visit = visit(&context)?;
        if let Some(found) = resources::find(self.tools.catalog(), &request.uri) {
            let read = resources::read(self.backend.as_ref(), &found, visit);
            let outcome =
                tokio::time::timeout(LONGEST_CALL, read).await.unwrap_or_else(|_| Err(took_too_long().into()));
            let result = outcome.map_err(|unsaid| answer::unsaid_read(unsaid, visit))?;
            return Ok(result.hinted(era(&context), 0).into());
        }
        match self.extras() {
            Some(extras) => match extras.read_resource(request)? {
                ReadResourceResponse::Complete(result) => Ok(result.hinted(era(&context), 0).into()),
                other => Ok(other),
            },
            None => Err(answer::unknown_resource(&request.uri)),
        }
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        let prompts = self.extras().map(Extras::prompts).unwrap_or_default();
        Ok(ListPromptsResult::with_all_items(prompts).hinted(era(&context), LIST_TTL_MS))
    }

    async fn get_prompt(&self, request: GetPromptRequestParams, _: Context) -> Result<GetPromptResponse, ErrorData> {
        self.extras().ok_or_else(|| no_method("prompts/get"))?.get_prompt(request)
    }

    async fn complete(&self, request: CompleteRequestParams, _: Context) -> Result<CompleteResult, ErrorData> {
        self.extras().ok_or_else(|| no_method("completion/complete"))?.complete(request)
    }

    async fn subscribe(&self, _: SubscribeRequestParams, _: Context) -> Result<(), ErrorData> {
        self.extras().map(|_| ()).ok_or_else(|| no_method("resources/subscribe"))
    }

    async fn unsubscribe(&self, _: UnsubscribeRequestParams, _: Context) -> Result<(), ErrorData> {
        self.extras().map(|_| ()).ok_or_else(|| no_method("resources/unsubscribe"))
    }

    /// Also where a known method lands whose `params` are unusable.
    async fn on_custom_request(&self, request: CustomRequest, context: Context) -> Result<CustomResult, ErrorData> {
        match params::fault(&request.method, request.params.as_ref(), era(&context), self.extras().is_some()) {
            Some(fault) => Err(ErrorData::invalid_params(fault, None)),
            None => Err(no_method(&request.method)),
        }
    }
}
