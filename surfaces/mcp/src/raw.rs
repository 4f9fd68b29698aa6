//! What the conformance fixture adds beside operations, in the protocol library's own types. The product uses none of
//! it.

use operation::BoxFuture;
use rmcp::{
    ErrorData, RoleServer,
    model::{
        CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, GetPromptRequestParams,
        GetPromptResponse, Prompt, ReadResourceRequestParams, ReadResourceResponse, Resource, ResourceTemplate,
        ServerCapabilities, Tool,
    },
    service::RequestContext,
};

pub type Context = RequestContext<RoleServer>;

/// Raw tools, prompts, resources and the rest of the protocol.
pub trait Extras: Send + Sync + 'static {
    fn capabilities(&self) -> ServerCapabilities;
    fn tools(&self) -> Vec<Tool>;
    fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> BoxFuture<'_, Result<CallToolResponse, ErrorData>>;
    fn prompts(&self) -> Vec<Prompt>;
    fn get_prompt(&self, request: GetPromptRequestParams) -> Result<GetPromptResponse, ErrorData>;
    fn resources(&self) -> Vec<Resource>;
    fn templates(&self) -> Vec<ResourceTemplate>;
    fn read_resource(&self, request: ReadResourceRequestParams) -> Result<ReadResourceResponse, ErrorData>;
    fn complete(&self, request: CompleteRequestParams) -> Result<CompleteResult, ErrorData>;
}
