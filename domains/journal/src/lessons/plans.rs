//! What keeps a call quick when ten years are logged.

use testkit::TestEngine;

use crate::story::Story;

storage::on_both_engines! { no_statement_reads_a_table_from_end_to_end }

async fn no_statement_reads_a_table_from_end_to_end(engine: TestEngine) {
    let story = Story::new(engine).await;
    for sql in crate::DOMAIN.statements.iter().copied().flatten().chain(crate::DOMAIN.pinned) {
        let plan = story.engine.storage().explain(sql).await.unwrap();
        let whole = plan.iter().find(|line| line.contains("SCAN ") || line.contains("Seq Scan"));
        assert_eq!(whole, None, "{}", sql.name);
    }
}
