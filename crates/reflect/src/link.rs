//! Layout of classes, structs and functions.
