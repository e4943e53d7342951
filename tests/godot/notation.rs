//! Tests Godot's text notation.

mod keys_and_errors;
mod printing;
mod str_to_var;
mod typed_containers;
