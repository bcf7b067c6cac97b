//! A program of many small parts, each of which prints a line: a test of Rust's own IR in another code generator.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};
use std::error::Error;
use std::fmt::{self, Display, Write as _};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::{Rc, Weak};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, AtomicU8, AtomicUsize, Ordering};
use std::sync::{mpsc, Arc, Barrier, Condvar, Mutex, OnceLock, RwLock};
use std::thread;

mod json;
mod machine;
mod numbers;
mod text;

/// A generator of pseudo-random numbers.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }
}

trait Shape {
    fn area(&self) -> f64;
    fn name(&self) -> String {
        "shape".to_string()
    }
}

struct Circle(f64);
struct Rect {
    w: f32,
    h: f32,
}

impl Shape for Circle {
    fn area(&self) -> f64 {
        std::f64::consts::PI * self.0 * self.0
    }
    fn name(&self) -> String {
        format!("circle({:.1})", self.0)
    }
}

impl Shape for Rect {
    fn area(&self) -> f64 {
        f64::from(self.w * self.h)
    }
}

fn shapes() -> String {
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Circle(1.5)), Box::new(Rect { w: 2.5, h: 3.25 }), Box::new(Circle(0.1))];
    let mut sorted: Vec<&dyn Shape> = shapes.iter().map(|s| &**s).collect();
    sorted.sort_by(|a, b| a.area().total_cmp(&b.area()));
    let total: f64 = shapes.iter().map(|s| s.area()).sum();
    let names: Vec<String> = sorted.iter().map(|s| format!("{}={:.3}", s.name(), s.area())).collect();
    format!("{} total {total:e}", names.join(" "))
}

fn threads() -> String {
    let total = Arc::new(Mutex::new(HashMap::<u64, u64>::new()));
    let hits = Arc::new(AtomicUsize::new(0));
    let handles: Vec<thread::JoinHandle<u64>> = (0..4u64)
        .map(|id| {
            let (total, hits) = (Arc::clone(&total), Arc::clone(&hits));
            thread::Builder::new()
                .name(format!("worker-{id}"))
                .spawn(move || {
                    let mut random = Random(id + 1);
                    for _ in 0..2000 {
                        let key = random.below(17);
                        *total.lock().unwrap().entry(key).or_insert(0) += id + 1;
                        hits.fetch_add(1, Ordering::Relaxed);
                    }
                    thread::current().name().map_or(0, |name| name.len() as u64) + id
                })
                .unwrap()
        })
        .collect();
    let results: Vec<u64> = handles.into_iter().map(|h| h.join().unwrap()).collect();
    let total = total.lock().unwrap();
    let mut entries: Vec<_> = total.iter().map(|(k, v)| (*k, *v)).collect();
    entries.sort_unstable();
    format!("{results:?} {} {:?} {}", hits.load(Ordering::SeqCst), &entries[..3], entries.iter().map(|e| e.1).sum::<u64>())
}

fn channels() -> String {
    let (send, receive) = mpsc::channel::<(usize, Box<dyn FnOnce(u64) -> u64 + Send>)>();
    let (bounded, results) = mpsc::sync_channel::<(usize, u64)>(2);
    let worker = thread::spawn(move || {
        for (i, job) in receive {
            bounded.send((i, job(i as u64 * 10))).unwrap();
        }
    });
    let feeder = thread::spawn(move || {
        for i in 0..50 {
            let job: Box<dyn FnOnce(u64) -> u64 + Send> = match i % 3 {
                0 => Box::new(move |x| x + i as u64),
                1 => Box::new(|x| x * x),
                _ => Box::new(|x| u64::from(x.count_ones())),
            };
            send.send((i, job)).unwrap();
        }
    });
    let mut all: Vec<(usize, u64)> = results.iter().collect();
    feeder.join().unwrap();
    worker.join().unwrap();
    all.sort_by_key(|&(i, r)| (Reverse(r), i));
    format!("{:?} {}", &all[..4], all.len())
}

