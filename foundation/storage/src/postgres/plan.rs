use crate::{fault::Fault, postgres::PostgresEngine};

impl PostgresEngine {
    pub(crate) async fn columns(&self, text: &str) -> Result<usize, Fault> {
        let client = self.pool.get().await?;
        Ok(client.prepare(text).await?.columns().len())
    }

    /// The plan for any parameters. Tables of a test are small and the planner would rather read them whole, so it
    /// is told to do that only where it has nothing else.
    pub(crate) async fn explain(&self, text: &str) -> Result<Vec<String>, Fault> {
        let mut client = self.pool.get().await?;
        let transaction = client.transaction().await?;
        transaction
            .batch_execute("SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off")
            .await?;
        let statement = transaction.prepare(text).await?;
        let nulls = vec!["NULL"; statement.params().len()].join(", ");
        let parameters = if nulls.is_empty() { nulls } else { format!("({nulls})") };
        transaction.batch_execute(&format!("PREPARE almanac_plan AS {text}")).await?;
        let explain = format!("EXPLAIN EXECUTE almanac_plan {parameters}");
        let mut lines = Vec::new();
        for message in transaction.simple_query(&explain).await? {
            if let tokio_postgres::SimpleQueryMessage::Row(row) = message {
                lines.extend(row.get(0).map(str::to_owned));
            }
        }
        transaction.batch_execute("DEALLOCATE almanac_plan").await?;
        transaction.rollback().await?;
        Ok(lines)
    }
}
