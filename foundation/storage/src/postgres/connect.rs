use std::{str::FromStr, time::Duration};

use deadpool_postgres::{Manager, ManagerConfig, Pool, RecyclingMethod, Runtime, Timeouts};
use tokio_postgres::{Config, NoTls, config::SslMode};

use crate::{
    fault::Fault,
    postgres::tls::{Encryption, Tls, encryption},
};

const CONNECT: Duration = Duration::from_secs(10);
/// How long a read waits for a free connection.
pub(crate) const WAIT: Duration = Duration::from_secs(10);
/// Unanswered data on the network: the connection is taken for dead.
const DEAD: Duration = Duration::from_secs(30);

pub(crate) fn pool(url: &str, size: usize) -> Result<Pool, Fault> {
    let (url, encryption) = encryption(url)?;
    let mut config =
        Config::from_str(&url).map_err(|cause| Fault::unavailable(format!("the database URL: {cause}")))?;
    config.connect_timeout(CONNECT).tcp_user_timeout(DEAD).keepalives_idle(DEAD);
    if config.get_application_name().is_none() {
        config.application_name("almanac");
    }
    let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    let timeouts = Timeouts { wait: Some(WAIT), create: Some(CONNECT), recycle: Some(CONNECT) };
    let manager = match encryption {
        Encryption::None => Manager::from_config(config, NoTls, recycling),
        Encryption::Checked { root } => {
            config.ssl_mode(SslMode::Require);
            Manager::from_config(config, Tls::new(root.as_deref())?, recycling)
        }
    };
    let pool = Pool::builder(manager).max_size(size.max(1)).timeouts(timeouts).runtime(Runtime::Tokio1).build();
    pool.map_err(|cause| Fault::internal(cause.to_string()))
}
