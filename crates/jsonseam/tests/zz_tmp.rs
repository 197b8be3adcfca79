use jsonseam::{Config, Root, StreamOptions};
#[test]
fn tmp() {
    let p = jsonseam::pipeline(&Config::default().with_preset("strict").with_root(Root::Any)).unwrap();
    for text in ["{\"a\": \"x\" # one\n\"b\": 2}", "[\"\\(x\\)\\nu is $\\frac12$\"]", "{\"a\": \"x\\(y\"}"] {
        let b = p.repair(text);
        for size in [1, 3, 7, 100] {
            let mut s = p.stream(StreamOptions::new());
            let mut at = 0;
            while at < text.len() { let e = (at + size).min(text.len()); let _ = s.push(&text[at..e]); at = e; println!("{:?} {:?}", s.state(), s.work()); }
            let f = s.finish(None);
            println!("{size} {:?} {:?}", b.as_ref().map(|b| b.work()).map_err(|e| (e.work(), e.to_string())), f.as_ref().map(|b| b.work()).map_err(|e| (e.work(), e.to_string())));
        }
    }
}
