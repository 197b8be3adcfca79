//! Proxies and root certificates of a house (SPEC L7): what a proxy sees, what goes around it, and what is refused.
#![cfg(feature = "http")]

#[path = "support/model_server/mod.rs"]
mod model_server;
mod support;

use std::io::Read;
use std::time::Duration;

use jsonseam_reask::{Answer, ApiKey, Failure, HttpError, HttpModel, Retries, Settings, TokioTimer};
use model_server::{ModelServer, Reply, Script};

/// A certificate that signs itself, made for this test; its key was thrown away.
const HOUSE_ROOT: &str = "\
-----BEGIN CERTIFICATE-----
MIIBNjCB6aADAgECAhRk47Otsgn1rUAPkiW4JAIgEE+V8zAFBgMrZXAwEDEOMAwG
A1UEAwwFaG91c2UwIBcNMjYxMTI2MTU1MDMyWhgPMjEyNjExMDIxNTUwMzJaMBAx
DjAMBgNVBAMMBWhvdXNlMCowBQYDK2VwAyEAS1Js08XgI0HDOxxGNATMfkZz1d21
7yaXtfxVzasMRcujUzBRMB0GA1UdDgQWBBRaxE2Ma1B9E5ZX2q9sKDQQqv0OVDAf
BgNVHSMEGDAWgBRaxE2Ma1B9E5ZX2q9sKDQQqv0OVDAPBgNVHRMBAf8EBTADAQH/
MAUGAytlcANBAOEg0C3DpmGV3CyDayq1cfSW4Far+PFe1nkhmz5AObb/1bE/MuCt
vRA2DeI+xxI3GdXISsmmMqAGVZw4kkEB+Q4=
-----END CERTIFICATE-----
";

fn run(model: &HttpModel) -> Result<Answer, Failure> {
    let mut settings = Settings::default();
    settings.retries = Retries::default().with_base(Duration::from_millis(5)).with_cap(Duration::from_millis(5));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    runtime.block_on(support::reask().settings(settings).run_with(model, "What is it?", &TokioTimer::default()))
}

#[test]
fn a_proxy_gets_the_name_of_the_server_and_neither_key_nor_prompt() {
    let proxy = std::net::TcpListener::bind("127.0.0.1:0").expect("the loopback interface is there");
    let address = format!("http://{}", proxy.local_addr().expect("it is bound"));
    let asked = std::thread::spawn(move || {
        let (mut connection, _) = proxy.accept().expect("the client comes");
        let mut asked = Vec::new();
        let mut piece = [0; 1_024];
        while !asked.ends_with(b"\r\n\r\n") {
            let len = connection.read(&mut piece).expect("it can be read");
            asked.extend_from_slice(&piece[..len]);
        }
        String::from_utf8_lossy(&asked).into_owned()
    });
    let model = HttpModel::builder("https://models.invalid/v1", "m").key(ApiKey::new("sk-CANARY-0123456789"));
    let model = model.proxy(address).build().expect("the proxy has an address");
    assert!(run(&model).is_err(), "the proxy hangs up");
    let asked = asked.join().expect("it ends");
    assert!(asked.starts_with("CONNECT models.invalid:443 "), "{asked}");
    assert!(!asked.contains("CANARY"), "{asked}");
}

#[test]
fn a_server_on_this_machine_is_reached_around_the_proxy() {
    let server = ModelServer::start(Script::new([Reply::content(support::GOOD)])).expect("a port is free");
    let model = HttpModel::builder(server.base_url(), "m").proxy("http://127.0.0.1:9").build().expect("it is right");
    assert!(run(&model).is_ok());
}

#[test]
fn a_proxy_without_a_host_and_certificates_that_are_no_pem_are_refused() {
    let builder = || HttpModel::builder("https://models.example/v1", "m");
    for proxy in ["socks5://proxy.example:1080", "proxy.example", ""] {
        assert_eq!(builder().proxy(proxy).build().map(|_| ()), Err(HttpError::Proxy), "{proxy}");
    }
    for pem in ["not PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"] {
        assert!(builder().root_certificates(pem).build().is_err(), "{pem}");
    }
    let (one, two) = (HOUSE_ROOT.to_owned(), HOUSE_ROOT.repeat(2));
    for pem in [String::new(), one, two] {
        assert!(builder().root_certificates(pem).build().is_ok());
    }
}
