use std::{fmt, sync::Arc};

use axum::Router;
use door::{Floods, Origins};
use engine::Engine;
use operation::Catalog;
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
};

use crate::{
    Settings,
    backend::Backend,
    challenge::Challenges,
    instructions,
    server::Server,
    stack::{Stack, body::MOST_BYTES},
    toolset::Tools,
};

/// The MCP surface of one Almanac. Cheap to clone.
#[derive(Clone)]
pub struct Mcp {
    pub(crate) stack: Stack,
}

/// What in a catalog cannot be served: every bad name, schema and text.
#[derive(Debug)]
pub struct Unfit(pub Vec<String>);

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl std::error::Error for Unfit {}

impl Mcp {
    /// The operations of an engine as tools. Descriptors are written here, once; `Err` names everything in the catalog
    /// that clients could not take.
    pub fn new(engine: Engine, settings: Settings) -> Result<Self, Unfit> {
        Self::over(Arc::new(engine), settings)
    }

    /// The same over anything that answers calls: the bridge, the conformance fixture.
    pub fn over(backend: Arc<dyn Backend>, settings: Settings) -> Result<Self, Unfit> {
        let catalog = backend.catalog().clone();
        let tools = Arc::new(Tools::new(catalog.clone(), backend.extras()).map_err(Unfit)?);
        instructions::check(&catalog).map_err(|fault| Unfit(vec![fault]))?;
        let origins = Origins::new(&settings.reach);
        let server = Server { backend: backend.clone(), tools: tools.clone() };
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(MOST_BYTES)
            .with_allowed_hosts(origins.allowed_hosts());
        let service =
            StreamableHttpService::new(move || Ok(server.clone()), Arc::new(NeverSessionManager::default()), config);
        let stack = Stack::new(
            backend,
            tools,
            Challenges::new(&settings, &catalog),
            origins,
            Floods::new(settings.flood),
            settings.anonymous,
            service,
        );
        Ok(Self { stack })
    }

    /// `/mcp` and `/mcp/`, answered identically. The address of the peer is taken from `axum::extract::ConnectInfo`
    /// where the listener puts it into the request; connections must have `TCP_NODELAY` set.
    pub fn router(&self) -> Router {
        Router::new().route_service("/mcp", self.stack.clone()).route_service("/mcp/", self.stack.clone())
    }

    pub fn catalog(&self) -> &Arc<Catalog> {
        self.stack.catalog()
    }
}
