//! Find the patch in a reply, in whatever format it comes.
