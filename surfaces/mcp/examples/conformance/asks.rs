//! The suite's tools that need an answer of the person or the model first: the client calls again with it, and with the
//! state that was sealed for it.
#![expect(deprecated, reason = "the suite asks for sampling and roots")]

use mcp::raw::Context;
use rmcp::{
    ErrorData,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock,
        GetPromptRequestParams, GetPromptResponse, GetPromptResult, InputRequest, InputRequests, InputRequiredResult,
        InputResponses, PromptMessage, RequestStateCodec, Role, Tool,
    },
};
use serde_json::{Value, json};

use crate::tools::tool;

/// Answers `input_required` until everything asked for is there.
pub struct Asks {
    states: RequestStateCodec,
}

type Response = Result<CallToolResponse, ErrorData>;

const TOOLS: [(&str, &str); 9] = [
    ("test_input_required_result_elicitation", "Asks for a name."),
    ("test_input_required_result_sampling", "Asks the client's model."),
    ("test_input_required_result_list_roots", "Asks for the roots."),
    ("test_input_required_result_request_state", "Asks, and seals a state."),
    ("test_input_required_result_multiple_inputs", "Asks for three things."),
    ("test_input_required_result_multi_round", "Asks twice."),
    ("test_input_required_result_tampered_state", "Refuses a state that is not its own."),
    ("test_input_required_result_capabilities", "Asks for what the client can do."),
    ("test_input_required_result_validate_input", "Asks again for what is unusable."),
];

impl Asks {
    pub fn new() -> Self {
        Self { states: RequestStateCodec::new(*b"the fixture of the suite is open to all") }
    }

    pub fn list(&self) -> Vec<Tool> {
        let empty = json!({"type": "object", "properties": {}});
        TOOLS.iter().map(|(name, description)| tool(name, description, empty.clone())).collect()
    }

    /// `None`: not one of these tools.
    pub fn call(&self, request: &CallToolRequestParams, context: &Context) -> Option<Response> {
        let answers = request.input_responses.clone().unwrap_or_default();
        let state = request.request_state.as_deref();
        Some(match request.name.strip_prefix("test_input_required_result_")? {
            "elicitation" | "validate_input" => Ok(name(&answers)),
            "sampling" => Ok(capital(&answers)),
            "list_roots" => Ok(roots(&answers)),
            "request_state" | "tampered_state" => self.confirmed(&answers, state),
            "multiple_inputs" => self.three(&answers, state),
            "multi_round" => self.rounds(&answers, state),
            "capabilities" => Ok(able(&answers, &context.client_capabilities().unwrap_or_default())),
            _ => return None,
        })
    }

    pub fn prompt(&self, request: &GetPromptRequestParams) -> Option<GetPromptResponse> {
        if request.name != "test_input_required_result_prompt" {
            return None;
        }
        let answers = request.input_responses.clone().unwrap_or_default();
        let Some(given) = content(&answers, "user_context", "context") else {
            let ask = elicit("What context should the prompt use?", "context", "string");
            return Some(required([("user_context", ask)], None).into());
        };
        let message = PromptMessage::new_text(Role::User, format!("Use this context: {given}"));
        Some(GetPromptResult::new(vec![message]).into())
    }

    fn confirmed(&self, answers: &InputResponses, state: Option<&str>) -> Response {
        let ask =
            || required([("confirm", elicit("Please confirm", "ok", "boolean"))], Some(self.states.seal(b"asked")));
        let Some(state) = state else { return Ok(ask().into()) };
        self.open(state)?;
        Ok(if answers.contains_key("confirm") { done("state-ok") } else { ask().into() })
    }

