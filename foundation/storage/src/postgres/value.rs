use std::error::Error as StdError;

use bytes::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

use crate::{Row, Value, fault::Fault};

/// Sent as the type the server inferred for the parameter.
impl ToSql for Value {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match (self, ty) {
            (Self::Null, _) => Ok(IsNull::Yes),
            (Self::Integer(integer), &Type::INT8) => integer.to_sql(ty, out),
            (Self::Integer(integer), &Type::INT4) => i32::try_from(*integer)?.to_sql(ty, out),
            (Self::Integer(integer), &Type::INT2) => i16::try_from(*integer)?.to_sql(ty, out),
            (Self::Integer(integer), &Type::FLOAT8) => (*integer as f64).to_sql(ty, out),
            (Self::Real(real), &Type::FLOAT8) => real.to_sql(ty, out),
            (Self::Real(real), &Type::FLOAT4) => (*real as f32).to_sql(ty, out),
            (Self::Text(text), &Type::TEXT | &Type::VARCHAR | &Type::BPCHAR | &Type::NAME) => text.to_sql(ty, out),
            (Self::Blob(bytes), &Type::BYTEA) => bytes.to_sql(ty, out),
            (value, ty) => Err(format!("{} was given where {ty} is wanted; CAST the parameter", value.kind()).into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

pub(crate) fn read_row(row: &tokio_postgres::Row) -> Result<Row, Fault> {
    let mut values = Vec::with_capacity(row.len());
    for (index, column) in row.columns().iter().enumerate() {
        values.push(match *column.type_() {
            Type::INT8 => row.try_get::<_, Option<i64>>(index)?.into(),
            Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::NAME | Type::UNKNOWN => {
                row.try_get::<_, Option<String>>(index)?.into()
            }
            Type::BOOL => row.try_get::<_, Option<bool>>(index)?.into(),
            Type::INT4 => row.try_get::<_, Option<i32>>(index)?.map(i64::from).into(),
            Type::INT2 => row.try_get::<_, Option<i16>>(index)?.map(i64::from).into(),
            Type::FLOAT8 => row.try_get::<_, Option<f64>>(index)?.into(),
            Type::FLOAT4 => row.try_get::<_, Option<f32>>(index)?.map(f64::from).into(),
            Type::BYTEA => row.try_get::<_, Option<Vec<u8>>>(index)?.into(),
            ref other => {
                let name = column.name();
                return Err(Fault::internal(format!("column {name} has type {other}; CAST it in the statement")));
            }
        });
    }
    Ok(Row(values))
}