thread_local! {
    static COUNT: Cell<u32> = const { Cell::new(0) };
    static LOG: RefCell<Vec<String>> = RefCell::new(Vec::new());
}

fn scoped() -> String {
    static TABLE: OnceLock<Vec<u32>> = OnceLock::new();
    let table = TABLE.get_or_init(|| (0..1000).map(|x: u32| x.pow(2) % 257).collect());
    let (sums, barrier) = (RwLock::new(BTreeMap::new()), Barrier::new(5));
    thread::scope(|s| {
        for (i, chunk) in table.chunks(200).enumerate() {
            let (sums, barrier) = (&sums, &barrier);
            s.spawn(move || {
                COUNT.with(|c| c.set(c.get() + i as u32));
                barrier.wait();
                LOG.with(|l| l.borrow_mut().push(format!("{i}")));
                let own = COUNT.with(Cell::get) + LOG.with(|l| l.borrow().len() as u32);
                sums.write().unwrap().insert(i, (chunk.iter().sum::<u32>(), own));
            });
        }
    });
    let sums = sums.into_inner().unwrap();
    format!("{sums:?} {} {}", COUNT.with(Cell::get), LOG.with(|l| l.borrow().len()))
}

fn condition() -> String {
    let state = Arc::new((Mutex::new(VecDeque::<i32>::new()), Condvar::new(), AtomicBool::new(false)));
    let producer = {
        let state = Arc::clone(&state);
        thread::spawn(move || {
            for i in 0..300 {
                state.0.lock().unwrap().push_back(i * i - 7 * i);
                state.1.notify_one();
            }
            state.2.store(true, Ordering::Release);
            state.1.notify_all();
        })
    };
    let (mut sum, mut count) = (0i64, 0);
    loop {
        let mut queue = state.0.lock().unwrap();
        while queue.is_empty() && !state.2.load(Ordering::Acquire) {
            queue = state.1.wait_timeout(queue, std::time::Duration::from_millis(20)).unwrap().0;
        }
        let Some(x) = queue.pop_front() else { break };
        sum += i64::from(x);
        count += 1;
    }
    producer.join().unwrap();
    format!("{sum} {count}")
}

fn atomics() -> String {
    let (a, b, c, d) = (AtomicU8::new(250), AtomicU32::new(1), AtomicI64::new(-5), AtomicU64::new(u64::MAX));
    thread::scope(|s| {
        for i in 0..4u8 {
            let (a, b, c, d) = (&a, &b, &c, &d);
            s.spawn(move || {
                for _ in 0..1000 {
                    a.fetch_add(i, Ordering::AcqRel);
                    b.fetch_xor(1 << i, Ordering::Relaxed);
                    c.fetch_max(i64::from(i) * 100, Ordering::SeqCst);
                    d.fetch_update(Ordering::SeqCst, Ordering::Relaxed, |x| Some(x.wrapping_sub(3))).unwrap();
                }
            });
        }
    });
    let swapped = d.swap(9, Ordering::SeqCst);
    let exchanged = d.compare_exchange(8, 1, Ordering::AcqRel, Ordering::Acquire);
    std::sync::atomic::fence(Ordering::SeqCst);
    format!("{a:?} {b:?} {c:?} {swapped} {exchanged:?} {}", c.fetch_nand(6, Ordering::Relaxed))
}

#[derive(Debug)]
struct Tree {
    name: String,
    children: RefCell<Vec<Rc<Tree>>>,
    parent: RefCell<Weak<Tree>>,
}

impl Tree {
    fn new(name: &str, parent: Weak<Tree>) -> Rc<Tree> {
        Rc::new(Tree { name: name.into(), children: RefCell::default(), parent: RefCell::new(parent) })
    }

