use std::{
    future::Future,
    io,
    path::{Path, PathBuf},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::{
    Socket,
    tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream},
};
use tokio_rustls::{
    TlsConnector,
    rustls::{
        ClientConfig, RootCertStore,
        crypto::aws_lc_rs::default_provider,
        pki_types::{CertificateDer, ServerName, pem::PemObject},
    },
};

use crate::fault::Fault;

/// What a URL says about encryption.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Encryption {
    /// No `sslmode`, or one that does not insist.
    None,
    /// `require`, `verify-ca`, `verify-full`: the server's certificate and name are checked in all three, against
    /// `sslrootcert` or, without it, the public authorities.
    Checked { root: Option<PathBuf> },
}

/// Takes `sslmode` and `sslrootcert` out of a URL.
pub(crate) fn encryption(url: &str) -> Result<(String, Encryption), Fault> {
    let Some((address, query)) = url.split_once('?') else { return Ok((url.to_owned(), Encryption::None)) };
    let (mut mode, mut root, mut rest) = (None, None, Vec::new());
    for pair in query.split('&') {
        match pair.split_once('=') {
            Some(("sslmode", value)) => mode = Some(value),
            Some(("sslrootcert", value)) => root = Some(PathBuf::from(value)),
            _ => rest.push(pair),
        }
    }
    let encryption = match mode {
        None | Some("disable" | "allow" | "prefer") => Encryption::None,
        Some("require" | "verify-ca" | "verify-full") => Encryption::Checked { root },
        Some(other) => return Err(Fault::unavailable(format!("the database URL has an unknown sslmode {other}"))),
    };
    let url = if rest.is_empty() { address.to_owned() } else { format!("{address}?{}", rest.join("&")) };
    Ok((url, encryption))
}

/// Makes TLS connections that trust the authorities in the file `root`, or else the public ones.
#[derive(Clone)]
pub(crate) struct Tls(TlsConnector);

impl Tls {
    pub(crate) fn new(root: Option<&Path>) -> Result<Self, Fault> {
        let mut roots = RootCertStore::empty();
        match root {
            None => roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
            Some(path) => {
                let failed = |cause: &dyn std::fmt::Display| Fault::unavailable(format!("{}: {cause}", path.display()));
                for certificate in CertificateDer::pem_file_iter(path).map_err(|cause| failed(&cause))? {
                    let certificate = certificate.map_err(|cause| failed(&cause))?;
                    roots.add(certificate).map_err(|cause| failed(&cause))?;
                }
            }
        }
        let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|cause| Fault::internal(cause.to_string()))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self(TlsConnector::from(Arc::new(config))))
    }
}

impl MakeTlsConnect<Socket> for Tls {
    type Stream = Encrypted;
    type TlsConnect = Handshake;
    type Error = io::Error;

    fn make_tls_connect(&mut self, host: &str) -> io::Result<Handshake> {
        let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
        Ok(Handshake { connector: self.0.clone(), name })
    }
}

pub(crate) struct Handshake {
    connector: TlsConnector,
    name: ServerName<'static>,
}

impl TlsConnect<Socket> for Handshake {
    type Stream = Encrypted;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move { Ok(Encrypted(Box::new(self.connector.connect(self.name, socket).await?))) })
    }
}

pub(crate) struct Encrypted(Box<tokio_rustls::client::TlsStream<Socket>>);

impl TlsStream for Encrypted {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for Encrypted {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buf)
    }
}

impl AsyncWrite for Encrypted {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sslmode_and_its_root_leave_the_url() {
        let of = |url: &str| encryption(url).map_err(|fault| fault.error);
        let checked = |root: Option<&str>| Encryption::Checked { root: root.map(PathBuf::from) };
        assert_eq!(of("postgresql://db/a"), Ok(("postgresql://db/a".into(), Encryption::None)));
        assert_eq!(
            of("postgresql://db/a?sslmode=prefer&connect_timeout=5"),
            Ok(("postgresql://db/a?connect_timeout=5".into(), Encryption::None))
        );
        assert_eq!(of("postgresql://db/a?sslmode=require"), Ok(("postgresql://db/a".into(), checked(None))));
        let url = "postgresql://db/a?sslrootcert=/etc/ca.pem&sslmode=verify-full";
        assert_eq!(of(url), Ok(("postgresql://db/a".into(), checked(Some("/etc/ca.pem")))));
        assert!(of("postgresql://db/a?sslmode=maybe").is_err());
    }

    #[test]
    fn a_missing_root_is_named() {
        let missing = Tls::new(Some(Path::new("/nowhere/ca.pem")));
        assert!(missing.is_err_and(|fault| fault.error.to_string().contains("/nowhere/ca.pem")));
        assert!(Tls::new(None).is_ok());
    }
}
