use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use deadpool_postgres::Pool;

use crate::fault::Fault;

/// Ids taken from `id_block` at once, in a transaction of its own, so that inserts of different people do not meet
/// at the counter.
const BLOCK: i64 = 1_000;

/// Ids this process may give.
pub(crate) struct IdBlocks {
    blocks: Mutex<HashMap<&'static str, Block>>,
    claiming: tokio::sync::Mutex<()>,
    /// Not the pool of the transactions: those hold their connections while they wait for ids.
    pool: Pool,
}

#[derive(Debug, Clone, Copy)]
struct Block {
    next: i64,
    end: i64,
}

impl IdBlocks {
    pub(crate) fn new(pool: Pool) -> Self {
        Self { blocks: Mutex::default(), claiming: tokio::sync::Mutex::default(), pool }
    }

    pub(crate) async fn next(&self, table: &'static str) -> Result<i64, Fault> {
        if let Some(id) = self.take(table) {
            return Ok(id);
        }
        let _turn = self.claiming.lock().await;
        if let Some(id) = self.take(table) {
            return Ok(id);
        }
        let end = self.claim(table).await?;
        let first = end - BLOCK;
        self.blocks().insert(table, Block { next: first + 1, end });
        Ok(first)
    }

    /// Later ids of `table` given here are above `seen`.
    pub(crate) async fn raise(&self, table: &'static str, seen: i64) -> Result<(), Fault> {
        let _turn = self.claiming.lock().await;
        let client = self.pool.get().await?;
        let raise = client.prepare_cached("UPDATE id_block SET next = $2 WHERE tbl = $1 AND next < $2").await?;
        client.execute(&raise, &[&table, &(seen + 1)]).await?;
        if self.blocks().get(table).is_some_and(|block| block.next <= seen) {
            self.blocks().remove(table);
        }
        Ok(())
    }

    fn take(&self, table: &'static str) -> Option<i64> {
        let mut blocks = self.blocks();
        let block = blocks.get_mut(table).filter(|block| block.next < block.end)?;
        block.next += 1;
        Some(block.next - 1)
    }

    async fn claim(&self, table: &'static str) -> Result<i64, Fault> {
        let client = self.pool.get().await?;
        let text = "UPDATE id_block SET next = next + $2 WHERE tbl = $1 RETURNING next";
        let claim = client.prepare_cached(text).await?;
        match client.query_opt(&claim, &[&table, &BLOCK]).await? {
            Some(row) => Ok(row.try_get(0)?),
            None => Err(Fault::internal(format!("{table} is no table of the schema"))),
        }
    }

    fn blocks(&self) -> MutexGuard<'_, HashMap<&'static str, Block>> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
