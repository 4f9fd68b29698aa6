use operation::Workflow;
use schemars::JsonSchema;
use serde::Serialize;

/// A way through several tools, as far as this connection can go it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Way {
    name: &'static str,
    when: &'static str,
    steps: Vec<String>,
}

/// The workflow without the steps that name a tool which is not usable; `None` when no step with a tool is left.
pub fn ways(workflow: &Workflow, usable: impl Fn(&str) -> bool) -> Option<Way> {
    let steps: Vec<&str> = workflow.steps.iter().copied().filter(|step| tools_in(step).all(&usable)).collect();
    steps.iter().any(|step| tools_in(step).next().is_some()).then(|| Way {
        name: workflow.name,
        when: workflow.when,
        steps: steps.into_iter().map(|step| step.replace('`', "")).collect(),
    })
}

/// Names in backticks.
fn tools_in(step: &str) -> impl Iterator<Item = &str> {
    step.split('`').skip(1).step_by(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORKFLOW: Workflow =
        Workflow { name: "n", when: "w", steps: &["Find it with `find`.", "Ask.", "Then `drop` or `keep` it."] };

    #[test]
    fn a_step_with_a_tool_that_is_not_there_is_left_out() {
        let way = ways(&WORKFLOW, |name| name != "keep").unwrap();
        assert_eq!(way.steps, ["Find it with find.", "Ask."]);
    }

    #[test]
    fn a_way_without_any_tool_left_is_no_way() {
        assert_eq!(ways(&WORKFLOW, |_| false), None);
        assert_eq!(ways(&WORKFLOW, |_| true).map(|way| way.steps.len()), Some(3));
    }
}
