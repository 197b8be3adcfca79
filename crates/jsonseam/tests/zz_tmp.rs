use jsonseam::{Config, Root, StreamOptions};
#[test]
fn tmp() {
    let p = jsonseam::pipeline(&Config::default().with_preset("lenient").with_root(Root::Any)).unwrap();
    for text in ["{\"a\": 1, \"b\"", "{\"a\": [1,}"] {
        let b = p.repair(text);
        for size in [100] {
            let mut s = p.stream(StreamOptions::new());
            let mut at = 0;
            while at < text.len() { let e = (at + size).min(text.len()); let _ = s.push(&text[at..e]); at = e;  }
            let f = s.finish(None);
            println!("{size} {:?} {:?}", b.as_ref().map(|b| (b.work(), b.text().to_owned(), b.edits().collect::<Vec<_>>())).map_err(|e| (e.work(), e.to_string())), f.as_ref().map(|b| (b.work(), b.text().to_owned(), b.edits().collect::<Vec<_>>())).map_err(|e| (e.work(), e.to_string())));
        }
    }
}
