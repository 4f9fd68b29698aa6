use crate::{Error, Tx};

impl Tx {
    /// Begins a trial: everything written from here on is taken back by [`Tx::end_trial`].
    pub async fn begin_trial(&mut self) -> Result<(), Error> {
        self.savepoint("SAVEPOINT trial").await
    }

    /// Takes back every write and every undo since [`Tx::begin_trial`].
    pub async fn end_trial(&mut self) -> Result<(), Error> {
        self.savepoint("ROLLBACK TO SAVEPOINT trial").await?;
        self.savepoint("RELEASE SAVEPOINT trial").await?;
        self.undone.clear();
        Ok(())
    }
}
