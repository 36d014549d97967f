//! Reading declarations of native classes from JSON.
