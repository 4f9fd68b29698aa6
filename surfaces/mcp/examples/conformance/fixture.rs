//! A backend without operations: everything it has stands in the extras.

use std::sync::Arc;

use engine::Request;
use mcp::{
    Backend, Said, Unsaid,
    raw::{Context, Extras},
};
use operation::{BoxFuture, Caller, Catalog, Failure};
use rmcp::{
    ErrorData,
    model::{
        CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CompletionInfo,
        GetPromptRequestParams, GetPromptResponse, Prompt, ReadResourceRequestParams, ReadResourceResponse, Resource,
        ResourceTemplate, ServerCapabilities, Tool,
    },
};

use crate::{asks::Asks, pages, tools};

pub struct Fixture {
    catalog: Arc<Catalog>,
    asks: Asks,
}

impl Fixture {
    pub fn new() -> Result<Arc<Self>, String> {
        let catalog = Catalog::new(&[]).map_err(|faults| faults.join("\n"))?;
        Ok(Arc::new(Self { catalog: Arc::new(catalog), asks: Asks::new() }))
    }
}

impl Backend for Fixture {
    fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    fn caller<'a>(&'a self, _: &'a str, _: &'a str) -> BoxFuture<'a, Result<Caller, Failure>> {
        Box::pin(async { Err(Failure::InvalidCredential("The fixture knows no tokens.")) })
    }

    fn call(&self, request: Request) -> BoxFuture<'_, Result<Said, Unsaid>> {
        let failure = Failure::UnknownOperation { name: request.operation };
        Box::pin(async { Err(failure.into()) })
    }

    fn extras(&self) -> Option<&dyn Extras> {
        Some(self)
    }
}

impl Extras for Fixture {
    #[expect(deprecated, reason = "the legacy half of the suite asks for logging")]
    fn capabilities(&self) -> ServerCapabilities {
        ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .enable_completions()
            .enable_logging()
            .build()
    }

    fn tools(&self) -> Vec<Tool> {
        let mut list: Vec<Tool> = tools::list().into_iter().chain(self.asks.list()).collect();
        list.sort_by(|left, right| left.name.cmp(&right.name));
        list
    }

    fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> BoxFuture<'_, Result<CallToolResponse, ErrorData>> {
        Box::pin(async move {
            match self.asks.call(&request, &context) {
                Some(response) => response,
                None => tools::call(&request, &context).await.map(CallToolResponse::from),
            }
        })
    }

    fn prompts(&self) -> Vec<Prompt> {
        pages::prompts()
    }

    fn get_prompt(&self, request: GetPromptRequestParams) -> Result<GetPromptResponse, ErrorData> {
        match self.asks.prompt(&request) {
            Some(response) => Ok(response),
            None => pages::prompt(&request).map(GetPromptResponse::from),
        }
    }

    fn resources(&self) -> Vec<Resource> {
        pages::resources()
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        pages::templates()
    }

    fn read_resource(&self, request: ReadResourceRequestParams) -> Result<ReadResourceResponse, ErrorData> {
        pages::read(&request.uri).map(ReadResourceResponse::from)
    }

    fn complete(&self, request: CompleteRequestParams) -> Result<CompleteResult, ErrorData> {
        let cities = ["paris", "park", "party"].into_iter().filter(|city| city.starts_with(&request.argument.value));
        let info = CompletionInfo::new(cities.map(str::to_owned).collect());
        info.map(CompleteResult::new).map_err(|fault| ErrorData::internal_error(fault, None))
    }
}
