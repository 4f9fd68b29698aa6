use crate::{Migration, capture::Column};

/// The columns of a captured table at the time its images were made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SavedShape {
    pub number: i64,
    pub columns: Vec<Column>,
    /// Rows were rewritten when this shape began: older images mean something else.
    pub rewritten: bool,
}

impl SavedShape {
    pub(crate) fn columns_text(&self) -> Result<String, crate::Error> {
        serde_json::to_string(&self.columns).map_err(|cause| crate::Error::Internal(cause.to_string()))
    }

    pub(crate) fn parse(number: i64, columns: &str, rewritten: bool) -> Result<Self, crate::Error> {
        let columns = serde_json::from_str(columns)
            .map_err(|cause| crate::Error::Internal(format!("capture_shape holds no columns: {cause}")))?;
        Ok(Self { number, columns, rewritten })
    }
}

/// The shape that `table` begins now, or `None` while the last one still holds.
pub(crate) fn next_shape(
    table: &str,
    captured: &[Column],
    saved: &[SavedShape],
    run_now: &[Migration],
) -> Option<SavedShape> {
    let Some(last) = saved.last() else {
        return Some(SavedShape { number: 1, columns: captured.to_vec(), rewritten: false });
    };
    let rewritten = run_now.iter().any(|migration| migration.rewrites(table));
    (rewritten || last.columns != captured).then(|| SavedShape {
        number: last.number + 1,
        columns: captured.to_vec(),
        rewritten,
    })
}
