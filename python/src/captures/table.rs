//! Passes batches of rows on to other libraries, through Arrow's interface for C.

use super::capture::{Capture, Problem};
use super::columns::{Columns, SCHEMA};
use crate::error::raise;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{self, ThreadId};

/// Reads a capture as batches of rows.
pub(super) struct Table {
    capture: Capture,
    columns: Columns,
    /// Full batches. A block can fill several.
    ready: VecDeque<Result<RecordBatch, ArrowError>>,
    is_over: bool,
}

impl Table {
    pub(super) fn new(capture: Capture) -> Self {
        Self { capture, columns: Columns::new(), ready: VecDeque::new(), is_over: false }
    }

    /// Reads a block of the capture. Returns `false` at its end.
    fn block(&mut self) -> bool {
        let Self { capture, columns, ready, .. } = self;
        capture.block(&mut |record, frame, names, file| {
            columns.add(record, frame, names, file);
            if columns.is_full() {
                ready.extend(columns.take());
            }
        })
    }

    /// Returns the next batch. `check` is called between blocks; it can end the reading.
    pub(super) fn next<E>(
        &mut self,
        mut check: impl FnMut() -> Result<(), E>,
    ) -> Result<Option<Result<RecordBatch, ArrowError>>, E> {
        while self.ready.is_empty() && !self.is_over {
            check()?;
            if !self.block() {
                self.is_over = true;
                self.ready.extend(self.columns.take());
            }
        }
        Ok(self.ready.pop_front())
    }

    /// Returns the next batch. Must be called without the global interpreter lock.
    pub(super) fn next_batch(&mut self) -> PyResult<Option<Batch>> {
        let batch = match self.next(|| Python::attach(|py| py.check_signals()))? {
            Some(batch) => batch.map_err(|error| {
                Python::attach(|py| raise(py, &error.to_string(), "Internal".into(), None, None))
            })?,
            None => {
                let Some(problem) = self.capture.take_problem() else { return Ok(None) };
                return Err(Python::attach(|py| problem.raise(py)));
            }
        };
        Ok(Some(Batch(batch)))
    }
}

/// Rows of the table of packets. `pyarrow.record_batch(batch)` and other functions that accept Arrow's
/// interface take them without a copy.
#[pyclass(frozen, module = "gamewire")]
pub(crate) struct Batch(RecordBatch);

#[pymethods]
impl Batch {
    /// Exports the schema and the rows.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // A consumer that asks for another schema must accept this one.
        let _ = requested_schema;
        let array = FFI_ArrowArray::new(&StructArray::from(self.0.clone()).into_data());
        let array = PyCapsule::new_with_value(py, array, c"arrow_array")?;
        PyTuple::new(py, [schema(py)?, array])
    }

    /// Exports the schema.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema(py)
    }

    /// Returns the number of rows.
    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("<Batch of {} packets>", self.0.num_rows())
    }
}

/// Exports the schema of the table.
pub(super) fn schema(py: Python<'_>) -> PyResult<Bound<'_, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(SCHEMA.as_ref())
        .map_err(|error| raise(py, &error.to_string(), "Internal".into(), None, None))?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

/// Exports all rows as a stream, which reads the capture while it is consumed.
pub(super) fn stream(py: Python<'_>, table: Table) -> PyResult<Bound<'_, PyCapsule>> {
    let stream = Stream { table, thread: thread::current().id() };
    PyCapsule::new_with_value(
        py,
        FFI_ArrowArrayStream::new(Box::new(stream)),
        c"arrow_array_stream",
    )
}

/// A table that is read by code that knows nothing of Python.
struct Stream {
    table: Table,
    /// The thread that asked for the stream.
    thread: ThreadId,
}

/// Lets Python handle Ctrl+C, but only in the thread `own`, which asked for the stream. No other
/// thread may wait for the global interpreter lock, because `own` may hold it while it waits for
/// the batch.
fn check_signals(own: ThreadId) -> Result<(), ArrowError> {
    if thread::current().id() != own {
        return Ok(());
    }
    let checked = Python::try_attach(|py| py.check_signals());
    checked.unwrap_or(Ok(())).map_err(|error| external(Problem::Raised(error)))
}

/// Returns an error for the consumer, which raises an exception of its own.
fn external(problem: Problem) -> ArrowError {
    let message = problem.message();
    if let Problem::Raised(error) = problem {
        Python::try_attach(|py| {
            // Python raises the interrupt again after the exception of the consumer.
            if error.is_instance_of::<PyKeyboardInterrupt>(py)
                && let Ok(module) = py.import("_thread")
            {
                let _ = module.call_method0("interrupt_main");
            }
        });
    }
    ArrowError::ExternalError(message.into())
}

impl Stream {
    fn batch(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        let own = self.thread;
        match self.table.next(|| check_signals(own)) {
            Err(error) => Some(Err(error)),
            Ok(Some(batch)) => Some(batch),
            Ok(None) => self.table.capture.take_problem().map(|problem| Err(external(problem))),
        }
    }
}

impl Iterator for Stream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        // A panic must not reach the caller, which is not written in Rust.
        catch_unwind(AssertUnwindSafe(|| self.batch())).unwrap_or_else(|_| {
            self.table.is_over = true;
            Some(Err(ArrowError::ExternalError("an error in gamewire".into())))
        })
    }
}

impl RecordBatchReader for Stream {
    fn schema(&self) -> SchemaRef {
        SCHEMA.clone()
    }
}