    fn three(&self, answers: &InputResponses, state: Option<&str>) -> Response {
        if let Some(state) = state {
            self.open(state)?;
            if ["user_name", "greeting", "client_roots"].iter().all(|key| answers.contains_key(*key)) {
                return Ok(done("Thank you for all three."));
            }
        }
        let asks = [
            ("user_name", elicit("What is your name?", "name", "string")),
            ("greeting", sample("Generate a greeting", 50)),
            ("client_roots", json!({"method": "roots/list", "params": {}})),
        ];
        Ok(required(asks, Some(self.states.seal(b"three"))).into())
    }

    fn rounds(&self, answers: &InputResponses, state: Option<&str>) -> Response {
        let round = state.map(|state| self.open(state)).transpose()?;
        Ok(match round.as_deref() {
            Some(b"second") if answers.contains_key("step2") => done("Both rounds are done."),
            Some(b"first") if answers.contains_key("step1") => {
                let ask = elicit("Step 2: What is your favorite color?", "color", "string");
                required([("step2", ask)], Some(self.states.seal(b"second"))).into()
            }
            _ => {
                let ask = elicit("Step 1: What is your name?", "name", "string");
                required([("step1", ask)], Some(self.states.seal(b"first"))).into()
            }
        })
    }

    fn open(&self, state: &str) -> Result<Vec<u8>, ErrorData> {
        self.states.open(state).map_err(|_| ErrorData::invalid_params("requestState is not one of this server", None))
    }
}

fn name(answers: &InputResponses) -> CallToolResponse {
    match content(answers, "user_name", "name") {
        Some(name) => done(&format!("Hello, {name}!")),
        None => required([("user_name", elicit("What is your name?", "name", "string"))], None).into(),
    }
}

fn capital(answers: &InputResponses) -> CallToolResponse {
    match answers.get("capital_question").and_then(|answer| answer["content"]["text"].as_str()) {
        Some(text) => done(text),
        None => required([("capital_question", sample("What is the capital of France?", 100))], None).into(),
    }
}

fn roots(answers: &InputResponses) -> CallToolResponse {
    match answers.get("client_roots").and_then(|answer| answer["roots"].as_array()) {
        Some(roots) => {
            let uris: Vec<&str> = roots.iter().filter_map(|root| root["uri"].as_str()).collect();
            done(&format!("Roots: {}", uris.join(", ")))
        }
        None => required([("client_roots", json!({"method": "roots/list", "params": {}}))], None).into(),
    }
}

fn able(answers: &InputResponses, declared: &ClientCapabilities) -> CallToolResponse {
    let asks = [
        ("capital_question", declared.sampling.is_some(), sample("What is the capital of France?", 100)),
        ("user_name", declared.elicitation.is_some(), elicit("What is your name?", "name", "string")),
    ];
    let open: Vec<(&str, Value)> = asks
        .into_iter()
        .filter(|(key, able, _)| *able && !answers.contains_key(*key))
        .map(|(key, _, ask)| (key, ask))
        .collect();
    if open.is_empty() { done("There is nothing left to ask.") } else { required(open, None).into() }
}

/// What the person typed into `field`, where they accepted.
fn content<'a>(answers: &'a InputResponses, key: &str, field: &str) -> Option<&'a str> {
    let answer = answers.get(key).filter(|answer| answer["action"] == "accept")?;
    answer["content"][field].as_str()
}

fn done(text: &str) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(text)]).into()
}

fn elicit(message: &str, field: &str, kind: &str) -> Value {
    let schema = json!({"type": "object", "properties": {field: {"type": kind}}, "required": [field]});
    json!({"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}})
}

fn sample(text: &str, most_tokens: u32) -> Value {
    let message = json!({"role": "user", "content": {"type": "text", "text": text}});
    json!({"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": most_tokens}})
}

fn required<'k>(asks: impl IntoIterator<Item = (&'k str, Value)>, state: Option<String>) -> InputRequiredResult {
    let asks: InputRequests = asks
        .into_iter()
        .filter_map(|(key, ask)| Some((key.to_owned(), serde_json::from_value::<InputRequest>(ask).ok()?)))
        .collect();
    InputRequiredResult::new(Some(asks), state)
}