    fn add(self: &Rc<Tree>, name: &str) -> Rc<Tree> {
        let child = Tree::new(name, Rc::downgrade(self));
        self.children.borrow_mut().push(Rc::clone(&child));
        child
    }

    fn path(&self) -> String {
        match self.parent.borrow().upgrade() {
            Some(parent) => format!("{}/{}", parent.path(), self.name),
            None => self.name.clone(),
        }
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        LOG.with(|l| l.borrow_mut().push(format!("-{}", self.name)));
    }
}

fn trees() -> String {
    let path = {
        let root = Tree::new("root", Weak::new());
        let usr = root.add("usr");
        usr.add("lib").add("rust");
        root.add("tmp");
        let rust = Rc::clone(&usr.children.borrow()[0].children.borrow()[0]);
        format!("{} {}", rust.path(), Rc::strong_count(&rust))
    };
    format!("{path} {}", LOG.with(|l| std::mem::take(&mut *l.borrow_mut())).concat())
}

fn collections() -> String {
    let mut random = Random(42);
    let values: Vec<u16> = (0..500).map(|_| random.next() as u16).collect();
    let (mut stable, mut unstable) = (values.clone(), values.clone());
    stable.sort_by_key(|v| v % 100);
    unstable.sort_unstable_by(|a, b| b.cmp(a));
    let set: HashSet<u16> = values.iter().map(|v| v / 256).collect();
    let tree: BTreeSet<u16> = set.iter().copied().collect();
    let mut heap: BinaryHeap<Reverse<u16>> = values.iter().copied().map(Reverse).collect();
    let least: Vec<u16> = std::iter::from_fn(|| heap.pop()).take(4).map(|r| r.0).collect();
    let mut groups: BTreeMap<bool, Vec<u16>> = BTreeMap::new();
    for v in &values {
        groups.entry(v % 2 == 0).or_default().push(*v);
    }
    let runs = unstable.windows(2).filter(|w| w[0] - w[1] > 200).count();
    let mut dedup = stable.clone();
    dedup.dedup_by_key(|v| *v % 100);
    let found = unstable.binary_search_by(|p| values[17].cmp(p)).is_ok();
    let range: Vec<_> = tree.range(10..=13).collect();
    format!(
        "{} {:?} {least:?} {:?} {runs} {} {found} {range:?}",
        set.len() == tree.len(),
        &stable[..3],
        groups.iter().map(|(k, v)| (*k, v.len())).collect::<Vec<_>>(),
        dedup.len()
    )
}

fn hashes() -> String {
    let mut out = String::new();
    for item in [("a", 1u8, Some(2.5f64.to_bits())), ("bc", 2, None)] {
        let mut hasher = DefaultHasher::new();
        item.hash(&mut hasher);
        write!(out, "{:016x} ", hasher.finish()).unwrap();
    }
    out
}

fn main() -> Result<(), Box<dyn Error>> {
    let scale: u32 = std::env::args().nth(1).map_or(Ok(1), |a| a.parse())?;
    let parts: [(&str, fn() -> String); 16] = [
        ("shapes", shapes),
        ("threads", threads),
        ("channels", channels),
        ("scoped", scoped),
        ("condition", condition),
        ("atomics", atomics),
        ("trees", trees),
        ("collections", collections),
        ("hashes", hashes),
        ("numbers", numbers::integers),
        ("wide", numbers::wide),
        ("floats", numbers::floats),
        ("primes", numbers::primes),
        ("text", text::text),
        ("json", json::json),
        ("machine", machine::machine),
    ];
    for (name, part) in parts {
        let mut last = part();
        for _ in 1..scale {
            last = part();
        }
        println!("{name:<12}{last}");
    }
    Ok(())
}

/// An error with a position.
#[derive(Debug, Clone, PartialEq)]
struct At<T>(usize, T);

impl<T: Display> Display for At<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at {}: {}", self.0, self.1)
    }
}

impl<T: Display + fmt::Debug> Error for At<T> {}
