//! Rows of a log in memory up to a limit, and beyond it in an unnamed temporary file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::Mutex;

use crate::parallel::lock;

/// The maximum memory for rows of one kind: 192 MiB.
pub const MOST_IN_MEMORY: usize = 192 << 20;

/// Where records are kept.
#[derive(Debug)]
pub enum Stored<T> {
    /// In memory.
    Memory(Vec<T>),
    /// In the file, at this position.
    File(u64),
}

/// The memory and the file of records.
#[derive(Debug)]
pub struct Storage {
    in_memory: usize,
    most_in_memory: usize,
    file: Option<Mutex<Spilled>>,
    full: bool,
}

impl Storage {
    /// Creates storage for `most_in_memory` records in memory, and any number on disk.
    pub fn new(most_in_memory: usize) -> Self {
        Self { in_memory: 0, most_in_memory, file: None, full: false }
    }

    /// The maximum number of records in memory.
    pub fn most_in_memory(&self) -> usize {
        self.most_in_memory
    }

    /// Whether writing to the file has failed, so that later records have to be dropped.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Keeps records; `put` serializes those that go to the file.
    pub fn store<T>(&mut self, records: Vec<T>, put: impl FnOnce(&[T], &mut Vec<u8>)) -> Stored<T> {
        if self.in_memory + records.len() <= self.most_in_memory {
            self.in_memory += records.len();
            return Stored::Memory(records);
        }
        if self.file.is_none() {
            self.file = Spilled::new().ok().map(Mutex::new);
        }
        let file = self.file.as_ref().ok_or(io::ErrorKind::Other.into());
        match file.and_then(|file| lock(file).write(|bytes| put(&records, bytes))) {
            Ok(start) => Stored::File(start),
            Err(_) => {
                // The disk is full: these records stay in memory.
                self.full = true;
                Stored::Memory(records)
            }
        }
    }

    /// Passes bytes of the file to `take`.
    pub fn read<T>(&self, place: u64, length: usize, take: impl FnOnce(&[u8]) -> T) -> io::Result<T> {
        lock(self.file.as_ref().expect("there is a file")).read(place, length).map(take)
    }
}

/// The file. It has no name, so the system removes it with the process.
#[derive(Debug)]
struct Spilled {
    file: File,
    length: u64,
    bytes: Vec<u8>,
}

impl Spilled {
    fn new() -> io::Result<Self> {
        Ok(Self { file: tempfile::tempfile()?, length: 0, bytes: Vec::new() })
    }

    /// Appends the bytes that `put` appends to a buffer, and returns their position.
    fn write(&mut self, put: impl FnOnce(&mut Vec<u8>)) -> io::Result<u64> {
        self.bytes.clear();
        put(&mut self.bytes);
        self.file.seek(SeekFrom::Start(self.length))?;
        self.file.write_all(&self.bytes)?;
        let start = self.length;
        self.length += self.bytes.len() as u64;
        Ok(start)
    }

    fn read(&mut self, place: u64, length: usize) -> io::Result<&[u8]> {
        self.bytes.resize(length, 0);
        self.file.seek(SeekFrom::Start(place))?;
        self.file.read_exact(&mut self.bytes)?;
        Ok(&self.bytes)
    }
}
